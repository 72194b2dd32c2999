// What the client knows of its own sign-in, and whether signed claims answer to it.

import { encodeBase64url } from "./base64url.ts";
import type { TrustAnchor } from "./dnssec/trust-anchors.ts";
import { VerificationError, type VerificationErrorCode } from "./errors.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { sha256 } from "./jwk.ts";

/**
 * Which proofs a client insists on. `owner_proof` takes `dnssec` in, without which it means nothing,
 * and `both` is `attestation` with that. There is no `dnssec` alone: a chain is public, and whoever
 * has looked one up could show it as theirs.
 */
export type RequiredProof = (typeof requiredProofs)[number];

const requiredProofs = ["attestation", "attestation_and_dnssec", "owner_proof", "both"] as const;

export type JwkSet = { readonly keys: readonly object[] };

export type VerificationOptions = {
  /** The client's own `client_id`, and the redirect_uri of this very sign-in. */
  readonly clientId: string;
  readonly redirectUri: string;
  /** The issuer of the service that answered, compared by code point. */
  readonly issuer: string;
  /** The access token that came along: with it, the attestation must name its hash. */
  readonly accessToken?: string;
  /** Seconds since 1970; the clock of the platform unless given. */
  readonly now?: number;
  /** Instead of those that IANA publishes for the root. */
  readonly trustAnchors?: readonly TrustAnchor[];
  /** Seconds since the owner's zone signed the record; unless given, until its signature ends. */
  readonly maxSignatureAge?: number;
} & (
  | { readonly codeVerifier: string; readonly nonce?: string }
  | { readonly codeVerifier?: undefined; readonly nonce: string }
) &
  (
    | {
        readonly require: Exclude<RequiredProof, "owner_proof">;
        /** The key set at the service's `jwks_uri`. */
        readonly jwks: JwkSet;
      }
    | { readonly require: "owner_proof"; readonly jwks?: JwkSet }
  );

/** The options, checked: `cch` is the code_challenge that the code verifier gives. */
export type Expectations = {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly issuer: string;
  readonly cch: string | undefined;
  readonly nonce: string | undefined;
  readonly accessToken: string | undefined;
  readonly require: RequiredProof;
  readonly keys: readonly JsonObject[];
  readonly now: number;
  readonly trustAnchors: readonly TrustAnchor[] | undefined;
  readonly maxSignatureAge: number | undefined;
};

/** RFC 7636 §4.1. */
const codeVerifierForm = /^[A-Za-z0-9\-._~]{43,128}$/;
/** Clocks differ: seconds that a claim may still come or have gone. */
const allowedSkew = 60;

/** Throws VerificationError `malformed_options` or `malformed_time`. */
export async function readExpectations(options: VerificationOptions): Promise<Expectations> {
  const { clientId, redirectUri, issuer, codeVerifier, nonce, accessToken } = options;
  for (const text of [clientId, redirectUri, issuer]) insist(isText(text), "a text is missing");
  for (const text of [nonce, accessToken]) {
    insist(text === undefined || isText(text), "an optional text is empty");
  }
  // Without one of the two, a proof that was made in another browser would do.
  insist(codeVerifier !== undefined || nonce !== undefined, "codeVerifier or nonce is missing");
  const isForm = typeof codeVerifier === "string" && codeVerifierForm.test(codeVerifier);
  insist(codeVerifier === undefined || isForm, "codeVerifier is not one");
  insist(requiredProofs.includes(options.require), "require is not one");
  const keys: unknown = options.jwks?.keys;
  insist(options.require === "owner_proof" || Array.isArray(keys), "jwks is missing");

  const now = options.now ?? Date.now() / 1000;
  // Milliseconds would be a time far ahead, at which old proofs are over and none is yet to come.
  const isTime = now >= 0 && now < 2 ** 33;
  if (!isTime) throw new VerificationError("malformed_time", "now must be seconds since 1970");
  return {
    ...{ clientId, redirectUri, issuer, nonce, accessToken, require: options.require },
    cch: codeVerifier === undefined ? undefined : await challengeOf(codeVerifier),
    keys: Array.isArray(keys) ? keys.filter(isJsonObject) : [],
    now: Math.floor(now),
    trustAnchors: options.trustAnchors,
    maxSignatureAge: options.maxSignatureAge,
  };
}

/** Whether claims were made for this client and this very request of it. */
export function checkRequest(claims: JsonObject, expected: Expectations): void {
  mustEqual(claims.aud, expected.clientId, "wrong_audience", "aud");
  mustEqual(claims.redirect_uri, expected.redirectUri, "wrong_redirect_uri", "redirect_uri");
  if (expected.cch !== undefined) mustEqual(claims.cch, expected.cch, "wrong_request", "cch");
  // A statement names one of the two, and the code challenge if there is one.
  const isNonceNeeded = expected.cch === undefined || claims.nonce !== undefined;
  if (expected.nonce !== undefined && isNonceNeeded) {
    mustEqual(claims.nonce, expected.nonce, "wrong_request", "nonce");
  }
}

/** Whether claims hold now, and for no longer than `maxLifetime` seconds. Returns `exp`. */
export function checkTimes(
  { iat, exp }: JsonObject,
  { now }: Expectations,
  maxLifetime: number,
): number {
  if (!isTimestamp(iat) || !isTimestamp(exp) || exp <= iat || exp - iat > maxLifetime) {
    throw new VerificationError("malformed_claims", "iat and exp do not make sense");
  }
  if (iat > now + allowedSkew) throw new VerificationError("not_yet_valid", "iat is to come");
  if (exp <= now - allowedSkew) throw new VerificationError("expired", "exp is over");
  return exp;
}

export function mustEqual(
  value: unknown,
  expected: string,
  code: VerificationErrorCode,
  what: string,
): void {
  if (value !== expected) throw new VerificationError(code, `${what} is not what it should be`);
}

/** A claim that must be a text. Throws VerificationError `malformed_claims`. */
export function textClaim(claims: JsonObject, name: string): string {
  const value = claims[name];
  if (isText(value)) return value;
  throw new VerificationError("malformed_claims", `${name} is not a text`);
}

export function isTimestamp(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

async function challengeOf(codeVerifier: string): Promise<string> {
  return encodeBase64url(await sha256(new TextEncoder().encode(codeVerifier)));
}

function insist(isGood: boolean, message: string): void {
  if (!isGood) throw new VerificationError("malformed_options", message);
}
