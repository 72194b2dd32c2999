// Which client is speaking at the token endpoint, and whether it proved that.

import { timingSafeEqual } from "node:crypto";
import type { Parameters } from "../http/form.ts";
import { sha256 } from "../lib/random.ts";
import type { Client, ClientSecret } from "./client.ts";
import { TokenError } from "./errors.ts";
import type { OAuthParts } from "./parts.ts";

interface Credentials {
  readonly clientId: string;
  /** Spellings of the secret to try; empty when none was sent. */
  readonly secrets: readonly string[];
  readonly basic: boolean;
}

/**
 * The authenticated client. A public client has only its `client_id` to show, and so has, at the
 * refresh grant, one registered with `refresh_client_auth: "optional"`.
 */
export async function authenticateClient(
  { clients, clock }: Pick<OAuthParts, "clients" | "clock">,
  authorization: string | null,
  form: Parameters,
  grantType: "authorization_code" | "refresh_token",
): Promise<AuthenticatedClient> {
  const credentials = readCredentials(authorization, form);
  const refuse = (description: string, detail: string) =>
    new TokenError("invalid_client", description, { detail, challenge: credentials.basic });

  const client = await clients.find(credentials.clientId);
  if (client === null) throw refuse("the client is unknown", "no such client");
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

export interface AuthenticatedClient {
  readonly client: Client;
  /** Whether it showed its secret; without, it may be anybody. */
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
