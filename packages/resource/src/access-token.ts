// Verifies an access token: a JWT of the issuer for this resource (RFC 9068).

import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { AccessTokenError } from "./errors.ts";

/** A verified access token. The SDK of the Model Context Protocol accepts it as its `AuthInfo`. */
export interface AccessToken {
  /** As it was sent. */
  readonly token: string;
  /** The account. Use it as the key of the user: it never passes to another person. */
  readonly sub: string;
  /** The domain that the user signed in with, in A-labels: `alice.com`, `xn--bcher-kva.example`. */
  readonly domain: string;
  /** Since when the account has controlled the domain, in seconds since 1970. */
  readonly domainSince: number;
  /** The app that the user allowed to call this API. */
  readonly clientId: string;
  /** What it may do. Empty if nothing was granted besides access. */
  readonly scopes: string[];
  /** In seconds since 1970. */
  readonly expiresAt: number;
  /** All claims of the token, among them `auth_time`, `acr`, `amr` and `jti`. */
  readonly claims: Readonly<JWTPayload>;
}

const ALGORITHMS = ["ES256", "RS256", "EdDSA"];
/** Tolerated difference between the issuer's clock and ours. */
const CLOCK_TOLERANCE_S = 30;
const REQUIRED_CLAIMS = ["exp", "iat", "jti", "sub", "client_id", "domain", "domain_since"];
/**
 * Three parts of base64url. The last one is not signed, so it must have the one form that RFC 4648 §3.5
 * gives it: otherwise a valid token could be written in several ways.
 */
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/** Throws `AccessTokenError`: `invalid_token`, or what `keys` rejects with. */
export async function verifyAccessToken(
  token: string,
  { issuer, resource, keys }: { issuer: string; resource: string; keys: JWTVerifyGetKey },
): Promise<AccessToken> {
  if (!COMPACT_JWS.test(token)) throw invalid("The access token is malformed");
  const { payload } = await jwtVerify(token, keys, {
    algorithms: ALGORITHMS,
    typ: "at+jwt",
    issuer,
    audience: resource,
    clockTolerance: CLOCK_TOLERANCE_S,
    requiredClaims: REQUIRED_CLAIMS,
  }).catch((error: unknown) => {
    throw describeRefusal(error);
  });
  return readClaims(token, payload);
}

function readClaims(token: string, claims: JWTPayload): AccessToken {
  const { sub, domain, domain_since, client_id, scope = "", exp = 0, iat = 0, cnf } = claims;
  if (typeof sub !== "string" || typeof domain !== "string" || typeof client_id !== "string")
    throw invalid("A claim of the access token has the wrong type");
  if (typeof domain_since !== "number" || typeof scope !== "string")
    throw invalid("A claim of the access token has the wrong type");
  // Its key would have to be proven with each request (RFC 9449 §7.1), which is not done here.
  if (cnf !== undefined) throw invalid("The access token is bound to a key");
  if (iat > Date.now() / 1000 + CLOCK_TOLERANCE_S)
    throw invalid("The access token is not valid yet");
  return {
    ...{ token, sub, domain, domainSince: domain_since, clientId: client_id },
    ...{ scopes: scope === "" ? [] : scope.split(" "), expiresAt: exp, claims },
  };
}

function describeRefusal(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return invalid("The access token has expired", error);
  if (error instanceof errors.JWTClaimValidationFailed)
    return invalid(describeClaim(error.claim), error);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return invalid("The algorithm of the access token is not allowed", error);
  if (error instanceof errors.JWKSNoMatchingKey)
    return invalid("The access token is signed with an unknown key", error);
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return invalid("The signature of the access token is not valid", error);
  if (error instanceof errors.JOSEError) return invalid("The access token is malformed", error);
  return error;
}

function describeClaim(claim: string): string {
  switch (claim) {
    case "aud":
      return "The access token is for another resource";
    case "iss":
      return "The access token is from another issuer";
    case "typ":
      return "This is not an access token: its type is not at+jwt";
    case "nbf":
      return "The access token is not valid yet";
    default:
      return `The claim ${claim} of the access token is missing or invalid`;
  }
}

function invalid(description: string, cause?: unknown): AccessTokenError {
  return new AccessTokenError("invalid_token", description, { cause });
}
