// Proves a record set, or its absence, from the trust anchors of the root down (RFC 4035 §5).
//
// One algorithm for two sources: a chain that an app received, and a resolver. The result is secure or
// insecure (RFC 4035 §4.3). A VerificationError means bogus. An error of the source is passed on:
// indeterminate.

import { decodeHostName, recordType } from "../dns/records.ts";
import { VerificationError } from "../errors.ts";
import { maxAliases, maxSignatureChecks } from "./bounds.ts";
import { decode, type Rrset, refusal } from "./rrsets.ts";
import type {
  Insecure,
  Insecurity,
  ProvenStop,
  RecordSource,
  Run,
  Stop,
  StopResult,
  Zone,
  ZoneMemory,
} from "./run.ts";
import type { SignatureCheck } from "./signatures.ts";
import type { TrustAnchor } from "./trust-anchors.ts";
import { find, read, setsUpFrom, verifySet } from "./zones.ts";

export interface ProofRequest extends Omit<SignatureCheck, "checksLeft"> {
  readonly source: RecordSource;
  /** A canonical name. */
  readonly name: string;
  readonly type: number;
  /** Without any, everything is insecure. */
  readonly trustAnchors: readonly TrustAnchor[];
  readonly memory?: ZoneMemory;
  /** For answers of resolvers. Without it, what is not secure is an error, and the code stays small. */
  readonly insecurity?: Insecurity;
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

/** Proves the records of `type` at `name`, or their absence. Throws VerificationError. */
export function proveRrset(request: ProofRequest): Promise<Proof> {
  return prepared(request, (run) => prove(run, request));
}

/** Zones change their keys while they are remembered: then once more, with nothing remembered. */
export async function prepared<T>(
  request: Omit<ProofRequest, "type">,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const run = begin(request, true);
  try {
    return await work(run);
  } catch (error) {
    if (!(error instanceof VerificationError) || !run.isFromMemory) throw error;
    return work(begin(request, false));
  }
}

function begin(request: Omit<ProofRequest, "type">, usesMemory: boolean): Run {
  return {
    ...request,
    memory: request.memory ?? null,
    insecurity: request.insecurity ?? null,
    checksLeft: maxSignatureChecks,
    received: new Set(),
    seen: new Map(),
    delegations: new Map(),
    denials: new Map(),
    usesMemory,
    isFromMemory: false,
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
    const result = await proveStop(run, request.type, stop);
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

async function proveStop(run: Run, type: number, stop: Stop): Promise<StopResult> {
  const { name, set } = stop;
  const { insecurity } = run;
  if (insecurity) {
    return set ? insecurity.proveSet(run, set, stop) : insecurity.proveAbsence(run, type, stop);
  }
  if (!set) throw new VerificationError("no_answer", `the chain has no answer for ${name}.`);
  const verified = await verifySet(run, set);
  if ("insecure" in verified) return verified;
  return { zone: verified.zone, sets: [verified.set], isWildcard: false };
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
