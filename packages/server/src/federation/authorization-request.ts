// The authorization request that we send to an external SP: what the interaction keeps of it, its secrets, its URL.

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { sha256 } from "../lib/random.ts";

/** How we authenticate to an SP (OIDC Core §9). */
export const AUTH_METHODS = [
  "private_key_jwt",
  "client_secret_basic",
  "client_secret_post",
  "none",
] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** We as a client of an SP. */
export interface SpClient {
  readonly id: string;
  readonly source: "operator" | "document" | "public_document" | "registered";
  readonly method: AuthMethod;
  /** The algorithm of ID tokens, where we registered for one. */
  readonly alg?: string;
}

/** What the person was sent with: the answer is worked on with this, whatever the SP says by then. */
export interface Asked {
  /** Epoch seconds. */
  readonly at: number;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  /** Whether its answers name it (RFC 9207). */
  readonly iss: boolean;
  /** Asymmetric algorithms of its ID tokens. */
  readonly algs: readonly string[];
  /** Whether it proves domains and accounts itself, as this software does. */
  readonly domain_aware: boolean;
  readonly client: SpClient;
}

/** As an interaction keeps it, under a version of its own; no secret among it. */
export interface ExternalState {
  readonly v: 1;
  /** The SP's issuer. */
  readonly sp: string;
  readonly salt: string;
  readonly asked?: Asked;
  /** The one answer has come: it is worked on, or it was. */
  readonly taken?: true;
}

/** Null where another version of this software wrote it. */
export function readExternalState(text: string | null): ExternalState | null {
  const state: { readonly v?: unknown } = JSON.parse(text ?? "{}");
  return state.v === 1 ? (state as ExternalState) : null;
}

/** A sign-in that has not asked yet. */
export function newExternalState(sp: string, salt: string): string {
  const state: ExternalState = { v: 1, sp, salt };
  return JSON.stringify(state);
}

export interface RequestSecrets {
  /** A MAC that only the browser of the interaction can bring about, and its id. */
  readonly state: string;
  readonly nonce: string;
  /** 43 characters (RFC 7636 §4.1). */
  readonly verifier: string;
}

/** Made of the browser cookie's value each time they are needed: the store could not tell them. */
export function requestSecrets(
  browser: string,
  { interactionId, salt }: { interactionId: string; salt: string },
): RequestSecrets {
  const mac = (purpose: string) =>
    createHmac("sha256", browser)
      .update(`domain-signin external ${purpose}\n${interactionId}\n${salt}`)
      .digest("base64url");
  return {
    state: mac("state") + interactionId,
    nonce: mac("nonce"),
    verifier: mac("verifier"),
  };
}

/** The interaction that a state names; null for what is none of ours. */
export function interactionOf(state: string | undefined): string | null {
  return /^[A-Za-z0-9_-]{43}([A-Za-z0-9_-]{22})$/.exec(state ?? "")?.[1] ?? null;
}

export function isSameState(state: string, expected: string): boolean {
  return (
    state.length === expected.length && timingSafeEqual(Buffer.from(state), Buffer.from(expected))
  );
}

/** How our addresses name an SP: each has its own, so that the answer of one is never taken for another's. */
export function spKey(sp: string): string {
  return sha256(sp);
}

export function callbackUri(issuer: string, sp: string): string {
  return `${issuer}/federation/callback/${spKey(sp)}`;
}

/** What the SP is asked to have the owner sign, for an app that wants proof (design of validation_data). */
export interface StatementWanted {
  readonly aud: string;
  readonly redirect_uri: string;
  readonly cch: string | null;
  readonly nonce: string | null;
}

export function authorizationUrl(
  endpoint: string,
  request: {
    readonly clientId: string;
    readonly redirectUri: string;
    readonly domain: string;
    readonly secrets: RequestSecrets;
    readonly prompt: ReadonlySet<string>;
    readonly maxAge: number | undefined;
    readonly locales: string | null;
    /** Null where the app wants none, or the SP knows nothing of it. */
    readonly statement: StatementWanted | null;
  },
): string {
  const { secrets, statement } = request;
  const challenge = createHash("sha256").update(secrets.verifier).digest("base64url");
  const url = new URL(endpoint);
  const parameters: Record<string, string | null | undefined> = {
    response_type: "code",
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    scope: "openid",
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: challenge,
    code_challenge_method: "S256",
    login_hint: request.domain,
    prompt: request.prompt.has("login") ? "login" : null,
    max_age: request.maxAge?.toString(),
    ui_locales: request.locales,
    // Forbids an SP of this kind to send the person on once more.
    ds_hop: "1",
    ds_aud: statement?.aud,
    ds_redirect_uri: statement?.redirect_uri,
    ds_cch: statement?.cch,
    ds_nonce: statement?.nonce,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}
