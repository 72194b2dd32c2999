// Which client is speaking at the token endpoint, and whether it proved that: by secret or by assertion.

import { timingSafeEqual } from "node:crypto";
import type { JWTPayload, JWTVerifyGetKey } from "jose";
import type { Parameters } from "../http/form.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Clock } from "../lib/clock.ts";
import { sha256 } from "../lib/random.ts";
import type { AttemptStore } from "../store/attempts.ts";
import { ASSERTION_ALGORITHMS, type Client, type ClientSecret, type Clients } from "./client.ts";
import type { ClientKeys } from "./client-documents.ts";
import { sanitizeDescription, TokenError } from "./errors.ts";
import { ClientDocumentError } from "./remote-json.ts";

const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const MAX_ASSERTION_LIFETIME_S = 300;
/** Tolerated difference between our clock and the client's. */
const MAX_CLOCK_SKEW_S = 30;
const MAX_JTI_CHARS = 512;

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
    throw new TokenError(
      "invalid_request",
      "client_assertion cannot be combined with another authentication method",
    );
  }
  const clientId = values.get("client_id") ?? (await subjectOf(jws));
  if (clientId === undefined) {
    throw new TokenError("invalid_client", "client_assertion is not a JWT with a sub claim");
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
  requesterAddress: string,
): Promise<void> {
  const now = parts.clock.seconds();
  const claims = await verified(jws, client, { ...parts, requesterAddress, now });
  const { aud, exp = 0, iat, jti } = claims;
  if (aud !== parts.issuer && !(Array.isArray(aud) && aud.length === 1)) {
    throw refuse("aud must contain only the issuer");
  }
  if (exp > now + MAX_ASSERTION_LIFETIME_S) {
    throw refuse(`exp is more than ${MAX_ASSERTION_LIFETIME_S} seconds in the future`);
  }
  if (iat !== undefined && iat > now + MAX_CLOCK_SKEW_S) throw refuse("iat is in the future");
  if (typeof jti !== "string" || jti === "" || jti.length > MAX_JTI_CHARS) {
    throw refuse(`jti must be a string of 1 to ${MAX_JTI_CHARS} characters`);
  }
  // Counted by the store: of all who present it, on every node, one is the first.
  const name = `assertion ${sha256(JSON.stringify([client.client_id, jti]))}`;
  const windowSeconds = Math.ceil(exp) + 2 * MAX_CLOCK_SKEW_S - now;
  const { count } = await parts.store.countAttempt({ name, windowSeconds, now });
  if (count > 1) throw refuse("jti was already used");
}

/** The claims, signed by a key of the client's own that no header of the assertion brought along. */
async function verified(
  jws: string,
  client: Client,
  parts: { readonly issuer: string; readonly clientKeys: ClientKeys } & {
    requesterAddress: string;
    now: number;
  },
): Promise<JWTPayload> {
  const { jwtVerify, createLocalJWKSet, errors } = await import("jose");
  const { clientKeys, requesterAddress, now } = parts;
  // Outside of what is judged below: a key set that cannot be had says nothing of the assertion.
  const known = createLocalJWKSet(await clientKeys(client, { requesterAddress, isAgain: false }));
  const verify = (keys: JWTVerifyGetKey) =>
    jwtVerify(jws, keys, {
      algorithms: algorithmsOf(client),
      issuer: client.client_id,
      subject: client.client_id,
      audience: parts.issuer,
      requiredClaims: ["exp", "jti"],
      clockTolerance: MAX_CLOCK_SKEW_S,
      currentDate: new Date(now * 1000),
    });
  try {
    return (await verify(known)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw refuse(reasonOf(error));
  }
  const newer = createLocalJWKSet(await clientKeys(client, { requesterAddress, isAgain: true }));
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
  const words = sanitizeDescription(reason);
  return new TokenError("invalid_client", `client_assertion is invalid: ${words}`);
}

interface Credentials {
  readonly clientId: string;
  /** Spellings of the secret to try; empty when none was sent. */
  readonly secrets: readonly string[];
  readonly basic: boolean;
}

type AuthenticationParts = {
  readonly clients: Clients;
  readonly clientKeys: ClientKeys;
  readonly clock: Clock;
  readonly issuer: string;
  readonly store: AttemptStore;
};

/** A request of a client, from the address `clientAddress`. */
type ClientRequest = Pick<HttpRequest, "header" | "clientAddress">;

/**
 * The authenticated client. A public client has only its `client_id` to show, and so has, at the
 * refresh grant, one registered with `refresh_client_auth: "optional"`.
 */
export async function authenticateClient(
  parts: AuthenticationParts,
  { header, clientAddress }: ClientRequest,
  form: Parameters,
  grantType: "authorization_code" | "refresh_token",
): Promise<AuthenticatedClient> {
  const { clients, clock } = parts;
  const authorization = header("authorization");
  const assertion = await readAssertion(form, authorization);
  if (assertion !== null) return byAssertion(assertion, clientAddress, parts);
  const credentials = readCredentials(authorization, form);
  const refuse = (description: string, detail: string) =>
    new TokenError("invalid_client", description, { detail, challenge: credentials.basic });

  const client = await findClient(credentials.clientId, clientAddress, parts);
  if (client === null) throw refuse("unknown client", "client not found");
  if (client.token_endpoint_auth_method === "private_key_jwt") {
    throw refuse("the client must authenticate with private_key_jwt", "no client_assertion");
  }
  if (client.secrets.length === 0) {
    if (credentials.secrets.length > 0) {
      throw refuse("a client secret was sent for a public client", "a secret for a public client");
    }
    return { client, isProven: false };
  }
  if (credentials.secrets.length === 0) {
    if (grantType === "refresh_token" && client.refresh_client_auth === "optional") {
      return { client, isProven: false };
    }
    throw refuse("the client must authenticate with its secret", "no client secret");
  }
  // What is remembered of the client may be older than its newest secret.
  const secret =
    provenSecret(client, credentials) ??
    provenSecret(await clients.findAgain(credentials.clientId), credentials);
  if (secret === undefined) throw refuse("the client secret is wrong", "secret does not match");
  if (secret.expiresAt !== null && secret.expiresAt <= clock.seconds()) {
    throw refuse("the client secret is wrong", "secret was rotated and has expired");
  }
  return { client, isProven: true };
}

async function byAssertion(
  assertion: Assertion,
  requesterAddress: string,
  parts: AuthenticationParts,
): Promise<AuthenticatedClient> {
  const client = await findClient(assertion.clientId, requesterAddress, parts);
  if (client === null) throw new TokenError("invalid_client", "unknown client");
  if (client.token_endpoint_auth_method !== "private_key_jwt") {
    const description = "the client is not registered for private_key_jwt";
    throw new TokenError("invalid_client", description);
  }
  await proveAssertion(assertion, client, parts, requesterAddress).catch(badDocument);
  return { client, isProven: true };
}

function findClient(
  id: string,
  requesterAddress: string,
  { clients }: { readonly clients: Clients },
): Promise<Client | null> {
  return clients.find(id, requesterAddress).catch(badDocument);
}

/** A document that cannot be had leaves the request: it says nothing of the client. */
function badDocument(error: unknown): never {
  if (!(error instanceof ClientDocumentError) || error.kind === "unreachable") throw error;
  throw new TokenError(
    "invalid_client",
    `invalid client metadata document: ${sanitizeDescription(error.message)}`,
  );
}

export interface AuthenticatedClient {
  readonly client: Client;
  /** Whether it showed its secret or signed; without, it may be anybody. */
  readonly isProven: boolean;
}

function provenSecret(client: Client | null, { secrets }: Credentials): ClientSecret | undefined {
  return client?.secrets.find(({ hash }) =>
    secrets.some((sent) => timingSafeEqual(Buffer.from(sha256(sent)), Buffer.from(hash))),
  );
}

function readCredentials(authorization: string | null, form: Parameters): Credentials {
  const bodyId = form.values.get("client_id");
  const bodySecret = form.values.get("client_secret");
  if (authorization === null) {
    if (bodyId === undefined) {
      throw new TokenError(
        "invalid_request",
        "client_id is missing and no Authorization header was sent",
      );
    }
    return {
      clientId: bodyId,
      secrets: bodySecret === undefined ? [] : [bodySecret],
      basic: false,
    };
  }
  const basic = readBasic(authorization);
  if (bodySecret !== undefined) {
    throw new TokenError(
      "invalid_request",
      "the client secret was sent in both the Authorization header and the form",
    );
  }
  if (bodyId !== undefined && bodyId !== basic.clientId) {
    throw new TokenError("invalid_request", "client_id does not match the Authorization header");
  }
  return basic;
}

/** RFC 6749 §2.3.1: id and secret are form-encoded first. Many clients do not: raw counts as well. */
function readBasic(authorization: string): Credentials {
  if (authorization.includes(",")) {
    throw new TokenError("invalid_request", "more than one Authorization header was sent");
  }
  const [, encoded] = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) {
    if (/^basic( |$)/i.test(authorization)) {
      throw new TokenError(
        "invalid_request",
        "the Basic credentials in the Authorization header are malformed",
      );
    }
    throw new TokenError("invalid_client", "the Authorization header must use the Basic scheme");
  }
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  const clientId = formDecoded(pair.slice(0, Math.max(colon, 0)));
  if (clientId === "" || clientId.includes("\0")) {
    throw new TokenError(
      "invalid_request",
      "the Basic credentials in the Authorization header are malformed",
    );
  }
  const rawSecret = pair.slice(colon + 1);
  const secrets = [...new Set([formDecoded(rawSecret), rawSecret])].filter((text) => text !== "");
  return { clientId, secrets, basic: true };
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
