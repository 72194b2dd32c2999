// Measures each kind of token request beside a bare server, and a refresh beside other authorization servers:
// `npm run bench`. With `-- --write`, the tables and the pictures of docs/performance.md become those of this run.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const KINDS = {
  refresh: "Refresh, on the disk before the response",
  code: "Code, without an ID token",
  "code-es256": "Code, with an ID token (ES256)",
  "code-rs256": "Code, with an ID token (RS256)",
  userinfo: "Userinfo",
  introspect: "Introspection",
  jwks: "JWK Set",
  page: "Page that asks for a domain",
};
const SERVERS = {
  SQLite: "domain-signin, SQLite, on the disk",
  PostgreSQL: "domain-signin, PostgreSQL, on the disk",
  "oidc-provider, SQLite": "oidc-provider, SQLite, on the disk",
  "oidc-provider, memory": "oidc-provider, in memory",
  "node-oauth, memory": "@node-oauth/oauth2-server, in memory",
  "better-auth, memory": "better-auth, in memory",
  "openauth, memory": "@openauthjs/openauth, in memory",
};
const DOCUMENT = here("../docs/performance.md");

const requests = Object.keys(KINDS).map((kind) => {
  const rounds = kind.startsWith("code-") || kind === "page" ? { ROUNDS: "20", COUNT: "300" } : {};
  const [floor, own] = run("tokens.mjs", [kind], rounds);
  console.error(`${KINDS[kind]}: ${own.share.toFixed(2)}`);
  return { label: KINDS[kind], floor, own };
});
if (!existsSync(here("others/node_modules"))) {
  execFileSync("npm", ["ci", "--prefix", here("others")], { stdio: "inherit" });
}
const [floor, ...servers] = run("servers.mjs", [], {});
const others = servers.map((own) => ({ label: SERVERS[own.name], floor, own }));
others.sort((a, b) => b.own.share - a.own.share);

const tables = { requests: tableOf("request", requests), servers: tableOf("server", others) };
for (const table of Object.values(tables)) console.log(`${table}\n`);
writeFileSync(here("../test-results/bench.json"), JSON.stringify({ requests, others }, null, 1));
if (process.argv.includes("--write")) {
  let text = readFileSync(DOCUMENT, "utf8");
  for (const [name, table] of Object.entries(tables)) {
    const [from, to] = [`<!-- ${name}: from here -->`, `<!-- ${name}: to here -->`];
    const [before] = text.split(from);
    const [, after] = text.split(to);
    text = `${before}${from}\n\n${table}\n\n${to}${after}`;
  }
  writeFileSync(DOCUMENT, text);
  writeFileSync(here("../docs/images/performance.svg"), pictureOf(requests));
  writeFileSync(here("../docs/images/performance-servers.svg"), pictureOf(others));
}

function here(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

function run(file, args, settings) {
  const env = { ...process.env, ...settings, JSON: "1" };
  const text = execFileSync(process.execPath, [here(file), ...args], { env, encoding: "utf8" });
  return JSON.parse(text).results;
}

function tableOf(what, rows) {
  const lines = rows.map(({ label, floor, own }) => {
    const cells = [
      ...[label, `${own.us.toFixed(0)} µs`, `${floor.us.toFixed(0)} µs`, own.share.toFixed(2)],
      ...[own.perSecond.toFixed(0), `${own.p99Ms.toFixed(0)} ms`],
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const date = new Date().toISOString().slice(0, 10);
  return [
    `Measured on ${date}, Node ${process.version}, ${cpus()[0].model.trim()}, one processor for the service and one for the load.`,
    "",
    `| ${what} | processor time | bare server | share | requests a second | p99 |`,
    "|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

/** A bar for each row: its share of the bare server, which would be a bar of the whole width. */
function pictureOf(rows) {
  const [left, width, step] = [300, 360, 34];
  const bars = rows.map(({ label, own }, index) => {
    const y = 20 + index * step;
    const share = Math.min(1, own.share);
    return [
      `<text x="${left - 12}" y="${y + 16}" text-anchor="end">${label}</text>`,
      `<rect x="${left}" y="${y}" width="${width}" height="22" rx="3" class="whole"/>`,
      `<rect x="${left}" y="${y}" width="${(width * share).toFixed(1)}" height="22" rx="3" class="own"/>`,
      `<text x="${left + width + 10}" y="${y + 16}">${own.share.toFixed(2)}</text>`,
    ].join("\n");
  });
  const height = 30 + rows.length * step;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${height}" role="img" aria-labelledby="title">
<title id="title">Processor time of a bare server as a share of that of the service</title>
<style>
text { font: 14px system-ui, sans-serif; fill: #222 }
.whole { fill: #d8dee6 }
.own { fill: #2c6fbb }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .whole { fill: #3a4048 } .own { fill: #6aa9f0 } }
</style>
${bars.join("\n")}
</svg>
`;
}
