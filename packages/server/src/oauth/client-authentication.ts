// Client authentication at the token and revocation endpoints: by secret or by assertion.

import { randomInt, timingSafeEqual } from "node:crypto";
import type { JWTPayload } from "jose";
import { ASSERTION_ALGORITHMS, type Client, type Lookup } from "../clients/client.ts";
import { ClientDocumentError, sanitizeDescription } from "../clients/client-errors.ts";
import type { HttpRequest } from "../http/message.ts";
import { NotBegunError } from "../lib/errors.ts";
import { isOver } from "../lib/lifetime.ts";
import { sha256 } from "../lib/random.ts";
import { ownedDomain } from "../lib/registrable-domain.ts";
import type { AssertionUse } from "../store/attempts.ts";
import type { Deps } from "./deps.ts";
import { TokenError } from "./protocol-errors.ts";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const MAX_ASSERTION_LIFETIME_S = 300;
/** Tolerated difference between our clock and the client's. */
const MAX_CLOCK_SKEW_S = 30;
const MAX_JTI_CHARS = 512;
/** Ids of uses are above 1, which an older version stores for the first use. */
const LEAST_USE = 2;
const MOST_USES = 2 ** 47;

type Values = ReadonlyMap<string, string>;

/** What the request sent: an assertion, a secret or neither. */
interface Credentials {
  readonly clientId: string;
  /** The unverified assertion. */
  readonly jws?: string;
  /** The possible decodings of the secret; empty if none was sent. */
  readonly secrets: readonly string[];
  readonly basic: boolean;
}

/** A client, or a resource that asks about its tokens. */
export type Authenticating = Pick<
  Client,
  | ("client_id" | "secrets" | "document" | "jwks" | "jwks_uri")
  | ("token_endpoint_auth_method" | "token_endpoint_auth_signing_alg")
> &
  Partial<Pick<Client, "refresh_client_auth">>;

export interface AuthenticatedClient<C extends Authenticating = Client> {
  readonly client: C;
  /** Whether it presented its secret or an assertion. Otherwise anyone may have sent the request. */
  readonly isProven: boolean;
  /** The use of its assertion, if it presented one. */
  readonly assertion?: AssertionUse;
}

/**
 * Authenticates the client, or throws `TokenError`. The result has `isProven: false` for a public
 * client, and for a refresh without a secret by a client with `refresh_client_auth: "optional"`.
 */
export async function authenticateClient<C extends Authenticating = Client>(
  deps: AssertionDeps & {
    readonly clients: { find(id: string, lookup?: Lookup): Promise<C | null> };
  },
  { header, clientAddress }: Pick<HttpRequest, "header" | "clientAddress">,
  values: Values,
  grantType: "authorization_code" | "refresh_token",
): Promise<AuthenticatedClient<C>> {
  const { clients, clock } = deps;
  const authorization = header("authorization");
  const { clientId, jws, secrets, basic } = hasAssertion(values)
    ? await readAssertion(values, authorization)
    : readSecret(values, authorization);
  const refuse = (description: string, detail: string) =>
    new TokenError("invalid_client", description, { detail, challenge: basic });

  const lookup = { requesterAddress: clientAddress, isUrgent: true };
  let client: C | null;
  try {
    client = await clients.find(clientId, lookup);
  } catch (error) {
    refuseBadDocument(error);
  }
  if (client === null) throw refuse("client_id is unknown", "client not found");
  const signs = client.token_endpoint_auth_method === "private_key_jwt";
  if (jws !== undefined) {
    if (!signs)
      throw refuse(
        "client_assertion was sent, but the client is not registered for private_key_jwt",
        "a client_assertion",
      );
    const assertion = await proveAssertion(jws, client, deps, clientAddress).catch(
      refuseBadDocument,
    );
    return { client, isProven: true, assertion };
  }
  if (signs) {
    throw refuse(
      "client_assertion is missing: the client must authenticate with private_key_jwt",
      "no client_assertion",
    );
  }
  if (client.secrets.length === 0) {
    if (secrets.length === 0) return { client, isProven: false };
    throw refuse("client_secret was sent, but the client is public", "public client");
  }
  if (secrets.length === 0) {
    if (grantType === "refresh_token" && client.refresh_client_auth === "optional") {
      return { client, isProven: false };
    }
    throw refuse("client_secret is missing", "no client secret");
  }
  // The cached client may be older than its newest secret.
  const secret =
    provenSecret(client, secrets) ??
    provenSecret(await clients.find(clientId, { forceRefresh: true, isUrgent: true }), secrets);
  if (secret === undefined) throw refuse("client_secret is wrong", "secret does not match");
  if (secret.expiresAt !== null && isOver({ since: 0, end: secret.expiresAt }, clock)) {
    throw refuse("client_secret is wrong", "secret was rotated and has expired");
  }
  return { client, isProven: true };
}

/**
 * Does what an authenticated request asks for. If that fails on our side, the assertion of the request counts as unused:
 * the client is told to come again.
 */
export async function forClient<T>(
  { assertion }: Pick<AuthenticatedClient, "assertion">,
  { grants }: Pick<AssertionDeps, "grants">,
  task: () => Promise<T>,
): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (assertion !== undefined && !(error instanceof TokenError))
      grants.forgetAssertion(assertion);
    throw error;
  }
}

/** Converts a bad document to `invalid_client`. A failure to fetch one is answered with 503. */
function refuseBadDocument(error: unknown): never {
  if (!(error instanceof ClientDocumentError) || error.kind === "unreachable") throw error;
  const text = sanitizeDescription(error.message);
  throw new TokenError("invalid_client", `the metadata document of client_id is invalid: ${text}`);
}

function provenSecret(client: Authenticating | null, secrets: readonly string[]) {
  return client?.secrets.find(({ hash }) =>
    secrets.some((sent) => timingSafeEqual(Buffer.from(sha256(sent)), Buffer.from(hash))),
  );
}

function badRequest(description: string): TokenError {
  return new TokenError("invalid_request", description);
}

function hasAssertion(values: Values): boolean {
  return values.has("client_assertion_type") || values.has("client_assertion");
}

/**
 * The assertion in the form, and the client by the form or by its `sub`. Throws `invalid_request` if it is incomplete,
 * of another type, or combined with another method.
 */
async function readAssertion(values: Values, authorization: string | null): Promise<Credentials> {
  const [type, jws] = [values.get("client_assertion_type"), values.get("client_assertion")];
  if (jws === undefined) throw badRequest("client_assertion is missing");
  if (type !== ASSERTION_TYPE) throw badRequest(`client_assertion_type must be ${ASSERTION_TYPE}`);
  if (authorization !== null || values.has("client_secret")) {
    throw badRequest("client_assertion cannot be combined with another authentication method");
  }
  const clientId = values.get("client_id") ?? (await subjectOf(jws));
  if (clientId !== undefined) return { clientId, jws, secrets: [], basic: false };
  throw new TokenError("invalid_client", "client_assertion is not a JWT with a sub claim");
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

type AssertionDeps = Pick<
  Deps,
  "issuer" | "attempts" | "assertionLimit" | "clock" | "clientKeys"
> & {
  readonly grants: Pick<Deps["grants"], "forgetAssertion" | "hasUnwrittenMark">;
};

/**
 * Resolves to its use if the client signed the assertion for this issuer and it was not used before (RFC 7523
 * §3). Throws `invalid_client`, and what `clientKeys` throws.
 */
export async function proveAssertion(
  jws: string,
  client: Authenticating,
  deps: AssertionDeps,
  requesterAddress: string,
): Promise<AssertionUse> {
  const { issuer, attempts, clock, grants } = deps;
  const now = clock.seconds();
  const { aud, exp = 0, iat, jti } = await verify(jws, client, deps, requesterAddress);
  if (aud !== issuer && !(Array.isArray(aud) && aud.length === 1)) {
    throw refuseAssertion("aud must contain only the issuer");
  }
  if (exp > now + MAX_ASSERTION_LIFETIME_S) {
    throw refuseAssertion(`exp is more than ${MAX_ASSERTION_LIFETIME_S} seconds in the future`);
  }
  if (iat !== undefined && iat > now + MAX_CLOCK_SKEW_S) {
    throw refuseAssertion("iat is in the future");
  }
  if (typeof jti !== "string" || jti === "" || jti.length > MAX_JTI_CHARS) {
    throw refuseAssertion(`jti must be a string of 1 to ${MAX_JTI_CHARS} characters`);
  }
  // Anybody can publish such a client, and each assertion is stored until it expires.
  if (client.document) deps.assertionLimit.take(ownedDomain(new URL(client.client_id).hostname));
  // The store knows the uses on all nodes, so exactly one is the first.
  const name = `assertion ${sha256(JSON.stringify([client.client_id, jti]))}`;
  const windowSeconds = Math.ceil(exp) + 2 * MAX_CLOCK_SKEW_S - now;
  // An earlier request with it failed on our side, and the database does not know that yet.
  if (grants.hasUnwrittenMark(name)) throw new NotBegunError("an earlier use still counts");
  const assertion = { name, use: randomInt(LEAST_USE, MOST_USES) };
  const using = attempts.useOnce({ ...assertion, windowSeconds, now });
  const isFirst = await using.catch((error) => {
    // It may count, and the client is told to come again.
    if (!(error instanceof NotBegunError)) grants.forgetAssertion(assertion);
    throw error;
  });
  if (!isFirst) throw refuseAssertion("jti was already used");
  return assertion;
}

/** Verifies the signature with the registered keys, never with one from the JWT header. */
async function verify(
  jws: string,
  client: Authenticating,
  deps: AssertionDeps,
  requesterAddress: string,
  forceRefresh = false,
): Promise<JWTPayload> {
  const { jwtVerify, createLocalJWKSet, errors } = await import("jose");
  // Outside of the `try`, because failing to fetch keys does not make the assertion invalid.
  const keys = createLocalJWKSet(await deps.clientKeys(client, { requesterAddress, forceRefresh }));
  const { client_id, token_endpoint_auth_signing_alg: alg } = client;
  try {
    const { payload } = await jwtVerify(jws, keys, {
      algorithms: alg === undefined ? [...ASSERTION_ALGORITHMS] : [alg],
      issuer: client_id,
      subject: client_id,
      audience: deps.issuer,
      requiredClaims: ["exp", "jti"],
      clockTolerance: MAX_CLOCK_SKEW_S,
      currentDate: new Date(deps.clock.milliseconds()),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey && !forceRefresh) {
      return verify(jws, client, deps, requesterAddress, true);
    }
    // Messages of jose contain names of claims and algorithms, but no values.
    throw refuseAssertion(error instanceof Error ? error.message : String(error));
  }
}

function refuseAssertion(reason: string): TokenError {
  const text = sanitizeDescription(reason);
  return new TokenError("invalid_client", `client_assertion is invalid: ${text}`);
}

/** The client_id and the secret in the form or in the header, but not a secret in both. */
function readSecret(values: Values, authorization: string | null): Credentials {
  const clientId = values.get("client_id");
  const secret = values.get("client_secret");
  if (authorization === null) {
    if (clientId === undefined) {
      throw badRequest("client_id is missing and no Authorization header was sent");
    }
    return { clientId, secrets: secret === undefined ? [] : [secret], basic: false };
  }
  const credentials = readBasic(authorization);
  if (secret !== undefined) {
    throw badRequest("client_secret was sent in both the Authorization header and the form");
  }
  if (clientId !== undefined && clientId !== credentials.clientId) {
    throw badRequest("client_id does not match the Authorization header");
  }
  return credentials;
}

/** Accepts raw secrets too, since many clients omit the form encoding of RFC 6749 §2.3.1. */
function readBasic(authorization: string): Credentials {
  if (authorization.includes(",")) {
    throw badRequest("more than one Authorization header was sent");
  }
  if (!/^basic( |$)/i.test(authorization)) {
    throw new TokenError("invalid_client", "the Authorization header must use the Basic scheme");
  }
  const [, encoded = ""] = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization) ?? [];
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  const clientId = formDecoded(pair.slice(0, Math.max(colon, 0)));
  if (clientId === "" || clientId.includes("\0")) {
    throw badRequest("the Basic credentials in the Authorization header are malformed");
  }
  const rawSecret = pair.slice(colon + 1);
  const decoded = formDecoded(rawSecret);
  const secrets = (decoded === rawSecret ? [rawSecret] : [decoded, rawSecret]).filter(
    (text) => text !== "",
  );
  return { clientId, secrets, basic: true };
}

function formDecoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
