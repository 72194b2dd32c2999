// Measures what sign-ins and token requests cost, beside bare servers and other authorization servers: `npm run bench`.
// With `-- --write`, the tables and the pictures of docs/performance.md become those of this run; with `--sign-ins` too,
// only the first table is measured and written. COUNT, SET_UPS and ROUNDS as in `sign-in.mjs`.

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
const hasAll = !process.argv.includes("--sign-ins");
const DOCUMENT = here("../docs/performance.md");

if (!existsSync(here("others/node_modules"))) {
  execFileSync("npm", ["ci", "--prefix", here("others")], { stdio: "inherit" });
}
const signIns = run("sign-in.mjs", [], { OTHERS: "1" }).results;
for (const { name, label, ms } of signIns) console.error(`${label} (${name}): ${ms.toFixed(1)} ms`);
const disk = run("sign-in.mjs", [], { DISK: "1", FLOWS: "continue,set-up" }).results;
const requests = (hasAll ? Object.keys(KINDS) : []).map((kind) => {
  const isDear = kind.startsWith("code-") || kind === "page";
  const rounds = isDear ? { ROUNDS: "20", COUNT: "300", BUSY_ROUNDS: "10" } : {};
  const { results, beside } = run("tokens.mjs", [kind], rounds);
  console.error(`${KINDS[kind]}: ${results.at(-1).share.toFixed(2)}`);
  return { label: KINDS[kind], own: results.at(-1), busy: beside.at(-1) };
});
const [floor, ...servers] = hasAll ? run("servers.mjs", [], {}).results : [];
const others = servers.map((own) => ({ label: SERVERS[own.name], floor, own }));
others.sort((a, b) => b.own.share - a.own.share);

const tables = {
  "sign-ins": tableOfSignIns(),
  ...(hasAll && { requests: tableOfRequests(), servers: tableOfServers() }),
};
for (const table of Object.values(tables)) console.log(`${table}\n`);
const all = { signIns, disk, requests, others };
writeFileSync(here("../test-results/bench.json"), JSON.stringify(all, null, 1));
if (process.argv.includes("--write")) {
  let text = readFileSync(DOCUMENT, "utf8");
  for (const [name, table] of Object.entries(tables)) {
    const [from, to] = [`<!-- ${name}: from here -->`, `<!-- ${name}: to here -->`];
    const [before] = text.split(from);
    const [, after] = text.split(to);
    text = `${before}${from}\n\n${table}\n\n${to}${after}`;
  }
  writeFileSync(DOCUMENT, text);
  if (hasAll) {
    writeFileSync(here("../docs/images/performance.svg"), pictureOf(requests));
    writeFileSync(here("../docs/images/performance-servers.svg"), pictureOf(others));
  }
}

function here(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

function run(file, args, settings) {
  const env = { ...process.env, ...settings, JSON: "1" };
  const text = execFileSync(process.execPath, [here(file), ...args], { env, encoding: "utf8" });
  return JSON.parse(text);
}

function tableOfSignIns() {
  const rows = signIns.map(
    ({ name, label, requests, reads, commits, octets, ms, bareMs, ratio }) => [
      name === "build" ? label : `${name}: ${label}`,
      ...[requests, reads, commits, `${(octets / 1000).toFixed(1)} kB`],
      ...[`${ms.toFixed(1)} ms`, `${bareMs.toFixed(1)} ms`, ratio.toFixed(1)],
    ],
  );
  const slower = disk.map(({ label, calmMs, aboveMs }) => {
    const [calm, above] = [calmMs, aboveMs].map((ms) => ms.toFixed(0));
    return `${above} ms more (${label}; ${calm} ms without the delay)`;
  });
  const head = ["flow", "requests", "reads", "commits", "to the browser"];
  const table = tableOf([...head, "processor time", "bare requests", "ratio"], rows);
  return `${table}\n\nIf each \`fsync\` takes 10 ms longer, the median takes ${slower.join(" and ")}.`;
}

function tableOfRequests() {
  const rows = requests.map(({ label, own, busy }) => [
    ...[label, `${own.us.toFixed(0)} µs`],
    ...[own.share, busy.share, own.parsingShare, busy.parsingShare].map((share) =>
      share === undefined ? "" : share.toFixed(2),
    ),
    ...[own.perSecond.toFixed(0), `${own.p99Ms.toFixed(0)} ms`],
  ]);
  const busy = "with busy processes";
  const shares = ["share", busy, "of one that parses", busy];
  return tableOf(["request", "processor time", ...shares, "requests a second", "p99"], rows);
}

function tableOfServers() {
  const rows = others.map(({ label, floor, own }) => [
    ...[label, `${own.us.toFixed(0)} µs`, `${floor.us.toFixed(0)} µs`, own.share.toFixed(2)],
    ...[own.perSecond.toFixed(0), `${own.p99Ms.toFixed(0)} ms`],
  ]);
  const costs = ["processor time", "bare server", "share"];
  return tableOf(["server", ...costs, "requests a second", "p99"], rows);
}

function tableOf(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const date = new Date().toISOString().slice(0, 10);
  return [
    `Measured on ${date}, Node ${process.version}, ${cpus()[0].model.trim()}, one processor for the service and one for the load.`,
    "",
    line(head),
    `|${"---|".repeat(head.length)}`,
    ...rows.map(line),
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
