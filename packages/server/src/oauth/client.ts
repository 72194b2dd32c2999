// Registered clients: how they are stored, looked up and managed by the operator.

import type { JSONWebKeySet } from "jose";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { newSecret, type Random, sha256 } from "../lib/random.ts";
import type { ClientRow, ClientStore } from "../store/clients.ts";
import type { EndingStore } from "../store/endings.ts";
import type { ClientRegistration, ClientRegistrationInput } from "./client-registration.ts";
import { isClaimableByAnyone } from "./redirect-target.ts";

/** The algorithms for client assertions. Excludes shared secrets and `none`. */
export const ASSERTION_ALGORITHMS = ["ES256", "EdDSA", "RS256"] as const;

type ClientSettings = {
  readonly [K in keyof ClientRegistration]-?: NonNullable<ClientRegistration[K]>;
};

/** Additional settings of a client that published a metadata document, or registered itself (`dynamic`, RFC 7591). */
interface SelfRegisteredSettings {
  readonly document?: true;
  readonly dynamic?: true;
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

export interface Client extends ClientSettings, SelfRegisteredSettings {
  readonly client_id: string;
  /**
   * Empty for a public client. Two entries while a rotated secret is still valid. `expiresAt` is in
   * epoch seconds, or null for the current secret.
   */
  readonly secrets: readonly { readonly hash: string; readonly expiresAt: number | null }[];
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
  const secrets = [
    { hash: row.secretHash, expiresAt: null },
    { hash: row.formerSecretHash, expiresAt: row.formerSecretExpiresAt },
  ];
  return {
    ...given,
    // Another app on the device could impersonate this one, so ask each time (RFC 8252 §8.6).
    consent: given.consent ?? (isClaimable ? "always" : "first"),
    require_pkce: type === "public" || given.require_pkce === true,
    client_id: row.id,
    secrets: secrets.flatMap(({ hash, expiresAt }) => (hash === null ? [] : { hash, expiresAt })),
  };
}

/** The `sub` of an account for a client. */
export function subjectOf(
  { subject_type }: Pick<Client, "subject_type">,
  account: { readonly id: string; readonly domain: string },
): string {
  return subject_type === "domain" ? account.domain : account.id;
}

/** How the settings or the keys of a client are looked up. */
export interface Lookup {
  /** Limits how often documents are fetched. Omitted for authenticated requests. */
  readonly requesterAddress?: string | undefined;
  /** Accepts only a recent cache entry. */
  readonly forceRefresh?: boolean;
}

export interface Clients {
  /** Null if there is no such client. Rejects with `ClientDocumentError` and `TooManyRequestsError`. */
  find(id: string, lookup?: Lookup): Promise<Client | null>;
}

const CACHE_TTL_MS = 5000;
/** Guesses of a secret cost at most one query a second per client. */
const FRESH_TTL_MS = 1000;
const MAX_CLIENTS = 10_000;

/** Absence is not cached, so that a client can be used as soon as it is added. */
export function cachedClients(store: ClientStore, clock: Clock): Clients {
  const options = { clock, maxEntries: MAX_CLIENTS };
  const cache = createCache<{ client: Client; readAtMs: number }>(options);
  return { find };

  async function find(id: string, { forceRefresh }: Lookup = {}): Promise<Client | null> {
    const now = clock.monotonic();
    const cached = cache.get(id);
    const maxAgeMs = forceRefresh ? FRESH_TTL_MS : CACHE_TTL_MS;
    if (cached !== undefined && now - cached.readAtMs < maxAgeMs) return cached.client;
    const row = await store.findClient(id);
    const client = row === null || row.resource !== null ? null : readClient(row);
    if (client === null) cache.delete(id);
    else cache.set(id, { client, readAtMs: now }, CACHE_TTL_MS);
    return client;
  }
}

/** A client for display to the operator, with the names of its registration. */
type ClientView = Omit<Client, "secrets">;

export function clientView(row: ClientRow): ClientView {
  const { secrets: _, client_id, ...registration } = readClient(row);
  return { client_id, ...registration };
}

export interface ClientRegistry {
  /** Returns the secret, which cannot be read again. Rejects with an `OperatorError`. */
  add(input: ClientRegistrationInput): Promise<ClientView & { client_secret: string | null }>;
  list(): Promise<ClientView[]>;
  show(id: string): Promise<ClientView | null>;
  /**
   * Replaces the settings in `changes`. Null if there is no such client. Rejects with an
   * `OperatorError` that lists all mistakes.
   */
  update(id: string, changes: ClientChanges): Promise<ClientView | null>;
  /**
   * Creates a new secret, also of a resource. The previous one stays valid for `overlap` seconds, and any older one
   * becomes invalid. Null if there is no such client.
   */
  rotateSecret(id: string, overlap: number): Promise<RotatedSecret | null>;
  /**
   * Ends the previous secret before its overlap is over. Null if there is no such client, false if it has no
   * previous secret.
   */
  endSecret(id: string): Promise<boolean | null>;
  /** Removes the client and revokes its grants, or removes the resource; false if there is none. */
  remove(id: string): Promise<boolean>;
}

/** The type of a client cannot change, because it decides whether the client has a secret. */
export type ClientChanges = Partial<Omit<ClientRegistrationInput, "type">>;

interface RotatedSecret {
  readonly client_id: string;
  readonly client_secret: string;
  /** In epoch seconds. */
  readonly former_secret_expires_at: number;
}

/** Loaded on demand: a service that only reads clients starts without zod. */
const registrations = () => import("./client-registration.ts");

export function clientRegistry(deps: {
  store: ClientStore & Pick<EndingStore, "recordEndedSecret">;
  clock: Clock;
  random: Random;
  /** Resolves when the database can be used. */
  ready: Promise<unknown>;
}): ClientRegistry {
  const { store, clock, random, ready } = deps;
  const findRow = (id: string) => ready.then(() => store.findClient(id));
  async function find(id: string): Promise<ClientRow | null> {
    const row = await findRow(id);
    return row?.resource === null ? row : null;
  }
  return {
    async add(input) {
      const { makeClient } = await registrations();
      const { row, secret } = makeClient(input, deps);
      await ready;
      await store.addClient(row);
      const { client_id, ...registration } = clientView(row);
      return { client_id, client_secret: secret, ...registration };
    },
    async list() {
      await ready;
      return (await store.listClients()).map(clientView);
    },
    async show(id) {
      const row = await find(id);
      return row && clientView(row);
    },
    async update(id, changes) {
      if (Object.keys(changes).length === 0) throw new OperatorError("no changes were given");
      const row = await find(id);
      if (row === null) return null;
      const { readRegistration } = await registrations();
      const former = JSON.parse(row.registration);
      const wanted = readRegistration({ ...former, ...changes }, former);
      const to = JSON.stringify(wanted);
      if (await store.updateClient(id, { from: row.registration, to })) {
        return clientView({ ...row, registration: to });
      }
      const problem = "was changed by another request: check it and try again";
      throw new OperatorError(`client ${id} ${problem}`);
    },
    async rotateSecret(id, overlap) {
      const row = await findRow(id);
      if (row === null) return null;
      const { secretHash: from } = row;
      if (from === null) throw new OperatorError(`client ${id} is public and has no secret`);
      const secret = newSecret(random);
      const now = clock.seconds();
      const formerExpiresAt = overlap === 0 ? null : now + overlap;
      // Recorded first: if this process is killed in between, the operator runs the command again.
      const ending = [row.formerSecretHash, overlap === 0 ? from : null];
      for (const hash of ending) if (hash !== null) await store.recordEndedSecret(id, hash, now);
      if (!(await store.rotateClientSecret(id, { from, to: sha256(secret), formerExpiresAt }))) {
        throw new OperatorError(`the secret of client ${id} was rotated by another request`);
      }
      return { client_id: id, client_secret: secret, former_secret_expires_at: now + overlap };
    },
    async endSecret(id) {
      const row = await findRow(id);
      if (row === null) return null;
      if (row.formerSecretHash === null) return false;
      await store.recordEndedSecret(id, row.formerSecretHash, clock.seconds());
      return store.endFormerSecret(id, row.formerSecretHash);
    },
    async remove(id) {
      const row = await findRow(id);
      const now = clock.seconds();
      // The client of a restored backup must not have them again.
      for (const hash of [row?.secretHash, row?.formerSecretHash]) {
        if (hash) await store.recordEndedSecret(id, hash, now);
      }
      return store.removeClient(id, now);
    },
  };
}
