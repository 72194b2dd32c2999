// A client that proves itself with a signed assertion: private_key_jwt (RFC 7523, OIDC Core §9).

import type { JWTPayload, JWTVerifyGetKey } from "jose";
import type { Parameters } from "../http/form.ts";
import type { Clock } from "../lib/clock.ts";
import { sha256 } from "../lib/random.ts";
import type { AttemptStore } from "../store/attempts.ts";
import { ASSERTION_ALGORITHMS, type Client } from "./client.ts";
import type { ClientKeys } from "./client-documents.ts";
import { TokenError, wordsInDescription } from "./errors.ts";

const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** Seconds that an assertion may still be good for. */
const LONGEST = 300;
/** Seconds that the client's clock may be off. */
const SKEW = 30;
const LONGEST_JTI = 512;

/** As it was sent: nothing of it is proven. */
export interface Assertion {
  readonly jws: string;
  /** From the form, else from the assertion itself. */
  readonly clientId: string;
}

/**
 * The assertion in a form, or null. Throws `invalid_request` for half of one, for another kind, and
 * beside another way to authenticate.
 */
export async function readAssertion(
  { values }: Parameters,
  authorization: string | null,
): Promise<Assertion | null> {
  const [type, jws] = [values.get("client_assertion_type"), values.get("client_assertion")];
  if (type === undefined && jws === undefined) return null;
  if (jws === undefined) throw new TokenError("invalid_request", "client_assertion is missing");
  if (type !== TYPE) {
    throw new TokenError("invalid_request", `client_assertion_type must be ${TYPE}`);
  }
  if (authorization !== null || values.has("client_secret")) {
    throw new TokenError("invalid_request", "send an assertion or a secret, not both");
  }
  const clientId = values.get("client_id") ?? (await subjectOf(jws));
  if (clientId === undefined) {
    throw new TokenError("invalid_client", "the client assertion is not a JWT with a sub");
  }
  return { jws, clientId };
}

/**
 * Resolves if the client signed the assertion, for us, and it was never used before. Throws
 * `invalid_client`, and what `clientKeys` throws.
 */
export async function proveAssertion(
  { jws }: Assertion,
  client: Client,
  parts: {
    readonly issuer: string;
    readonly store: AttemptStore;
    readonly clock: Clock;
    readonly clientKeys: ClientKeys;
  },
  askedBy: string,
): Promise<void> {
  const now = parts.clock.seconds();
  const claims = await verified(jws, client, { ...parts, askedBy, now });
  const { aud, exp = 0, iat, jti } = claims;
  if (aud !== parts.issuer && !(Array.isArray(aud) && aud.length === 1)) {
    throw refuse("aud names others beside the issuer");
  }
  if (exp > now + LONGEST) throw refuse(`exp is over ${LONGEST} seconds ahead`);
  if (iat !== undefined && iat > now + SKEW) throw refuse("iat is in the future");
  if (typeof jti !== "string" || jti === "" || jti.length > LONGEST_JTI) {
    throw refuse("jti is missing or too long");
  }
  // Counted by the store: of all who present it, on every node, one is the first.
  const name = `assertion ${sha256(JSON.stringify([client.client_id, jti]))}`;
  const windowSeconds = Math.ceil(exp) + 2 * SKEW - now;
  const { count } = await parts.store.countAttempt({ name, windowSeconds, now });
  if (count > 1) throw refuse("jti was used before");
}

/** The claims, signed by a key of the client's own that no header of the assertion brought along. */
async function verified(
  jws: string,
  client: Client,
  parts: { readonly issuer: string; readonly clientKeys: ClientKeys } & {
    askedBy: string;
    now: number;
  },
): Promise<JWTPayload> {
  const { jwtVerify, createLocalJWKSet, errors } = await import("jose");
  const { clientKeys, askedBy, now } = parts;
  // Outside of what is judged below: a key set that cannot be had says nothing of the assertion.
  const known = createLocalJWKSet(await clientKeys(client, { askedBy, isAgain: false }));
  const verify = (keys: JWTVerifyGetKey) =>
    jwtVerify(jws, keys, {
      algorithms: algorithmsOf(client),
      issuer: client.client_id,
      subject: client.client_id,
      audience: parts.issuer,
      requiredClaims: ["exp", "jti"],
      clockTolerance: SKEW,
      currentDate: new Date(now * 1000),
    });
  try {
    return (await verify(known)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw refuse(reasonOf(error));
  }
  const newer = createLocalJWKSet(await clientKeys(client, { askedBy, isAgain: true }));
  try {
    return (await verify(newer)).payload;
  } catch (error) {
    throw refuse(reasonOf(error));
  }
}

function algorithmsOf({ token_endpoint_auth_signing_alg: alg }: Client): string[] {
  return alg === undefined ? [...ASSERTION_ALGORITHMS] : [alg];
}

async function subjectOf(jws: string): Promise<string | undefined> {
  const { decodeJwt } = await import("jose");
  try {
    const { sub } = decodeJwt(jws);
    return typeof sub === "string" && sub !== "" && !sub.includes("\0") ? sub : undefined;
  } catch {
    return undefined;
  }
}

/** The library's words name claims and algorithms, never their values. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function refuse(reason: string): TokenError {
  const words = wordsInDescription(reason);
  return new TokenError("invalid_client", `the client assertion is refused: ${words}`);
}
