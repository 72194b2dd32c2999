// Measures each kind of token request beside a bare server: `npm run bench`. With `-- --write`, the table and the picture
// of docs/performance.md become those of this run.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
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
};
const DOCUMENT = here("../docs/performance.md");
const PICTURE = here("../docs/images/performance.svg");
const [FROM, TO] = ["<!-- measured: from here -->", "<!-- measured: to here -->"];

const measured = Object.keys(KINDS).map((kind) => {
  const rounds = kind.startsWith("code-") ? { ROUNDS: "20", COUNT: "300" } : {};
  const env = { ...process.env, ...rounds, JSON: "1" };
  const text = execFileSync(process.execPath, [here("tokens.mjs"), kind], {
    env,
    encoding: "utf8",
  });
  const [floor, own] = JSON.parse(text).results;
  console.error(`${KINDS[kind]}: ${own.share.toFixed(2)}`);
  return { kind, floor, own };
});
const table = tableOf(measured);
console.log(table);
writeFileSync(here("../test-results/bench.json"), JSON.stringify(measured, null, 1));
if (process.argv.includes("--write")) {
  const text = readFileSync(DOCUMENT, "utf8");
  const [before] = text.split(FROM);
  const [, after] = text.split(TO);
  writeFileSync(DOCUMENT, `${before}${FROM}\n\n${table}\n\n${TO}${after}`);
  writeFileSync(PICTURE, pictureOf(measured));
}

function here(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

function tableOf(rows) {
  const lines = rows.map(
    ({ kind, floor, own }) =>
      `| ${KINDS[kind]} | ${own.us.toFixed(0)} µs | ${floor.us.toFixed(0)} µs | ${own.share.toFixed(2)} | ${own.perSecond.toFixed(0)} | ${own.p99Ms.toFixed(0)} ms |`,
  );
  const date = new Date().toISOString().slice(0, 10);
  return [
    `Measured on ${date}, Node ${process.version}, ${cpus()[0].model.trim()}, one processor for the service and one for the load.`,
    "",
    "| request | processor time | bare server | share | requests a second | p99 |",
    "|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

/** A bar for each kind: its share of the bare server, which would be a bar of the whole width. */
function pictureOf(rows) {
  const [left, width, step] = [300, 360, 34];
  const bars = rows.map(({ kind, own }, index) => {
    const y = 20 + index * step;
    const share = Math.min(1, own.share);
    return [
      `<text x="${left - 12}" y="${y + 16}" text-anchor="end">${KINDS[kind]}</text>`,
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
