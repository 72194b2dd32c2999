// What an external SP says of itself (OpenID Connect Discovery, RFC 8414): fetched, read, remembered.

import { z } from "zod";
import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../lib/guarded-fetch.ts";
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

interface Remembered {
  readonly found: ProviderFound;
  /** In epoch milliseconds. */
  readonly until: number;
  /** Whether it ever was fit since it was first met. */
  readonly wasGood: boolean;
}

/** Milliseconds. */
const REMEMBERED = 3_600_000;
const FAILURE_REMEMBERED = 5000;
const PATIENCE = 5000;
const ENTRIES = 1000;

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
  const known = new Map<string, Remembered>();
  const pending = new Map<string, Promise<ProviderFound>>();

  async function read(issuer: string): Promise<ProviderFound> {
    const wasGood = known.get(issuer)?.wasGood ?? false;
    const found = await orProblem(issuer, ask(issuer, wasGood ? fetchAgain : fetch));
    const isGood = found.outcome === "provider";
    const until = clock.milliseconds() + (isGood ? REMEMBERED : FAILURE_REMEMBERED);
    remember(issuer, { found, until, wasGood: wasGood || isGood });
    return found;
  }

  /** The last used stands last, so that whoever fills this up with their own forgets their own first. */
  function remember(issuer: string, entry: Remembered): void {
    known.delete(issuer);
    const [oldest] = known.keys();
    if (known.size >= ENTRIES && oldest !== undefined) known.delete(oldest);
    known.set(issuer, entry);
  }

  return {
    async find(issuer) {
      const remembered = known.get(issuer);
      if (remembered) remember(issuer, remembered);
      if (remembered && clock.milliseconds() < remembered.until) return remembered.found;
      const reading = pending.get(issuer) ?? read(issuer).finally(() => pending.delete(issuer));
      pending.set(issuer, reading);
      return reading;
    },
  };
}

async function ask(issuer: string, fetch: GuardedFetch): Promise<ProviderFound> {
  const signal = AbortSignal.timeout(PATIENCE);
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
