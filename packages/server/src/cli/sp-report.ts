// Checks an external SP as a sign-in would, and reports the result to an operator.

import { z } from "zod";
import { canBeHash } from "../federation/acct-hash.ts";
import type { Deps } from "../federation/deps.ts";
import {
  type Allowance,
  createProviders,
  createSpKeys,
  type ProviderMetadata,
  type Requirement,
  requirementsOf,
  unmetOf,
} from "../federation/provider.ts";
import { type WayToBecomeClient, wayToBecomeClient } from "../federation/sp-client.ts";
import { failureOf, SpFailure, type SpProblem } from "../federation/sp-problem.ts";
import { type SpTrial, type TrialDeps, trySp } from "./sp-trial.ts";

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
  /** Why the SP cannot be used for sign-in, or null. `advice` is what to change, if the SP was tried. */
  readonly problem: (Pick<SpProblem, "kind" | "detail"> & { readonly advice?: string }) | null;
  /** Null if the SP was to be tried, and does not meet the requirements. */
  readonly trial?: SpTrial | null;
}

export interface SpReportContext {
  readonly allowLoopback: boolean;
  /** The operator's entry for the SP, or null. */
  readonly entry: { readonly allow: readonly Allowance[] } | null;
  /** `acct` of the record, if there is a record. */
  readonly acct?: string;
  /** Tries the SP, as this service. */
  readonly trial?: Pick<TrialDeps, "issuer" | "random" | "service">;
}

const KEYS_TIMEOUT_MS = 5000;

/** `issuer` must be valid in a record. */
export async function reportOnSp(
  issuer: string,
  context: SpReportContext & Pick<Deps, "fetch" | "clock">,
): Promise<SpReport> {
  const { entry, allowLoopback, acct, trial: wanted, ...deps } = context;
  const untried = wanted && { trial: null };
  const providers = createProviders({ ...deps, fetchAgain: deps.fetch });
  const metadata = await providers.find(issuer).catch(failureOf);
  if (metadata instanceof SpFailure) {
    const { kind, message: detail } = metadata;
    const unknown = { client: null, ways: [], binding: null };
    return { issuer, requirements: [], ...unknown, problem: { kind, detail }, ...untried };
  }
  const allow = entry?.allow ?? [];
  const requirements = requirementsOf(issuer, metadata, { allow, allowLoopback });
  // Keys are only fetched if the endpoints meet the requirements.
  if (unmetOf(requirements) === null) requirements.push(await keysOf(metadata, deps));
  const ways = waysOf(metadata, entry !== null);
  const [client = null] = ways;
  const binding = metadata.domain_signin_version === 1 ? ("claims" as const) : ("hash" as const);
  const problem = problemIn({ requirements, client, binding }, acct);
  const found = { issuer, requirements, client, ways, binding };
  if (wanted === undefined || problem !== null) return { ...found, problem, ...untried };
  return { ...found, ...(await trySp(metadata, { ...deps, ...wanted, allowLoopback })) };
}

const publicKey = z.object({ kty: z.enum(["RSA", "EC", "OKP"]) });

async function keysOf({ jwks_uri }: ProviderMetadata, deps: Pick<Deps, "fetch" | "clock">) {
  const signal = AbortSignal.timeout(KEYS_TIMEOUT_MS);
  const read = await createSpKeys(deps).read(jwks_uri, signal).catch(failureOf);
  const rule = "jwks_uri must return status 200 and a JWK Set with at least one public key";
  const isRead = !(read instanceof SpFailure);
  const met = isRead && read.keys.some((key) => publicKey.safeParse(key).success);
  return { name: "keys", needed: true, met, reason: isRead ? rule : `${rule}: ${read.message}` };
}

function waysOf(metadata: ProviderMetadata, hasEntry: boolean): WayToBecomeClient[] {
  const withoutDocuments = { ...metadata, client_id_metadata_document_supported: false };
  const own = hasEntry ? "operator" : null;
  const ways = [own, wayToBecomeClient(metadata), wayToBecomeClient(withoutDocuments)] as const;
  return [...new Set(ways.filter((way) => way !== null))];
}

function problemIn(
  { requirements, client, binding }: Pick<SpReport, "requirements" | "client" | "binding">,
  acct: string | undefined,
): SpReport["problem"] {
  const unmet = unmetOf(requirements);
  if (unmet !== null) return { kind: "unmet_requirements", detail: unmet };
  if (client === null) {
    const detail =
      "the SP supports neither client ID metadata documents nor open registration: the operator of a service must register it there manually";
    return { kind: "no_client", detail };
  }
  const isHash = acct === undefined || canBeHash(acct);
  if (binding === "claims" || isHash) return null;
  const detail =
    "acct in the record is not a hash of issuer, sub and domain, which has 64 characters: see check --issuer --sub";
  return { kind: "other_account", detail };
}
