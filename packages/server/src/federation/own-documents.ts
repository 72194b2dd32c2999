// Client ID metadata documents of this service, one for each external SP, and its client keys.

import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { json } from "../http/responses.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import { type AuthMethod, spKey } from "./sp-authorization.ts";

const CACHED = { "cache-control": "public, max-age=3600" };

/** The URL of the document, which is our client_id at the SP. */
export function documentUrl(issuer: string, sp: string, kind: "client" | "public-client"): string {
  return `${issuer}/federation/${kind}/${spKey(sp)}`;
}

/** Client metadata, also used for registration (RFC 7591). `key` is the `spKey` of the SP. */
export function clientMetadata(issuer: string, key: string, method: AuthMethod) {
  return {
    client_name: `domain-signin at ${new URL(issuer).host}`,
    redirect_uris: [`${issuer}/federation/callback/${key}`],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: method,
    ...(method === "private_key_jwt" && {
      token_endpoint_auth_signing_alg: "ES256",
      jwks_uri: `${issuer}/federation/jwks.json`,
    }),
    scope: "openid",
    issuer,
    domain_signin_version: 1,
  };
}

interface Deps {
  readonly issuer: string;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

export function createClientDocuments({ issuer, keyring, clock }: Deps) {
  function documentOf(kind: string, method: AuthMethod, h = ""): HttpResponse {
    if (!/^[A-Za-z0-9_-]{43}$/.test(h)) {
      return json(404, { error: "not_found", error_description: "client not found" });
    }
    const client_id = `${issuer}/federation/${kind}/${h}`;
    return json(200, { client_id, ...clientMetadata(issuer, h, method) }, CACHED);
  }

  return {
    /** GET /federation/client/:h */
    clientDocument: ({ params }: HttpRequest) => documentOf("client", "private_key_jwt", params.h),

    /** GET /federation/public-client/:h, for SPs without private_key_jwt. */
    publicClientDocument: ({ params }: HttpRequest) =>
      documentOf("public-client", "none", params.h),

    /** GET /federation/jwks.json */
    clientAssertionKeys: () =>
      json(200, { keys: keyring.clientAssertionKeys(clock.seconds()) }, CACHED),
  };
}
