// Clients that register themselves (RFC 7591): what they may say, how they are stored, and what they are told.

import { z } from "zod";
import type { Clock } from "../lib/clock.ts";
import { newSecret, type Random, randomText, sha256 } from "../lib/random.ts";
import type { ClientRow } from "../store/clients.ts";
import { RegistrationError } from "./client-errors.ts";
import {
  applicationTypeOf,
  checkUris,
  clientMetadata,
  messageOf,
  mistakeOf,
  selfRegistered,
} from "./client-metadata.ts";
import { CLIENT_DEFAULTS, type ClientRegistration } from "./client-registration.ts";
import { newClientRow } from "./client-row.ts";
import { hostOf } from "./redirect-target.ts";
import type { RegistrationPkce } from "./registration-mode.ts";

/** Anyone can cause so many rows that each must be small. */
const MAX_URIS = 10;
const MAX_STORED_CHARS = 2048;
/** How long a client is kept that nobody has signed in to. */
export const UNUSED_KEPT_S = 30 * 86_400;

const METHODS = ["client_secret_basic", "client_secret_post", "none"] as const;

// No back-channel logout, as if the member were unknown (RFC 7591 §2): anyone could make us send requests to a host.
const { backchannel_logout_uri: _, ...supported } = clientMetadata;

const metadata = z.object({
  ...supported,
  redirect_uris: clientMetadata.redirect_uris.max(MAX_URIS),
  /** The default of RFC 7591 §2. */
  token_endpoint_auth_method: z.enum(METHODS).default("client_secret_basic"),
});

/** As stored: the registration of a client, and how it authenticates. */
type DynamicRegistration = ClientRegistration & {
  readonly token_endpoint_auth_method: (typeof METHODS)[number];
};

/** Throws `RegistrationError` for what cannot be registered. */
export function readMetadata(body: unknown, pkce: RegistrationPkce): DynamicRegistration {
  const { success, data: read, error } = metadata.safeParse(body, { error: messageOf });
  if (!success) throw refusalOf(mistakeOf(error, "the request body"));
  const type = read.application_type ?? applicationTypeOf(read.redirect_uris);
  const uris = checkUris(read, type);
  const [refused] = uris.refused.values();
  if (refused !== undefined) throw refusalOf(refused);
  const { token_endpoint_auth_method: method } = read;
  const registration = {
    ...CLIENT_DEFAULTS,
    ...selfRegistered(read.scope),
    name: read.client_name ?? "",
    type: method === "none" ? "public" : "confidential",
    require_pkce: method === "none" || pkce === "required",
    application_type: type,
    redirect_uris: uris.redirect_uris,
    post_logout_redirect_uris: uris.post_logout_redirect_uris,
    backchannel_logout_uri: "",
    owner_proof: read.owner_proof,
    id_token_signed_response_alg: read.id_token_signed_response_alg,
    token_endpoint_auth_method: method,
  } as const;
  if (JSON.stringify(registration).length > MAX_STORED_CHARS) {
    throw refusalOf("the request body: describes a client that is larger than 2 KiB");
  }
  return registration;
}

/** A code of RFC 7591 §3.2.2, after the member that is wrong. */
function refusalOf(mistake: string): RegistrationError {
  const isUri = mistake.startsWith("redirect_uris");
  return new RegistrationError(isUri ? "invalid_redirect_uri" : "invalid_client_metadata", mistake);
}

/**
 * Throws `RegistrationError` if the redirect URIs have new hosts: the client is named after its hosts, also in the list
 * of apps that somebody allowed long ago. Ports may change.
 */
export function requireSameHosts(former: string, wanted: DynamicRegistration): void {
  const before: DynamicRegistration = JSON.parse(former);
  const hosts = new Set(before.redirect_uris.map(hostWithoutPort));
  const index = wanted.redirect_uris.findIndex((uri) => !hosts.has(hostWithoutPort(uri)));
  if (index === -1) return;
  throw refusalOf(`redirect_uris.${index}: is on a host that was not registered; register again`);
}

function hostWithoutPort(uri: string): string {
  return hostOf(uri).replace(/:\d+$/, "");
}

/** Returned only once, because only hashes are stored. */
export interface IssuedCredentials {
  readonly accessToken: string;
  /** Null for a public client. */
  readonly secret: string | null;
}

/** Throws `RegistrationError` for what cannot be registered. */
export function makeDynamicClient(
  body: unknown,
  deps: {
    readonly random: Random;
    readonly clock: Clock;
    readonly registrationPkce: RegistrationPkce;
  },
): { readonly row: ClientRow } & IssuedCredentials {
  const registration = readMetadata(body, deps.registrationPkce);
  const secret = registration.type === "public" ? null : newSecret(deps.random);
  const accessToken = `dsm_${randomText(deps.random, 32)}`;
  const row = newClientRow(registration, { secret }, deps);
  const own = { accessTokenHash: sha256(accessToken), expiresAt: row.createdAt + UNUSED_KEPT_S };
  return { row: { ...row, ...own }, secret, accessToken };
}

/** The client information response (RFC 7591 §3.2.1, RFC 7592 §3). A former secret is no longer known. */
export function informationOf(
  { id, registration, createdAt }: ClientRow,
  { accessToken, secret }: IssuedCredentials,
  issuer: string,
) {
  const stored: DynamicRegistration = JSON.parse(registration);
  const { name, post_logout_redirect_uris: after } = stored;
  return {
    client_id: id,
    client_id_issued_at: createdAt,
    ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
    registration_access_token: accessToken,
    registration_client_uri: `${issuer}/oauth/register/${id}`,
    ...(name !== "" && { client_name: name }),
    application_type: stored.application_type,
    redirect_uris: stored.redirect_uris,
    ...(after.length > 0 && { post_logout_redirect_uris: after }),
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: stored.token_endpoint_auth_method,
    // As in the request: what a request without `scope` asks for.
    scope: stored.default_scope,
    owner_proof: stored.owner_proof,
    subject_type: "public",
    id_token_signed_response_alg: stored.id_token_signed_response_alg,
  };
}
