// What the client knows of its own sign-in, and whether signed claims answer to it.

import { encodeBase64url } from "./base64url.ts";
import { isTrustAnchor, type TrustAnchor } from "./dnssec/trust-anchors.ts";
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
  /** At least one, instead of those that IANA publishes for the root. */
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
  insist(isJsonObject(options), "options must be an object");
  const { clientId, redirectUri, issuer, codeVerifier, nonce, accessToken } = options;
  for (const [name, text] of Object.entries({ clientId, redirectUri, issuer })) {
    insist(isText(text), `${name} must be a text that is not empty`);
  }
  for (const [name, text] of Object.entries({ nonce, accessToken })) {
    insist(text === undefined || isText(text), `${name} must be a text that is not empty`);
  }
  // Without one of the two, a proof that was made in another browser would do.
  insist(codeVerifier !== undefined || nonce !== undefined, "codeVerifier or nonce is missing");
  const isForm = typeof codeVerifier === "string" && codeVerifierForm.test(codeVerifier);
  const form = "codeVerifier must be the 43 to 128 characters of RFC 7636";
  insist(codeVerifier === undefined || isForm, form);
  const levels = "require must be attestation, attestation_and_dnssec, owner_proof or both";
  insist(requiredProofs.includes(options.require), levels);
  const keys: unknown = options.jwks?.keys;
  const hasKeys = options.require === "owner_proof" || Array.isArray(keys);
  insist(hasKeys, "jwks must be the key set itself: { keys: […] }");
  const { trustAnchors, maxSignatureAge } = options;
  const areAnchors = trustAnchors === undefined || isAnchorList(trustAnchors);
  insist(areAnchors, "trustAnchors must be a list of what parseTrustAnchor returns");
  const isAge = maxSignatureAge === undefined || isSeconds(maxSignatureAge);
  insist(isAge, "maxSignatureAge must be seconds");

  const now = options.now === undefined ? Date.now() / 1000 : options.now;
  // Milliseconds would be a time far ahead, at which old proofs are over and none is yet to come.
  const isTime = isSeconds(now) && now < 2 ** 33;
  if (!isTime) throw new VerificationError("malformed_time", "now must be seconds since 1970");
  return {
    ...{ clientId, redirectUri, issuer, nonce, accessToken, require: options.require },
    cch: codeVerifier === undefined ? undefined : await challengeOf(codeVerifier),
    keys: Array.isArray(keys) ? keys.filter(isJsonObject) : [],
    now: Math.floor(now),
    ...{ trustAnchors, maxSignatureAge },
  };
}

/** Whether claims were made for this client and this very request of it. */
export function checkRequest(claims: JsonObject, expected: Expectations): void {
  const { aud, redirect_uri, cch, nonce } = claims;
  const { redirectUri } = expected;
  mustEqual(aud, expected.clientId, "wrong_audience", "aud is not this clientId");
  const otherUri = "redirect_uri is not this redirectUri";
  mustEqual(redirect_uri, redirectUri, "wrong_redirect_uri", otherUri);
  if (expected.cch !== undefined) {
    mustEqual(cch, expected.cch, "wrong_request", "cch is not the hash of this codeVerifier");
  }
  // A statement names one of the two, and the code challenge if there is one.
  const isNonceNeeded = expected.cch === undefined || nonce !== undefined;
  if (expected.nonce !== undefined && isNonceNeeded) {
    mustEqual(nonce, expected.nonce, "wrong_request", "nonce is not the one of this request");
  }
}

/** Whether claims hold now, and for no longer than `maxLifetime` seconds. Returns `exp`. */
export function checkTimes(
  { iat, exp }: JsonObject,
  { now }: Expectations,
  maxLifetime: number,
  signed: "attestation" | "statement",
): number {
  if (!isTimestamp(iat) || !isTimestamp(exp) || exp <= iat || exp - iat > maxLifetime) {
    const message = `iat and exp of the ${signed} do not make sense`;
    throw new VerificationError("malformed_claims", message);
  }
  if (iat > now + allowedSkew) {
    throw new VerificationError("not_yet_valid", `the ${signed} begins in ${iat - now} s`);
  }
  if (exp <= now - allowedSkew) {
    throw new VerificationError("expired", `the ${signed} ended ${now - exp} s ago`);
  }
  return exp;
}

export function mustEqual(
  value: unknown,
  expected: string,
  code: VerificationErrorCode,
  message: string,
): void {
  if (value !== expected) throw new VerificationError(code, message);
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

function isSeconds(value: unknown): value is number {
  return Number.isFinite(value) && Number(value) >= 0;
}

function isAnchorList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isTrustAnchor);
}

async function challengeOf(codeVerifier: string): Promise<string> {
  return encodeBase64url(await sha256(new TextEncoder().encode(codeVerifier)));
}

function insist(isGood: boolean, message: string): void {
  if (!isGood) throw new VerificationError("malformed_options", message);
}
