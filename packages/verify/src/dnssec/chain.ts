// Verifies a chain of record sets, signed from the DNS root down to the records of a name.

import { signedOctets } from "../dns/canonical.ts";
import {
  type Dnskey,
  type Ds,
  decodeDnskey,
  decodeDs,
  isZoneKey,
  type Rrsig,
} from "../dns/dnssec-records.ts";
import { canonicalName, labelsOf } from "../dns/name.ts";
import { DnsMessageError } from "../dns/octets.ts";
import { decodeHostName, recordType } from "../dns/records.ts";
import { VerificationError } from "../errors.ts";
import {
  allowedSkew,
  maxAliases,
  maxKeysOfZone,
  maxSignatureChecks,
  maxSignatures,
} from "./bounds.ts";
import { keysThatDsMean } from "./delegation.ts";
import { decode, describe, type Rrset, readRrsets, refusal } from "./rrsets.ts";
import { signerOf, validityOf } from "./rrsig.ts";
import { isSignatureBy, isSupportedAlgorithm } from "./signature.ts";
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

/** The state of the verification of one chain. */
type Proof = ChainRequest & {
  readonly sets: readonly Rrset[];
  readonly unneeded: Set<Rrset>;
  readonly keysOfZone: Map<string, readonly Dnskey[]>;
  checksLeft: number;
  notBefore: number;
  notAfter: number;
};

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
  const proof = beginProof(readRrsets(chain), request);
  const { aliasSets, answer } = findAnswer(proof, name);

  for (const set of [...aliasSets, answer]) {
    checkAge(proof, set);
    await verifyRrset(proof, set);
  }

  for (const set of proof.unneeded) throw refusal("unneeded_record", set, "are not needed");
  return {
    name: answer.name,
    aliases: aliasSets.map((set) => set.name),
    values: answer.rdatas,
    notBefore: proof.notBefore,
    notAfter: proof.notAfter,
    ttl: Math.max(
      0,
      Math.min(...[...aliasSets, answer].map(signedTtl), proof.notAfter - proof.now),
    ),
  };
}

/** Verifies one set with the keys of the zone that signed it, which are verified first. */
async function verifyRrset(proof: Proof, set: Rrset): Promise<void> {
  const signer = signerOf(set, proof.sets);
  for (const rrsig of set.signatures) checkRrsig(proof, set, rrsig);
  const keys = await verifyZone(proof, signer);
  for (const rrsig of set.signatures) await verifySignature(proof, set, rrsig, keys);
  proof.unneeded.delete(set);
}

/** The keys of a zone. One that matches a DS record or trust anchor must sign the key set. */
async function verifyZone(proof: Proof, zone: string): Promise<readonly Dnskey[]> {
  const known = proof.keysOfZone.get(zone);
  if (known) return known;

  const keySet = needSet(proof, zone, recordType.DNSKEY);
  if (keySet.rdatas.length > maxKeysOfZone) throw refusal("too_many_keys", keySet, "are too many");
  signerOf(keySet, proof.sets);
  for (const rrsig of keySet.signatures) checkRrsig(proof, keySet, rrsig);
  const keys = decode(keySet, decodeDnskey).filter(isZoneKey);

  const dsSet = await verifyDelegation(proof, zone);
  const trusted = await keysThatDsMean(dsSet, zone, keys);
  if (trusted.length === 0) throw untrustedKeys(keySet);
  let isTrusted = false;
  for (const rrsig of keySet.signatures) {
    const key = await verifySignature(proof, keySet, rrsig, keys);
    if (trusted.includes(key)) isTrusted = true;
  }
  if (!isTrusted) throw untrustedKeys(keySet);
  proof.unneeded.delete(keySet);
  proof.keysOfZone.set(zone, keys);
  return keys;
}

/** DS records, signed by the parent, for the trusted keys of a zone. Trust anchors for the root. */
async function verifyDelegation(proof: Proof, zone: string): Promise<readonly Ds[]> {
  if (zone === "") return proof.trustAnchors ?? rootTrustAnchors;
  const dsSet = needSet(proof, zone, recordType.DS);
  await verifyRrset(proof, dsSet);
  return decode(dsSet, decodeDs);
}

/** Returns the key that made the signature. */
async function verifySignature(
  proof: Proof,
  set: Rrset,
  rrsig: Rrsig,
  keys: readonly Dnskey[],
): Promise<Dnskey> {
  const candidates = keys.filter(
    (key) => key.keyTag === rrsig.keyTag && key.algorithm === rrsig.algorithm,
  );
  if (candidates.length === 0) throw refusal("no_such_key", set, "are signed by an unknown key");
  const signed = signedOctets(set, rrsig);
  for (const key of candidates) {
    if (proof.checksLeft === 0) throw refusal("too_many_signatures", set, "need too many checks");
    proof.checksLeft--;
    if (await isSignatureBy(key, signed, rrsig.signature)) return key;
  }
  throw refusal("bad_signature", set, "have an invalid signature");
}

/** Checks the fields of a signature, before any cryptography. */
function checkRrsig(proof: Proof, set: Rrset, rrsig: Rrsig): void {
  const labels = labelsOf(set.name);
  if (!isSupportedAlgorithm(rrsig.algorithm)) {
    throw refusal("unsupported_algorithm", set, `use unsupported algorithm ${rrsig.algorithm}`);
  }
  if (rrsig.labels !== labels.length || labels[0] === "*") {
    throw refusal("wildcard", set, "are signed as a wildcard or with a wrong label count");
  }
  const { notBefore, notAfter } = validityOf(rrsig, proof.now);
  if (notBefore > proof.now + allowedSkew) throw refusal("not_yet_valid", set, "are not yet valid");
  const isOver = notAfter < proof.now - allowedSkew || notAfter < notBefore;
  if (isOver) throw refusal("expired", set, "have an expired signature");
  proof.notBefore = Math.max(proof.notBefore, notBefore);
  proof.notAfter = Math.min(proof.notAfter, notAfter);
}

function checkAge(proof: Proof, set: Rrset): void {
  if (proof.maxSignatureAge === undefined) return;
  for (const rrsig of set.signatures) {
    // Not written as `age > max`, so that NaN fails.
    const isYoung = proof.now - validityOf(rrsig, proof.now).notBefore <= proof.maxSignatureAge;
    if (!isYoung) throw refusal("signature_too_old", set, "were signed too long ago");
  }
}

function beginProof(sets: readonly Rrset[], request: ChainRequest): Proof {
  for (const set of sets) {
    if (set.type === recordType.DNAME) throw refusal("dname", set, "are not supported");
  }
  if (sets.flatMap(({ signatures }) => signatures).length > maxSignatures) {
    throw new VerificationError("too_many_signatures", "the chain has too many signatures");
  }
  // Serial number arithmetic would accept milliseconds and NaN.
  const isTime = request.now >= 0 && request.now < 2 ** 33;
  if (!isTime) throw new VerificationError("malformed_time", "now must be seconds since 1970");
  return {
    ...request,
    now: Math.floor(request.now),
    sets,
    unneeded: new Set(sets),
    keysOfZone: new Map(),
    checksLeft: maxSignatureChecks,
    notBefore: Number.NEGATIVE_INFINITY,
    notAfter: Number.POSITIVE_INFINITY,
  };
}

/** The requested set, and those of the aliases that lead to it. */
function findAnswer(proof: Proof, start: string): { aliasSets: Rrset[]; answer: Rrset } {
  const aliasSets: Rrset[] = [];
  let name = start;
  for (;;) {
    const answer = findSet(proof, name, proof.type);
    if (answer) return { aliasSets, answer };
    const alias = findSet(proof, name, recordType.CNAME);
    if (!alias) throw new VerificationError("no_answer", `the chain has no answer for ${name}.`);
    if (aliasSets.includes(alias)) throw refusal("alias_loop", alias, "form a loop");
    if (aliasSets.length === maxAliases) throw refusal("too_many_aliases", alias, "are too many");
    aliasSets.push(alias);
    const [target, second] = decode(alias, decodeHostName);
    if (target === undefined || second !== undefined) {
      throw refusal("malformed_chain", alias, "are more than one alias");
    }
    name = target;
  }
}

function findSet(proof: Proof, name: string, type: number): Rrset | undefined {
  return proof.sets.find((set) => set.name === name && set.type === type);
}

function needSet(proof: Proof, name: string, type: number): Rrset {
  const set = findSet(proof, name, type);
  if (set) return set;
  throw new VerificationError("incomplete_chain", `the chain has no ${describe(name, type)}`);
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

function untrustedKeys(keySet: Rrset): VerificationError {
  const code = keySet.name === "" ? "untrusted_root" : "key_not_delegated";
  return refusal(code, keySet, "are not signed by a trusted key");
}
