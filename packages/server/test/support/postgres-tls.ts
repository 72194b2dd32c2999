// A front for a PostgreSQL server that speaks TLS, as those do that others manage.

import { once } from "node:events";
import { createServer, connect as netConnect, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Certificate } from "./certificates.ts";
import { portOf } from "./postgres-way.ts";

/** The length of SSLRequest, the first message of a client that wants TLS (PostgreSQL's protocol, version 3). */
const SSL_REQUEST_OCTETS = 8;

/** The URL leads to `localhost`. Clients that do not ask for TLS are disconnected. */
export async function tlsFrontOf(target: URL, { key, cert }: Certificate) {
  const sockets = new Set<Socket>();
  const front = createServer(async (near) => {
    sockets.add(near);
    near.on("error", () => {});
    near.on("close", () => sockets.delete(near));
    await once(near, "readable");
    const request: Buffer | null = near.read(SSL_REQUEST_OCTETS);
    if (request?.readUInt32BE(4) !== 80_877_103) return void near.destroy();
    near.write("S");
    const clear = new TLSSocket(near, { isServer: true, key, cert });
    const far = netConnect({ host: target.hostname, port: Number(target.port || 5432) });
    for (const [one, other] of [
      [clear, far],
      [far, clear],
    ] as const) {
      one.on("error", () => {});
      one.on("close", () => other.destroy());
      one.pipe(other);
    }
  });
  const url = new URL(target);
  url.port = String(await portOf(front));
  url.hostname = "localhost";
  return {
    url,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => front.close(resolve));
    },
  };
}
