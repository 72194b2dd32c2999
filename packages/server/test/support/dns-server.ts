// A DNS server on loopback for tests: it serves a zone of the demo, but for what a test changes.

import { startNameServer } from "domain-signin-demo/zones/name-server";
import { answerQuery } from "domain-signin-demo/zones/zone-answer";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import type { DnsMessage, DnsRecord } from "domain-signin-verify/dns/message";
import { encodeName } from "domain-signin-verify/dns/name";
import { classIn, encodeTxt, recordType } from "domain-signin-verify/dns/records";
import type { DnsServer } from "../../src/dns/exchange.ts";
import { readServer } from "../../src/dns/server-address.ts";

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

/** The server at "127.0.0.1:port", for plain DNS. */
export function serverAt(text: string): DnsServer {
  const server = readServer(text);
  if ("mistake" in server) throw new Error(server.mistake);
  return server;
}

/** Serves the one zone `origin`, the same over UDP and TCP. */
export async function serveDns(
  origin: string,
  records: () => readonly ZoneRecord[],
  change: Change = () => ({}),
): Promise<DnsServerForTest> {
  const queries: DnsMessage[] = [];
  const { address, port, close } = await startNameServer({
    answer(query, over) {
      queries.push(query);
      const changes = change(query, over);
      return changes && { ...answerQuery(query, [origin], records()), ...changes };
    },
  });
  return {
    server: { address, port, isV6: false },
    text: `${address}:${port}`,
    queries,
    close: () => void close(),
  };
}

export function record(name: string, type: number, rdata: Uint8Array, ttl = 60): DnsRecord {
  return { name, type, class: classIn, ttl, rdata };
}

export const textRecord = (name: string, value: string, ttl?: number) =>
  record(name, recordType.TXT, encodeTxt(Buffer.from(value)), ttl);
export const aliasRecord = (name: string, target: string, ttl?: number) =>
  record(name, recordType.CNAME, encodeName(target), ttl);
export const delegation = (name: string, ...servers: readonly string[]) =>
  servers.map((server) => record(name, recordType.NS, encodeName(server)));

export function isFor(query: DnsMessage, name: string, type: number): boolean {
  return query.questions.some((question) => question.name === name && question.type === type);
}
