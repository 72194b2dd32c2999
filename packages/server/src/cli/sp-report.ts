// Checks an external SP as a sign-in would, and reports the result to an operator.

import { z } from "zod";
import { hostAddresses } from "../dns/name-servers.ts";
import { createResolvers } from "../dns/resolvers.ts";
import { canBeHash } from "../federation/acct-hash.ts";
import {
  type Allowance,
  createProviders,
  createSpKeys,
  type ProviderMetadata,
  requirementsOf,
  type SpKeys,
  type SpRequirement,
  unmetOf,
} from "../federation/provider.ts";
import { type WayToBecomeClient, wayToBecomeClient } from "../federation/sp-client.ts";
import { failureOf, SpFailure } from "../federation/sp-problem.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { createGuardedFetch } from "../outgoing/guarded-fetch.ts";
import { type SpTrial, type TrialProblem, type TrialService, trySp } from "./sp-trial.ts";

/** The JSON of `check-sp`. */
export interface SpReport {
  readonly issuer: string;
  /** Empty if the metadata could not be read. */
  readonly requirements: readonly SpRequirement[];
  /** The first of `ways`, which sign-ins use. */
  readonly client: WayToBecomeClient | null;
  readonly ways: readonly WayToBecomeClient[];
  /** "claims" for a domain-aware SP, or "hash" of issuer, sub and domain; null if unknown. */
  readonly binding: "claims" | "hash" | null;
  /** Why the SP cannot be used for sign-in, or null. */
  readonly problem: TrialProblem | null;
  /** Null if the SP was not tried because it does not meet the requirements. */
  readonly trial?: SpTrial | null;
}

interface SpReportContext {
  readonly dnsServers: readonly string[];
  readonly clock?: Clock;
  readonly allowLoopback: boolean;
  /** The operator's entry for the SP, or null. */
  readonly entry: { readonly allow: readonly Allowance[] } | null;
  /** `acct` of the record, if there is a record. */
  readonly acct?: string;
  /** Tries the SP, as this service. */
  readonly trial?: TrialService;
}

const KEYS_TIMEOUT_MS = 5000;

/** `issuer` must be valid in a record. */
export async function reportOnSp(issuer: string, context: SpReportContext): Promise<SpReport> {
  const { entry, allowLoopback, acct, trial: service, clock = systemClock } = context;
  const resolve = hostAddresses(createResolvers(context.dnsServers));
  const fetch = createGuardedFetch({ resolve, allowLoopback, clock });
  const untried = service && { trial: null };
  const providers = createProviders(fetch, clock);
  const metadata = await providers.find(issuer).catch(failureOf);
  if (metadata instanceof SpFailure) {
    const { kind, message: detail } = metadata;
    const unknown = { client: null, ways: [], binding: null };
    return { issuer, requirements: [], ...unknown, problem: { kind, detail }, ...untried };
  }
  const allow = entry?.allow ?? [];
  const requirements = requirementsOf(issuer, metadata, { allow, allowLoopback });
  // Keys are only fetched if the endpoints meet the requirements.
  if (unmetOf(requirements) === null) {
    requirements.push(await keyRequirement(metadata, createSpKeys(fetch, clock)));
  }
  const ways = waysOf(metadata, entry !== null);
  const [client = null] = ways;
  const binding = metadata.domain_signin_version === 1 ? "claims" : "hash";
  const checked = { issuer, requirements, client, ways, binding } as const;
  const problem = problemIn(checked, acct);
  if (service === undefined || problem !== null) return { ...checked, problem, ...untried };
  return { ...checked, ...(await trySp(metadata, service, { fetch, clock, allowLoopback })) };
}

const publicKey = z.object({ kty: z.enum(["RSA", "EC", "OKP"]) });

async function keyRequirement(
  { jwks_uri }: ProviderMetadata,
  keys: SpKeys,
): Promise<SpRequirement> {
  const read = await keys
    .read(jwks_uri, { signal: AbortSignal.timeout(KEYS_TIMEOUT_MS) })
    .catch(failureOf);
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
  { requirements, client, binding }: Omit<SpReport, "problem">,
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
