// The proof that a chain of record sets, signed from the DNS root down, says what a name holds.

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

export type ChainRequest = {
  /** The name that was looked up; `type` as a number, 16 for TXT. */
  readonly name: string;
  readonly type: number;
  /** Seconds since 1970. */
  readonly now: number;
  /** Instead of those that IANA publishes for the root. */
  readonly trustAnchors?: readonly TrustAnchor[];
  /** Seconds since the record set, and each alias to it, was signed; the zones above sign seldom. */
  readonly maxSignatureAge?: number;
};

export type VerifiedRrset = {
  /** Where the records are: the name that was asked for, or the one that aliases led to. */
  readonly name: string;
  /** The names left behind, in order, beginning with the one that was asked for. */
  readonly aliases: readonly string[];
  /** The rdata of each record, in canonical form and order. */
  readonly values: readonly Uint8Array[];
  /** Seconds since 1970: when all signatures are valid, without the skew that is allowed for. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Seconds: never more than what was signed, nor than `notAfter` leaves. */
  readonly ttl: number;
};

/** What is left to do and what is known while one chain is verified. */
type Proof = ChainRequest & {
  readonly sets: readonly Rrset[];
  readonly unneeded: Set<Rrset>;
  readonly keysOfZone: Map<string, readonly Dnskey[]>;
  checksLeft: number;
  notBefore: number;
  notAfter: number;
};

/**
 * Verifies an AuthenticationChain (RFC 9102 §2) up to the root. Everything in the chain must be
 * needed and every signature in it must be good, so that no changed bit goes unseen but in TTLs and
 * in the case of letters. Throws VerificationError, and nothing else, for what is not proven.
 */
export async function verifyChain(
  chain: Uint8Array,
  request: ChainRequest,
): Promise<VerifiedRrset> {
  const name = readAskedName(request.name);
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

/** Verifies one set with the keys of the zone that signed it, which are verified before. */
async function verifyRrset(proof: Proof, set: Rrset): Promise<void> {
  const signer = signerOf(set, proof.sets);
  for (const rrsig of set.signatures) checkRrsig(proof, set, rrsig);
  const keys = await verifyZone(proof, signer);
  for (const rrsig of set.signatures) await verifySignature(proof, set, rrsig, keys);
  proof.unneeded.delete(set);
}

/** The keys of a zone, whose set must be signed by one that the DS records or the anchors mean. */
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

/** What says which keys of a zone to trust: DS records that its parent signed, or the anchors. */
async function verifyDelegation(proof: Proof, zone: string): Promise<readonly Ds[]> {
  if (zone === "") return proof.trustAnchors ?? rootTrustAnchors;
  const dsSet = needSet(proof, zone, recordType.DS);
  await verifyRrset(proof, dsSet);
  return decode(dsSet, decodeDs);
}

/** The key that made the signature. */
async function verifySignature(
  proof: Proof,
  set: Rrset,
  rrsig: Rrsig,
  keys: readonly Dnskey[],
): Promise<Dnskey> {
  const candidates = keys.filter(
    (key) => key.keyTag === rrsig.keyTag && key.algorithm === rrsig.algorithm,
  );
  if (candidates.length === 0) throw refusal("no_such_key", set, "are signed by no key there is");
  const signed = signedOctets(set, rrsig);
  for (const key of candidates) {
    if (proof.checksLeft === 0) throw refusal("too_many_signatures", set, "are one check too many");
    proof.checksLeft--;
    if (await isSignatureBy(key, signed, rrsig.signature)) return key;
  }
  throw refusal("bad_signature", set, "are not what was signed");
}

/** All that a signature must be before anyone looks at its octets. */
function checkRrsig(proof: Proof, set: Rrset, rrsig: Rrsig): void {
  const labels = labelsOf(set.name);
  if (!isSupportedAlgorithm(rrsig.algorithm)) {
    throw refusal("unsupported_algorithm", set, `are signed by algorithm ${rrsig.algorithm}`);
  }
  if (rrsig.labels !== labels.length || labels[0] === "*") {
    throw refusal("wildcard", set, "are signed as a wildcard, or with a wrong count of labels");
  }
  const { notBefore, notAfter } = validityOf(rrsig, proof.now);
  if (notBefore > proof.now + allowedSkew) throw refusal("not_yet_valid", set, "are for later");
  const isOver = notAfter < proof.now - allowedSkew || notAfter < notBefore;
  if (isOver) throw refusal("expired", set, "were signed until earlier");
  proof.notBefore = Math.max(proof.notBefore, notBefore);
  proof.notAfter = Math.min(proof.notAfter, notAfter);
}

function checkAge(proof: Proof, set: Rrset): void {
  if (proof.maxSignatureAge === undefined) return;
  for (const rrsig of set.signatures) {
    // Asks what is good, so that an age that is no number fails.
    const isYoung = proof.now - validityOf(rrsig, proof.now).notBefore <= proof.maxSignatureAge;
    if (!isYoung) throw refusal("signature_too_old", set, "are signed too long ago");
  }
}

function beginProof(sets: readonly Rrset[], request: ChainRequest): Proof {
  for (const set of sets) {
    if (set.type === recordType.DNAME) throw refusal("dname", set, "are not followed");
  }
  if (sets.flatMap(({ signatures }) => signatures).length > maxSignatures) {
    throw new VerificationError("too_many_signatures", "the chain has too many signatures");
  }
  // Serial arithmetic would find a meaning for milliseconds, and for what is no number.
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

/** The set that was asked for, and those of the aliases that lead there. */
function findAnswer(proof: Proof, start: string): { aliasSets: Rrset[]; answer: Rrset } {
  const aliasSets: Rrset[] = [];
  let name = start;
  for (;;) {
    const answer = findSet(proof, name, proof.type);
    if (answer) return { aliasSets, answer };
    const alias = findSet(proof, name, recordType.CNAME);
    if (!alias) throw new VerificationError("no_answer", `no answer for ${name}. is there`);
    if (aliasSets.includes(alias)) throw refusal("alias_loop", alias, "lead back to themselves");
    if (aliasSets.length === maxAliases) throw refusal("too_many_aliases", alias, "are too many");
    aliasSets.push(alias);
    const [target, second] = decode(alias, decodeHostName);
    if (target === undefined || second !== undefined) {
      throw refusal("malformed_chain", alias, "are two aliases at one name");
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
  throw new VerificationError("incomplete_chain", `no ${describe(name, type)} is there`);
}

/** RFC 4035 §5.3.3. */
function signedTtl(set: Rrset): number {
  return Math.min(set.ttl, ...set.signatures.map(({ originalTtl }) => originalTtl));
}

function readAskedName(text: string): string {
  try {
    return canonicalName(text);
  } catch (error) {
    if (!(error instanceof DnsMessageError)) throw error;
    throw new VerificationError("malformed_name", error.message, { cause: error });
  }
}

function untrustedKeys(keySet: Rrset): VerificationError {
  const code = keySet.name === "" ? "untrusted_root" : "key_not_delegated";
  return refusal(code, keySet, "are not signed by a key that is trusted");
}
