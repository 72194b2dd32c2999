// Clients: their settings, how they are stored, and what they are called.

import type { JSONWebKeySet } from "jose";
import type { Requester } from "../lib/fair-queue.ts";
import type { ClientRow } from "../store/clients.ts";
import type { ClientRegistration } from "./client-registration.ts";
import { type Secret, secretsOf } from "./client-row.ts";
import { hostOf, isClaimableByAnyone } from "./redirect-target.ts";

/** The algorithms for client assertions. Excludes shared secrets and `none`. */
export const ASSERTION_ALGORITHMS = ["ES256", "EdDSA", "RS256"] as const;

type ClientSettings = {
  readonly [K in keyof ClientRegistration]-?: NonNullable<ClientRegistration[K]>;
};

export interface Client extends ClientSettings {
  /** Resources have one. Introspection tells clients from resources by it. */
  readonly uri?: never;
  readonly client_id: string;
  /** Empty for a public client. Two entries while a rotated secret is still valid. */
  readonly secrets: readonly Secret[];

  // Of a client that published a metadata document, or registered itself (`dynamic`, RFC 7591):
  readonly document?: true;
  readonly dynamic?: true;
  /** Whether nobody has signed in yet to a client that registered itself. */
  readonly isUnused?: boolean;
  /** What a client that registered itself calls itself; empty if it does not say. */
  readonly own_name?: string;
  /** Redirect URIs of the document that cannot be used, with what is wrong with each. */
  readonly refused_uris?: ReadonlyMap<string, string>;
  /** Set if the client is a service that signs users in to its own apps. Same origin as client_id. */
  readonly issuer?: string | undefined;
  readonly token_endpoint_auth_method?:
    | ("none" | "private_key_jwt")
    | ("client_secret_basic" | "client_secret_post");
  readonly token_endpoint_auth_signing_alg?: (typeof ASSERTION_ALGORITHMS)[number] | undefined;
  /** The keys for client assertions, or their URL. At most one of the two is set. */
  readonly jwks?: JSONWebKeySet | undefined;
  readonly jwks_uri?: string | undefined;
}

/** Values for registrations that are older than these settings. */
const ADDED_LATER = {
  post_logout_redirect_uris: [] as string[],
  backchannel_logout_uri: "",
  subject_type: "account",
  validation_data: true,
  owner_proof: "when_available",
  id_token_signed_response_alg: "RS256",
  default_scope: "",
} as const;

/** Rows are not validated again. Defaults are derived from the stored settings. */
export function readClient(row: ClientRow): Client {
  const given: ClientRegistration = { ...ADDED_LATER, ...JSON.parse(row.registration) };
  const { type, application_type, redirect_uris } = given;
  const isClaimable = application_type === "native" && redirect_uris.some(isClaimableByAnyone);
  return {
    ...given,
    ...(row.accessTokenHash !== null && ofItself(given, row)),
    // Another app on the device could impersonate this one, so ask each time (RFC 8252 §8.6).
    consent: given.consent ?? (isClaimable ? "always" : "first"),
    require_pkce: type === "public" || given.require_pkce === true,
    client_id: row.id,
    secrets: secretsOf(row),
  };
}

/**
 * Only the hosts of its redirect URIs are known of a client that registered itself. Former versions also stored where
 * it wants to be notified.
 */
function ofItself({ name, redirect_uris }: ClientRegistration, { usedAt }: ClientRow) {
  const hosts = [...new Set(redirect_uris.map(hostOf))].join(", ");
  const isUnused = usedAt === null;
  const known = { own_name: name, name: nameBehind(hosts, name) };
  return { dynamic: true, isUnused, ...known, backchannel_logout_uri: "" } as const;
}

/** Anyone can choose any name, so what is known of the client comes first. */
export function nameBehind(known: string, name: string | undefined): string {
  return name && !name.includes(known) ? `${known} (${name})` : known;
}

/** The name of a client on the pages of a request, after which the person is sent to `redirectUri`. */
export function nameFor({ name, own_name }: Client, redirectUri: string): string {
  return own_name === undefined ? name : nameBehind(hostOf(redirectUri), own_name);
}

/** The `sub` of an account for a client. */
export function subjectOf(
  client: Client,
  { id, domain }: { readonly id: string; readonly domain: string },
): string {
  return client.subject_type === "domain" ? domain : id;
}

export interface Lookup {
  /** Who causes a fetch of a document. Default: this service itself, for authenticated requests. */
  readonly from?: Requester | undefined;
  /** Accepts only a recent cache entry. */
  readonly forceRefresh?: boolean;
  /** Waits less long for the database, because the request can be repeated. */
  readonly isUrgent?: boolean;
}

export interface Clients {
  /** Null if there is no such client. Rejects with `ClientDocumentError` and `BusyError`. */
  find(id: string, lookup?: Lookup): Promise<Client | null>;
}
