// The attestation: what the service says that it checked, for one client and one request of it.

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

export type Attestation = {
  readonly sub: string;
  readonly sp: string;
  readonly acct: string;
  /** Seconds since 1970. */
  readonly exp: number;
};

const typ = "domain-attestation+jwt";
const maxLifetime = 600;

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
  const jws = readCompactJws(text, typ);
  const key = findKey(expected.keys, jws.header.kid);
  mustEqual(
    jws.header.alg,
    algorithmOf(key),
    "wrong_algorithm",
    "alg of the attestation is not its key's",
  );
  if (!(await isSignedByJwk(key, jws.signed, jws.signature))) {
    throw new VerificationError("bad_signature", "the attestation is not what was signed");
  }
  const claims = readJsonObject(jws.payload);
  if (!claims) throw new VerificationError("malformed_claims", "the claims are no JSON object");
  mustEqual(claims.iss, expected.issuer, "wrong_issuer", "iss is not this issuer");
  checkRequest(claims, expected);
  mustEqual(claims.domain, domain, "wrong_domain", "the attestation names another domain");
  const exp = checkTimes(claims, expected, maxLifetime, "attestation");
  await checkAccessToken(claims, expected);
  checkFacts(claims);
  return {
    sub: textClaim(claims, "sub"),
    sp: textClaim(claims, "sp"),
    acct: textClaim(claims, "acct"),
    exp,
  };
}

/** The one key of ES256 that has the `kid`: the service signs attestations with nothing else. */
function findKey(keys: readonly JsonObject[], kid: unknown): PublicJwk {
  const named = keys.filter((key) => typeof kid === "string" && key.kid === kid);
  const [key, second] = named.filter(
    ({ kty, use, alg }) =>
      kty === "EC" &&
      (use === undefined || use === "sig") &&
      (alg === undefined || alg === "ES256"),
  );
  if (key && !second) return readPublicJwk(key);
  throw new VerificationError("no_such_key", "the service has no such key, or more than one");
}

/** OpenID Connect Core §3.1.3.6: the left half of the hash that the algorithm is built on. */
async function checkAccessToken(claims: JsonObject, { accessToken }: Expectations): Promise<void> {
  if (accessToken === undefined) return;
  const hash = await sha256(new TextEncoder().encode(accessToken));
  const half = encodeBase64url(hash.subarray(0, 16));
  const message = "at_hash is not the hash of this accessToken";
  mustEqual(claims.at_hash, half, "wrong_access_token", message);
}

/** What an attestation tells besides: nothing here rests on it, but it must be what it says. */
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
  if (!isGood) throw new VerificationError("malformed_claims", "the attested facts are odd");
}
