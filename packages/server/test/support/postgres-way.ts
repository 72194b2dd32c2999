// The way to a PostgreSQL server, on which a test can get in between.

import { createServer, connect as netConnect, type Server, type Socket } from "node:net";

/** The start of the server's message that it can be asked something (PostgreSQL's protocol, version 3). */
const READY_FOR_QUERY = Buffer.from("Z\0\0\0\x05", "latin1");

/**
 * While it is silent nothing gets through, neither a packet nor a farewell. While it is slow a new
 * connection waits before it is let through, while it is shut none is.
 */
export async function wayTo(
  target: URL,
  { answer = (near: Socket, octets: Buffer): void => void near.write(octets) } = {},
) {
  const server = { host: target.hostname, port: Number(target.port || 5432) };
  const sockets = new Set<Socket>();
  const unanswered = new Set<Socket>();
  const ready = new Set<Socket>();
  /** Those to the server whose other end is gone, of which the server has not heard. */
  const unheard = new Set<Socket>();
  let isSilent = false;
  let isShut = false;
  let slowness = 0;
  let attempts = 0;
  const proxy = createServer((near) => {
    attempts++;
    if (isShut) return void near.destroy();
    const far = netConnect(server);
    const begin = () =>
      near.on("data", (octets) => {
        unanswered.add(near);
        far.write(octets);
      });
    if (slowness === 0) begin();
    else setTimeout(begin, slowness);
    far.on("data", (octets) => {
      unanswered.delete(near);
      if (octets.includes(READY_FOR_QUERY)) ready.add(near);
      answer(near, octets);
    });
    near.on("close", () => {
      unanswered.delete(near);
      ready.delete(near);
      if (isSilent) unheard.add(far);
      else far.destroy();
    });
    far.on("close", () => near.destroy());
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
      if (isSilent) socket.pause();
    }
  });
  const url = new URL(target);
  url.port = String(await portOf(proxy));
  url.hostname = "127.0.0.1";
  return {
    url: url.href,
    /** Half of the sockets lead to the server. */
    connections: () => sockets.size / 2,
    /** How many of them have finished their start-up, so that they can be asked something. */
    ready: () => ready.size,
    /** How many were tried for, in all. */
    attempts: () => attempts,
    /** On how many connections something was sent and nothing has come back since, unless it is silent. */
    unanswered: () => (isSilent ? 0 : unanswered.size),
    slow(milliseconds: number) {
      slowness = milliseconds;
    },
    shut(yes: boolean) {
      isShut = yes;
    },
    silent(yes: boolean) {
      isSilent = yes;
      for (const socket of sockets) yes ? socket.pause() : socket.resume();
      for (const socket of unheard) if (!yes) socket.destroy();
    },
    /** What was silent stays so for ever, and new connections are let through. */
    forget() {
      isSilent = false;
      unanswered.clear();
    },
    /** Ends all connections. */
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

export async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return address.port;
}
