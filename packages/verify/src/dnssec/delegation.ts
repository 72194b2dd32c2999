// Finds the keys of a zone that match the DS records of its parent.

import type { Dnskey, Ds } from "../dns/dnssec-records.ts";
import { encodeName } from "../dns/name.ts";
import { joinOctets } from "../dns/octets.ts";
import { VerificationError } from "../errors.ts";
import { isSupportedAlgorithm, plain, subtle } from "./signature.ts";

/** By digest type (RFC 4509, RFC 6605). SHA-1, type 1, is not secure. */
const HASHES = new Map([
  [2, "SHA-256"],
  [4, "SHA-384"],
]);

/**
 * Throws VerificationError `unsupported_digest` or `unsupported_algorithm` if no DS record is
 * supported. Unsupported ones beside a supported one are ignored.
 */
export async function keysThatDsMean(
  dsSet: readonly Ds[],
  zone: string,
  keys: readonly Dnskey[],
): Promise<Dnskey[]> {
  const digestible = dsSet.filter(({ digestType }) => HASHES.has(digestType));
  if (dsSet.length > 0 && digestible.length === 0) {
    throw new VerificationError("unsupported_digest", `no supported DS digest for ${zone}.`);
  }
  const usable = digestible.filter(({ algorithm }) => isSupportedAlgorithm(algorithm));
  if (digestible.length > 0 && usable.length === 0) {
    throw new VerificationError("unsupported_algorithm", `no supported algorithm for ${zone}.`);
  }
  const matching: Dnskey[] = [];
  for (const key of keys) if (await isMatch(key, usable, zone)) matching.push(key);
  return matching;
}

/** Each key is hashed at most once for each digest type, however many DS records share its tag. */
async function isMatch(key: Dnskey, dsSet: readonly Ds[], zone: string): Promise<boolean> {
  const candidates = dsSet.filter(
    (ds) => ds.keyTag === key.keyTag && ds.algorithm === key.algorithm,
  );
  for (const [digestType, hash] of HASHES) {
    const ofType = candidates.filter((ds) => ds.digestType === digestType);
    if (ofType.length === 0) continue;
    const digest = await digestOf(hash, zone, key);
    if (ofType.some((ds) => isEqual(ds.digest, digest))) return true;
  }
  return false;
}

/** RFC 4034 §5.1.4. */
async function digestOf(hash: string, zone: string, key: Dnskey): Promise<Uint8Array> {
  const octets = joinOctets([encodeName(zone), key.rdata]);
  return new Uint8Array(await subtle().digest(hash, plain(octets)));
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((octet, index) => octet === other[index]);
}
