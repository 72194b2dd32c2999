// Listens for HTTP, and hands each request to a handler until it is told to stop.

import { createServer, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Handler } from "./message.ts";
import { answerNode } from "./node-adaptor.ts";

/** Milliseconds: who sends slower than this is let go, with 408. */
export interface Limits {
  /** From the connection, or the first octet of a later request, to the end of the headers. */
  readonly headers: number;
  /** The same to the end of the body. */
  readonly request: number;
  /** How often both are looked at: what a limit may be overdrawn by. Node would take 30 seconds. */
  readonly checkedEvery: number;
}

export const LIMITS: Limits = { headers: 10_000, request: 15_000, checkedEvery: 1_000 };
/**
 * Milliseconds that a connection may be idle. Longer than the 60 seconds after which proxies close
 * theirs: whoever closes first meets a request that is on its way, and resets it.
 */
const IDLE = 65_000;

/** Milliseconds from the beginning of a close. */
export interface Patience {
  /** So long a connection without a request may bring one. */
  readonly idle: number;
  /** What is not done by then is cut off. */
  readonly most: number;
}

/** For a service in use. Below the 10 seconds after which Docker kills what it has told to stop. */
export const PATIENCE: Patience = { idle: 2_000, most: 9_000 };
/** For whoever has stopped asking before. */
const NO_PATIENCE: Patience = { idle: 0, most: 5_000 };

export interface Listener {
  readonly port: number;
  /** Takes no new connection, answers what comes on those that are there, then resolves. */
  close(patience?: Patience): Promise<void>;
}

/** An address, where port 0 lets the system choose one, or a TCP socket that this process was given. */
export type ListenAt = { readonly host: string; readonly port: number } | { readonly fd: number };

/** Rejects when the address cannot be had, or the socket is none that can be listened on. */
export function listen(handle: Handler, at: ListenAt, limits: Limits = LIMITS): Promise<Listener> {
  const options = {
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    connectionsCheckingInterval: limits.checkedEvery,
    keepAliveTimeout: IDLE,
  };
  const server = createServer(options, (incoming, outgoing) => {
    void answerNode(incoming, outgoing, handle);
  });
  const close = closerOf(server);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen("fd" in at ? { fd: at.fd } : { host: at.host, port: at.port }, () => {
      server.off("error", reject);
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve({ port: address.port, close });
      else close().then(() => reject(new Error("not a TCP socket")), reject);
    });
  });
}

/** What one connection is at. */
interface Connection {
  /** The latest answer, while it is not all sent. */
  answer: ServerResponse | null;
  /** Octets that had come when the last answer was sent. */
  read: number;
}

/**
 * `Server.close` of `node:http` would close connections on which a request may be on its way. Here
 * each one is closed after an answer that says so, and that is the last (RFC 9112 §9.6).
 */
function closerOf(server: Server): (patience?: Patience) => Promise<void> {
  const connections = new Map<Socket, Connection>();
  let closing = false;
  server.on("connection", (socket: Socket) => {
    connections.set(socket, { answer: null, read: 0 });
    socket.once("close", () => connections.delete(socket));
  });
  // Before the adaptor's own listener, which may send the headers at once.
  server.prependListener("request", ({ socket }, answer) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    if (closing) {
      // Of requests in a row only the last closes: Node would drop the answers behind it.
      if (connection.answer !== null) connection.answer.shouldKeepAlive = true;
      answer.shouldKeepAlive = false;
    }
    connection.answer = answer;
    answer.once("close", () => {
      if (connection.answer !== answer) return;
      connection.answer = null;
      connection.read = socket.bytesRead;
    });
  });

  /** On which nothing has come since the last answer was sent, or ever. */
  function closeIdle(): void {
    for (const [socket, { read }] of connections) if (socket.bytesRead === read) socket.destroy();
  }

  return async ({ idle, most } = NO_PATIENCE) => {
    const gone = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
    closing = true;
    for (const { answer } of connections.values()) {
      if (answer !== null) answer.shouldKeepAlive = false;
    }
    // Right after the loop has read what has come: that is a request then, and not idle.
    const grace = setTimeout(() => setImmediate(closeIdle), idle);
    const force = setTimeout(() => server.closeAllConnections(), most);
    await gone;
    clearTimeout(grace);
    clearTimeout(force);
    // Ends the timer that looks for slow senders, which was needed until now.
    server.close();
  };
}
