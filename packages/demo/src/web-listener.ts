// An HTTP server for a handler that takes a web-standard Request and returns a Response.

import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";

export type WebHandler = (
  request: Request,
  info: { clientAddress: string },
) => Response | Promise<Response>;

export interface WebListener {
  readonly port: number;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

/** Rejects if the address is in use. With port 0 the system chooses a port. */
export function listenForWeb(
  handler: WebHandler,
  at: { readonly host: string; readonly port: number },
): Promise<WebListener> {
  const server = createAdaptorServer({
    fetch: (request, { incoming }) =>
      handler(request, { clientAddress: incoming.socket.remoteAddress ?? "" }),
  }) as Server;
  // The client closes idle connections. If this end did so, a process that was not scheduled for a few seconds
  // could close one on which a request has just been sent.
  server.keepAliveTimeout = 0;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(at.port, at.host, () => {
      server.off("error", reject);
      const address = server.address();
      resolve({ port: typeof address === "object" && address ? address.port : 0, close });
    });
  });
}
