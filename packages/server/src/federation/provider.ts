// External SPs: their metadata and keys, which issuers are allowed, and the requirements for them.

import { formatSpRecord, type IssuerOptions, parseSpRecord } from "domain-signin-verify/record";
import { describeProblem } from "domain-signin-verify/record-problems";
import { z } from "zod";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { isBusy } from "../lib/errors.ts";
import type { Requester } from "../lib/fair-queue.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import { failureOf, isUnavailable, SpFailure } from "./sp-problem.ts";

const endpoint = z
  .string()
  .max(2000)
  .refine(isEndpoint, "is not a URL, or has a fragment or a user name");
const names = z.array(z.string().max(200)).max(200);

/** The members that are used. A member of the wrong type is an error, never treated as missing. */
const providerMetadata = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  registration_endpoint: endpoint.optional(),
  response_types_supported: names.optional(),
  code_challenge_methods_supported: names.optional(),
  id_token_signing_alg_values_supported: names.optional(),
  token_endpoint_auth_methods_supported: names.optional(),
  token_endpoint_auth_signing_alg_values_supported: names.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  client_id_metadata_document_supported: z.boolean().optional(),
  /** 1 if ID tokens contain `domain` and `acct`, as those of this software do. */
  domain_signin_version: z.int().optional(),
});

export type ProviderMetadata = z.infer<typeof providerMetadata>;

const CACHE_LIFETIME_MS = 3_600_000;
const FAILURE_CACHE_LIFETIME_MS = 5000;
const TIMEOUT_MS = 5000;
const MAX_PROVIDERS = 1000;

/** What causes requests to an SP, and the time for all of them. */
export interface SpCall {
  readonly signal: AbortSignal;
  /** Default: this service itself. */
  readonly from?: Requester | undefined;
}

export function createProviders(fetch: GuardedFetch, clock: Clock) {
  const known = createCache<ProviderMetadata | SpFailure>({ clock, maxEntries: MAX_PROVIDERS });

  async function read(issuer: string, from?: Requester): Promise<ProviderMetadata | SpFailure> {
    const metadata = await fetchMetadata(issuer, fetch, from).catch((error: unknown) => {
      // Says nothing about the SP.
      if (isBusy(error)) throw error;
      return failureOf(error);
    });
    const isGood = !(metadata instanceof SpFailure);
    known.set(issuer, metadata, isGood ? CACHE_LIFETIME_MS : FAILURE_CACHE_LIFETIME_MS);
    return metadata;
  }

  return {
    /** Uses the cached result, or fetches the metadata, which takes at most 5 s. Throws `SpFailure`. */
    async find(issuer: string, from?: Requester): Promise<ProviderMetadata> {
      const metadata = known.get(issuer) ?? (await known.share(issuer, () => read(issuer, from)));
      if (metadata instanceof SpFailure) throw metadata;
      return metadata;
    },
  };
}

async function fetchMetadata(
  issuer: string,
  fetch: GuardedFetch,
  from?: Requester,
): Promise<ProviderMetadata> {
  // Only the server at this URL can redirect, and the document must still name the issuer.
  const init = { signal: AbortSignal.timeout(TIMEOUT_MS), withinOrigin: true, from };
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  let response = await fetch(`${origin}${path}/.well-known/openid-configuration`, init);
  if (response.status === 404) {
    response = await fetch(`${origin}/.well-known/oauth-authorization-server${path}`, init);
  }
  if (isUnavailable(response.status)) {
    throw new SpFailure("unreachable", `the metadata request got status ${response.status}`);
  }
  if (response.status !== 200) {
    throw bad(`was returned with status ${response.status} instead of 200`);
  }
  const metadata = readMetadata(await response.json().catch(() => undefined));
  // Checked first, because metadata of another issuer must not be used at all (RFC 8414 §3.3).
  const { issuer: found } = metadata;
  if (found !== issuer) throw bad(`has a different issuer${slashHint(found, issuer)}`);
  return metadata;
}

function readMetadata(body: unknown): ProviderMetadata {
  const read = providerMetadata.safeParse(body);
  if (read.success) return read.data;
  const members = new Set(read.error.issues.map(({ path }) => String(path[0] ?? "")));
  const named = [...members].filter((name) => name !== "").join(", ");
  throw bad(named === "" ? "is not a JSON object" : `has an invalid or missing member: ${named}`);
}

/** Names the usual mistake. The received issuer itself is untrusted text and not repeated. */
function slashHint(found: string, expected: string): string {
  if (`${found}/` === expected) return ", without the trailing slash";
  return found === `${expected}/` ? ", with a trailing slash" : "";
}

function bad(problem: string): SpFailure {
  return new SpFailure("bad_metadata", `the metadata ${problem}`);
}

export type SpKeys = ReturnType<typeof createSpKeys>;

const MIN_REFRESH_INTERVAL_MS = 5000;
const MAX_KEY_SETS = 500;

export function createSpKeys(fetch: GuardedFetch, clock: Clock) {
  const known = createCache<{ keySet: KeySet; readAtMs: number }>({
    clock,
    maxEntries: MAX_KEY_SETS,
  });
  return {
    /** With `forceRefresh`, uses the cache only for the last 5 s. Throws `SpFailure`. */
    async read(jwksUri: string, { signal, from }: SpCall, { forceRefresh = false } = {}) {
      const cached = known.get(jwksUri);
      const maxAgeMs = forceRefresh ? MIN_REFRESH_INTERVAL_MS : CACHE_LIFETIME_MS;
      if (cached && clock.monotonic() - cached.readAtMs < maxAgeMs) return cached.keySet;
      const response = await fetch(jwksUri, { signal, from });
      if (response.status !== 200) {
        throw new SpFailure("bad_answer", `the jwks_uri responded with status ${response.status}`);
      }
      const { keys } = Object(await response.json().catch(() => null));
      if (!Array.isArray(keys)) {
        throw new SpFailure("bad_answer", "the jwks_uri did not return a JWK Set");
      }
      const keySet: KeySet = { keys };
      known.set(jwksUri, { keySet, readAtMs: clock.monotonic() }, CACHE_LIFETIME_MS);
      return keySet;
    },
  };
}

interface KeySet {
  readonly keys: readonly unknown[];
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text) || text.includes("#")) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}

/** Applies the rules for `sp` in a record. Null if the issuer is valid. */
export function issuerMistake(issuer: string, options: IssuerOptions): string | null {
  const record = { sp: issuer, acct: "a".repeat(22) };
  const parsed = parseSpRecord(formatSpRecord(record), options);
  if (parsed.outcome === "ok" && parsed.record.sp === issuer && issuer !== "none") return null;
  const problems = parsed.outcome === "invalid" ? parsed.problems : [];
  const [why = "It is not the URL of an issuer."] = problems.map(describeProblem);
  return `invalid issuer ${JSON.stringify(issuer)}: ${why}`;
}

/** Requirements that an operator can waive for an SP. */
export const ALLOWANCES = ["endpoints_elsewhere", "no_iss", "no_pkce"] as const;
export type Allowance = (typeof ALLOWANCES)[number];

export type SpRequirement = ReturnType<typeof requirementsOf>[number];

/** Algorithms with which only the SP can sign. */
const ASYMMETRIC = [
  "RS256",
  "PS256",
  "ES256",
  "EdDSA",
  "Ed25519",
  "RS384",
  "RS512",
  "PS384",
  "PS512",
  "ES384",
  "ES512",
];

/** OpenID Connect Discovery §3: every provider supports RS256. */
export function asymmetricAlgs(metadata: ProviderMetadata): string[] {
  const offered = metadata.id_token_signing_alg_values_supported ?? ["RS256"];
  return ASYMMETRIC.filter((alg) => offered.includes(alg));
}

/** In order of importance. `needed`: not waived by the operator. `reason` names the endpoints that break the rule. */
export function requirementsOf(
  issuer: string,
  metadata: ProviderMetadata,
  { allow, allowLoopback }: { allow: readonly Allowance[]; allowLoopback: boolean },
) {
  const { response_types_supported: types = ["code"] } = metadata;
  const methods = metadata.code_challenge_methods_supported ?? [];
  const isLoopback = (url: URL) =>
    allowLoopback && url.protocol === "http:" && url.hostname === "localhost";
  const endpoints = endpointsOf(metadata);
  const insecure = endpoints.filter(([, url]) => url.protocol !== "https:" && !isLoopback(url));
  const { origin } = new URL(issuer);
  const elsewhere = endpoints.filter(([, url]) => url.origin !== origin);
  const rows: [name: string, met: boolean, reason: string, allowance?: Allowance][] = [
    [
      "issuer",
      metadata.issuer === issuer,
      "issuer in the metadata must be identical to the issuer",
    ],
    ["https endpoints", insecure.length === 0, listed("must use https", insecure)],
    [
      "endpoints on its origin",
      elsewhere.length === 0,
      listed(`must have the origin ${origin}`, elsewhere),
      "endpoints_elsewhere",
    ],
    ["authorization code", types.includes("code"), 'response_types_supported must include "code"'],
    [
      "PKCE",
      methods.includes("S256"),
      'code_challenge_methods_supported must include "S256"',
      "no_pkce",
    ],
    [
      "signed ID tokens",
      asymmetricAlgs(metadata).length > 0,
      "id_token_signing_alg_values_supported must include an asymmetric algorithm",
    ],
    [
      "iss in responses",
      metadata.authorization_response_iss_parameter_supported === true,
      "authorization_response_iss_parameter_supported must be true (RFC 9207)",
      "no_iss",
    ],
  ];
  return rows.map(([name, met, reason, allowance]) => {
    return { name, met, reason, needed: allowance === undefined || !allow.includes(allowance) };
  });
}

/** The reasons of all unmet requirements, or null. */
export function unmetOf(requirements: readonly SpRequirement[]): string | null {
  const unmet = requirements.filter(({ met, needed }) => needed && !met);
  return unmet.length === 0 ? null : unmet.map(({ reason }) => reason).join("; ");
}

function endpointsOf(metadata: ProviderMetadata): [string, URL][] {
  const { authorization_endpoint, token_endpoint, jwks_uri, registration_endpoint } = metadata;
  const all = { authorization_endpoint, token_endpoint, jwks_uri, registration_endpoint };
  return Object.entries(all)
    .filter(([, url]) => url !== undefined)
    .map(([name, url]) => [name, new URL(String(url))]);
}

function listed(rule: string, broken: readonly [string, URL][]): string {
  return `${broken.map(([name]) => name).join(", ") || "every endpoint"} ${rule}`;
}
