// Clients: what is known of one, how it is found and shown.

import type { JSONWebKeySet } from "jose";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { type Random, randomText } from "../lib/random.ts";
import type { ClientRow, ClientStore } from "../store/clients.ts";
import { isClaimableByAnyone } from "./redirect-target.ts";

const DAY_S = 86_400;

/** What a client is registered with unless its registration says otherwise. Times in seconds. */
export const CLIENT_DEFAULTS = {
  application_type: "web",
  scope: "openid",
  /** A native app that anyone can claim to be asks each time. */
  consent: "first",
  /** A public client needs it in any case. */
  require_pkce: false,
  refresh_client_auth: "required",
  subject_type: "account",
  validation_data: true,
  /** What OIDC's dynamic registration has as its default. */
  id_token_signed_response_alg: "RS256",
  refresh_idle_lifetime: 30 * DAY_S,
  refresh_absolute_lifetime: 365 * DAY_S,
  refresh_retry_window: 30,
} as const;

/** What a registration settles, as `client-registration` has checked it. Times in seconds. */
export interface ClientSettings {
  readonly name: string;
  readonly type: "confidential" | "public";
  readonly application_type: "web" | "native";
  readonly redirect_uris: readonly string[];
  /** Separated by spaces. */
  readonly scope: string;
  readonly consent: "never" | "first" | "always";
  readonly require_pkce: boolean;
  readonly refresh_client_auth: "required" | "optional";
  /** What `sub` names: the account, or the domain for a client that insists. */
  readonly subject_type: "account" | "domain";
  /** Whether token responses to it prove control of the domain. */
  readonly validation_data: boolean;
  /** What ID tokens to it are signed with. */
  readonly id_token_signed_response_alg: "RS256" | "ES256" | "EdDSA";
  /** After its last rotation a refresh token dies. */
  readonly refresh_idle_lifetime: number;
  /** After the sign-in it dies in any case. */
  readonly refresh_absolute_lifetime: number;
  /** In which an identical retry of a refresh gets the identical answer; 0 for never. */
  readonly refresh_retry_window: number;
}

/** As it is stored: what was left to its default stays so. */
export type GivenSettings = Omit<ClientSettings, "consent" | "require_pkce"> &
  Partial<{ [K in "consent" | "require_pkce"]: ClientSettings[K] | undefined }>;

/** For registrations that are older than the setting. */
const ADDED_LATER = {
  subject_type: "account",
  validation_data: true,
  id_token_signed_response_alg: "RS256",
} as const;

export type Client = ClientSettings & {
  readonly client_id: string;
  /** None for a public client; two while a rotated secret is still valid. */
  readonly secrets: readonly ClientSecret[];
} & Partial<DocumentSettings>;

/** What assertions are signed with: never a shared secret, never `none`. */
export const ASSERTION_ALGORITHMS = ["ES256", "EdDSA", "RS256"] as const;

/** What only a client has that is described by its own metadata document. */
export interface DocumentSettings {
  readonly document: true;
  /** The issuer of a service whose apps sign in through us; on the host of its client_id. */
  readonly issuer: string;
  readonly token_endpoint_auth_method: "none" | "private_key_jwt";
  readonly token_endpoint_auth_signing_alg: (typeof ASSERTION_ALGORITHMS)[number];
  /** The keys that it signs assertions with, or where they are: one of them. */
  readonly jwks: JSONWebKeySet;
  readonly jwks_uri: string;
}

export interface ClientSecret {
  readonly hash: string;
  /** In epoch seconds; null for the secret of today. */
  readonly expiresAt: number | null;
}

/** 256 random bits, so that a plain SHA-256 of them may be stored. */
export function newSecret(random: Random): string {
  return `dss_${randomText(random, 32)}`;
}

/** What stands in the store was checked when it was written. Defaults follow from what it says now. */
export function readClient(row: ClientRow): Client {
  const given: GivenSettings = { ...ADDED_LATER, ...JSON.parse(row.registration) };
  const { type, application_type, redirect_uris } = given;
  const isClaimable = application_type === "native" && redirect_uris.some(isClaimableByAnyone);
  return {
    ...given,
    // Anyone can claim the id of an app on the person's own device: it asks each time.
    consent: given.consent ?? (isClaimable ? "always" : CLIENT_DEFAULTS.consent),
    require_pkce: type === "public" || (given.require_pkce ?? CLIENT_DEFAULTS.require_pkce),
    client_id: row.id,
    secrets: secretsOf(row),
  };
}

function secretsOf({ secretHash, formerSecretHash, formerSecretExpiresAt }: ClientRow) {
  const secrets: ClientSecret[] = [];
  if (secretHash !== null) secrets.push({ hash: secretHash, expiresAt: null });
  if (formerSecretHash !== null) {
    secrets.push({ hash: formerSecretHash, expiresAt: formerSecretExpiresAt });
  }
  return secrets;
}

/** What `sub` says to the client of an account. */
export function subjectOf(
  { subject_type }: Pick<Client, "subject_type">,
  account: { readonly id: string; readonly domain: string },
): string {
  return subject_type === "domain" ? account.domain : account.id;
}

/** A client as the operator sees it: never with its secret. */
export function clientView(client: Client): Omit<Client, "secrets"> {
  const { secrets: _, client_id, ...registration } = client;
  return { client_id, ...registration };
}

export interface Clients {
  /**
   * `requesterAddress` is the address of a request that has proven nothing yet: it may have us ask for few
   * documents. Rejects with `ClientDocumentError` and with `TooManyRequestsError`.
   */
  find(id: string, requesterAddress?: string): Promise<Client | null>;
  /** Past what is remembered, at most once a second for each client: guessing costs the store little. */
  findAgain(id: string): Promise<Client | null>;
}

const CACHED_MS = 5000;
const READ_AGAIN_MS = 1000;
const MAX_CLIENTS = 10_000;

/**
 * Clients by id, remembered for five seconds: a guessed token then costs the store nothing. Absence
 * is not remembered, so a client works as soon as it is added.
 */
export function cachedClients(store: ClientStore, clock: Clock): Clients {
  const cache = createCache<{ client: Client; readAtMs: number }>({
    clock,
    maxEntries: MAX_CLIENTS,
  });

  async function read(id: string, now: number): Promise<Client | null> {
    const row = await store.findClient(id);
    if (row === null) {
      cache.delete(id);
      return null;
    }
    const client = readClient(row);
    cache.set(id, { client, readAtMs: now }, CACHED_MS);
    return client;
  }

  /** What is remembered for less than so many milliseconds, else what is read now. */
  async function notOlder(id: string, milliseconds: number): Promise<Client | null> {
    const now = clock.milliseconds();
    const cached = cache.get(id);
    const isFresh = cached !== undefined && now - cached.readAtMs < milliseconds;
    return isFresh ? cached.client : read(id, now);
  }

  return {
    find: (id) => notOlder(id, CACHED_MS),
    findAgain: (id) => notOlder(id, READ_AGAIN_MS),
  };
}
