// Clients: their settings, how they are looked up and how they are displayed.

import type { JSONWebKeySet } from "jose";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { type Random, randomText } from "../lib/random.ts";
import type { ClientRow, ClientStore } from "../store/clients.ts";
import { isClaimableByAnyone } from "./redirect-target.ts";

const DAY_S = 86_400;

/** The default settings of a client. Lifetimes are in seconds. */
export const CLIENT_DEFAULTS = {
  application_type: "web",
  scope: "openid",
  /** The default is "always" for a native app whose redirect_uri other apps can claim. */
  consent: "first",
  /** Always true for a public client. */
  require_pkce: false,
  refresh_client_auth: "required",
  subject_type: "account",
  validation_data: true,
  /** The default of OpenID Connect Dynamic Client Registration §2. */
  id_token_signed_response_alg: "RS256",
  refresh_idle_lifetime: 30 * DAY_S,
  refresh_absolute_lifetime: 365 * DAY_S,
  refresh_retry_window: 30,
} as const;

/** The settings of a client, validated by `client-registration.ts`. Lifetimes are in seconds. */
interface ClientSettings {
  readonly name: string;
  readonly type: "confidential" | "public";
  readonly application_type: "web" | "native";
  readonly redirect_uris: readonly string[];
  /** A space-separated list. */
  readonly scope: string;
  readonly consent: "never" | "first" | "always";
  readonly require_pkce: boolean;
  readonly refresh_client_auth: "required" | "optional";
  /** What `sub` identifies. A domain may get a new owner, an account does not. */
  readonly subject_type: "account" | "domain";
  /** Whether its token responses contain `validation_data`. */
  readonly validation_data: boolean;
  readonly id_token_signed_response_alg: "RS256" | "ES256" | "EdDSA";
  /** Counts from the last rotation of the refresh token. */
  readonly refresh_idle_lifetime: number;
  /** Counts from the sign-in. */
  readonly refresh_absolute_lifetime: number;
  /** How long a retry of a refresh gets the same refresh token; 0 disables retries. */
  readonly refresh_retry_window: number;
}

/** The stored settings. A setting that was not given follows the current default. */
export type GivenSettings = Omit<ClientSettings, "consent" | "require_pkce"> &
  Partial<{ [K in "consent" | "require_pkce"]: ClientSettings[K] | undefined }>;

/** Values for registrations that are older than these settings. */
const ADDED_LATER = {
  subject_type: "account",
  validation_data: true,
  id_token_signed_response_alg: "RS256",
} as const;

export interface Client extends ClientSettings, Partial<DocumentSettings> {
  readonly client_id: string;
  /** Empty for a public client. Two entries while a rotated secret is still valid. */
  readonly secrets: readonly ClientSecret[];
}

/** The algorithms for client assertions. Excludes shared secrets and `none`. */
export const ASSERTION_ALGORITHMS = ["ES256", "EdDSA", "RS256"] as const;

/** Additional settings of a client with a metadata document. */
interface DocumentSettings {
  readonly document: true;
  /** Set if the client is a service that signs users in to its own apps. Same origin as client_id. */
  readonly issuer: string;
  readonly token_endpoint_auth_method: "none" | "private_key_jwt";
  readonly token_endpoint_auth_signing_alg: (typeof ASSERTION_ALGORITHMS)[number];
  /** The keys for client assertions, or their URL. At most one of the two is set. */
  readonly jwks: JSONWebKeySet;
  readonly jwks_uri: string;
}

interface ClientSecret {
  readonly hash: string;
  /** In epoch seconds; null for the current secret. */
  readonly expiresAt: number | null;
}

/** Has 256 random bits, so that an unsalted SHA-256 hash of it can be stored. */
export function newSecret(random: Random): string {
  return `dss_${randomText(random, 32)}`;
}

/** Rows are not validated again. Defaults are derived from the stored settings. */
export function readClient(row: ClientRow): Client {
  const given: GivenSettings = { ...ADDED_LATER, ...JSON.parse(row.registration) };
  const { type, application_type, redirect_uris } = given;
  const isClaimable = application_type === "native" && redirect_uris.some(isClaimableByAnyone);
  return {
    ...given,
    // Another app on the device could impersonate this one, so ask each time (RFC 8252 §8.6).
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

/** The `sub` of an account for a client. */
export function subjectOf(
  { subject_type }: Pick<Client, "subject_type">,
  account: { readonly id: string; readonly domain: string },
): string {
  return subject_type === "domain" ? account.domain : account.id;
}

/** A client for display to the operator, without its secrets. */
export function clientView(client: Client): Omit<Client, "secrets"> {
  const { secrets: _, client_id, ...registration } = client;
  return { client_id, ...registration };
}

export interface Clients {
  /**
   * Null if there is no such client. Fetching documents is rate-limited by `requesterAddress`; omit
   * it for authenticated requests. Rejects with `ClientDocumentError` and `TooManyRequestsError`.
   */
  find(id: string, requesterAddress?: string): Promise<Client | null>;
  /** Accepts only a recent cache entry, so guesses cost at most one query a second per client. */
  findFresh(id: string): Promise<Client | null>;
}

const CACHE_TTL_MS = 5000;
const FRESH_TTL_MS = 1000;
const MAX_CLIENTS = 10_000;

/**
 * Registered clients, cached for five seconds. Absence is not cached, so that a client can be used
 * as soon as it is added.
 */
export function cachedClients(store: ClientStore, clock: Clock): Clients {
  const options = { clock, maxEntries: MAX_CLIENTS };
  const cache = createCache<{ client: Client; readAtMs: number }>(options);

  async function findNotOlder(id: string, maxAgeMs: number): Promise<Client | null> {
    const now = clock.milliseconds();
    const cached = cache.get(id);
    if (cached !== undefined && now - cached.readAtMs < maxAgeMs) return cached.client;
    const row = await store.findClient(id);
    const client = row && readClient(row);
    if (client === null) cache.delete(id);
    else cache.set(id, { client, readAtMs: now }, CACHE_TTL_MS);
    return client;
  }

  return {
    find: (id) => findNotOlder(id, CACHE_TTL_MS),
    findFresh: (id) => findNotOlder(id, FRESH_TTL_MS),
  };
}
