// What a signature says about itself: which zone made it, and when it is valid.

import type { Rrsig } from "../dns/dnssec-records.ts";
import { isAtOrBelow } from "../dns/name.ts";
import { recordType } from "../dns/records.ts";
import { type Rrset, refusal } from "./rrsets.ts";

/**
 * The zone that all signatures of a set name, if it may sign the set. Zones are told by their
 * signatures alone: their cuts may be any number of labels apart.
 */
export function signerOf(set: Rrset, sets: readonly Rrset[]): string {
  const [first, ...others] = set.signatures;
  if (!first) throw refusal("not_signed", set, "are not signed");
  const { signer } = first;
  if (others.some((other) => other.signer !== signer) || !maySign(signer, set)) {
    throw refusal("foreign_signer", set, `are signed by ${signer}., which may not`);
  }
  const cut = sets.find((other) => isCutBetween(other, signer, set));
  if (cut) throw refusal("foreign_signer", set, `are signed from above the zone ${cut.name}.`);
  return signer;
}

/** Keys are signed by their own zone, a delegation from above, anything else at or above its name. */
function maySign(signer: string, { name, type }: Rrset): boolean {
  if (type === recordType.DNSKEY) return signer === name;
  if (type === recordType.DS) return signer !== name && isAtOrBelow(name, signer);
  return isAtOrBelow(name, signer);
}

/** Whether `other` shows that a zone begins below `signer` which the signed set belongs to. */
function isCutBetween(other: Rrset, signer: string, signed: Rrset): boolean {
  if (other.type !== recordType.DNSKEY && other.type !== recordType.DS) return false;
  if (other.name === signer || !isAtOrBelow(other.name, signer)) return false;
  if (signed.type === recordType.DS && signed.name === other.name) return false;
  return isAtOrBelow(signed.name, other.name);
}

/**
 * Seconds since 1970. The signature holds them modulo 2^32: the moments nearest to `now` are meant
 * (RFC 4034 §3.1.5, RFC 1982).
 */
export function validityOf(rrsig: Rrsig, now: number): { notBefore: number; notAfter: number } {
  return {
    notBefore: now + ((rrsig.inception - now) | 0),
    notAfter: now + ((rrsig.expiration - now) | 0),
  };
}
