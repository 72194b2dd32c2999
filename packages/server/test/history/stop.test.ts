// The stops in small: whoever was taken is answered, and how an operator stops the service.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accepts } from "../support/programs.ts";
import { freePort } from "../support/serve.ts";
import { CLIENTS, stopLoad } from "./stop-load.ts";
import { type Followed, heldSocket, ownSocket, startServe } from "./stop-service.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
/** No connection is left behind for a stop to wait for. */
const ALONE = { connection: "close" };
/** The slow suite has twenty. */
const STOPS = 1;
/** Several processes each, on a machine that may be busy. */
const LONG = { timeout: 90_000 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "domain-signin-stop-"));
});
const started: Followed[] = [];
afterAll(async () => {
  for (const serving of started) await serving.end("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

async function start(port: number, env: Record<string, string> = {}): Promise<Followed> {
  const serving = await startServe(port, { database: "sqlite::memory:", folder, env });
  started.push(serving);
  return serving;
}

test("clients that stay on their connections are all answered through a stop", LONG, async () => {
  const load = await stopLoad({ stops: STOPS, keepAlive: true, start: ownSocket });
  expect(load.failed).toEqual([]);
  expect(load.stops).toMatchObject([{ status: 0 }]);
  expect(load.answeredLate).toBeGreaterThan(STOPS * (CLIENTS / 2));
  expect(load.refused).toBeGreaterThan(0);
  expect(load.alive).toBe(CLIENTS);
});

test("with a socket that another process holds no connection is refused either", LONG, async () => {
  const load = await stopLoad({ stops: STOPS, keepAlive: false, start: heldSocket });
  expect(load).toMatchObject({ failed: [], refused: 0, alive: CLIENTS });
  expect(load.stops).toMatchObject([{ status: 0 }]);
  expect(load.answers).toBeGreaterThan(STOPS * CLIENTS);
});

test.concurrent(
  "for stop_delay after SIGTERM it says at /readyz that it stops, and does all the rest",
  LONG,
  async ({ expect }) => {
    const port = await freePort();
    const serving = await start(port, { DOMAIN_SIGNIN_STOP_DELAY: "2" });
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: ALONE });
      return [answer.status, await answer.json()];
    };
    expect(await get("/readyz")).toMatchObject([200, { status: "ready" }]);
    const ended = serving.end("SIGTERM");
    let said = await get("/readyz");
    while (said[0] === 200) said = await get("/readyz");
    expect(said).toEqual([503, { status: "stopping" }]);
    expect(await get("/livez")).toEqual([200, { status: "alive" }]);
    expect(await ended).toBe(0);
    await expect(get("/livez")).rejects.toThrow();
  },
);

test.concurrent.for([
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)(
  "a second signal, %s, ends it at once with status %d",
  LONG,
  async ([signal, status], { expect }) => {
    const port = await freePort();
    const serving = await start(port);
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("error", () => {});
    await once(socket, "connect");
    // Half a request, which it would wait for.
    socket.write("GET /livez HTTP/1.1\r\n");
    // Connections are accepted in their order.
    await fetch(`http://127.0.0.1:${port}/livez`, { headers: ALONE });
    void serving.end("SIGTERM");
    while (await accepts(port)) await sleep(20);
    // Once it has waited for the request, its status is 0.
    expect(await serving.end(signal)).toBe(status);
    socket.destroy();
  },
);

/** `serve` with that as file descriptor 3: its status and what it says. */
async function serveWith(count: number, descriptor: number) {
  // To a shell `$$` is itself, and then what it becomes.
  const script = `LISTEN_PID=$$ LISTEN_FDS=${count} exec "$0" "$@"`;
  const command = [process.execPath, CLI, "serve", "--issuer", "http://localhost:8080"];
  const child = spawn("sh", ["-c", script, ...command], {
    ...{ cwd: folder, stdio: ["ignore", "ignore", "pipe", descriptor], timeout: 60_000 },
  });
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const [status] = await once(child, "close");
  return [status, said];
}

test.concurrent(
  "a socket that is not TCP, or none, or one of two, is refused with status 2",
  LONG,
  async ({ expect }) => {
    const refused = (why: string) => [2, `cannot listen on file descriptor 3: ${why}\n`];
    const server: Server & { _handle?: { fd: number } } = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, "a.sock"), resolve));
    const path = server._handle?.fd ?? -1;
    expect(await serveWith(1, path)).toEqual(refused("not a TCP socket"));
    expect(await serveWith(2, path)).toEqual([2, "LISTEN_FDS is 2: it must be 1\n"]);
    server.close();
    const nothing = openSync("/dev/null", "r");
    expect(await serveWith(1, nothing)).toEqual(refused("listen EINVAL: invalid argument"));
    closeSync(nothing);
  },
);

test.concurrent(
  "a socket that was given to another process is left alone",
  LONG,
  async ({ expect }) => {
    const port = await freePort();
    const serving = await start(port, { LISTEN_PID: String(process.pid), LISTEN_FDS: "1" });
    const { status } = await fetch(`http://127.0.0.1:${port}/livez`, { headers: ALONE });
    expect(status).toBe(200);
    expect(await serving.end("SIGTERM")).toBe(0);
  },
);
