// The HTTP listener, with time limits for requests and a graceful close.

import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Handler } from "./message.ts";
import { answerNode } from "./node-adaptor.ts";

/** A request that exceeds one of the first two is answered with 408. */
export const REQUEST_TIMEOUTS = {
  /** From the start of the connection, or of a later request, to the end of the headers. */
  headersMs: 10_000,
  /** From the same moment to the end of the body. */
  requestMs: 15_000,
  /** How often Node checks both limits, so a request may exceed them by this. Its default is 30 seconds. */
  checkIntervalMs: 1_000,
  /** A connection that is silent for this long is closed. Only a very slow disk takes as long to answer. */
  stalledMs: 60_000,
};
/** Longer than the 60 seconds of most proxies. If the server closed first, it could reset a request on its way. */
const IDLE_TIMEOUT_MS = 65_000;

/** The limits of closing a service in use; both count from the start of the close. */
export const CLOSE_TIMEOUTS = {
  /** How long an idle connection may still send a request. */
  idleMs: 2_000,
  /** When all remaining connections are closed. Docker kills a process 10 seconds after the signal to stop. */
  totalMs: 9_000,
};
/** For a caller whose clients have already stopped sending requests. */
const DEFAULT_CLOSE_TIMEOUTS: typeof CLOSE_TIMEOUTS = { idleMs: 0, totalMs: 5_000 };

export interface Listener {
  readonly port: number;
  /** Accepts no new connections, answers requests on the existing ones, then resolves. */
  close(timeouts?: typeof CLOSE_TIMEOUTS): Promise<void>;
}

/** An address (port 0 lets the system choose a port), or a TCP socket inherited by this process. */
export type ListenAt = { readonly host: string; readonly port: number } | { readonly fd: number };

/** Rejects if the address is not available or the file descriptor is not a TCP socket. */
export async function listen(
  handle: Handler,
  at: ListenAt,
  timeouts = REQUEST_TIMEOUTS,
): Promise<Listener> {
  const options = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkIntervalMs,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
  };
  const server = createServer(options, (incoming, outgoing) => {
    answerNode(incoming, outgoing, handle);
  });
  server.timeout = timeouts.stalledMs;
  // Node limits their size too. Beyond a number of headers, some versions ignore the rest, others refuse the request.
  server.maxHeadersCount = 0;
  const close = closerOf(server);
  server.listen(at);
  await once(server, "listening");
  const address = server.address();
  if (typeof address === "object" && address !== null) return { port: address.port, close };
  await close();
  throw new Error("not a TCP socket");
}

interface TrackedConnection {
  response: ServerResponse | null;
  /** `socket.bytesRead` when the last response was sent. */
  bytesRead: number;
}

/** Closes by `Connection: close` (RFC 9112 §9.6): `Server.close` may cut off open requests. */
function closerOf(server: Server): Listener["close"] {
  const connections = new Map<Socket, TrackedConnection>();
  let closing = false;
  server.on("connection", (socket: Socket) => {
    connections.set(socket, { response: null, bytesRead: 0 });
    socket.once("close", () => connections.delete(socket));
  });
  // Runs before the adaptor's listener, which may send the headers immediately.
  server.prependListener("request", ({ socket }, response) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    if (closing) {
      // Only the last of several pipelined requests may close: Node drops the responses after it.
      if (connection.response !== null) connection.response.shouldKeepAlive = true;
      response.shouldKeepAlive = false;
    }
    connection.response = response;
    response.once("close", () => {
      if (connection.response !== response) return;
      connection.response = null;
      connection.bytesRead = socket.bytesRead;
    });
  });

  /** Closes connections that have received nothing since their last response. */
  function closeIdle(): void {
    for (const [socket, { bytesRead }] of connections) {
      if (socket.bytesRead === bytesRead) socket.destroy();
    }
  }

  return async ({ idleMs, totalMs } = DEFAULT_CLOSE_TIMEOUTS) => {
    const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
    closing = true;
    for (const { response } of connections.values()) {
      if (response !== null) response.shouldKeepAlive = false;
    }
    // `setImmediate` lets the event loop first read requests that have already arrived.
    const idleTimer = setTimeout(() => setImmediate(closeIdle), idleMs);
    const totalTimer = setTimeout(() => server.closeAllConnections(), totalMs);
    await closed;
    clearTimeout(idleTimer);
    clearTimeout(totalTimer);
    // Stops the timer for request timeouts, which was needed until now.
    server.close();
  };
}
