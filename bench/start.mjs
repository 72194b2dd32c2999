// Measures how long `serve` takes until its first response, compared with an empty Node HTTP server,
// and its idle memory. Exits with status 1 if either is above its limit.
//
//   npm run build && node bench/start.mjs [rounds]

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../packages/server/dist/cli.js", import.meta.url));
const MAX_RATIO = 3;
const MAX_MEGABYTES = 90;
/** Time after the first responses until memory is measured. */
const SETTLE_MS = 3000;

const EMPTY = `require("node:http").createServer((_, response) => response.end("{}")).listen(Number(process.argv[1]), "127.0.0.1")`;
const empty = (port) => ["-e", EMPTY, String(port)];
const serve = (port) => [
  ...[CLI, "serve", "--issuer", `http://localhost:${port}`, "--port", String(port)],
  // Never queried: this benchmark makes no sign-ins.
  ...["--dns-servers", "127.0.0.1:9", "--min-assurance", "single"],
];

const rounds = Math.min(50, Number(process.argv[2] ?? 11));
const folder = mkdtempSync(join(tmpdir(), "domain-signin-bench-"));
const port = await freePort();
try {
  // Not measured: the first start also creates the database and the secret.
  await timeToFirstAnswer(serve);
  const times = { empty: [], serve: [] };
  // In turns, so that other load on the machine affects both.
  for (let round = 0; round < rounds; round++) {
    times.empty.push(await timeToFirstAnswer(empty));
    times.serve.push(await timeToFirstAnswer(serve));
  }
  const [one, other] = [median(times.empty), median(times.serve)];
  const megabytes = await idleMemory();
  const ratio = other / one;
  console.log(
    `first response, median of ${rounds}: empty server ${one.toFixed(0)} ms, serve ${other.toFixed(0)} ms: ${ratio.toFixed(2)} times (at most ${MAX_RATIO})`,
  );
  console.log(
    `idle memory of serve: ${megabytes.toFixed(0)} MB resident (at most ${MAX_MEGABYTES})`,
  );
  process.exitCode = ratio <= MAX_RATIO && megabytes <= MAX_MEGABYTES ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function timeToFirstAnswer(program) {
  const { milliseconds, stop } = await start(program);
  await stop();
  return milliseconds;
}

/** Resident megabytes of a service that was idle after a few requests. */
async function idleMemory() {
  const { pid, stop } = await start(serve);
  for (const path of ["/livez", "/readyz", "/.well-known/oauth-authorization-server", "/nothing"]) {
    await (
      await fetch(`http://127.0.0.1:${port}${path}`, { headers: { host: `localhost:${port}` } })
    ).text();
  }
  await sleep(SETTLE_MS);
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  await stop();
  return Number(kilobytes) / 1024;
}

async function start(program) {
  const began = performance.now();
  const child = spawn(process.execPath, program(port), { cwd: folder, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (!(await answers(port))) {
    if (child.exitCode !== null)
      throw new Error(`the process exited with status ${child.exitCode}`);
    if (performance.now() - began > 20_000) throw new Error("no response for 20 seconds");
    await sleep(1);
  }
  const milliseconds = performance.now() - began;
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { pid: child.pid, milliseconds, stop };
}

async function answers(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/livez`);
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
