// What the benchmarks share: services with seeded databases, and the process that sends requests to them.

import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const SECRET = "a secret for benchmarks, and for nothing else";
export const BUILD = here("../packages/server/dist/cli.js");
/** The server has one processor and the load another. */
const CORES = { server: "0", load: "1" };
const PATHS = {
  userinfo: "/oauth/userinfo",
  introspect: "/oauth/introspect",
  jwks: "/.well-known/jwks.json",
};

export const folder = mkdtempSync(join(tmpdir(), "domain-signin-bench-"));
const children = [];
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
process.on("SIGTERM", () => process.exit(1));
process.on("SIGINT", () => process.exit(1));

const driver = fork(here("driver.mjs"), { execArgv: [] });
children.push(driver, spawn("taskset", ["-pc", CORES.load, String(driver.pid)]));

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

/** Resolves when it has printed a line of JSON. */
export async function start(args, cwd = folder) {
  const child = spawn("taskset", ["-c", CORES.server, process.execPath, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, DOMAIN_SIGNIN_SECRET: SECRET },
    cwd,
  });
  children.push(child);
  const [chunk] = await once(child.stdout, "data");
  return { child, port: JSON.parse(String(chunk).split("\n")[0]).port, us: [], rates: [], p99: [] };
}

/**
 * Starts a build on a database that it fills with grants: their codes for a `kind` that begins with `code`, otherwise
 * their tokens. By default the database is a SQLite file of its own.
 */
export async function startBuild({ name, cli, kind, grants, database, nodeArgs = [] }) {
  const { seed } = await importSource("seed.ts");
  const own = join(folder, name);
  mkdirSync(own);
  const url = database ?? `sqlite:${join(own, "store.db")}`;
  const scope = kind === "code" ? "profile" : "openid profile";
  const alg = kind === "code-rs256" ? "RS256" : "ES256";
  const seeded = await seed({ database: url, secret: SECRET, grants, scope, alg });
  const started = await start(
    [
      ...nodeArgs,
      ...[cli, "serve", "--json", "--port", "0", "--issuer", "http://localhost:8080"],
      ...["--database", url, "--dns-servers", "127.0.0.1:9", "--min-assurance", "single"],
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
  if (kind.startsWith("code")) return contender;
  const { values } = await drive(contender, { kind: "code", count: forms.length, connections: 16 });
  const tokens = values.map((text) => JSON.parse(text));
  const wanted = kind === "refresh" ? "refresh_token" : "access_token";
  return { ...contender, values: tokens.map((token) => token[wanted]) };
}

export async function drive(contender, job) {
  const { port, authorization, values } = contender;
  const path = PATHS[job.kind] ?? "/oauth/token";
  driver.send({ port, authorization, values, path, ...job });
  const [result] = await once(driver, "message");
  return result;
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

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** A number from the environment, with an upper bound. */
export function setting(name, usual) {
  return Math.min(1_000_000, Number(process.env[name] ?? usual));
}
