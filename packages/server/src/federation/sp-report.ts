// Checks an external SP as a sign-in would, and reports the result to an operator.

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

export interface SpInspection {
  readonly requirements: readonly Requirement[];
  readonly metadata?: ProviderMetadata;
  readonly wayToBecomeClient: WayToBecomeClient | null;
  readonly problem?: SpProblem;
}

/** `issuer` must be valid in a record. `entry` is the operator's entry for the SP, or null. */
export async function inspectSp(
  issuer: string,
  deps: {
    readonly fetch: GuardedFetch;
    readonly clock: Clock;
    readonly allowLoopback: boolean;
    readonly entry: { readonly allow: readonly Allowance[] } | null;
  },
): Promise<SpInspection> {
  const { entry, allowLoopback } = deps;
  const found = await createProviders(deps).find(issuer);
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

/** The JSON of `check-sp`. */
export interface SpReport {
  readonly issuer: string;
  /** Empty if the metadata could not be read. */
  readonly requirements: readonly Requirement[];
  /** The first of `ways`, which sign-ins use. */
  readonly client: WayToBecomeClient | null;
  readonly ways: readonly WayToBecomeClient[];
  /** "claims" for a domain-aware SP, or "hash" of issuer, sub and domain; null if unknown. */
  readonly binding: "claims" | "hash" | null;
  /** Why the SP cannot be used for sign-in, or null. */
  readonly problem: Pick<SpProblem, "kind" | "detail"> | null;
}

export interface SpReportContext {
  readonly allowLoopback: boolean;
  /** The operator's entry for the SP, or null. */
  readonly entry: { readonly allow: readonly Allowance[] } | null;
  /** `acct` of the record, if there is a record. */
  readonly acct?: string;
}

const KEYS_TIMEOUT_MS = 5000;

/** `issuer` must be valid in a record. */
export async function reportOnSp(
  issuer: string,
  context: SpReportContext & { readonly fetch: GuardedFetch; readonly clock: Clock },
): Promise<SpReport> {
  const inspection = await inspectSp(issuer, context);
  const { metadata, problem } = inspection;
  if (metadata === undefined) {
    const unknown = { client: null, ways: [], binding: null };
    return { issuer, requirements: [], ...unknown, problem: problem ? reported(problem) : null };
  }
  const unmet = unmetOf(inspection.requirements);
  // Keys are only fetched if the endpoints meet the requirements.
  const keys = unmet === null ? [await keysOf(metadata, context)] : [];
  const requirements = [...inspection.requirements, ...keys];
  const ways = waysOf(metadata, context.entry !== null);
  const [client = null] = ways;
  const binding = metadata.domain_signin_version === 1 ? "claims" : "hash";
  return {
    issuer,
    requirements,
    client,
    ways,
    binding,
    problem: problemIn({ requirements, client, binding, acct: context.acct }),
  };
}

async function keysOf(
  { issuer, jwks_uri }: ProviderMetadata,
  deps: { fetch: GuardedFetch; clock: Clock },
): Promise<Requirement> {
  const signal = AbortSignal.timeout(KEYS_TIMEOUT_MS);
  const reading = createSpKeys(deps).read(jwks_uri, { forceRefresh: false, signal });
  const read = await orProblem(
    issuer,
    reading.then((text) => ({ outcome: "keys", text }) as const),
  );
  const rule = "jwks_uri must return status 200 and a JWK Set with at least one public key";
  const base = { name: "keys", needed: true };
  if (read.outcome === "problem") {
    return { ...base, met: false, reason: `${rule}: ${read.problem.detail}` };
  }
  return { ...base, met: hasPublicKey(read.text), reason: rule };
}

function hasPublicKey(text: string): boolean {
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
      "the SP supports neither client ID metadata documents nor open registration: the operator of a service must register it there manually";
    return { kind: "no_client", detail };
  }
  const isHash = found.acct === undefined || found.acct.length === 43;
  if (found.binding === "claims" || isHash) return null;
  const detail =
    "acct in the record is not a hash of issuer, sub and domain, which has 43 characters: see check --issuer --sub";
  return { kind: "other_account", detail };
}

function reported({ kind, detail }: SpProblem): SpReport["problem"] {
  return { kind, detail };
}
