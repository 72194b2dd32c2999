// How the demo's signed zones misbehave on demand, so that it can be seen to be refused.

import { encodeName } from "domain-signin-verify/dns/name";
import { encodeTxt, recordType } from "domain-signin-verify/dns/records";
import { below, dnskeySet, nameAbove } from "./signed-zone-sets.ts";
import { dnssecType, type ZoneKeys } from "./zone-keys.ts";
import { type RRset, rrset, signSet, type Validity } from "./zone-signing.ts";

/** Without `zone` all zones misbehave, without `type` the sets of every type do. */
export type Misbehaviour = { readonly zone?: string; readonly type?: number } & (
  | { readonly how: SetMisbehaviour }
  /** Answers are well, but late. */
  | { readonly how: "slow"; readonly delayMs: number }
  /** TXT questions are answered with this value, under the signature of the true set if there is one. */
  | { readonly how: "forge"; readonly value: string }
  | { readonly how: "servfail" }
);

type SetMisbehaviour =
  /** Signatures and NSEC records are left out. */
  | "strip"
  | "expired"
  | "not_yet_valid"
  /** Signed with other keys than the zone above names; the DNSKEY set lists these others. */
  | "swap_keys"
  /** Each set below an apex is signed as if made from a wildcard, without a proof that it may be. */
  | "wildcard"
  /** TXT sets grow to about 60,000 octets, and are signed well: only a bound can refuse them. */
  | "oversized";

/** A set with the rdata of its RRSIG records. */
export type SignedSet = { readonly set: RRset; readonly signatures: readonly Uint8Array[] };

const day = 86_400;
const oversizedOctets = 60_000;
const paddingOctets = 254;
/** Type, class, TTL and length. */
const fixedRecordOctets = 10;

/** `zone` is where a set lies: of a DS the zone above the cut. */
export function concerns(
  { zone, type }: Misbehaviour,
  of: { readonly zone: string; readonly type: number },
): boolean {
  return (zone === undefined || zone === of.zone) && (type === undefined || type === of.type);
}

export function signWell(
  set: RRset,
  zone: string,
  keys: ZoneKeys | null,
  validity: Validity,
): SignedSet {
  if (!keys) return { set, signatures: [] };
  const key = set.type === dnssecType.DNSKEY ? keys.keySigning : keys.zoneSigning;
  return { set, signatures: [signSet(set, zone, key, validity)] };
}

/** `others` are key pairs that nobody named. An unsigned zone can do no more than grow. */
export function signBadly(
  how: Misbehaviour["how"],
  set: RRset,
  zone: string,
  keys: { readonly own: ZoneKeys | null; readonly others: ZoneKeys | null },
  validity: Validity,
): SignedSet {
  const well = (changed: RRset, during = validity) => signWell(changed, zone, keys.own, during);
  const { inception, expiration } = validity;
  switch (how) {
    case "strip":
      return set.type === dnssecType.NSEC
        ? { set: { ...set, rdatas: [] }, signatures: [] }
        : { set, signatures: [] };
    case "expired":
      return well(set, { inception: inception - 30 * day, expiration: inception - day });
    case "not_yet_valid":
      return well(set, { inception: inception + 2 * day, expiration: expiration + 2 * day });
    case "swap_keys": {
      const isKeys = keys.others && set.type === dnssecType.DNSKEY;
      const shown = isKeys && keys.others ? dnskeySet(zone, keys.others) : set;
      return signWell(shown, zone, keys.others, validity);
    }
    case "wildcard": {
      if (set.name === zone || set.type === dnssecType.NSEC) return well(set);
      return { ...well({ ...set, name: below("*", nameAbove(set.name)) }), set };
    }
    case "oversized":
      return well(set.type === recordType.TXT ? grown(set) : set);
    case "slow":
    case "forge":
    case "servfail":
      return well(set);
  }
}

function grown(set: RRset): RRset {
  const overhead = encodeName(set.name).length + fixedRecordOctets;
  const octets = set.rdatas.reduce((sum, { length }) => sum + length + overhead, 0);
  const more = Math.floor((oversizedOctets - octets) / (paddingOctets + 1 + overhead));
  const padding = Array.from({ length: Math.max(0, more) }, (_, index) =>
    encodeTxt(Buffer.from(`${index}`.padStart(paddingOctets, "x"))),
  );
  return rrset(set.name, set.type, set.ttl, [...set.rdatas, ...padding]);
}
