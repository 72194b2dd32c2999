// The authorization request sent to an external SP: stored state, secrets and URL.

import { createHmac, timingSafeEqual } from "node:crypto";
import { sha256 } from "../lib/random.ts";

/** Client authentication methods, in order of preference (OIDC Core §9). */
export const AUTH_METHODS = [
  "private_key_jwt",
  "client_secret_basic",
  "client_secret_post",
  "none",
] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

export interface SpClient {
  readonly id: string;
  readonly source: "operator" | "document" | "public_document" | "registered";
  readonly method: AuthMethod;
  /** The algorithm of ID tokens, if one was registered. */
  readonly alg?: string;
}

/** The request that was sent. Its response is processed with these values, even if the metadata has changed. */
export interface SentRequest {
  /** Epoch seconds. */
  readonly at: number;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  /** Whether authorization responses contain `iss` (RFC 9207). */
  readonly iss: boolean;
  /** Asymmetric signature algorithms for ID tokens. */
  readonly algs: readonly string[];
  /** Whether its ID tokens contain `domain` and `acct`, as those of this software do. */
  readonly domain_aware: boolean;
  readonly client: SpClient;
}

/** Stored as JSON with the interaction. Contains no secret. */
export interface ExternalState {
  readonly v: 1;
  readonly sp: string;
  readonly salt: string;
  readonly asked?: SentRequest;
  /** The response has arrived; each is processed once. */
  readonly taken?: true;
}

/** Null if a different version of this software wrote it. */
export function readExternalState(text: string | null): ExternalState | null {
  const state: { readonly v?: unknown } = JSON.parse(text ?? "{}");
  return state.v === 1 ? (state as ExternalState) : null;
}

export function newExternalState(sp: string, salt: string): string {
  return JSON.stringify({ v: 1, sp, salt } satisfies ExternalState);
}

export type RequestSecrets = ReturnType<typeof requestSecrets>;

/** Derived from the browser's cookie value whenever they are needed, so the store never contains them. */
export function requestSecrets(
  browser: string,
  { interactionId, salt }: { interactionId: string; salt: string },
) {
  const mac = (purpose: string) =>
    createHmac("sha256", browser)
      .update(`domain-signin external ${purpose}\n${interactionId}\n${salt}`)
      .digest("base64url");
  // A verifier has at least 43 characters (RFC 7636 §4.1), as has a MAC.
  return { state: mac("state") + interactionId, nonce: mac("nonce"), verifier: mac("verifier") };
}

/** The id of the interaction in a `state`, or null if it does not have our format. */
export function interactionOf(state: string | undefined): string | null {
  return /^[A-Za-z0-9_-]{43}([A-Za-z0-9_-]{22})$/.exec(state ?? "")?.[1] ?? null;
}

export function isSameState(state: string, expected: string): boolean {
  return (
    state.length === expected.length && timingSafeEqual(Buffer.from(state), Buffer.from(expected))
  );
}

/** Identifies an SP in redirect URIs: each SP has its own, against mix-up attacks (RFC 9700 §4.4). */
export function spKey(sp: string): string {
  return sha256(sp);
}

export function callbackUri(issuer: string, sp: string): string {
  return `${issuer}/federation/callback/${spKey(sp)}`;
}

/** The request of a client for an owner proof, which the SP is asked to sign. See docs/validation-data.md. */
export interface StatementWanted {
  readonly aud: string;
  readonly redirect_uri: string;
  readonly cch: string | null;
  readonly nonce: string | null;
}

interface RequestToSp {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly domain: string;
  readonly secrets: RequestSecrets;
  readonly prompt: ReadonlySet<string>;
  readonly maxAge?: number | undefined;
  readonly locales?: string | null;
  /** Null if the client did not request one, or the SP does not support it. */
  readonly statement?: StatementWanted | null;
  /** What the client wants of the owner's approval. */
  readonly ownerProof?: "none" | "when_available" | "required";
}

export function authorizationUrl(endpoint: string, request: RequestToSp): string {
  const { secrets, statement } = request;
  const url = new URL(endpoint);
  const parameters: Record<string, string | null | undefined> = {
    response_type: "code",
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    scope: "openid",
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: sha256(secrets.verifier),
    code_challenge_method: "S256",
    login_hint: request.domain,
    prompt: request.prompt.has("login") ? "login" : null,
    max_age: request.maxAge?.toString(),
    ui_locales: request.locales,
    // Forbids an SP with this software to redirect to a further SP.
    ds_hop: "1",
    ds_aud: statement?.aud,
    ds_redirect_uri: statement?.redirect_uri,
    ds_cch: statement?.cch,
    ds_nonce: statement?.nonce,
    // Otherwise the SP may use a session, which has no owner proof for this request.
    ds_owner_proof: statement && request.ownerProof === "required" ? "required" : null,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}
