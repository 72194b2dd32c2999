// Faults that signed zones produce on demand, so that tests can check that they are refused.

import { encodeName } from "domain-signin-verify/dns/name";
import { encodeTxt, recordType } from "domain-signin-verify/dns/records";
import { below, dnskeySet, nameAbove } from "./signed-zone-sets.ts";
import { dnssecType, type ZoneKeys } from "./zone-keys.ts";
import { type RRset, rrset, signSet, type Validity } from "./zone-signing.ts";

/** Without `zone` the fault affects all zones, without `type` all record types. */
export type Misbehaviour = { readonly zone?: string; readonly type?: number } & (
  | { readonly how: SetMisbehaviour }
  /** Answers are correct, but late. */
  | { readonly how: "slow"; readonly delayMs: number }
  /** TXT answers have this value, with the signature of the real set if there is one. */
  | { readonly how: "forge"; readonly value: string }
  | { readonly how: "servfail" }
);

type SetMisbehaviour =
  /** Signatures and NSEC records are left out. */
  | "strip"
  | "expired"
  | "not_yet_valid"
  /** Signed with keys that the DS does not name; the DNSKEY set lists these keys. */
  | "swap_keys"
  /** Sets below an apex are signed as if expanded from a wildcard, without the NSEC proof. */
  | "wildcard"
  /** TXT sets grow to about 60,000 octets with valid signatures: only a size limit refuses them. */
  | "oversized";

/** A set with the rdata of its RRSIG records. */
export type SignedSet = { readonly set: RRset; readonly signatures: readonly Uint8Array[] };

const DAY_S = 86_400;
const OVERSIZED_OCTETS = 60_000;
const PADDING_OCTETS = 254;
/** Type, class, TTL and length. */
const FIXED_RECORD_OCTETS = 10;

/** `zone` is the zone of the set; for a DS set that is the parent zone. */
export function appliesTo(
  { zone, type }: Misbehaviour,
  of: { readonly zone: string; readonly type: number },
): boolean {
  return (zone === undefined || zone === of.zone) && (type === undefined || type === of.type);
}

export function signCorrectly(
  set: RRset,
  zone: string,
  keys: ZoneKeys | null,
  validity: Validity,
): SignedSet {
  if (!keys) return { set, signatures: [] };
  const key = set.type === dnssecType.DNSKEY ? keys.keySigning : keys.zoneSigning;
  return { set, signatures: [signSet(set, zone, key, validity)] };
}

/** `others` are keys without a DS. Without keys, only `oversized` has an effect. */
export function signWithFault(
  how: Misbehaviour["how"],
  set: RRset,
  zone: string,
  keys: { readonly own: ZoneKeys | null; readonly others: ZoneKeys | null },
  validity: Validity,
): SignedSet {
  const sign = (changed: RRset, during = validity) =>
    signCorrectly(changed, zone, keys.own, during);
  const { inception, expiration } = validity;
  switch (how) {
    case "strip":
      return set.type === dnssecType.NSEC
        ? { set: { ...set, rdatas: [] }, signatures: [] }
        : { set, signatures: [] };
    case "expired":
      return sign(set, { inception: inception - 30 * DAY_S, expiration: inception - DAY_S });
    case "not_yet_valid":
      return sign(set, { inception: inception + 2 * DAY_S, expiration: expiration + 2 * DAY_S });
    case "swap_keys": {
      const isKeys = keys.others && set.type === dnssecType.DNSKEY;
      const shown = isKeys && keys.others ? dnskeySet(zone, keys.others) : set;
      return signCorrectly(shown, zone, keys.others, validity);
    }
    case "wildcard": {
      if (set.name === zone || set.type === dnssecType.NSEC) return sign(set);
      return { ...sign({ ...set, name: below("*", nameAbove(set.name)) }), set };
    }
    case "oversized":
      return sign(set.type === recordType.TXT ? enlarge(set) : set);
    case "slow":
    case "forge":
    case "servfail":
      return sign(set);
  }
}

function enlarge(set: RRset): RRset {
  const overhead = encodeName(set.name).length + FIXED_RECORD_OCTETS;
  const octets = set.rdatas.reduce((sum, { length }) => sum + length + overhead, 0);
  const more = Math.floor((OVERSIZED_OCTETS - octets) / (PADDING_OCTETS + 1 + overhead));
  const padding = Array.from({ length: Math.max(0, more) }, (_, index) =>
    encodeTxt(Buffer.from(`${index}`.padStart(PADDING_OCTETS, "x"))),
  );
  return rrset(set.name, set.type, set.ttl, [...set.rdatas, ...padding]);
}
