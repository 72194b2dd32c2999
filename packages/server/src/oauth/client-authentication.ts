// Which client is speaking at the token endpoint, and whether it proved that.

import { timingSafeEqual } from "node:crypto";
import type { Parameters } from "../http/form.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Clock } from "../lib/clock.ts";
import { sha256 } from "../lib/random.ts";
import type { AttemptStore } from "../store/attempts.ts";
import type { Client, ClientSecret, Clients } from "./client.ts";
import { type Assertion, proveAssertion, readAssertion } from "./client-assertion.ts";
import type { ClientKeys } from "./client-documents.ts";
import { TokenError, wordsInDescription } from "./errors.ts";
import { ClientDocumentError } from "./remote-json.ts";

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
  if (client === null) throw refuse("the client is unknown", "no such client");
  if (client.token_endpoint_auth_method === "private_key_jwt") {
    throw refuse("the client must authenticate by private_key_jwt", "no assertion");
  }
  if (client.secrets.length === 0) {
    if (credentials.secrets.length > 0) {
      throw refuse("the client has no secret, but one was sent", "a secret for a public client");
    }
    return { client, isProven: false };
  }
  if (credentials.secrets.length === 0) {
    if (grantType === "refresh_token" && client.refresh_client_auth === "optional") {
      return { client, isProven: false };
    }
    throw refuse("the client must authenticate with its secret", "no secret");
  }
  // What is remembered of the client may be older than its newest secret.
  const secret =
    provenSecret(client, credentials) ??
    provenSecret(await clients.findAgain(credentials.clientId), credentials);
  if (secret === undefined) throw refuse("the client secret is wrong", "another secret");
  if (secret.expiresAt !== null && secret.expiresAt <= clock.seconds()) {
    throw refuse("the client secret is wrong", "a secret that was rotated and has expired");
  }
  return { client, isProven: true };
}

async function byAssertion(
  assertion: Assertion,
  askedBy: string,
  parts: AuthenticationParts,
): Promise<AuthenticatedClient> {
  const client = await findClient(assertion.clientId, askedBy, parts);
  if (client === null) throw new TokenError("invalid_client", "the client is unknown");
  if (client.token_endpoint_auth_method !== "private_key_jwt") {
    const description = "the client does not authenticate by private_key_jwt";
    throw new TokenError("invalid_client", description);
  }
  await proveAssertion(assertion, client, parts, askedBy).catch(badDocument);
  return { client, isProven: true };
}

function findClient(
  id: string,
  askedBy: string,
  { clients }: { readonly clients: Clients },
): Promise<Client | null> {
  return clients.find(id, askedBy).catch(badDocument);
}

/** A document that cannot be had leaves the request: it says nothing of the client. */
function badDocument(error: unknown): never {
  if (!(error instanceof ClientDocumentError) || error.kind === "unreachable") throw error;
  throw new TokenError(
    "invalid_client",
    `the client's document is bad: ${wordsInDescription(error.message)}`,
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
      throw new TokenError("invalid_request", "client_id is missing, and there is no Basic header");
    }
    return {
      clientId: bodyId,
      secrets: bodySecret === undefined ? [] : [bodySecret],
      basic: false,
    };
  }
  const basic = readBasic(authorization);
  if (bodySecret !== undefined) {
    throw new TokenError("invalid_request", "send the client secret in one place only");
  }
  if (bodyId !== undefined && bodyId !== basic.clientId) {
    throw new TokenError("invalid_request", "client_id differs from that of the Basic header");
  }
  return basic;
}

/** RFC 6749 §2.3.1: id and secret are form-encoded first. Many clients do not: raw counts as well. */
function readBasic(authorization: string): Credentials {
  if (authorization.includes(",")) {
    throw new TokenError("invalid_request", "there is more than one Authorization header");
  }
  const [, encoded] = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) {
    if (/^basic( |$)/i.test(authorization)) {
      throw new TokenError("invalid_request", "the Basic header is malformed");
    }
    throw new TokenError("invalid_client", "only Basic is understood in the Authorization header");
  }
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  const clientId = formDecoded(pair.slice(0, Math.max(colon, 0)));
  if (clientId === "" || clientId.includes("\0")) {
    throw new TokenError("invalid_request", "the Basic header is malformed");
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
