// Proves a record set, or its absence, from the trust anchors of the root down (RFC 4035 §5).
//
// One algorithm for two sources: a chain that an app received, and a resolver. The result is secure or
// insecure (RFC 4035 §4.3). A VerificationError means bogus. An error of the source is passed on:
// indeterminate.

import { isAtOrBelow } from "../dns/name.ts";
import { decodeHostName, recordType } from "../dns/records.ts";
import { VerificationError } from "../errors.ts";
import { maxAliases, maxSignatureChecks } from "./bounds.ts";
import type { denialOf } from "./denial.ts";
import { decode, type Rrset, refusal } from "./rrsets.ts";
import { isFromWildcard, type SignatureCheck } from "./signatures.ts";
import type { TrustAnchor } from "./trust-anchors.ts";
import {
  find,
  type Insecure,
  insecurityOf,
  mustBeInsecure,
  type RecordSource,
  type Run,
  read,
  setsUpFrom,
  verifiedDenial,
  verifySet,
  type Zone,
  type ZoneCache,
} from "./zones.ts";

export interface ProofRequest extends Omit<SignatureCheck, "checksLeft"> {
  readonly source: RecordSource;
  /** A canonical name. */
  readonly name: string;
  readonly type: number;
  /** Without any, everything is insecure. */
  readonly trustAnchors: readonly TrustAnchor[];
  readonly zones?: ZoneCache;
  /** Proves absences. Without it none is proven: a chain contains none, and the code stays small. */
  readonly denialOf?: typeof denialOf;
  /**
   * Whether to accept an answer at this name, to which aliases lead. If not, nothing is proven after the
   * last name that is accepted. Aliases that form a loop, or are too many, end in this way too; without
   * this function they are an error.
   */
  readonly accepts?: (name: string) => boolean;
}

export interface Proof {
  /** The requested name, or the target of its aliases. */
  readonly name: string;
  /** In order, beginning with the requested name. */
  readonly aliases: readonly string[];
  /** Null if it is absent, or not accepted. */
  readonly answer: Rrset | null;
  readonly isAccepted: boolean;
  /** Whether the answer or an alias to it was made from a wildcard: no record has that name. */
  readonly isWildcard: boolean;
  /**
   * Null if everything is secure. `at` is the first name on the way that is not. `zone` is the signed zone
   * that denies everything there except an insecure zone and, perhaps, what a wildcard makes (opt-out,
   * RFC 5155 §6); `sets` have that denial.
   */
  readonly insecure: (Insecure & { readonly at: string; readonly zone?: Zone }) | null;
  /** The aliases and the answer, as received. */
  readonly received: readonly Rrset[];
  /** The same, or the proof of an absence (opt-out too), with the verified signatures. Without insecure ones. */
  readonly sets: readonly Rrset[];
  /** The DNSKEY and DS sets of the zones that signed them. */
  readonly zoneSets: readonly Rrset[];
}

/** One name on the way to the answer. */
interface Stop {
  readonly name: string;
  readonly set: Rrset | null;
  /** Everything that was received for this name. */
  readonly received: readonly Rrset[];
  /** Whether the aliases that lead here form a loop, or are too many. */
  readonly isRefused: boolean;
}

interface ProvenStop {
  readonly zone: Zone;
  readonly sets: readonly Rrset[];
  readonly isWildcard: boolean;
}

/** Both: a signed zone leaves open whether an insecure zone is there (opt-out, RFC 5155 §6). */
type Result = ProvenStop | Insecure | (ProvenStop & Insecure);

/** Proves the records of `type` at `name`, or their absence. Throws VerificationError. */
export function proveRrset(request: ProofRequest): Promise<Proof> {
  return withCache(request, (run) => prove(run, request));
}

/** The proof that `name` lies in an insecure zone; null if it lies in a secure one. */
export function proveInsecure(request: Omit<ProofRequest, "type">): Promise<Insecure | null> {
  return withCache(request, (run) => insecurityOf(run, request.name));
}

/** Zones change their keys while they are remembered: then once more, with nothing remembered. */
async function withCache<T>(
  request: Omit<ProofRequest, "type">,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const run = begin(request, true);
  try {
    return await work(run);
  } catch (error) {
    if (!(error instanceof VerificationError) || !run.isFromCache) throw error;
    return work(begin(request, false));
  }
}

function begin(request: Omit<ProofRequest, "type">, usesCache: boolean): Run {
  const { source, trustAnchors, zones, denialOf, now, signatures, isSignatureBy } = request;
  return {
    source,
    trustAnchors,
    zones: zones ?? null,
    denialOf: denialOf ?? null,
    now,
    signatures,
    isSignatureBy,
    checksLeft: maxSignatureChecks,
    received: new Set(),
    seen: new Map(),
    delegations: new Map(),
    denials: new Map(),
    usesCache,
    isFromCache: false,
  };
}

async function prove(run: Run, request: ProofRequest): Promise<Proof> {
  const stops = await followAliases(run, request);
  const end = stops.at(-1);
  const { accepts = () => true } = request;
  const lastAccepted = stops.findLastIndex((stop) => !stop.isRefused && accepts(stop.name));
  const isAccepted = lastAccepted === stops.length - 1;
  const proven: ProvenStop[] = [];
  let insecure: Proof["insecure"] = null;
  // The end first: where it leads nowhere, the aliases do not matter.
  for (const stop of stops.slice(0, lastAccepted + 1).toReversed()) {
    const result = stop.set
      ? await proveSet(run, stop.set, stop)
      : await proveAbsence(run, request.type, stop);
    if ("insecure" in result) insecure = { ...result, at: stop.name };
    if ("zone" in result) proven.unshift(result);
  }
  const sets = [...new Set(proven.flatMap((stop) => stop.sets))];
  const zoneSets = [...new Set(proven.flatMap(({ zone }) => setsUpFrom(zone)))];
  return {
    name: end?.name ?? request.name,
    aliases: stops.slice(0, -1).map(({ name }) => name),
    answer: (isAccepted && end?.set) || null,
    isAccepted,
    isWildcard: proven.some(({ isWildcard }) => isWildcard),
    insecure,
    received: stops.flatMap(({ set }) => set ?? []),
    sets,
    zoneSets,
  };
}

/** Finds the requested set and the aliases that lead to it. Verifies nothing yet. */
async function followAliases(
  run: Run,
  { name: start, type, accepts }: ProofRequest,
): Promise<Stop[]> {
  const stops: Stop[] = [];
  let name = start;
  for (;;) {
    const received = await read(run, name, type);
    const answer = find(received, name, type);
    const alias = answer ? undefined : find(received, name, recordType.CNAME);
    const error = alias && refusedAlias(alias, stops);
    if (error) {
      if (!accepts) throw error;
      return [...stops, { name, set: null, received, isRefused: true }];
    }
    stops.push({ name, set: answer ?? alias ?? null, received, isRefused: false });
    if (!alias) return stops;
    const [target, second] = decode(alias, decodeHostName);
    if (target === undefined || second !== undefined) {
      throw refusal("malformed_chain", alias, "are more than one alias");
    }
    name = target;
  }
}

function refusedAlias(alias: Rrset, stops: readonly Stop[]): VerificationError | null {
  if (stops.some(({ set }) => set === alias)) return refusal("alias_loop", alias, "form a loop");
  if (stops.length < maxAliases) return null;
  return refusal("too_many_aliases", alias, "are too many");
}

async function proveSet(run: Run, set: Rrset, { received }: Stop): Promise<Result> {
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
  const [rrsig] = verified.set.signatures;
  if (!rrsig || !isFromWildcard(set, rrsig)) {
    return { zone: verified.zone, sets: [verified.set], isWildcard: false };
  }
  // The wildcard applies only if there is no closer name (RFC 4035 §5.3.4).
  const error = refusal("wildcard", set, "are made from a wildcard, without a proof");
  const denial = await verifiedDenial(run, set.name, received);
  if (denial === null || "insecure" in denial || denial.zone !== verified.zone) throw error;
  const denied = await denial.proves.closerName(set.name, rrsig.labels);
  if (denied === null) throw error;
  const { zone } = verified;
  const proven = { zone, sets: [verified.set, ...denial.sets], isWildcard: true };
  return denied === "yes" ? proven : { ...proven, insecure: set.name, error };
}

async function proveAbsence(run: Run, type: number, { name, received }: Stop): Promise<Result> {
  const error = new VerificationError("no_answer", `the chain has no answer for ${name}.`);
  const denial = await verifiedDenial(run, name, received);
  if (denial === null) {
    return mustBeInsecure(run, name, error);
  }
  if ("insecure" in denial) return { ...denial, error };
  const absence = await denial.proves.absence(name, type);
  if (absence === null) throw error;
  const proven = { zone: denial.zone, sets: denial.sets, isWildcard: false };
  return absence === "absent" ? proven : { ...proven, insecure: absence.optOut, error };
}
