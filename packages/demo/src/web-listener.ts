// Listens on loopback for a web-standard handler: the demo's app is one, and so is the service that it mounts.

import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";

export type WebHandler = (
  request: Request,
  info: { clientAddress: string },
) => Response | Promise<Response>;

export interface WebListener {
  readonly port: number;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** Rejects when the address cannot be had. Port 0 lets the system choose one. */
export function listenForWeb(
  handler: WebHandler,
  at: { readonly host: string; readonly port: number },
): Promise<WebListener> {
  const server = createAdaptorServer({
    fetch: (request, { incoming }) =>
      handler(request, { clientAddress: incoming.socket.remoteAddress ?? "" }),
  }) as Server;
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
