// What the client knows about its own sign-in, and the checks of signed claims against it.

import { encodeBase64url } from "./base64url.ts";
import { isTrustAnchor, type TrustAnchor } from "./dnssec/trust-anchors.ts";
import { VerificationError, type VerificationErrorCode } from "./errors.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { sha256 } from "./jwk.ts";

/**
 * Which proofs a client requires. `provider_proof` and `owner_proof` include `dnssec`, without which they
 * prove nothing; `both` is `attestation` plus `owner_proof`. `dnssec` alone is no option: anyone can copy a
 * chain.
 */
export type RequiredProof = (typeof REQUIRED_PROOFS)[number];

const REQUIRED_PROOFS = [
  "attestation",
  "attestation_and_dnssec",
  "provider_proof",
  "owner_proof",
  "both",
] as const;

/**
 * How sure the service was of the record, from one resolver's word to signatures up to the root. With
 * `unknown`, DNS failed when the code was issued, and the service had seen the record minutes before.
 */
export type Assurance = (typeof ASSURANCES)[number];

export const ASSURANCES = ["unknown", "single", "corroborated", "secure"] as const;

export type JwkSet = { readonly keys: readonly object[] };

/** An option that `require` gives no meaning, or an unknown one, is an error. `undefined` counts as absent. */
export interface VerificationOptions {
  readonly require: RequiredProof;
  /** The client's own `client_id`, and the `redirect_uri` of this sign-in. */
  readonly clientId: string;
  readonly redirectUri: string;
  /** The issuer of the service, compared by code point. */
  readonly issuer: string;
  /** Of this sign-in: the PKCE code verifier or the nonce, or both. */
  readonly codeVerifier?: string | undefined;
  readonly nonce?: string | undefined;
  /** The key set at the service's `jwks_uri`. With an attestation it is required, else not allowed. */
  readonly jwks?: JwkSet | undefined;
  /** The access token of the same response. If given, the attestation must contain its hash. */
  readonly accessToken?: string | undefined;
  /** What the attestation must say at least. `unknown` would require nothing, and is refused. */
  readonly minAssurance?: Exclude<Assurance, "unknown"> | undefined;
  /** For `attestation_and_dnssec`: the record may name another service provider than `issuer`. */
  readonly allowFederation?: boolean | undefined;
  /** Seconds since 1970. Default: the system clock. */
  readonly now?: number | undefined;
  /** At least one. Default: those that IANA publishes for the root. */
  readonly trustAnchors?: readonly TrustAnchor[] | undefined;
  /** Seconds since the owner's zone signed the record. Default: until the signature expires. */
  readonly maxSignatureAge?: number | undefined;
}

const COMMON = ["require", "clientId", "redirectUri", "issuer", "codeVerifier", "nonce", "now"];
const OF_ATTESTATION = ["jwks", "accessToken", "minAssurance"];
const OF_CHAIN = ["trustAnchors", "maxSignatureAge"];

/** The options that each `require` honours, besides the common ones. */
const HONOURED: Readonly<Record<RequiredProof, readonly string[]>> = {
  attestation: OF_ATTESTATION,
  attestation_and_dnssec: [...OF_ATTESTATION, ...OF_CHAIN, "allowFederation"],
  provider_proof: OF_CHAIN,
  owner_proof: OF_CHAIN,
  both: [...OF_ATTESTATION, ...OF_CHAIN],
};

/** The checked options. `cch` is the `code_challenge` derived from the code verifier. */
export interface Expectations {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly issuer: string;
  readonly cch: string | undefined;
  readonly nonce: string | undefined;
  readonly accessToken: string | undefined;
  readonly require: RequiredProof;
  readonly keys: readonly JsonObject[];
  readonly minAssurance: Assurance | undefined;
  readonly allowFederation: boolean;
  readonly now: number;
  readonly trustAnchors: readonly TrustAnchor[] | undefined;
  readonly maxSignatureAge: number | undefined;
}

/** RFC 7636 §4.1. */
const CODE_VERIFIER_RE = /^[A-Za-z0-9\-._~]{43,128}$/;
/** Tolerance for differing clocks, before `iat` and after `exp`. */
const ALLOWED_SKEW_S = 60;

/** Throws VerificationError `malformed_options` or `malformed_time`. */
export async function readExpectations(given: VerificationOptions): Promise<Expectations> {
  check(isJsonObject(given), "options must be an object");
  // Without inherited members, whose names are not checked.
  const options = { ...given };
  const requireMessage = `require must be one of ${REQUIRED_PROOFS.join(", ")}`;
  check(REQUIRED_PROOFS.includes(options.require), requireMessage);
  checkNames(options);
  const { clientId, redirectUri, issuer, codeVerifier, nonce, accessToken } = options;
  for (const [name, text] of Object.entries({ clientId, redirectUri, issuer })) {
    check(isNonEmptyString(text), `${name} must be a non-empty string`);
  }
  for (const [name, text] of Object.entries({ nonce, accessToken })) {
    check(text === undefined || isNonEmptyString(text), `${name} must be a non-empty string`);
  }
  // Without either, a proof made for another browser would be accepted.
  check(codeVerifier !== undefined || nonce !== undefined, "codeVerifier or nonce is required");
  const isVerifier = typeof codeVerifier === "string" && CODE_VERIFIER_RE.test(codeVerifier);
  const verifierMessage = "codeVerifier must be 43 to 128 unreserved characters (RFC 7636)";
  check(codeVerifier === undefined || isVerifier, verifierMessage);
  const keys: unknown = options.jwks?.keys;
  const needsKeys = HONOURED[options.require].includes("jwks");
  check(!needsKeys || Array.isArray(keys), "jwks must be a JWK Set: { keys: […] }");
  const { trustAnchors, maxSignatureAge, minAssurance, allowFederation = false } = options;
  const levels: readonly unknown[] = ASSURANCES.slice(1);
  const isLevel = minAssurance === undefined || levels.includes(minAssurance);
  check(isLevel, `minAssurance must be one of ${levels.join(", ")}`);
  check(typeof allowFederation === "boolean", "allowFederation must be true or false");
  const areAnchors = trustAnchors === undefined || isAnchorList(trustAnchors);
  check(areAnchors, "trustAnchors must be a non-empty array of results of parseTrustAnchor");
  const isAge = maxSignatureAge === undefined || isSeconds(maxSignatureAge);
  check(isAge, "maxSignatureAge must be a number of seconds");
  return {
    clientId,
    redirectUri,
    issuer,
    nonce,
    accessToken,
    require: options.require,
    cch: codeVerifier === undefined ? undefined : await challengeOf(codeVerifier),
    keys: Array.isArray(keys) ? keys.filter(isJsonObject) : [],
    minAssurance,
    allowFederation,
    now: readTime(options.now),
    trustAnchors,
    maxSignatureAge,
  };
}

/** Whole seconds; the present time if none is given. */
function readTime(now: number = Date.now() / 1000): number {
  // Milliseconds would be a time far in the future, at which every proof has expired.
  const isTime = isSeconds(now) && now < 2 ** 33;
  if (!isTime) throw new VerificationError("malformed_time", "now must be seconds since 1970");
  return Math.floor(now);
}

/** An option without an effect could be taken for a check that is made. */
function checkNames(options: VerificationOptions): void {
  const honoured = [...COMMON, ...HONOURED[options.require]];
  for (const [name, value] of Object.entries(options)) {
    const isKnown = value === undefined || honoured.includes(name);
    check(isKnown, `the option ${name} is unknown, or has no effect with ${options.require}`);
  }
}

export type RequestExpectations = Pick<Expectations, "clientId" | "redirectUri" | "cch" | "nonce">;

/** Checks that claims were made for this client and this request. */
export function checkRequest(claims: JsonObject, expected: RequestExpectations): void {
  const { aud, redirect_uri, cch, nonce } = claims;
  mustEqual(aud, expected.clientId, "wrong_audience", "aud does not match clientId");
  const message = "redirect_uri does not match redirectUri";
  mustEqual(redirect_uri, expected.redirectUri, "wrong_redirect_uri", message);
  if (expected.cch !== undefined) {
    mustEqual(cch, expected.cch, "wrong_request", "cch does not match codeVerifier");
  }
  // A statement contains only one of the two: cch, if the request had a code challenge.
  const isNonceNeeded = expected.cch === undefined || nonce !== undefined;
  if (expected.nonce !== undefined && isNonceNeeded) {
    mustEqual(nonce, expected.nonce, "wrong_request", "nonce does not match the request");
  }
}

/** Checks that claims are valid now, and for at most `maxLifetime` seconds. Returns `exp`. */
export function checkTimes(
  { iat, exp }: JsonObject,
  { now }: Pick<Expectations, "now">,
  maxLifetime: number,
  signed: "attestation" | "statement",
): number {
  if (!isTimestamp(iat) || !isTimestamp(exp) || exp <= iat || exp - iat > maxLifetime) {
    const message = `exp of the ${signed} must be 1 to ${maxLifetime} s after iat`;
    throw new VerificationError("malformed_claims", message);
  }
  if (iat > now + ALLOWED_SKEW_S) {
    throw new VerificationError("not_yet_valid", `iat of the ${signed} is ${iat - now} s ahead`);
  }
  if (exp <= now - ALLOWED_SKEW_S) {
    throw new VerificationError("expired", `the ${signed} expired ${now - exp} s ago`);
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

/** A claim that must be a non-empty string. Throws VerificationError `malformed_claims`. */
export function textClaim(claims: JsonObject, name: string): string {
  const value = claims[name];
  if (isNonEmptyString(value)) return value;
  throw new VerificationError("malformed_claims", `${name} must be a non-empty string`);
}

export function isAssurance(value: unknown): value is Assurance {
  return ASSURANCES.some((level) => level === value);
}

export function isTimestamp(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isNonEmptyString(value: unknown): value is string {
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

function check(isGood: boolean, message: string): void {
  if (!isGood) throw new VerificationError("malformed_options", message);
}
