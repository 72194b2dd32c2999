// Verifies a chain of record sets, signed from the DNS root down to the records of a name.

import { canonicalName } from "../dns/name.ts";
import { DnsMessageError } from "../dns/octets.ts";
import { recordType } from "../dns/records.ts";
import { VerificationError } from "../errors.ts";
import { maxSignatures } from "./bounds.ts";
import { type Proof, proveRrset } from "./prove.ts";
import { type Rrset, readRrsets, refusal } from "./rrsets.ts";
import { validityOf } from "./rrsig.ts";
import { rootTrustAnchors, type TrustAnchor } from "./trust-anchors.ts";

export interface ChainRequest {
  /** The requested name; `type` is a number, 16 for TXT. */
  readonly name: string;
  readonly type: number;
  /** Seconds since 1970. */
  readonly now: number;
  /** Default: those that IANA publishes for the root. */
  readonly trustAnchors?: readonly TrustAnchor[];
  /** Seconds since the record set, and each alias to it, was signed. Other sets are exempt. */
  readonly maxSignatureAge?: number;
}

export interface VerifiedRrset {
  /** The owner of the records: the requested name, or the target of its aliases. */
  readonly name: string;
  /** The aliases that were followed, in order, beginning with the requested name. */
  readonly aliases: readonly string[];
  /** The rdata of each record, in canonical form and order. */
  readonly values: readonly Uint8Array[];
  /** Seconds since 1970: the period in which all signatures are valid, without the allowed skew. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Seconds: at most the signed TTL, and at most the time until `notAfter`. */
  readonly ttl: number;
}

/**
 * Verifies an AuthenticationChain (RFC 9102 §2) up to the root. Every record must be needed and every
 * signature must be valid, so that any changed bit is detected, except in TTLs and in the case of
 * letters. Throws only VerificationError.
 */
export async function verifyChain(
  chain: Uint8Array,
  request: ChainRequest,
): Promise<VerifiedRrset> {
  const name = readRequestedName(request.name);
  const sets = readRrsets(chain);
  checkBounds(sets);
  const now = readTime(request.now);
  const { trustAnchors = rootTrustAnchors, type, maxSignatureAge } = request;
  const source = { rrsets: async () => sets };
  const proof = await proveRrset({ source, name, type, now, trustAnchors, signatures: "all" });
  if (proof.insecure) throw proof.insecure.error;
  if (!proof.answer)
    throw new VerificationError("no_answer", `the chain has no answer for ${proof.name}.`);
  for (const set of proof.sets) checkAge(set, now, maxSignatureAge);
  const needed = new Set([...proof.sets, ...proof.zoneSets].map(({ rdatas }) => rdatas));
  for (const set of sets) {
    if (!needed.has(set.rdatas)) throw refusal("unneeded_record", set, "are not needed");
  }
  return verifiedRrset(proof, proof.answer, now);
}

/** What a secure proof says about an answer. */
export function verifiedRrset(
  { name, aliases, sets, zoneSets }: Proof,
  { rdatas }: Rrset,
  now: number,
): VerifiedRrset {
  const periods = [...sets, ...zoneSets].flatMap(({ signatures }) =>
    signatures.map((rrsig) => validityOf(rrsig, now)),
  );
  const notAfter = Math.min(...periods.map((period) => period.notAfter));
  return {
    name,
    aliases,
    values: rdatas,
    notBefore: Math.max(...periods.map((period) => period.notBefore)),
    notAfter,
    ttl: Math.max(0, Math.min(...sets.map(signedTtl), notAfter - now)),
  };
}

function checkBounds(sets: readonly Rrset[]): void {
  for (const set of sets) {
    if (set.type === recordType.DNAME) throw refusal("dname", set, "are not supported");
  }
  if (sets.flatMap(({ signatures }) => signatures).length > maxSignatures) {
    throw new VerificationError("too_many_signatures", "the chain has too many signatures");
  }
}

/** Serial number arithmetic would accept milliseconds and NaN. */
function readTime(now: number): number {
  if (now >= 0 && now < 2 ** 33) return Math.floor(now);
  throw new VerificationError("malformed_time", "now must be seconds since 1970");
}

function checkAge(set: Rrset, now: number, maxAge: number | undefined): void {
  if (maxAge === undefined) return;
  for (const rrsig of set.signatures) {
    // Not written as `age > max`, so that NaN fails.
    const isYoung = now - validityOf(rrsig, now).notBefore <= maxAge;
    if (!isYoung) throw refusal("signature_too_old", set, "were signed too long ago");
  }
}

/** RFC 4035 §5.3.3. */
function signedTtl(set: Rrset): number {
  return Math.min(set.ttl, ...set.signatures.map(({ originalTtl }) => originalTtl));
}

function readRequestedName(text: string): string {
  try {
    return canonicalName(text);
  } catch (error) {
    if (!(error instanceof DnsMessageError)) throw error;
    throw new VerificationError("malformed_name", error.message, { cause: error });
  }
}
