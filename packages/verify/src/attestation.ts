// The attestation: the service's signed statement about one request of one client.

import { encodeBase64url } from "./base64url.ts";
import { VerificationError } from "./errors.ts";
import {
  checkRequest,
  checkTimes,
  type Expectations,
  isTimestamp,
  mustEqual,
  textClaim,
} from "./expectations.ts";
import { isJsonObject, type JsonObject, readJsonObject } from "./json.ts";
import { algorithmOf, isSignedByJwk, type PublicJwk, readPublicJwk, sha256 } from "./jwk.ts";
import { readCompactJws } from "./jws.ts";

export interface Attestation {
  readonly sub: string;
  readonly sp: string;
  readonly acct: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

const TYP = "domain-attestation+jwt";
const MAX_LIFETIME_S = 600;

/**
 * Verifies the service's JWS. Throws VerificationError: `malformed_jws`, `malformed_claims`,
 * `wrong_type`, `critical_header`, `wrong_algorithm`, `no_such_key`, `unsuitable_key`,
 * `bad_signature`, `wrong_issuer`, `wrong_audience`, `wrong_redirect_uri`, `wrong_request`,
 * `wrong_domain`, `wrong_access_token`, `not_yet_valid`, `expired`, `platform_unsupported`.
 */
export async function verifyAttestation(
  text: string,
  domain: string,
  expected: Expectations,
): Promise<Attestation> {
  const jws = readCompactJws(text, TYP);
  const key = findKey(expected.keys, jws.header.kid);
  mustEqual(
    jws.header.alg,
    algorithmOf(key),
    "wrong_algorithm",
    "alg of the attestation does not match its key",
  );
  if (!(await isSignedByJwk(key, jws.signed, jws.signature))) {
    throw new VerificationError("bad_signature", "the attestation has an invalid signature");
  }
  const claims = readJsonObject(jws.payload);
  if (!claims) throw new VerificationError("malformed_claims", "the claims are not a JSON object");
  mustEqual(claims.iss, expected.issuer, "wrong_issuer", "iss does not match issuer");
  checkRequest(claims, expected);
  mustEqual(claims.domain, domain, "wrong_domain", "the attestation is for another domain");
  const exp = checkTimes(claims, expected, MAX_LIFETIME_S, "attestation");
  await checkAccessToken(claims, expected);
  checkFacts(claims);
  return {
    sub: textClaim(claims, "sub"),
    sp: textClaim(claims, "sp"),
    acct: textClaim(claims, "acct"),
    exp,
  };
}

/** The only ES256 key with this `kid`: the service signs attestations with ES256 only. */
function findKey(keys: readonly JsonObject[], kid: unknown): PublicJwk {
  const named = keys.filter((key) => typeof kid === "string" && key.kid === kid);
  const [key, second] = named.filter(
    ({ kty, use, alg }) =>
      kty === "EC" &&
      (use === undefined || use === "sig") &&
      (alg === undefined || alg === "ES256"),
  );
  if (key && !second) return readPublicJwk(key);
  throw new VerificationError("no_such_key", "jwks must have exactly one ES256 key with this kid");
}

/** OpenID Connect Core §3.1.3.6: the left half of the SHA-256 hash. */
async function checkAccessToken(claims: JsonObject, { accessToken }: Expectations): Promise<void> {
  if (accessToken === undefined) return;
  const hash = await sha256(new TextEncoder().encode(accessToken));
  const half = encodeBase64url(hash.subarray(0, 16));
  const message = "at_hash does not match accessToken";
  mustEqual(claims.at_hash, half, "wrong_access_token", message);
}

/** Checks the form of the informative claims, on which no decision depends. */
function checkFacts(claims: JsonObject): void {
  textClaim(claims, "jti");
  textClaim(claims, "method");
  const { domain_since, auth_time, amr, dns } = claims;
  const isGood =
    isTimestamp(domain_since) &&
    isTimestamp(auth_time) &&
    Array.isArray(amr) &&
    amr.every((method) => typeof method === "string") &&
    isJsonObject(dns);
  if (isGood) return;
  throw new VerificationError("malformed_claims", "domain_since, auth_time, amr or dns is invalid");
}
