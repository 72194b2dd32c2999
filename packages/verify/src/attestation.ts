// The attestation: the service's signed statement about one request of one client.

import { encodeBase64url } from "./base64url.ts";
import { VerificationError } from "./errors.ts";
import {
  ASSURANCES,
  type Assurance,
  checkRequest,
  checkTimes,
  type Expectations,
  isAssurance,
  isTimestamp,
  mustEqual,
  textClaim,
} from "./expectations.ts";
import { isJsonObject, type JsonObject, readJsonObject } from "./json.ts";
import { type PublicJwk, readPublicJwk, sha256 } from "./jwk.ts";
import { verifyJws } from "./jws.ts";

/** What only the service says. Times are seconds since 1970. */
export interface AttestedFacts {
  readonly sub: string;
  /** How sure the service was of the record. */
  readonly assurance: Assurance;
  readonly authTime: number;
  /** RFC 8176. */
  readonly amr: readonly string[];
  readonly method: string;
  /** Unique: an app that remembers it until five minutes after `until` accepts no attestation twice. */
  readonly jti: string;
  /** When the account began. Before, the domain may have had another owner. */
  readonly domainSince: number;
}

export interface Attestation {
  readonly facts: AttestedFacts;
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
  const payload = await verifyJws(text, TYP, ({ kid }) => findKey(expected.keys, kid));
  const claims = readJsonObject(payload);
  if (!claims) throw new VerificationError("malformed_claims", "the claims are not a JSON object");
  mustEqual(claims.iss, expected.issuer, "wrong_issuer", "iss does not match issuer");
  checkRequest(claims, expected);
  mustEqual(claims.domain, domain, "wrong_domain", "the attestation is for another domain");
  const exp = checkTimes(claims, expected, MAX_LIFETIME_S, "attestation");
  await checkAccessToken(claims, expected);
  const facts = readFacts(claims);
  checkAssurance(facts, expected);
  return { facts, sp: textClaim(claims, "sp"), acct: textClaim(claims, "acct"), exp };
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

function readFacts(claims: JsonObject): AttestedFacts {
  const { domain_since: domainSince, auth_time: authTime, amr, dns } = claims;
  const assurance = isJsonObject(dns) ? dns.status : undefined;
  const areTexts = Array.isArray(amr) && amr.every((method) => typeof method === "string");
  if (!areTexts || !isTimestamp(domainSince) || !isTimestamp(authTime) || !isAssurance(assurance)) {
    const message = "domain_since, auth_time, amr or dns is invalid";
    throw new VerificationError("malformed_claims", message);
  }
  const text = (name: string) => textClaim(claims, name);
  const [sub, method, jti] = [text("sub"), text("method"), text("jti")];
  return { sub, assurance, authTime, amr, method, jti, domainSince };
}

function checkAssurance({ assurance }: AttestedFacts, { minAssurance }: Expectations): void {
  if (minAssurance === undefined) return;
  if (ASSURANCES.indexOf(assurance) >= ASSURANCES.indexOf(minAssurance)) return;
  const message = `the assurance is ${assurance}, below ${minAssurance}`;
  throw new VerificationError("assurance_too_low", message);
}
