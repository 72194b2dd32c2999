// Tests of the graceful close of a listener: every accepted request is answered.

import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { fakeTimers } from "../../test/support/fake-timers.ts";
import { gate } from "../../test/support/held-statements.ts";
import { until } from "../../test/support/moving-time.ts";
import { CLOSE_TIMEOUTS, type Listener, listen, REQUEST_TIMEOUTS } from "./listen.ts";

const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const LARGE = "x".repeat(32 * 2 ** 20);

// The timers of a close fire when a test says so.
fakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

interface Started extends Listener {
  /** The requested paths, oldest first. */
  readonly asked: readonly string[];
  letGo(): void;
}

/** Answers at once, except `/held`, which waits for `letGo`; `/large` has a body of 32 MiB. */
async function start(): Promise<Started> {
  const held = gate();
  const asked: string[] = [];
  const listener = await listen(
    async ({ path }) => {
      asked.push(path);
      if (path === "/held") await held.opened;
      return { status: 200, headers: {}, body: path === "/large" ? LARGE : path };
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(() => void listener.close());
  return { ...listener, asked, letGo: held.open };
}

interface Spoken {
  readonly socket: Socket;
  /** The octets received so far, as text. */
  heard(): string;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<unknown>;
}

/** Opens a connection and sends the text. */
async function speak(port: number, octets: string): Promise<Spoken> {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  // A connection that is cut off is reset.
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  if (octets !== "") socket.write(octets);
  return { socket, heard: () => text, closed };
}

/** A connection that stays open after its first response. */
async function idleOn(port: number): Promise<Spoken> {
  const spoken = await speak(port, GET);
  await until(() => /keep-alive[\s\S]*\r\n\r\n\/$/i.test(spoken.heard()));
  return spoken;
}

/** Resolves when the server has read everything that was sent before. */
async function roundTrip(port: number): Promise<void> {
  const { closed } = await speak(port, GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
  await closed;
}

/** Waits long enough to notice that a connection was closed. */
async function fewTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test("idle connections stay open longer than proxies keep theirs, and a header says so", async () => {
  const { port } = await start();
  const idle = await idleOn(port);
  const [, seconds] = /^keep-alive: timeout=(\d+)\r$/im.exec(idle.heard()) ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
});

test("a request on an idle connection during a close is answered with Connection: close", async () => {
  const { port, close } = await start();
  const idle = await idleOn(port);
  const closing = close({ idleMs: 1000, totalMs: 5000 });
  vi.advanceTimersByTime(900);
  idle.socket.write(GET.replace("/", "/late"));
  await idle.closed;
  expect(idle.heard()).toMatch(/^connection: close\r$/im);
  expect(idle.heard().endsWith("/late")).toBe(true);
  // Without waiting for the total timeout.
  await closing;
});

test("idle connections, used or not, are closed after the idle timeout, and a close waits no longer", async () => {
  const { port, close } = await start();
  const connections = [await idleOn(port), await speak(port, "")];
  await roundTrip(port);
  const closing = close({ idleMs: 400, totalMs: 8000 });
  vi.advanceTimersByTime(399);
  await fewTurns();
  expect(connections.map(({ socket }) => socket.closed)).toEqual([false, false]);
  vi.advanceTimersByTime(1);
  for (const { closed } of connections) await closed;
  await closing;
});

test("by default idle connections are closed at once", async () => {
  const { port, close } = await start();
  await idleOn(port);
  await speak(port, "");
  await roundTrip(port);
  const closing = close();
  vi.advanceTimersByTime(0);
  await closing;
});

test("an answer under way is finished, on a connection that is then closed", async () => {
  const { port, close, asked, letGo } = await start();
  const slow = await speak(port, GET.replace("/", "/held"));
  await until(() => asked.length === 1);
  const closing = close({ idleMs: 0, totalMs: 5000 });
  vi.advanceTimersByTime(4999);
  await fewTurns();
  letGo();
  await closing;
  await slow.closed;
  expect(slow.heard()).toMatch(/^connection: close\r$/im);
  expect(slow.heard().endsWith("/held")).toBe(true);
});

test("requests in a row are all answered, and only the last answer closes", async () => {
  const { port, close, asked, letGo } = await start();
  const row = await speak(port, GET.replace("/", "/first") + GET.replace("/", "/held").repeat(2));
  await until(() => asked.length === 3);
  const closing = close({ idleMs: 0, totalMs: 5000 });
  vi.advanceTimersByTime(0);
  await fewTurns();
  row.socket.write(GET.replace("/", "/last"));
  await until(() => asked.length === 4);
  letGo();
  await closing;
  await row.closed;
  expect(row.heard().match(/\/(first|held|last)/g)).toEqual(["/first", "/held", "/held", "/last"]);
  expect(row.heard().match(/^connection: close\r$/gim)).toHaveLength(1);
});

test("who reads slowly gets all of a long answer", async () => {
  const { port, close } = await start();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const asked = request({ host: "127.0.0.1", port, path: "/large", agent });
  asked.end();
  const answer = await new Promise<IncomingMessage>((resolve) => asked.once("response", resolve));
  answer.pause();
  const closing = close({ idleMs: 0, totalMs: 8000 });
  vi.advanceTimersByTime(7999);
  await fewTurns();
  let length = 0;
  for await (const chunk of answer) length += chunk.length;
  expect(length).toBe(LARGE.length);
  agent.destroy();
  await closing;
});

test("half a request may become a whole one until the limit, and then all is cut off", async () => {
  const { port, close } = await start();
  const half = GET.slice(0, 20);
  const whole = await speak(port, half);
  const never = await speak(port, half);
  await roundTrip(port);
  const closing = close({ idleMs: 0, totalMs: 800 });
  vi.advanceTimersByTime(799);
  await fewTurns();
  whole.socket.write(GET.slice(20));
  await whole.closed;
  expect(whole.heard()).toMatch(/^HTTP\/1\.1 200/);
  expect(never.socket.closed).toBe(false);
  vi.advanceTimersByTime(1);
  await never.closed;
  expect(never.heard()).toBe("");
  await closing;
});

test("a new connection is refused as soon as it closes", async () => {
  const { port, close } = await start();
  const idle = await idleOn(port);
  const closing = close({ idleMs: 500, totalMs: 5000 });
  const late = connect({ port, host: "127.0.0.1" });
  const [error] = await once(late, "error");
  expect(error.code).toBe("ECONNREFUSED");
  expect(idle.socket.closed).toBe(false);
  vi.advanceTimersByTime(500);
  await closing;
});

test("in use the service is stopped before Docker would kill it", () => {
  expect(CLOSE_TIMEOUTS).toEqual({ idleMs: 2000, totalMs: 9000 });
});

test("a descriptor of nothing cannot be listened on", async () => {
  await expect(
    listen(() => ({ status: 200, headers: {}, body: "" }), { fd: 9999 }),
  ).rejects.toThrow();
});

test("a client that reads nothing of its response is disconnected", async () => {
  const handle = async () => ({ status: 200, headers: {}, body: LARGE });
  const timeouts = { ...REQUEST_TIMEOUTS, stalledMs: 100 };
  const { port, close } = await listen(handle, { host: "127.0.0.1", port: 0 }, timeouts);
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket.pause();
  await once(socket, "connect");
  socket.write(GET);
  // The timers of the close do not fire, so it waits for the connection to end.
  await close();
});
