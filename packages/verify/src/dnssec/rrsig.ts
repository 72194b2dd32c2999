// The signer and the validity period of a signature.

import type { Rrsig } from "../dns/dnssec-records.ts";
import { isAtOrBelow } from "../dns/name.ts";
import { recordType } from "../dns/records.ts";
import { type Rrset, refusal } from "./rrsets.ts";

/**
 * The zone that all signatures of a set name, which must be allowed to sign the set. Zones are known
 * from signatures only: zone cuts may be any number of labels apart.
 */
export function signerOf(set: Rrset, sets: readonly Rrset[]): string {
  const [first, ...others] = set.signatures;
  if (!first) throw refusal("not_signed", set, "are not signed");
  const { signer } = first;
  if (others.some((other) => other.signer !== signer) || !maySign(signer, set)) {
    throw refusal("foreign_signer", set, `may not be signed by ${signer}.`);
  }
  const cut = sets.find((other) => isCutBetween(other, signer, set));
  if (cut) throw refusal("foreign_signer", set, `are signed from above the zone ${cut.name}.`);
  return signer;
}

/** A zone signs its own keys, a zone above signs DS, a zone at or above the name all other sets. */
function maySign(signer: string, { name, type }: Rrset): boolean {
  if (type === recordType.DNSKEY) return signer === name;
  if (type === recordType.DS) return signer !== name && isAtOrBelow(name, signer);
  return isAtOrBelow(name, signer);
}

/** Whether `other` shows a zone cut between `signer` and the signed set. */
function isCutBetween(other: Rrset, signer: string, signed: Rrset): boolean {
  if (other.type !== recordType.DNSKEY && other.type !== recordType.DS) return false;
  if (other.name === signer || !isAtOrBelow(other.name, signer)) return false;
  // Both zones have NSEC records at the cut (RFC 4035 §2.3).
  const isOfParent = signed.type === recordType.DS || signed.type === recordType.NSEC;
  if (isOfParent && signed.name === other.name) return false;
  return isAtOrBelow(signed.name, other.name);
}

/**
 * Seconds since 1970. A signature stores times modulo 2^32: those nearest to `now` apply
 * (RFC 4034 §3.1.5, RFC 1982).
 */
export function validityOf(rrsig: Rrsig, now: number): { notBefore: number; notAfter: number } {
  return {
    notBefore: now + ((rrsig.inception - now) | 0),
    notAfter: now + ((rrsig.expiration - now) | 0),
  };
}
