// What tests of chains ask: the demo's signed zones over real sockets, or sets that were signed by hand.

import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { startNameServer } from "domain-signin-demo/zones/name-server";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { readUncompressedName } from "domain-signin-verify/dns/name";
import { type Cursor, readOctets, readUint } from "domain-signin-verify/dns/octets";
import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { type ChainOutcome, createChains, type Delegation } from "../../src/dns/chain.ts";
import { createResolver, type DnsAnswer } from "../../src/dns/resolver.ts";

export type Query = (name: string, type: number) => Promise<DnsAnswer>;

/** The demo's zones with these records; `asked` are the questions, "type name", since it was emptied. */
export async function startChainWorld(records: readonly Omit<ZoneRecord, "ttl">[]) {
  const clock = { ahead: 0 };
  const now = () => Math.floor(Date.now() / 1000) + clock.ahead;
  const withTtl = records.map((record) => ({ ...record, ttl: 60 }));
  const zones = createSignedZones({ zones: DEMO_ZONES, records: () => withTtl, now });
  const dns = await startNameServer(zones);
  const resolver = createResolver({ servers: [`127.0.0.1:${dns.port}`] });
  const asked: string[] = [];
  const query: Query = (name, type) => {
    asked.push(`${type} ${name}`);
    return resolver.query(name, type);
  };
  const trustAnchors = zones.trustAnchors.map(parseTrustAnchor);
  const newChains = (how: Query = query) => createChains({ query: how, now, trustAnchors });

  return {
    ...{ zones, dns, clock, now, asked, query, newChains, trustAnchors },
    async answersFor(name: string): Promise<readonly DnsRecord[]> {
      const answer = await resolver.query(name, recordType.TXT);
      return "records" in answer ? answer.records : [];
    },
  };
}

/** The outcome, with the code of what is bogus and the zone of what is unsigned. */
export function told(outcome: ChainOutcome | Delegation): string {
  if ("reason" in outcome) return `${outcome.outcome} ${outcome.reason.replace(/:.*/s, "")}`;
  return "zone" in outcome ? `${outcome.outcome} ${outcome.zone}` : outcome.outcome;
}

/**
 * Answers with sets that were signed by hand, as parts of a chain; `asked` counts. `withoutDs` is what
 * stands in the authority section where a zone of that name has no DS set.
 */
export function createScriptedDns(
  parts: readonly Uint8Array[],
  withoutDs: Readonly<Record<string, Uint8Array>> = {},
) {
  const records = parts.flatMap(recordsOf);
  const asked: string[] = [];
  const answersFor = (name: string, type: number) =>
    records.filter(
      (record) =>
        record.name === name &&
        (record.type === type ||
          (record.type === recordType.RRSIG && coveredBy(record) === type) ||
          (record.type === recordType.CNAME && type === recordType.TXT)),
    );
  const query: Query = async (name, type) => {
    asked.push(`${type} ${name}`);
    const answers = answersFor(name, type);
    const isAbsent = type === recordType.DS && answers.length === 0;
    const authorities = recordsOf((isAbsent && withoutDs[name]) || new Uint8Array());
    return { outcome: "answer", records: answers, authorities };
  };
  return { records, asked, query };
}

export function recordsOf(octets: Uint8Array): DnsRecord[] {
  const cursor = { octets, position: 0 };
  const records: DnsRecord[] = [];
  while (cursor.position < octets.length) records.push(readRecord(cursor));
  return records;
}

function readRecord(cursor: Cursor): DnsRecord {
  const name = readUncompressedName(cursor);
  const type = readUint(cursor, 2);
  const recordClass = readUint(cursor, 2);
  const ttl = readUint(cursor, 4);
  return { name, type, class: recordClass, ttl, rdata: readOctets(cursor, readUint(cursor, 2)) };
}

function coveredBy({ rdata: [high = 0, low = 0] }: DnsRecord): number {
  return high * 256 + low;
}
