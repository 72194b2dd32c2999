// Verifies record sets and the zones that signed them, up to the trust anchors of the root.

import { decodeDnskey, decodeDs, isZoneKey } from "../dns/dnssec-records.ts";
import { labelsOf } from "../dns/name.ts";
import { recordType } from "../dns/records.ts";
import { VerificationError } from "../errors.ts";
import { keysThatDsMean } from "./delegation.ts";
import { checkSize, decode, describe, type Rrset, refusal } from "./rrsets.ts";
import { signerOf } from "./rrsig.ts";
import type { Delegation, Insecure, NoDelegation, Run, VerifiedSet, Zone } from "./run.ts";
import { checkSignatures, type WildcardRule } from "./signatures.ts";

export async function read(run: Run, name: string, type: number): Promise<readonly Rrset[]> {
  const sets = await run.source.rrsets(name, type);
  for (const set of sets) run.received.add(set);
  return sets;
}

export function find(sets: readonly Rrset[], name: string, type: number): Rrset | undefined {
  return sets.find((set) => set.name === name && set.type === type);
}

/** Verifies a set with the keys of the zone that signed it, which is verified first. */
export async function verifySet(
  run: Run,
  set: Rrset,
  wildcard: WildcardRule = "none",
): Promise<VerifiedSet | Insecure> {
  if (set.signatures.length === 0) {
    const error = refusal("not_signed", set, "are not signed");
    if (!run.insecurity) throw error;
    const isDs = set.type === recordType.DS;
    return run.insecurity.mustBeInsecure(run, isDs ? parentOf(set.name) : set.name, error);
  }
  checkSize(set);
  const zone = await zoneOf(run, signerOf(set, [...run.received]));
  if ("insecure" in zone) return zone;
  const checked = await checkSignatures(run, set, zone.keys, wildcard);
  return { set: checked.set, zone };
}

/** The zone with its verified keys, or a proof that it is insecure. */
export async function zoneOf(run: Run, name: string): Promise<Zone | Insecure> {
  const known =
    run.seen.get(name) ?? (await run.memory?.recall(run, name)) ?? (await verifyZone(run, name));
  run.seen.set(name, known);
  return known;
}

/** One of the keys that a DS record or trust anchor names must sign the key set. */
async function verifyZone(run: Run, name: string): Promise<Zone | Insecure> {
  if (run.trustAnchors.length === 0) return withoutTrustAnchors();
  const keySets = read(run, name, recordType.DNSKEY);
  // Read at the same time as the delegation; without a delegation, a failure does not matter.
  keySets.catch(() => {});
  const delegation = await delegationOf(run, name);
  if ("insecure" in delegation) return delegation;
  if ("parent" in delegation) {
    throw new VerificationError("foreign_signer", `${name}. is not a zone`);
  }
  const keySet = find(await keySets, name, recordType.DNSKEY);
  if (!keySet) throw incomplete(name, recordType.DNSKEY);
  checkSize(keySet);
  signerOf(keySet, []);
  const keys = decode(keySet, decodeDnskey).filter(isZoneKey);
  const trusted = await keysThatDsMean(delegation.ds, name, keys);
  if (trusted.length === 0) throw untrustedKeys(keySet);
  const checked = await checkSignatures(run, keySet, run.signatures === "all" ? keys : trusted);
  if (!checked.keys.some((key) => trusted.includes(key))) throw untrustedKeys(keySet);
  const { verified } = delegation;
  const sets = verified ? [checked.set, verified.set] : [checked.set];
  const zone = { name, keys, sets, parent: verified?.zone ?? null };
  return run.memory?.keep(run, zone) ?? zone;
}

/**
 * What the zone above says about the delegation of a name: its verified DS records, a proof that it
 * has none, or a proof that no zone begins there. Throws VerificationError `incomplete_chain` if it is
 * silent.
 */
export async function delegationOf(
  run: Run,
  name: string,
): Promise<Delegation | Insecure | NoDelegation> {
  const known = run.delegations.get(name) ?? readDelegation(run, name);
  run.delegations.set(name, known);
  return known;
}

async function readDelegation(
  run: Run,
  name: string,
): Promise<Delegation | Insecure | NoDelegation> {
  if (run.trustAnchors.length === 0) return withoutTrustAnchors();
  if (name === "") return { ds: run.trustAnchors, verified: null };
  const above = await run.delegations.get(parentOf(name));
  if (above && "parent" in above && above.isAbsent) return above;
  const received = await read(run, name, recordType.DS);
  const dsSet = find(received, name, recordType.DS);
  if (!dsSet) {
    if (!run.insecurity) throw incomplete(name, recordType.DS);
    return run.insecurity.withoutDs(run, name, received);
  }
  // A DS record in an insecure parent is ignored (RFC 4035 §5.2).
  const verified = await verifySet(run, dsSet);
  if ("insecure" in verified) return insecureAt(run, name, verified);
  const ds = decode(dsSet, decodeDs);
  return (await run.insecurity?.ofUnsupported(run, name, ds)) ?? { ds, verified };
}

/** Without any, nothing needs to be asked. */
function withoutTrustAnchors(): Insecure {
  const error = new VerificationError("untrusted_root", "there are no trust anchors");
  return { insecure: "", error };
}

export function insecureAt(run: Run, name: string, found: Insecure): Insecure {
  run.memory?.keepInsecure(name, found);
  return found;
}

export function parentOf(name: string): string {
  return labelsOf(name).slice(1).join(".");
}

/** A zone's sets, then those of the zones above it. */
export function setsUpFrom({ sets, parent }: Zone): readonly Rrset[] {
  return parent ? [...sets, ...setsUpFrom(parent)] : sets;
}

export function incomplete(name: string, type: number): VerificationError {
  return new VerificationError("incomplete_chain", `the chain has no ${describe(name, type)}`);
}

function untrustedKeys(keySet: Rrset): VerificationError {
  const code = keySet.name === "" ? "untrusted_root" : "key_not_delegated";
  return refusal(code, keySet, "are not signed by a trusted key");
}
