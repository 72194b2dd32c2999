// A DNS server on loopback that speaks DNS over TLS, or what a test makes of it.

import { once } from "node:events";
import { createServer, type TLSSocket } from "node:tls";
import { framed } from "domain-signin-demo/zones/name-server";
import { type DnsMessage, decodeMessage, encodeMessage } from "domain-signin-verify/dns/message";
import type { Certificate } from "./certificates.ts";

/** What to do about a query. */
export type Act = (query: DnsMessage, to: TlsClient) => void;

export interface TlsClient {
  /** Which connection it is, from 1. */
  readonly connection: number;
  readonly socket: TLSSocket;
  send(reply: DnsMessage): void;
}

export interface TlsDnsServer {
  readonly port: number;
  /** "tls://127.0.0.1:port#name" */
  text(name: string): string;
  readonly queries: readonly DnsMessage[];
  /** How many connections finished their handshake so far, and the names that they asked for. */
  readonly names: readonly (string | false | null)[];
  /** Ends the port and all connections. */
  close(): Promise<void>;
}

/** With port 0 the system chooses one. */
export async function startTlsDns(
  certificate: Certificate,
  act: Act,
  port = 0,
): Promise<TlsDnsServer> {
  const queries: DnsMessage[] = [];
  const names: (string | false | null)[] = [];
  const sockets = new Set<TLSSocket>();
  const server = createServer({ ...certificate }, (socket) => {
    names.push((socket as TLSSocket & { servername: string | false | null }).servername);
    const connection = names.length;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let pending = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const end = 2 + pending.readUInt16BE(0);
        const query = decodeMessage(pending.subarray(2, end));
        pending = pending.subarray(end);
        queries.push(query);
        act(query, {
          connection,
          socket,
          send: (reply) => void socket.write(framed(encodeMessage(reply))),
        });
      }
    });
  });
  // Clients that do not like the certificate end the handshake.
  server.on("tlsClientError", () => {});
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const bound = (server.address() as { port: number }).port;
  return {
    port: bound,
    text: (name) => `tls://127.0.0.1:${bound}#${name}`,
    queries,
    names,
    async close() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server.close(), "close");
    },
  };
}
