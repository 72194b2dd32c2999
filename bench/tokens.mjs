// Measures what a refresh, a redemption, userinfo or an introspection costs, beside a bare server with the same octets.
//
//   npm run build && node bench/tokens.mjs [KIND] [NAME=CLI …]
//
// KIND is refresh, code, code-es256 or code-rs256 (with an ID token), userinfo, introspect or jwks.
// Each CLI is a build of the service, on a SQLite file of its own; this build by default. The server has one processor
// and the load another. Rounds are short and interleaved, and each is compared with the one of the bare server beside
// it, because the speed of a shared machine changes from second to second. ROUNDS, COUNT (requests of a round),
// CONNECTIONS and GRANTS can be set; PROFILE is a folder for a CPU profile of the first build. With MIN_SHARE, the status
// is 1 if the bare server takes less than this share of what the first build takes. JSON=1 prints the result as JSON.

import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const SECRET = "a secret for benchmarks, and for nothing else";
const BUILD = fileURLToPath(new URL("../packages/server/dist/cli.js", import.meta.url));
const CORES = { server: "0", load: "1" };
const PATHS = {
  userinfo: "/oauth/userinfo",
  introspect: "/oauth/introspect",
  jwks: "/.well-known/jwks.json",
};
/** Rounds before the first that counts: until then, the code of all is being compiled. */
const WARM_UP = 10;

const [kind = "refresh", ...builds] = process.argv.slice(2);
const isCode = kind.startsWith("code");
const setting = (name, usual) => Math.min(1_000_000, Number(process.env[name] ?? usual));
const [ROUNDS, COUNT] = [setting("ROUNDS", 60), setting("COUNT", 600)];
const [CONNECTIONS, GRANTS] = [setting("CONNECTIONS", 64), setting("GRANTS", 256)];

const folder = mkdtempSync(join(tmpdir(), "domain-signin-bench-"));
const children = [];
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
process.on("SIGTERM", () => process.exit(1));
process.on("SIGINT", () => process.exit(1));

const { seed } = await loadSeed();
const driver = fork(here("driver.mjs"), { execArgv: [] });
children.push(driver, spawn("taskset", ["-pc", CORES.load, String(driver.pid)]));
const contenders = [];
for (const build of builds.length > 0 ? builds : [`build=${BUILD}`]) {
  const [name, cli] = build.split("=");
  contenders.push(await startBuild(name, resolve(cli)));
}
const { octets } = await measure(contenders[0], false);
contenders.unshift(await startFloor(contenders[0], octets));
for (let round = 0; round < WARM_UP + ROUNDS; round++) {
  for (const contender of contenders) await measure(contender, round >= WARM_UP);
}
const all = results();
report(all);
await endFirst();
const isLow = all[1].share < Number(process.env.MIN_SHARE ?? 0);
if (isLow) console.error(`${kind}: the share is below ${process.env.MIN_SHARE}`);
process.exit(isLow ? 1 : 0);

function here(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** The sources are TypeScript, which Node 20 does not run. */
async function loadSeed() {
  const verify = here("../packages/verify/src/index.ts");
  const bundle = await rolldown({
    input: here("seed.ts"),
    platform: "node",
    external: /^[^./]/,
    logLevel: "silent",
    resolve: { alias: { "domain-signin-verify": verify } },
  });
  const file = here("../test-results/seed.mjs");
  await bundle.write({ file, format: "esm", codeSplitting: false });
  return import(pathToFileURL(file));
}

/** Resolves when it has printed a line of JSON. */
async function start(args, cwd = folder) {
  const child = spawn("taskset", ["-c", CORES.server, process.execPath, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, DOMAIN_SIGNIN_SECRET: SECRET },
    cwd,
  });
  children.push(child);
  const [chunk] = await once(child.stdout, "data");
  return { child, port: JSON.parse(String(chunk).split("\n")[0]).port, us: [], rates: [], p99: [] };
}

async function startBuild(name, cli) {
  const own = join(folder, name);
  mkdirSync(own);
  const database = `sqlite:${join(own, "store.db")}`;
  const grants = isCode ? (WARM_UP + ROUNDS + 1) * COUNT : GRANTS;
  const scope = kind === "code" ? "profile" : "openid profile";
  const alg = kind === "code-rs256" ? "RS256" : "ES256";
  const seeded = await seed({ database, secret: SECRET, grants, scope, alg });
  const profile = process.env.PROFILE;
  const isProfiled = profile !== undefined && contenders.length === 0;
  const started = await start(
    [
      ...(isProfiled ? ["--cpu-prof", `--cpu-prof-dir=${resolve(profile)}`] : []),
      ...[cli, "serve", "--json", "--port", "0", "--issuer", "http://localhost:8080"],
      ...["--database", database, "--dns-servers", "127.0.0.1:9", "--min-assurance", "single"],
    ],
    own,
  );
  const pair = `${seeded.clientId}:${seeded.clientSecret}`;
  const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  const { redirectUri: redirect_uri, verifier: code_verifier } = seeded;
  const forms = seeded.codes.map((code) =>
    new URLSearchParams({ code, redirect_uri, code_verifier }).toString(),
  );
  const contender = { ...started, name, authorization, values: forms };
  if (isCode) return contender;
  const { values } = await drive(contender, { kind: "code", count: forms.length, connections: 16 });
  const tokens = values.map((text) => JSON.parse(text));
  const wanted = kind === "refresh" ? "refresh_token" : "access_token";
  return { ...contender, values: tokens.map((token) => token[wanted]) };
}

/** With the headers that the service sends, and as many octets. */
async function startFloor(first, octets) {
  const url = `http://127.0.0.1:${first.port}/oauth/token`;
  const { headers } = await fetch(url, { method: "POST", body: "" });
  const own = ["connection", "date", "keep-alive", "content-length", "transfer-encoding"];
  const sent = [...headers].filter(([name]) => !own.includes(name));
  const args = [here("floor.mjs"), JSON.stringify([Object.fromEntries(sent), octets])];
  return { ...first, name: "bare server", ...(await start(args)) };
}

function drive(contender, job) {
  const { port, authorization, values } = contender;
  const path = PATHS[job.kind] ?? "/oauth/token";
  driver.send({ port, authorization, values, path, connections: CONNECTIONS, ...job });
  return once(driver, "message").then(([result]) => result);
}

async function measure(contender, isCounted) {
  const all = contender.values;
  // Each code can be redeemed once.
  if (isCode) contender.values = all.slice(0, COUNT);
  const before = cpuUs(contender.child.pid);
  const result = await drive(contender, { kind: isCode ? "code" : kind, count: COUNT });
  const us = (cpuUs(contender.child.pid) - before) / COUNT;
  contender.values = isCode ? all.slice(COUNT) : all;
  if (kind === "refresh" && contender.name !== "bare server") contender.values = result.values;
  const { 200: good = 0 } = result.statuses;
  if (good !== COUNT) throw new Error(`${contender.name}: ${JSON.stringify(result.statuses)}`);
  if (!isCounted) return result;
  const sorted = result.latencies.sort((a, b) => a - b);
  contender.us.push(us);
  contender.rates.push((COUNT / result.ms) * 1000);
  contender.p99.push(sorted[Math.floor(sorted.length * 0.99)]);
  return result;
}

/** Processor time of all threads of a process. */
function cpuUs(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const ns = tasks.map((task) => {
    const [first] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ");
    return Number(first);
  });
  return ns.reduce((sum, one) => sum + one, 0) / 1000;
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Of each contender, medians of the rounds. `share` is the cost of the bare server over its own. */
function results() {
  const floor = contenders[0].us;
  return contenders.map(({ name, us, rates, p99 }) => ({
    name,
    us: median(us),
    share: median(us.map((cost, round) => floor[round] / cost)),
    perSecond: median(rates),
    p99Ms: median(p99),
  }));
}

function report(all) {
  if (process.env.JSON) {
    console.log(JSON.stringify({ kind, connections: CONNECTIONS, results: all }));
    return;
  }
  console.log(`${kind}, ${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${COUNT}`);
  for (const { name, us, share, perSecond, p99Ms } of all) {
    const cells = [
      `${us.toFixed(1)} us`,
      `${share.toFixed(3)} of the bare server`,
      `${perSecond.toFixed(0)} a second`,
      `p99 ${p99Ms.toFixed(1)} ms`,
    ];
    console.log([name.padEnd(12), ...cells.map((cell) => cell.padStart(26))].join(""));
  }
}

/** In order, so that it writes its profile. */
async function endFirst() {
  if (process.env.PROFILE === undefined) return;
  const { child } = contenders[1];
  child.kill("SIGTERM");
  await once(child, "exit");
}
