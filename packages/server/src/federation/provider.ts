// An external SP: the issuers that a record may name, its metadata, and what it must be like.

import { formatSpRecord, type IssuerOptions, parseSpRecord } from "domain-signin-verify/record";
import { z } from "zod";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import { orProblem, SpFailure, type SpProblem } from "./sp-problem.ts";

const endpoint = z
  .string()
  .max(2000)
  .refine(isEndpoint, "is not a URL, or has a fragment or a user name");
const names = z.array(z.string().max(200)).max(200);

/** As much of it as we use. What is there must be of its kind: a failure is never an absence. */
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
  /** 1 for an SP that proves domains itself, as this software does. */
  domain_signin_version: z.int().optional(),
});

export type ProviderMetadata = z.infer<typeof providerMetadata>;

export interface Provider {
  readonly issuer: string;
  /** Its `issuer` is the one that was asked for, character by character. */
  readonly metadata: ProviderMetadata;
}

export type ProviderFound =
  | { readonly outcome: "provider"; readonly provider: Provider }
  | { readonly outcome: "problem"; readonly problem: SpProblem };

export interface Providers {
  /** What is remembered of it, else what it says now, which takes at most 5 s. */
  find(issuer: string): Promise<ProviderFound>;
}

const REMEMBERED_MS = 3_600_000;
const FAILURE_REMEMBERED_MS = 5000;
const TIMEOUT_MS = 5000;
const MAX_PROVIDERS = 1000;

/**
 * `fetchAgain` is for an SP that was good before: others, who make up issuers at its host, cannot use
 * up what its own people need.
 */
export function createProviders(parts: {
  fetch: GuardedFetch;
  fetchAgain?: GuardedFetch;
  clock: Clock;
}): Providers {
  const { fetch, fetchAgain = fetch, clock } = parts;
  const known = createCache<ProviderFound>({ clock, maxEntries: MAX_PROVIDERS });
  /** Issuers that were fit at least once. */
  const good = createCache<true>({ clock, maxEntries: MAX_PROVIDERS });

  async function read(issuer: string): Promise<ProviderFound> {
    const found = await orProblem(issuer, ask(issuer, good.get(issuer) ? fetchAgain : fetch));
    const isGood = found.outcome === "provider";
    if (isGood) good.set(issuer, true);
    known.set(issuer, found, isGood ? REMEMBERED_MS : FAILURE_REMEMBERED_MS);
    return found;
  }

  return {
    find: async (issuer) => known.get(issuer) ?? known.share(issuer, () => read(issuer)),
  };
}

async function ask(issuer: string, fetch: GuardedFetch): Promise<ProviderFound> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  let response = await fetch(`${origin}${path}/.well-known/openid-configuration`, { signal });
  if (response.status === 404) {
    response = await fetch(`${origin}/.well-known/oauth-authorization-server${path}`, { signal });
  }
  if (response.status >= 500 || response.status === 429) {
    throw new SpFailure("unreachable", `its metadata is answered with status ${response.status}`);
  }
  if (response.status !== 200) {
    throw bad(`is answered with status ${response.status}, not 200`);
  }
  const metadata = readMetadata(await response.json().catch(() => undefined));
  // Before all else: whatever it says besides would be about somebody else.
  if (metadata.issuer !== issuer) throw bad(`names another issuer${slip(metadata.issuer, issuer)}`);
  return { outcome: "provider", provider: { issuer, metadata } };
}

function readMetadata(body: unknown): ProviderMetadata {
  const read = providerMetadata.safeParse(body);
  if (read.success) return read.data;
  const members = new Set(read.error.issues.map(({ path }) => String(path[0] ?? "")));
  const named = [...members].filter((name) => name !== "").join(", ");
  throw bad(named === "" ? "is not a JSON object" : `has a bad or missing member: ${named}`);
}

/** The usual one, in words of our own: what a stranger says of itself is not repeated. */
function slip(found: string, asked: string): string {
  if (`${found}/` === asked) return ", without the slash at the end";
  return found === `${asked}/` ? ", with a slash at the end" : "";
}

function bad(what: string): SpFailure {
  return new SpFailure("bad_metadata", `its metadata ${what}`);
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text) || text.includes("#")) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}

/** Which SPs a record may name besides those of https on the usual port, beside an issuer of our own. */
export function issuerOptions(ownIssuer: string): Required<IssuerOptions> {
  return {
    allowLoopbackIssuer: ownIssuer.startsWith("http:"),
    // An operator whose own issuer has a port gives leave for ports by that.
    allowIssuerPort: new URL(ownIssuer).port !== "",
  };
}

/** By the rules of the record, which has to name it; null if there is none. */
export function issuerMistake(issuer: string, options: IssuerOptions): string | null {
  const record = { sp: issuer, acct: "a".repeat(22) };
  const parsed = parseSpRecord(formatSpRecord(record), options);
  if (parsed.outcome === "ok" && parsed.record.sp === issuer && issuer !== "none") return null;
  const problems = parsed.outcome === "invalid" ? parsed.problems : [];
  const [why = "It is not the URL of an issuer."] = problems.map(({ message }) => message);
  return `no record can name ${JSON.stringify(issuer)} as its sp: ${why}`;
}

/** What an operator may let one SP do without. */
export const ALLOWANCES = ["endpoints_elsewhere", "no_iss", "no_pkce"] as const;
export type Allowance = (typeof ALLOWANCES)[number];

export interface Requirement {
  readonly name: string;
  readonly met: boolean;
  /** False where the operator let this SP do without. */
  readonly needed: boolean;
  /** English; why it is asked for, or what is there instead. */
  readonly reason: string;
}

/** Signatures that the SP alone can make. */
const ASYMMETRIC = [
  ...["RS256", "PS256", "ES256", "EdDSA", "Ed25519"],
  ...["RS384", "RS512", "PS384", "PS512", "ES384", "ES512"],
];

/** OpenID Connect Discovery §3: every provider can do RS256. */
export function asymmetricAlgs(metadata: ProviderMetadata): string[] {
  const offered = metadata.id_token_signing_alg_values_supported ?? ["RS256"];
  return ASYMMETRIC.filter((alg) => offered.includes(alg));
}

/** In the order in which they matter. A pure function. */
export function requirementsOf(
  issuer: string,
  metadata: ProviderMetadata,
  { allow, allowLoopback }: { allow: readonly Allowance[]; allowLoopback: boolean },
): Requirement[] {
  const { response_types_supported: types = ["code"] } = metadata;
  const methods = metadata.code_challenge_methods_supported ?? [];
  const isLoopback = (url: URL) =>
    allowLoopback && url.protocol === "http:" && url.hostname === "localhost";
  const endpoints = endpointsOf(metadata);
  const insecure = endpoints.filter(([, url]) => url.protocol !== "https:" && !isLoopback(url));
  const elsewhere = endpoints.filter(([, url]) => url.origin !== new URL(issuer).origin);
  const need = (
    name: string,
    met: boolean,
    reason: string,
    allowance?: Allowance,
  ): Requirement => ({
    ...{ name, met, reason },
    needed: allowance === undefined || !allow.includes(allowance),
  });
  return [
    need(
      "issuer",
      metadata.issuer === issuer,
      "issuer in its metadata must be the identical string",
    ),
    need("https endpoints", insecure.length === 0, listed("must begin with https:", insecure)),
    need(
      "endpoints of its own",
      elsewhere.length === 0,
      listed(`must be on ${new URL(issuer).origin}`, elsewhere),
      "endpoints_elsewhere",
    ),
    need(
      "authorization code",
      types.some((type) => type === "code"),
      'response_types_supported must hold "code"',
    ),
    need(
      "PKCE",
      methods.includes("S256"),
      'code_challenge_methods_supported must hold "S256"',
      "no_pkce",
    ),
    need(
      "signed ID tokens",
      asymmetricAlgs(metadata).length > 0,
      "id_token_signing_alg_values_supported must hold an asymmetric algorithm",
    ),
    need(
      "answers with iss",
      metadata.authorization_response_iss_parameter_supported === true,
      "authorization_response_iss_parameter_supported must be true (RFC 9207)",
      "no_iss",
    ),
  ];
}

/** What is missing, in one sentence; null if nothing is. */
export function unmetOf(requirements: readonly Requirement[]): string | null {
  const unmet = requirements.filter(({ met, needed }) => needed && !met);
  return unmet.length === 0 ? null : unmet.map(({ reason }) => reason).join("; ");
}

function endpointsOf(metadata: ProviderMetadata): [string, URL][] {
  const { authorization_endpoint, token_endpoint, jwks_uri, registration_endpoint } = metadata;
  const all = { authorization_endpoint, token_endpoint, jwks_uri, registration_endpoint };
  return Object.entries(all).flatMap(([name, url]) =>
    url === undefined ? [] : [[name, new URL(url)] satisfies [string, URL]],
  );
}

function listed(rule: string, broken: readonly [string, URL][]): string {
  return `${broken.length === 0 ? "every endpoint" : broken.map(([name]) => name).join(", ")} ${rule}`;
}
