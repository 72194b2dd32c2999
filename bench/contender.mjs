// What the benchmarks share: services with seeded databases, and the process that sends requests to them.

import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

export const SECRET = "a secret for benchmarks, and for nothing else";
export const BUILD = here("../packages/server/dist/cli.js");
/** The server has one processor and the load another. */
export const CORES = { server: "0", load: "1" };
const PATHS = {
  userinfo: "/oauth/userinfo",
  introspect: "/oauth/introspect",
  jwks: "/.well-known/jwks.json",
};

const [BARE, PARSING] = ["bare server", "bare server that parses and serialises"];

export const CONNECTIONS = setting("CONNECTIONS", 64);

export const folder = mkdtempSync(join(tmpdir(), "domain-signin-bench-"));
const children = [];
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
process.on("SIGTERM", () => process.exit(1));
process.on("SIGINT", () => process.exit(1));

const drive = createDriver();

export function here(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Imports a file of the sources, which are TypeScript: Node 20 does not run it. */
export async function importSource(path) {
  const verify = here("../packages/verify/src/index.ts");
  const bundle = await rolldown({
    input: here(path),
    platform: "node",
    external: /^[^./]/,
    logLevel: "silent",
    resolve: { alias: { "domain-signin-verify": verify } },
  });
  const file = here(`../test-results/${path.replace(/.*\/|\.ts$/g, "")}.mjs`);
  await bundle.write({ file, format: "esm", codeSplitting: false });
  return import(pathToFileURL(file));
}

/** Resolves to what it prints as a line of JSON, its port among it. */
export async function start(args, cwd = folder, env = {}) {
  const child = spawn("taskset", ["-c", CORES.server, process.execPath, ...args], {
    stdio: ["ignore", "pipe", process.env.SHOW_LOG ? "inherit" : "ignore"],
    env: { ...process.env, DOMAIN_SIGNIN_SECRET: SECRET, ...env },
    cwd,
  });
  children.push(child);
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith("{")) continue;
    return { ...JSON.parse(line), child, us: [], rates: [], p99: [] };
  }
  throw new Error(`it ended before it was ready: ${args.join(" ")}`);
}

/**
 * Starts a build on a database that it fills with grants: their codes for a `kind` that begins with `code` or without
 * `redeems`, otherwise their tokens. `used` is how many of them the requests use, by default all. By default the
 * database is a SQLite file of its own.
 */
export async function startBuild(options) {
  const { name, cli, kind, grants, used = grants, database, nodeArgs = [] } = options;
  const { redeems = true } = options;
  const { seed } = await importSource("seed.ts");
  const own = join(folder, name);
  mkdirSync(own);
  const url = database ?? `sqlite:${join(own, "store.db")}`;
  const scope = kind === "code" ? "profile" : "openid profile";
  const alg = kind === "code-rs256" ? "RS256" : "ES256";
  const seeded = await seed({ database: url, secret: SECRET, grants, scope, alg });
  const args = [
    ...nodeArgs,
    ...[cli, "serve", "--json", "--port", "0", "--issuer", "http://localhost:8080"],
    ...["--database", url, "--dns-servers", "127.0.0.1:9", "--min-assurance", "single"],
    ...(kind === "page" ? ["--trusted-proxies", "127.0.0.1"] : []),
  ];
  const started = await start(args, own);
  const pair = `${seeded.clientId}:${seeded.clientSecret}`;
  const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  const { redirectUri: redirect_uri, verifier: code_verifier } = seeded;
  // From all over the table, which is in the order of time.
  const codes = seeded.codes.filter((_, index) => index % Math.floor(grants / used) === 0);
  if (used < grants) shuffle(codes);
  const forms = codes.map((code) =>
    new URLSearchParams({ code, redirect_uri, code_verifier }).toString(),
  );
  const contender = { ...started, name, authorization, values: forms };
  if (kind === "page") {
    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: seeded.clientId, redirect_uri, scope: "openid" },
      ...{ state: "s".repeat(22), code_challenge: "c".repeat(43), code_challenge_method: "S256" },
    });
    return { ...contender, path: `/oauth/authorize?${query}` };
  }
  if (kind.startsWith("code") || !redeems) return contender;
  const { values } = await drive(contender, { kind: "code", count: forms.length, connections: 16 });
  const tokens = values.map((text) => JSON.parse(text));
  const wanted = kind === "refresh" ? "refresh_token" : "access_token";
  const ready = { ...contender, values: tokens.map((token) => token[wanted]) };
  /** Another process on the same database. */
  const restart = async () => {
    await end(started);
    return { ...ready, ...(await start(args, own)) };
  };
  return { ...ready, restart };
}

function shuffle(list) {
  for (let end = list.length - 1; end > 0; end--) {
    const other = Math.floor(Math.random() * (end + 1));
    [list[end], list[other]] = [list[other], list[end]];
  }
}

/** Resolves when the process has ended, in order. */
export async function end({ child }) {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** A server of the folder `others`, which prints with what its tokens are refreshed. */
export async function startOther(name, file, ...args) {
  return { name, ...(await start([here(`others/${file}.mjs`), ...args])) };
}

/** The bare server, with the headers that the first contender sends and as many octets. */
export async function startFloor(first, octets) {
  const answers = [{ status: 200, headers: await headersOf(first), octets }];
  return {
    ...first,
    ...(await start([here("floor.mjs"), JSON.stringify({ answers })])),
    name: BARE,
  };
}

/** The second floor, which also parses the form and serialises the JSON that was the body of an answer. */
export async function startParsingFloor(first, body) {
  const answers = [{ status: 200, headers: await headersOf(first), octets: 0 }];
  const args = [here("floor.mjs"), JSON.stringify({ answers, json: JSON.parse(body) })];
  return { ...first, ...(await start(args)), name: PARSING };
}

async function headersOf({ port, path }) {
  const isPage = path !== undefined;
  const { headers } = await fetch(`http://127.0.0.1:${port}${path ?? "/oauth/token"}`, {
    method: isPage ? "GET" : "POST",
  });
  const own = ["connection", "date", "keep-alive", "content-length", "transfer-encoding"];
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)));
}

/** One busy process for each processor, until the returned function is called. */
export function startBusyProcesses() {
  const busy = Object.values(CORES).map((core) =>
    spawn("taskset", ["-c", core, process.execPath, "-e", "for (;;);"], { stdio: "ignore" }),
  );
  children.push(...busy);
  return () => {
    for (const child of busy) child.kill("SIGKILL");
  };
}

/** Starts a process that sends requests, for one job at a time. */
export function createDriver(file = "driver.mjs") {
  const driver = fork(here(file), { execArgv: [] });
  driver.once("exit", () => {
    // Otherwise the benchmark would wait forever.
    console.error("the load process has ended");
    process.exit(1);
  });
  children.push(driver, spawn("taskset", ["-pc", CORES.load, String(driver.pid)]));
  return async (contender, job) => {
    const { port, authorization, values } = contender;
    const path = contender.path ?? PATHS[job.kind] ?? "/oauth/token";
    driver.send({ port, authorization, values, path, ...job });
    const [result] = await once(driver, "message");
    return result;
  };
}

/** The order of a round. Each goes first in turn: what runs later in a round often runs faster. */
export function inTurn(contenders, round) {
  const first = round % contenders.length;
  return [...contenders.slice(first), ...contenders.slice(0, first)];
}

/** One round of `count` requests. */
export async function measure(contender, { kind, count, isCounted, connections = CONNECTIONS }) {
  const isCode = kind.startsWith("code");
  const all = contender.values;
  // Each code can be redeemed once.
  if (isCode) contender.values = all.slice(0, count);
  const before = cpuUs(contender.child.pid);
  const job = { kind: isCode ? "code" : kind, count, connections };
  const result = await drive(contender, job);
  const us = (cpuUs(contender.child.pid) - before) / count;
  contender.values = isCode ? all.slice(count) : all;
  if (kind === "refresh" && ![BARE, PARSING].includes(contender.name))
    contender.values = result.values;
  const { 200: good = 0 } = result.statuses;
  if (good !== count) throw new Error(`${contender.name}: ${JSON.stringify(result.statuses)}`);
  if (!isCounted) return result;
  const sorted = result.latencies.sort((a, b) => a - b);
  contender.us.push(us);
  contender.rates.push((count / result.ms) * 1000);
  contender.p99.push(sorted[Math.floor(sorted.length * 0.99)]);
  return result;
}

/**
 * Of each contender, medians of the rounds. `share` is the cost of the first one, the bare server, over its own;
 * `parsingShare` is that of the second floor, if there is one.
 */
export function resultsOf(contenders) {
  const parsing = contenders.find(({ name }) => name === PARSING);
  const shareOf = (floor, us) => median(us.map((cost, round) => floor.us[round] / cost));
  return contenders.map(({ name, us, rates, p99 }) => ({
    name,
    us: median(us),
    share: shareOf(contenders[0], us),
    ...(parsing && { parsingShare: shareOf(parsing, us) }),
    perSecond: median(rates),
    p99Ms: median(p99),
  }));
}

export function printTable(results, first = "the bare server") {
  for (const { name, us, share, parsingShare, perSecond, p99Ms } of results) {
    const cells = [
      `${us.toFixed(1)} us`,
      `${share.toFixed(3)} of ${first}`,
      ...(parsingShare === undefined ? [] : [`${parsingShare.toFixed(3)} if it parses`]),
      `${perSecond.toFixed(0)} a second`,
      `p99 ${p99Ms.toFixed(1)} ms`,
    ];
    console.log([name.padEnd(40), ...cells.map((cell) => cell.padStart(26))].join(""));
  }
}

/** Processor time of all threads of a process. */
export function cpuUs(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const ns = tasks.map((task) => {
    const [first] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ");
    return Number(first);
  });
  return ns.reduce((sum, one) => sum + one, 0) / 1000;
}

export function residentMb({ child }) {
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
  return Number(kb) / 1024;
}

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** A number from the environment, with an upper bound. */
export function setting(name, usual) {
  return Math.min(1_000_000, Number(process.env[name] ?? usual));
}
