// Client authentication at the token, revocation and introspection endpoints: by secret or by assertion.

import { randomInt, timingSafeEqual } from "node:crypto";
import type { JWTPayload } from "jose";
import { ASSERTION_ALGORITHMS, type Client, type Lookup } from "../clients/client.ts";
import type { ClientKeys } from "../clients/client-documents.ts";
import { ClientDocumentError, sanitizeDescription } from "../clients/client-errors.ts";
import { formDecoded } from "../http/form.ts";
import type { HttpRequest } from "../http/message.ts";
import type { KeyLimit } from "../http/rate-limit.ts";
import { requesterAt } from "../http/requester.ts";
import type { Clock } from "../lib/clock.ts";
import { NotBegunError } from "../lib/errors.ts";
import type { Requester } from "../lib/fair-queue.ts";
import { isOver } from "../lib/lifetime.ts";
import { sha256 } from "../lib/random.ts";
import { ownedDomain } from "../lib/registrable-domain.ts";
import type { AssertionUse, AttemptStore } from "../store/attempts.ts";
import type { GrantStore } from "../store/grants.ts";
import { invalidRequest, TokenError } from "./protocol-errors.ts";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const MAX_ASSERTION_LIFETIME_S = 300;
/** Tolerated difference between our clock and the client's. */
const MAX_CLOCK_SKEW_S = 30;
const MAX_JTI_CHARS = 512;
/** Ids of uses are above 1, which an older version stores for the first use. */
const LEAST_USE = 2;
const MOST_USES = 2 ** 47;

export type Values = ReadonlyMap<string, string>;

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
export interface Authenticating extends Partial<Omit<Client, "uri">> {
  readonly client_id: string;
  readonly secrets: Client["secrets"];
  /** Only a resource has one. */
  readonly uri?: string;
}

export interface AuthenticatedClient<C extends Authenticating = Client> {
  readonly client: C;
  /** Who sent the request. */
  readonly from: Requester;
  /** Whether it presented its secret or an assertion. Otherwise anyone may have sent the request. */
  readonly isProven: boolean;
  /** The use of its assertion, if it presented one. */
  readonly assertion?: AssertionUse;
}

/** `isRefresh`: some clients need no secret for a refresh. */
export interface AuthenticationMethod<C> {
  readonly find: (id: string, lookup: Lookup) => Promise<C | null>;
  readonly isRefresh?: boolean;
}

interface Deps {
  readonly issuer: string;
  readonly clientKeys: ClientKeys;
  /** Limits the stored assertions of all self-registered clients of one registrant. */
  readonly assertionLimit: KeyLimit;
  readonly attempts: AttemptStore;
  readonly grants: GrantStore;
  readonly clock: Clock;
}

export type ClientAuthentication = ReturnType<typeof createClientAuthentication>;

export function createClientAuthentication(deps: Deps) {
  const { issuer, clientKeys, assertionLimit, attempts, grants, clock } = deps;
  return { authenticate, proveAssertion, forClient };

  /** Throws `TokenError`. `isProven` is false for a public client, and for a refresh that may omit the secret. */
  async function authenticate<C extends Authenticating>(
    { header, clientAddress }: HttpRequest,
    values: Values,
    { find, isRefresh = false }: AuthenticationMethod<C>,
  ): Promise<AuthenticatedClient<C>> {
    const authorization = header("authorization");
    const hasAssertion = values.has("client_assertion_type") || values.has("client_assertion");
    const credentials = hasAssertion
      ? await readAssertion(values, authorization)
      : readSecret(values, authorization);
    const { clientId, jws, secrets, basic: challenge } = credentials;
    const refuse = (description: string, detail: string) =>
      new TokenError("invalid_client", description, { detail, challenge });

    const from = requesterAt(clientAddress);
    const lookup = { from, isUrgent: true };
    const client = await find(clientId, lookup).catch(refuseBadDocument);
    if (client === null) throw refuse("client_id is unknown", "client not found");
    const signs = client.token_endpoint_auth_method === "private_key_jwt";
    if (jws !== undefined) {
      if (!signs) {
        const problem = "the client is not registered for private_key_jwt";
        throw refuse(`client_assertion was sent, but ${problem}`, "a client_assertion");
      }
      const assertion = await proveAssertion(jws, client, from).catch(refuseBadDocument);
      return { client, from, isProven: true, assertion };
    }
    if (signs) {
      const problem = "the client must authenticate with private_key_jwt";
      throw refuse(`client_assertion is missing: ${problem}`, "no client_assertion");
    }
    if (secrets.length === 0) {
      const mayOmit = isRefresh && client.refresh_client_auth === "optional";
      if (client.secrets.length === 0 || mayOmit) return { client, from, isProven: false };
      throw refuse("client_secret is missing", "no client secret");
    }
    if (client.secrets.length === 0) {
      throw refuse("client_secret was sent, but the client is public", "public client");
    }
    // The cached client may be older than its newest secret.
    const secret =
      provenSecret(client, secrets) ??
      provenSecret(await find(clientId, { forceRefresh: true, isUrgent: true }), secrets);
    if (secret === undefined) throw refuse("client_secret is wrong", "secret does not match");
    if (secret.expiresAt !== null && isOver({ since: 0, end: secret.expiresAt }, clock)) {
      throw refuse("client_secret is wrong", "secret was rotated and has expired");
    }
    return { client, from, isProven: true };
  }

  /** The use of a valid and new assertion (RFC 7523 §3). Throws `invalid_client`, and what `clientKeys` throws. */
  async function proveAssertion(
    jws: string,
    client: Authenticating,
    from: Requester,
  ): Promise<AssertionUse> {
    const now = clock.seconds();
    const { aud, exp = 0, iat, jti } = await verify(jws, client, from);
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
    if (client.document) assertionLimit.take(ownedDomain(new URL(client.client_id).hostname));
    // The store knows the uses on all nodes, so exactly one is the first.
    const name = `assertion ${sha256(JSON.stringify([client.client_id, jti]))}`;
    const windowSeconds = Math.ceil(exp) + 2 * MAX_CLOCK_SKEW_S - now;
    // An earlier request with this assertion failed on our side, but the database does not know it yet.
    if (grants.hasUnwrittenMark(name)) throw new NotBegunError("an earlier use still counts");
    const assertion = { name, use: randomInt(LEAST_USE, MOST_USES) };
    const using = attempts.useOnce({ ...assertion, windowSeconds, now });
    const isFirst = await using.catch((error) => {
      // The use may have been stored, but the client is told to retry.
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
    from: Requester,
    forceRefresh = false,
  ): Promise<JWTPayload> {
    const { jwtVerify, createLocalJWKSet, errors } = await import("jose");
    // Outside of the `try`, because failing to fetch keys does not make the assertion invalid.
    const keys = createLocalJWKSet(await clientKeys(client, { from, forceRefresh }));
    const { client_id, token_endpoint_auth_signing_alg: alg } = client;
    try {
      const { payload } = await jwtVerify(jws, keys, {
        algorithms: alg === undefined ? [...ASSERTION_ALGORITHMS] : [alg],
        issuer: client_id,
        subject: client_id,
        audience: issuer,
        requiredClaims: ["exp", "jti"],
        clockTolerance: MAX_CLOCK_SKEW_S,
        currentDate: new Date(clock.milliseconds()),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey && !forceRefresh) {
        return verify(jws, client, from, true);
      }
      // Messages of jose contain names of claims and algorithms, but no values.
      throw refuseAssertion(error instanceof Error ? error.message : String(error));
    }
  }

  /** Runs an authenticated request. If it fails on our side, its assertion counts as unused: the client is to retry. */
  async function forClient<T>(
    { assertion }: { readonly assertion?: AssertionUse },
    task: () => Promise<T>,
  ): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (assertion !== undefined && !(error instanceof TokenError)) {
        grants.forgetAssertion(assertion);
      }
      throw error;
    }
  }
}

/** Converts a bad document to `invalid_client`. A failure to fetch one is answered with 503. */
function refuseBadDocument(error: unknown): never {
  if (!(error instanceof ClientDocumentError) || error.kind === "unreachable") throw error;
  const text = sanitizeDescription(error.message);
  throw new TokenError("invalid_client", `the metadata document of client_id is invalid: ${text}`);
}

function provenSecret(client: Authenticating | null, secrets: readonly string[]) {
  return client?.secrets.find(({ hash }) => secrets.some((sent) => isSecretOf(hash, sent)));
}

/** Whether a client secret or another random token has the stored hash. */
export function isSecretOf(hash: string, sent: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(sent)), Buffer.from(hash));
}

/** The assertion, and the client that the form or the `sub` of the assertion names. Throws `TokenError`. */
async function readAssertion(values: Values, authorization: string | null): Promise<Credentials> {
  const [type, jws] = [values.get("client_assertion_type"), values.get("client_assertion")];
  if (jws === undefined) throw invalidRequest("client_assertion is missing");
  if (type !== ASSERTION_TYPE)
    throw invalidRequest(`client_assertion_type must be ${ASSERTION_TYPE}`);
  if (authorization !== null || values.has("client_secret")) {
    throw invalidRequest("client_assertion cannot be combined with another authentication method");
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
      throw invalidRequest("client_id is missing and no Authorization header was sent");
    }
    return { clientId, secrets: secret === undefined ? [] : [secret], basic: false };
  }
  const credentials = readBasic(authorization);
  if (secret !== undefined) {
    throw invalidRequest("client_secret was sent in both the Authorization header and the form");
  }
  if (clientId !== undefined && clientId !== credentials.clientId) {
    throw invalidRequest("client_id does not match the Authorization header");
  }
  return credentials;
}

/** Accepts raw secrets too, since many clients omit the form encoding of RFC 6749 §2.3.1. */
function readBasic(authorization: string): Credentials {
  if (authorization.includes(",")) {
    throw invalidRequest("more than one Authorization header was sent");
  }
  if (!/^basic( |$)/i.test(authorization)) {
    throw new TokenError("invalid_client", "the Authorization header must use the Basic scheme");
  }
  const [, encoded = ""] = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization) ?? [];
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  const rawId = pair.slice(0, Math.max(colon, 0));
  const clientId = formDecoded(rawId) ?? rawId;
  if (clientId === "" || clientId.includes("\0")) {
    throw invalidRequest("the Basic credentials in the Authorization header are malformed");
  }
  const rawSecret = pair.slice(colon + 1);
  const decoded = formDecoded(rawSecret) ?? rawSecret;
  // No `Set`, which is slower: almost every request runs this code.
  const distinct = decoded === rawSecret ? [rawSecret] : [decoded, rawSecret];
  return { clientId, secrets: rawSecret === "" ? [] : distinct, basic: true };
}
