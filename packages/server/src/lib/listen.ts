// Listens for HTTP and hands each request on as a web-standard one.

import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";

/** Milliseconds: who sends slower than this is let go. */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 15_000;
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
): Promise<Listener> {
  const server = createAdaptorServer({
    fetch: (request, { incoming }) =>
      fetch(request, { clientAddress: incoming.socket.remoteAddress ?? "" }),
    serverOptions: { headersTimeout: HEADERS_TIMEOUT, requestTimeout: REQUEST_TIMEOUT },
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
