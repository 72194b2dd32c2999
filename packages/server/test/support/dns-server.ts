// A DNS server on loopback for tests: it serves a zone of the demo, but for what a test changes.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import {
  type DnsMessage,
  type DnsRecord,
  decodeMessage,
  encodeMessage,
} from "domain-signin-verify/dns/message";
import { classIn } from "domain-signin-verify/dns/records";
import { answerQuery } from "../../src/demo/zone-answer.ts";
import type { ZoneRecord } from "../../src/demo/zone-records.ts";

/** What is changed about the answer of the zone; null for silence. */
export type Change = (query: DnsMessage, over: "udp" | "tcp") => Partial<DnsMessage> | null;

export type DnsServerForTest = {
  readonly server: { readonly address: string; readonly port: number; readonly isV6: boolean };
  /** "127.0.0.1:port" */
  readonly text: string;
  /** All that came, oldest first. */
  readonly queries: readonly DnsMessage[];
  close(): void;
};

/** Serves the one zone `origin`, the same over UDP and TCP. */
export async function serveDns(
  origin: string,
  records: () => readonly ZoneRecord[],
  change: Change = () => ({}),
): Promise<DnsServerForTest> {
  const tcp = createServer().listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const bound = tcp.address();
  if (bound === null || typeof bound === "string") throw new Error("no port was opened");
  const { port } = bound;
  const udp = createSocket("udp4").bind(port, "127.0.0.1");
  await once(udp, "listening");
  const sockets = new Set<Socket>();
  const queries: DnsMessage[] = [];
  const reply = (octets: Buffer, over: "udp" | "tcp") => {
    const query = decodeMessage(octets);
    queries.push(query);
    const changes = change(query, over);
    const answer = answerQuery(query, [origin], records());
    return changes && encodeMessage({ ...answer, ...changes });
  };
  udp.on("message", (octets, sender) => {
    const answer = reply(octets, "udp");
    if (answer) udp.send(answer, sender.port, sender.address);
  });
  tcp.on("connection", (socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("data", (octets) => {
      const answer = reply(octets.subarray(2), "tcp");
      if (answer) socket.end(Buffer.concat([Uint8Array.of(0, answer.length), answer]));
    });
  });
  return {
    server: { address: "127.0.0.1", port, isV6: false },
    text: `127.0.0.1:${port}`,
    queries,
    close() {
      for (const socket of sockets) socket.destroy();
      udp.close();
      tcp.close();
    },
  };
}

export function record(name: string, type: number, rdata: Uint8Array, ttl = 60): DnsRecord {
  return { name, type, class: classIn, ttl, rdata };
}

export function isFor(query: DnsMessage, name: string, type: number): boolean {
  return query.questions.some((question) => question.name === name && question.type === type);
}
