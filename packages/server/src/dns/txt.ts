// The TXT values at a name, reached through aliases only if these keep a given label.

import type { DnsRecord } from "domain-signin-verify/dns/message";
import { canonicalName, labelsOf } from "domain-signin-verify/dns/name";
import { classIn, decodeHostName, decodeTxt, recordType } from "domain-signin-verify/dns/records";
import type { DnsFailureReason, Resolver } from "./resolver.ts";

/**
 * `ttl` in seconds is the least of all records on the way, infinite if there were none. `answers` are
 * the records on the way, in their order, with all signatures that the resolver returned for them. They
 * contain no other record and no alias that was not followed, so that following them again gives the same
 * result.
 */
export type TxtLook =
  | {
      readonly outcome: "values";
      readonly values: readonly string[];
      readonly ttl: number;
      readonly answers: readonly DnsRecord[];
    }
  | { readonly outcome: "alias_invalid"; readonly target: string; readonly ttl: number }
  | { readonly outcome: "bogus"; readonly reason: string }
  | { readonly outcome: "unavailable"; readonly reason: DnsFailureReason };

export const maxAliases = 8;

/**
 * No values is an answer, not a failure. An alias is invalid if it loops, is one too many, or ends
 * at a name without `label`: a wildcard CNAME to a web host must not hand over the identity.
 */
export async function lookUpTxt(
  resolver: Resolver,
  startName: string,
  label: string,
): Promise<TxtLook> {
  const passed = new Set<string>();
  const answers: DnsRecord[] = [];
  let name = canonicalName(startName);
  let ttl = Number.POSITIVE_INFINITY;
  for (;;) {
    const askedName = name;
    const answer = await resolver.query(askedName, recordType.TXT);
    if (answer.outcome === "failed") return { outcome: "unavailable", reason: answer.reason };
    if (answer.outcome === "bogus") return answer;

    const followed = new Set<string>();
    let alias = recordsAt(answer.records, name, recordType.CNAME)[0];
    while (alias) {
      passed.add(name);
      followed.add(name);
      name = decodeHostName(alias.rdata);
      ttl = Math.min(ttl, alias.ttl);
      if (passed.has(name) || passed.size > maxAliases) {
        return { outcome: "alias_invalid", target: name, ttl };
      }
      alias = recordsAt(answer.records, name, recordType.CNAME)[0];
    }
    const isOnTheWay = (record: DnsRecord) =>
      record.type === recordType.CNAME
        ? followed.has(record.name)
        : record.type !== recordType.TXT || record.name === name;
    answers.push(...answer.records.filter(isOnTheWay));

    const texts = recordsAt(answer.records, name, recordType.TXT);
    const isEnd = name === askedName || texts.length > 0 || answer.outcome === "nxdomain";
    if (isEnd && !labelsOf(name).includes(label)) {
      return { outcome: "alias_invalid", target: name, ttl };
    }
    if (isEnd) {
      const values = textsAt(answer.records, name);
      const least = Math.min(ttl, ...texts.map((text) => text.ttl));
      return { outcome: "values", values, ttl: least, answers };
    }
  }
}

/** The TXT values at exactly that name, no alias followed. */
export function textsAt(records: readonly DnsRecord[], name: string): string[] {
  return recordsAt(records, name, recordType.TXT).map(({ rdata }) => textOf(rdata));
}

export function recordsAt(records: readonly DnsRecord[], name: string, type: number): DnsRecord[] {
  return records.filter(
    (record) => record.name === name && record.type === type && record.class === classIn,
  );
}

/**
 * The text of a TXT record. Octets that are not UTF-8 become U+FFFD and a byte order mark stays: no
 * record may hold either.
 */
export function textOf(rdata: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(decodeTxt(rdata));
}
