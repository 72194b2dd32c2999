// Listens for HTTP and hands each request on as a web-standard one.

import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";

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
const CLOSE_TIMEOUT = 5_000;

export interface Listener {
  readonly port: number;
  /** Takes no new connection, answers what is under way, then resolves. */
  close(): Promise<void>;
}

/** Port 0 lets the system choose one. Rejects when the address cannot be had. */
export function listen(
  fetch: (request: Request, info: { clientAddress: string }) => Response | Promise<Response>,
  at: { host: string; port: number },
  limits: Limits = LIMITS,
): Promise<Listener> {
  const server = createAdaptorServer({
    fetch: (request, { incoming }) =>
      fetch(request, { clientAddress: incoming.socket.remoteAddress ?? "" }),
    serverOptions: {
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      connectionsCheckingInterval: limits.checkedEvery,
    },
  }) as Server;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(at.port, at.host, () => {
      server.off("error", reject);
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : at.port;
      resolve({ port, close: () => close(server) });
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
