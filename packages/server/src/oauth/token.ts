// The token endpoint: the checks that all grant types share, in order.

import { FormError, readForm } from "../http/form.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { json } from "../http/responses.ts";
import type { Control } from "../interaction/control.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { AttemptStore } from "../store/attempts.ts";
import type { EvidenceStore } from "../store/evidence.ts";
import type { GrantStore } from "../store/grants.ts";
import type { Events } from "../telemetry/events.ts";
import { redeemAuthorizationCode } from "./authorization-code-grant.ts";
import type { Clients } from "./client.ts";
import { type AuthenticatedClient, authenticateClient } from "./client-authentication.ts";
import type { ClientKeys } from "./client-documents.ts";
import { asProvenClient, printable, TokenError } from "./errors.ts";
import { rotateRefreshToken } from "./refresh-token-grant.ts";
import type { TokenResponse } from "./token-response.ts";

type GrantValues = ReadonlyMap<string, string>;

const GRANTS: Record<
  "authorization_code" | "refresh_token",
  {
    required: readonly string[];
    handle: (by: AuthenticatedClient, values: GrantValues, deps: Deps) => Promise<TokenResponse>;
  }
> = {
  authorization_code: { required: ["code", "redirect_uri"], handle: redeemAuthorizationCode },
  refresh_token: {
    required: ["refresh_token"],
    handle: ({ client }, values, deps) => rotateRefreshToken(client, values, deps),
  },
};

interface Deps {
  readonly issuer: string;
  readonly store: GrantStore & EvidenceStore & AttemptStore;
  readonly clients: Clients;
  readonly clientKeys: ClientKeys;
  readonly keyring: Keyring;
  readonly control: Control;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

export function createTokenEndpoint(deps: Deps) {
  return {
    tokenEndpoint: (context: HttpRequest) => tokenEndpoint(context, deps),
  };
}

/** POST /oauth/token (RFC 6749 §3.2). */
async function tokenEndpoint(http: HttpRequest, deps: Deps): Promise<HttpResponse> {
  const form = await readTokenForm(http);
  const { values } = form;
  const grantType = values.get("grant_type");
  if (grantType === undefined) throw missing("grant_type");
  if (grantType !== "authorization_code" && grantType !== "refresh_token") {
    throw new TokenError(
      "unsupported_grant_type",
      "grant_type must be authorization_code or refresh_token",
    );
  }
  const grant = GRANTS[grantType];
  const absent = grant.required.find((name) => !values.has(name));
  if (absent !== undefined) throw missing(absent);
  const by = await authenticateClient(deps, http, form, grantType);
  const response = await grant.handle(by, values, deps).catch((error) => {
    throw by.isProven ? asProvenClient(error) : error;
  });
  return json(200, response, { pragma: "no-cache" });
}

/** Reads a form without duplicate parameters. Throws `TokenError` with `invalid_request`. */
export async function readTokenForm(http: HttpRequest) {
  try {
    const form = await readForm(http);
    const [duplicate] = form.repeated;
    if (duplicate === undefined) return form;
    throw new FormError(`duplicate parameter: ${printable(duplicate)}`);
  } catch (error) {
    if (error instanceof FormError) throw new TokenError("invalid_request", error.message);
    throw error;
  }
}

function missing(name: string): TokenError {
  return new TokenError("invalid_request", `${name} is missing`);
}
