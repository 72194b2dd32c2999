// What tests of the validator ask: the demo's signed zones over real sockets, or sets signed by hand.

import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { startNameServer } from "domain-signin-demo/zones/name-server";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { readUncompressedName } from "domain-signin-verify/dns/name";
import { type Cursor, readOctets, readUint } from "domain-signin-verify/dns/octets";
import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { now as signedAt } from "../../../verify/test/support/signer.ts";
import type { World } from "../../../verify/test/support/world.ts";
import type { Unusable } from "../../src/dns/record-source.ts";
import { createResolver, type Query } from "../../src/dns/resolver.ts";
import { createValidator, type Validated } from "../../src/dns/validator.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { serverAt } from "./dns-server.ts";

export type { Query };

/** The demo's zones with these records. `asked` are the questions, "type name", since it was emptied. */
export async function startValidatorWorld(records: readonly Omit<ZoneRecord, "ttl">[]) {
  const clock = { ahead: 0 };
  // It stands still: between two looks of a test, no second may pass by itself.
  const begun = Math.floor(Date.now() / 1000);
  const now = () => begun + clock.ahead;
  const withTtl = records.map((record) => ({ ...record, ttl: 60 }));
  const zones = createSignedZones({ zones: DEMO_ZONES, records: () => withTtl, now });
  const dns = await startNameServer(zones);
  const resolver = createResolver({ servers: [serverAt(`127.0.0.1:${dns.port}`)] });
  const asked: string[] = [];
  const query: Query = (name, type) => {
    asked.push(`${type} ${name}`);
    return resolver.query(name, type);
  };
  const trustAnchors = zones.trustAnchors.map(parseTrustAnchor);
  const newValidator = (how: Query = query) =>
    createValidator({ query: how, clock: clockFrom(() => now() * 1000), trustAnchors });

  /** As it was at the start. */
  function reset(): void {
    zones.misbehave(null);
    clock.ahead = 0;
    asked.length = 0;
  }

  const close = dns.close;
  return { zones, clock, now, asked, query, newValidator, trustAnchors, reset, close };
}

export const txtAt = (name: string) => ({ name, type: "TXT", value: "v=dsi1" }) as const;

/** A validator that trusts the root of this world, at the time of its signatures. */
export const validatorIn = ({ request: { trustAnchors } }: World, query: Query) =>
  createValidator({ query, clock: clockFrom(() => signedAt * 1000), trustAnchors });

/**
 * The result of `validate` or `isInsecure` in the terms of RFC 4035 §4.3, with the insecure zone, the code
 * of what is bogus, or the reason of what is indeterminate.
 */
export function verdictOf(result: Validated | boolean | Unusable): string {
  if (typeof result === "boolean") return result ? "insecure" : "secure";
  if ("reason" in result) return `${result.security} ${result.reason.replace(/:.*/s, "")}`;
  const { insecure, answer, isWildcard } = result;
  if (insecure) return `${result.security} ${insecure.insecure}`;
  if (!answer) return `${result.security}, absent`;
  return isWildcard ? `${result.security}, from a wildcard` : result.security;
}

/** Answers the one question with these records, and everything else with `query`. */
export function answering(
  query: Query,
  { name, type }: { readonly name: string; readonly type: number },
  records: readonly DnsRecord[],
  authorities: readonly DnsRecord[] = [],
): Query {
  return async (asked, of) =>
    asked === name && of === type ? { outcome: "answer", records, authorities } : query(asked, of);
}

/**
 * Answers with sets that were signed by hand, as parts of a chain; `asked` counts. `withoutDs` is the
 * authority section of the answer about a name without a DS set.
 */
export function createScriptedDns(
  parts: readonly Uint8Array[],
  withoutDs: Readonly<Record<string, Uint8Array>> = {},
) {
  const records = parts.flatMap(recordsOf);
  const asked: string[] = [];
  const answersFor = (name: string, type: number) => {
    const types: number[] = type === recordType.TXT ? [type, recordType.CNAME] : [type];
    const typeOf = (record: DnsRecord) =>
      record.type === recordType.RRSIG ? coveredBy(record) : record.type;
    return records.filter((record) => record.name === name && types.includes(typeOf(record)));
  };
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
