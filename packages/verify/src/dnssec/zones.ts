// Verifies record sets and the zones that signed them, up to the trust anchors of the root.

import { type Dnskey, type Ds, decodeDnskey, decodeDs, isZoneKey } from "../dns/dnssec-records.ts";
import { isAtOrBelow, labelsOf } from "../dns/name.ts";
import { recordType } from "../dns/records.ts";
import { VerificationError } from "../errors.ts";
import { keysThatDsMean } from "./delegation.ts";
import type { Denial, denialOf } from "./denial.ts";
import { checkSize, decode, describe, type Rrset, refusal, refuseMalformed } from "./rrsets.ts";
import { signerOf, validityOf } from "./rrsig.ts";
import { platformLacks } from "./signature.ts";
import { checkSignatures, type SignatureCheck, type WildcardRule } from "./signatures.ts";
import type { TrustAnchor } from "./trust-anchors.ts";

/** Where record sets come from: a received chain, or a resolver. */
export interface RecordSource {
  /**
   * The answer for `type` at `name`: the set, aliases that lead to it, and the sets that prove an
   * absence, all with their signatures. Other sets in it are ignored. Rejects without an answer.
   */
  rrsets(name: string, type: number): Promise<readonly Rrset[]>;
}

/** Remembers verified zones, and names that are proven to be in no signed zone. */
export interface ZoneCache {
  get(name: string): Zone | Insecure | undefined;
  /** `lifetime` in seconds. */
  set(name: string, value: Zone | Insecure, lifetime: number): void;
}

/** A zone with its verified keys. */
export interface Zone {
  readonly name: string;
  readonly keys: readonly Dnskey[];
  /** The DNSKEY set, and the DS set except for the root, with the verified signatures. */
  readonly sets: readonly Rrset[];
  /** Null for the root. */
  readonly parent: Zone | null;
  /** Seconds since 1970; not after that of the parent. */
  readonly freshUntil: number;
}

/** It is proven that no chain of trust leads to the data (RFC 4035 §4.3). */
export interface Insecure {
  /** The zone without a secure delegation; "" without trust anchors. */
  readonly insecure: string;
  /** For callers that need a secure answer. */
  readonly error: VerificationError;
  /** Whether it is signed, but only in ways that are not supported here (RFC 4035 §5.2). */
  readonly isUnsupported?: boolean;
}

/** The state of one proof. */
export interface Run extends SignatureCheck {
  readonly source: RecordSource;
  /** Without any, everything is insecure. */
  readonly trustAnchors: readonly TrustAnchor[];
  readonly zones: ZoneCache | null;
  /** Null: no absence can be proven. */
  readonly denialOf: typeof denialOf | null;
  /** Everything that was read. */
  readonly received: Set<Rrset>;
  /** The zones of this proof: it sees one state of each, so that its chain fits together. */
  readonly seen: Map<string, Zone | Insecure>;
  /** What this proof found out about the delegation of names. */
  readonly delegations: Map<string, Promise<Delegation | Insecure | NoDelegation>>;
  /** The NSEC and NSEC3 sets that were verified: one may be needed for several aliases in an answer. */
  readonly denials: Map<Rrset, VerifiedSet | Insecure>;
  /** Whether remembered zones count. */
  readonly usesCache: boolean;
  /** Whether one counted. */
  isFromCache: boolean;
}

/** A verified set. Its signatures are those that were verified. */
export interface VerifiedSet {
  readonly set: Rrset;
  readonly zone: Zone;
}

interface Delegation {
  readonly ds: readonly Ds[];
  /** Null for the root. */
  readonly verified: VerifiedSet | null;
}

/** It is proven that no zone begins at the name, which therefore lies in the zone `parent`. */
interface NoDelegation {
  readonly parent: Zone;
  /** Whether nothing has the name or is below it. */
  readonly isAbsent: boolean;
}

const MAX_ZONE_LIFETIME_S = 3600;
const INSECURE_LIFETIME_S = 60;
/** NSEC3 needs at most three (RFC 5155 §7.2), and one for each alias from a wildcard in an answer. */
const MAX_DENIAL_SETS = 8;

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
    const isDs = set.type === recordType.DS;
    const error = refusal("not_signed", set, "are not signed");
    return mustBeInsecure(run, isDs ? parentOf(set.name) : set.name, error);
  }
  checkSize(set);
  const zone = await zoneOf(run, signerOf(set, [...run.received]));
  if ("insecure" in zone) return zone;
  const checked = await checkSignatures(run, set, zone.keys, wildcard);
  return { set: checked.set, zone };
}

/** The zone with its verified keys, or a proof that it is insecure. */
async function zoneOf(run: Run, name: string): Promise<Zone | Insecure> {
  const known =
    run.seen.get(name) ?? (await remembered(run, name)) ?? (await verifyZone(run, name));
  run.seen.set(name, known);
  return known;
}

/** A zone that was verified with another state of its parent does not fit. */
async function remembered(run: Run, name: string): Promise<Zone | Insecure | null> {
  const kept = run.usesCache ? run.zones?.get(name) : undefined;
  if (kept === undefined) return null;
  if ("keys" in kept && kept.parent) {
    if ((await zoneOf(run, kept.parent.name)) !== kept.parent) return null;
  }
  run.isFromCache = true;
  return kept;
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
  const parent = verified?.zone ?? null;
  const freshUntil = Math.min(
    ...sets.map((set) => freshness(run, set)),
    parent?.freshUntil ?? Infinity,
  );
  const kept = run.zones?.get(name);
  // The same object, so that the zones below stay valid.
  if (kept && "keys" in kept && kept.parent === parent && isSame(kept, sets)) return kept;
  const zone = { name, keys, sets, parent, freshUntil };
  run.zones?.set(name, zone, freshUntil - run.now);
  return zone;
}

function isSame(kept: Zone, sets: readonly Rrset[]): boolean {
  return sets.every((set, index) => String(set.rdatas) === String(kept.sets[index]?.rdatas));
}

/** Seconds since 1970 at which a verified set must be read again. */
function freshness({ now }: Run, set: Rrset): number {
  const lifetime = Math.min(set.ttl, MAX_ZONE_LIFETIME_S);
  const ends = set.signatures.map((rrsig) =>
    Math.min(now + rrsig.originalTtl, validityOf(rrsig, now).notAfter),
  );
  return Math.min(now + lifetime, ...ends);
}

/** The proof that the name lies in an insecure zone. Throws `error` without one. */
export async function mustBeInsecure(
  run: Run,
  name: string,
  error: VerificationError,
): Promise<Insecure> {
  const found = await insecurityOf(run, name).catch((cause) => {
    const isSilent = cause instanceof VerificationError && cause.code === "incomplete_chain";
    throw isSilent ? error : cause;
  });
  if (found) return { ...found, error };
  throw error;
}

/**
 * The proof that the name lies in an insecure zone; null if it lies in a secure one. Asks about the
 * names above first: the servers of an insecure zone need not know anything about DS.
 */
export async function insecurityOf(run: Run, name: string): Promise<Insecure | null> {
  const known = run.seen.get(name) ?? (await remembered(run, name));
  if (known) return "insecure" in known ? known : null;
  const above = name === "" ? null : await insecurityOf(run, parentOf(name));
  if (above) return above;
  const delegation = await delegationOf(run, name);
  return "insecure" in delegation ? delegation : null;
}

/**
 * What the zone above says about the delegation of a name: its verified DS records, a proof that it
 * has none, or a proof that no zone begins there. Throws VerificationError `incomplete_chain` if it is
 * silent.
 */
async function delegationOf(run: Run, name: string): Promise<Delegation | Insecure | NoDelegation> {
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
  if (!dsSet) return withoutDs(run, name, received);
  // A DS record in an insecure parent is ignored (RFC 4035 §5.2).
  const verified = await verifySet(run, dsSet);
  if ("insecure" in verified) return insecureAt(run, name, verified);
  const ds = decode(dsSet, decodeDs);
  const unsupported = await whyUnsupported(ds, name);
  if (unsupported) {
    return insecureAt(run, name, { insecure: name, error: unsupported, isUnsupported: true });
  }
  return { ds, verified };
}

async function withoutDs(
  run: Run,
  name: string,
  received: readonly Rrset[],
): Promise<Insecure | NoDelegation> {
  const error = incomplete(name, recordType.DS);
  const isAbove = (signer: string) => signer !== name;
  const alias = find(received, name, recordType.CNAME);
  if (alias && alias.signatures.length > 0 && isAbove(signerOf(alias, []))) {
    // No zone begins at a name with an alias: it has no other records (RFC 1034 §3.6.2). The NSEC
    // records in the answer are about the end of the alias.
    const verified = await verifySet(run, alias, "any");
    if ("insecure" in verified) return insecureAt(run, name, { ...verified, error });
    return { parent: verified.zone, isAbsent: false };
  }
  const denial = await verifiedDenial(run, name, received, isAbove);
  if (denial === null) {
    // Only an insecure zone may be silent about it.
    const above = await insecurityOf(run, parentOf(name));
    if (above) return insecureAt(run, name, { ...above, error });
    throw error;
  }
  if ("insecure" in denial) return insecureAt(run, name, { ...denial, error });
  const proven = await denial.proves.delegation(name);
  if (proven === null) throw error;
  if (proven === "insecure") return insecureAt(run, name, { insecure: name, error });
  return { parent: denial.zone, isAbsent: proven === "no_name" };
}

/** What the zone that signed the NSEC or NSEC3 records in an answer proves. */
export interface VerifiedDenial {
  readonly zone: Zone;
  readonly sets: readonly Rrset[];
  readonly proves: Denial;
}

/**
 * Verifies the NSEC and NSEC3 sets in an answer about `name`. Of several zones, the nearest one above
 * counts. Null if there are none with signatures.
 */
export async function verifiedDenial(
  run: Run,
  name: string,
  received: readonly Rrset[],
  mayDeny: (signer: string) => boolean = () => true,
): Promise<VerifiedDenial | Insecure | null> {
  const { denialOf } = run;
  if (denialOf === null) return null;
  const signed = received
    .filter(({ type }) => type === recordType.NSEC || type === recordType.NSEC3)
    .flatMap((set) => set.signatures.slice(0, 1).map(({ signer }) => ({ set, signer })))
    .filter(({ signer }) => isAtOrBelow(name, signer) && mayDeny(signer))
    .slice(0, MAX_DENIAL_SETS);
  const nearest = Math.max(...signed.map(({ signer }) => signer.length));
  let zone: Zone | null = null;
  const sets: Rrset[] = [];
  for (const { set } of signed.filter(({ signer }) => signer.length === nearest)) {
    const verified = run.denials.get(set) ?? (await verifySet(run, set, "owner"));
    run.denials.set(set, verified);
    if ("insecure" in verified) return verified;
    zone = verified.zone;
    sets.push(verified.set);
  }
  return zone && { zone, sets, proves: refuseMalformed(() => denialOf(zone.name, sets)) };
}

/** Null if keys of the zone can be verified here; else nobody here could tell good ones from bad. */
async function whyUnsupported(
  dsSet: readonly Ds[],
  zone: string,
): Promise<VerificationError | null> {
  let why: VerificationError | null = null;
  for (const ds of dsSet) {
    try {
      await keysThatDsMean([ds], zone, []);
      why = await platformLacks([ds.algorithm]);
      if (why === null) return null;
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      why = error;
    }
  }
  return why;
}

/** Without any, nothing needs to be asked. */
function withoutTrustAnchors(): Insecure {
  const error = new VerificationError("untrusted_root", "there are no trust anchors");
  return { insecure: "", error };
}

function insecureAt(run: Run, name: string, found: Insecure): Insecure {
  run.zones?.set(name, found, INSECURE_LIFETIME_S);
  return found;
}

export function parentOf(name: string): string {
  return labelsOf(name).slice(1).join(".");
}

/** A zone's sets, then those of the zones above it. */
export function setsUpFrom({ sets, parent }: Zone): readonly Rrset[] {
  return parent ? [...sets, ...setsUpFrom(parent)] : sets;
}

function incomplete(name: string, type: number): VerificationError {
  return new VerificationError("incomplete_chain", `the chain has no ${describe(name, type)}`);
}

function untrustedKeys(keySet: Rrset): VerificationError {
  const code = keySet.name === "" ? "untrusted_root" : "key_not_delegated";
  return refusal(code, keySet, "are not signed by a trusted key");
}
