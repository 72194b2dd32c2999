// Proves that data is insecure, absent, or made from a wildcard (RFC 4035 §5). Answers of resolvers need
// this; a chain that an app received must be secure, and contains no absences.

import type { Ds } from "../dns/dnssec-records.ts";
import { isAtOrBelow } from "../dns/name.ts";
import { recordType } from "../dns/records.ts";
import { VerificationError } from "../errors.ts";
import { keysThatDsMean } from "./delegation.ts";
import { type Denial, denialOf } from "./denial.ts";
import { type ProofRequest, prepared } from "./prove.ts";
import { type Rrset, refusal, refuseMalformed } from "./rrsets.ts";
import { signerOf } from "./rrsig.ts";
import type { Insecure, Insecurity, NoDelegation, Run, Stop, StopResult, Zone } from "./run.ts";
import { platformLacks } from "./signature.ts";
import { isFromWildcard } from "./signatures.ts";
import { delegationOf, find, incomplete, insecureAt, parentOf, verifySet } from "./zones.ts";

/** NSEC3 needs at most three (RFC 5155 §7.2), and one for each alias from a wildcard in an answer. */
const MAX_DENIAL_SETS = 8;

export const insecurity: Insecurity = {
  mustBeInsecure,
  withoutDs,
  ofUnsupported,
  proveSet,
  proveAbsence,
};

/** The proof that `name` lies in an insecure zone; null if it lies in a secure one. */
export function proveInsecure(request: Omit<ProofRequest, "type">): Promise<Insecure | null> {
  return prepared({ ...request, insecurity }, (run) => insecurityOf(run, request.name));
}

async function mustBeInsecure(run: Run, name: string, error: VerificationError): Promise<Insecure> {
  const found = await insecurityOf(run, name).catch((cause) => {
    const isSilent = cause instanceof VerificationError && cause.code === "incomplete_chain";
    throw isSilent ? error : cause;
  });
  if (found) return { ...found, error };
  throw error;
}

/** Asks about the names above first: the servers of an insecure zone need not know anything about DS. */
async function insecurityOf(run: Run, name: string): Promise<Insecure | null> {
  const known = run.seen.get(name) ?? (await run.memory?.recall(run, name));
  if (known) return "insecure" in known ? known : null;
  const above = name === "" ? null : await insecurityOf(run, parentOf(name));
  if (above) return above;
  const delegation = await delegationOf(run, name);
  return "insecure" in delegation ? delegation : null;
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

/** Where no DS record can be used, nobody here could tell good keys from bad (RFC 4035 §5.2). */
async function ofUnsupported(
  run: Run,
  name: string,
  dsSet: readonly Ds[],
): Promise<Insecure | null> {
  let why: VerificationError | null = null;
  for (const ds of dsSet) {
    try {
      await keysThatDsMean([ds], name, []);
      why = await platformLacks([ds.algorithm]);
      if (why === null) return null;
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      why = error;
    }
  }
  return why && insecureAt(run, name, { insecure: name, error: why, isUnsupported: true });
}

/** What the zone that signed the NSEC or NSEC3 records in an answer proves. */
interface VerifiedDenial {
  readonly zone: Zone;
  readonly sets: readonly Rrset[];
  readonly proves: Denial;
}

/**
 * Verifies the NSEC and NSEC3 sets in an answer about `name`. Of several zones, the nearest one above
 * counts. Null if there are none with signatures.
 */
async function verifiedDenial(
  run: Run,
  name: string,
  received: readonly Rrset[],
  mayDeny: (signer: string) => boolean = () => true,
): Promise<VerifiedDenial | Insecure | null> {
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

async function proveSet(run: Run, set: Rrset, { received }: Stop): Promise<StopResult> {
  const dname = received.find(
    ({ name, type }) =>
      type === recordType.DNAME && name !== set.name && isAtOrBelow(set.name, name),
  );
  // A name server makes an alias from a DNAME record; that alias has no signature.
  if (dname && set.type === recordType.CNAME && set.signatures.length === 0) {
    const verified = await verifySet(run, dname);
    if ("insecure" in verified) return verified;
    throw refusal("dname", dname, "are not supported");
  }
  const verified = await verifySet(run, set, run.signatures === "any" ? "any" : "none");
  if ("insecure" in verified) return verified;
  const { zone } = verified;
  const [rrsig] = verified.set.signatures;
  if (!rrsig || !isFromWildcard(set, rrsig)) {
    return { zone, sets: [verified.set], isWildcard: false };
  }
  // The wildcard applies only if there is no closer name (RFC 4035 §5.3.4).
  const error = refusal("wildcard", set, "are made from a wildcard, without a proof");
  const denial = await verifiedDenial(run, set.name, received);
  if (denial === null || "insecure" in denial || denial.zone !== zone) throw error;
  const denied = await denial.proves.closerName(set.name, rrsig.labels);
  if (denied === null) throw error;
  const proven = { zone, sets: [verified.set, ...denial.sets], isWildcard: true };
  return denied === "yes" ? proven : { ...proven, insecure: set.name, error };
}

async function proveAbsence(run: Run, type: number, { name, received }: Stop): Promise<StopResult> {
  const error = new VerificationError("no_answer", `the answer has no records for ${name}.`);
  const denial = await verifiedDenial(run, name, received);
  if (denial === null) return mustBeInsecure(run, name, error);
  if ("insecure" in denial) return { ...denial, error };
  const absence = await denial.proves.absence(name, type);
  if (absence === null) throw error;
  const proven = { zone: denial.zone, sets: denial.sets, isWildcard: false };
  return absence === "absent" ? proven : { ...proven, insecure: absence.optOut, error };
}
