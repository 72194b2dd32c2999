// An external SP as a sign-in would see it, for an operator.

import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import {
  type Allowance,
  createProviders,
  type ProviderMetadata,
  type Requirement,
  requirementsOf,
  unmetOf,
} from "./provider.ts";
import { type WayToBecomeClient, wayToBecomeClient } from "./sp-client.ts";
import { createSpKeys } from "./sp-keys.ts";
import { orProblem, type SpProblem } from "./sp-problem.ts";

export interface LookAtSp {
  readonly requirements: readonly Requirement[];
  readonly metadata?: ProviderMetadata;
  readonly wayToBecomeClient: WayToBecomeClient | null;
  readonly problem?: SpProblem;
}

/** `entry` is what the operator has set for it, or null. `issuer` is one that a record may name. */
export async function lookAtSp(
  issuer: string,
  parts: {
    readonly fetch: GuardedFetch;
    readonly clock: Clock;
    readonly allowLoopback: boolean;
    readonly entry: { readonly allow: readonly Allowance[] } | null;
  },
): Promise<LookAtSp> {
  const { entry, allowLoopback } = parts;
  const found = await createProviders(parts).find(issuer);
  if (found.outcome === "problem") {
    return { requirements: [], wayToBecomeClient: null, problem: found.problem };
  }
  const { metadata } = found.provider;
  return {
    requirements: requirementsOf(issuer, metadata, { allow: entry?.allow ?? [], allowLoopback }),
    metadata,
    wayToBecomeClient: wayToBecomeClient(metadata, entry !== null),
  };
}

/** In the names of its JSON. */
export interface SpReport {
  readonly issuer: string;
  /** Empty where its metadata could not be read. */
  readonly requirements: readonly Requirement[];
  /** The first of `ways`, which is the one that is gone. */
  readonly client: WayToBecomeClient | null;
  readonly ways: readonly WayToBecomeClient[];
  /** "claims" of a domain-aware SP, or the "hash" of issuer, sub and domain; null where that is not known. */
  readonly binding: "claims" | "hash" | null;
  /** What keeps people from signing in there; null if nothing does. */
  readonly problem: Pick<SpProblem, "kind" | "detail"> | null;
}

/** How it is looked at. */
export interface SpReportContext {
  readonly allowLoopback: boolean;
  /** What the operator entered for it, or null. */
  readonly entry: { readonly allow: readonly Allowance[] } | null;
  /** The record's, if there is a record. */
  readonly acct?: string;
}

/** Milliseconds. */
const PATIENCE = 5000;

/** `issuer` is one that a record may name. */
export async function reportOnSp(
  issuer: string,
  parts: SpReportContext & { readonly fetch: GuardedFetch; readonly clock: Clock },
): Promise<SpReport> {
  const look = await lookAtSp(issuer, parts);
  const { metadata, problem } = look;
  if (metadata === undefined) {
    const unknown = { client: null, ways: [], binding: null };
    return { issuer, requirements: [], ...unknown, problem: problem ? told(problem) : null };
  }
  const unmet = unmetOf(look.requirements);
  // Where its endpoints are not fit to be asked, its keys are not asked for either.
  const keys = unmet === null ? [await keysOf(metadata, parts)] : [];
  const requirements = [...look.requirements, ...keys];
  const ways = waysOf(metadata, parts.entry !== null);
  const [client = null] = ways;
  const binding = metadata.domain_signin_version === 1 ? "claims" : "hash";
  return {
    ...{ issuer, requirements, client, ways, binding },
    problem: problemIn({ requirements, client, binding, acct: parts.acct }),
  };
}

async function keysOf(
  { issuer, jwks_uri }: ProviderMetadata,
  parts: { fetch: GuardedFetch; clock: Clock },
): Promise<Requirement> {
  const signal = AbortSignal.timeout(PATIENCE);
  const reading = createSpKeys(parts).read(jwks_uri, { isAgain: false, signal });
  const read = await orProblem(
    issuer,
    reading.then((text) => ({ outcome: "keys", text }) as const),
  );
  const rule =
    'jwks_uri must answer with status 200 and {"keys": […]}, at least one of them public';
  const base = { name: "keys", needed: true };
  if (read.outcome === "problem") {
    return { ...base, met: false, reason: `${rule}: ${read.problem.detail}` };
  }
  return { ...base, met: holdsKey(read.text), reason: rule };
}

function holdsKey(text: string): boolean {
  try {
    const set: unknown = JSON.parse(text);
    const keys = isObject(set) && Array.isArray(set.keys) ? set.keys : [];
    return keys.some((key) => isObject(key) && PUBLIC_TYPES.some((kty) => kty === key.kty));
  } catch {
    return false;
  }
}

const PUBLIC_TYPES = ["RSA", "EC", "OKP"];

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function waysOf(metadata: ProviderMetadata, hasEntry: boolean): WayToBecomeClient[] {
  const withoutDocuments = { ...metadata, client_id_metadata_document_supported: false };
  const ways = [
    hasEntry ? wayToBecomeClient(metadata, true) : null,
    wayToBecomeClient(metadata, false),
    wayToBecomeClient(withoutDocuments, false),
  ];
  return [...new Set(ways.filter((way) => way !== null))];
}

function problemIn(found: {
  requirements: readonly Requirement[];
  client: WayToBecomeClient | null;
  binding: "claims" | "hash";
  acct: string | undefined;
}): SpReport["problem"] {
  const unmet = unmetOf(found.requirements);
  if (unmet !== null) return { kind: "unmet_requirements", detail: unmet };
  if (found.client === null) {
    const detail =
      "it knows no client-id metadata documents and has no open registration: only an operator can register a service there by hand";
    return { kind: "no_client", detail };
  }
  const isHash = found.acct === undefined || found.acct.length === 43;
  if (found.binding === "claims" || isHash) return null;
  const detail =
    "acct in the record is not the hash of an account there, which has 43 characters: see check --issuer --sub";
  return { kind: "other_account", detail };
}

function told({ kind, detail }: SpProblem): SpReport["problem"] {
  return { kind, detail };
}
