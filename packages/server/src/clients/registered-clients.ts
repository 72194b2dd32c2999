// The registered clients and resources, as they are looked up: each is read again after five seconds.

import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { ClientStore } from "../store/clients.ts";
import { type Client, type Clients, type Lookup, readClient } from "./client.ts";
import { type RegisteredResource, readResource } from "./resource.ts";

const CACHE_TTL_MS = 5000;
/** Guesses of a secret that come one after the other cost at most one query a second for each client or resource. */
const FRESH_TTL_MS = 1000;
const MAX_CLIENTS = 10_000;
const MAX_RESOURCES = 1000;

export type RegisteredResources = ReturnType<typeof createRegisteredClients>["resources"];

type Caller = Client | RegisteredResource;

interface ClientEntry {
  readonly registered: Caller;
  readonly readAtMs: number;
}

/** Absence is not cached, so that a client or a resource can be used as soon as it is added. */
export function createRegisteredClients(registrations: ClientStore, clock: Clock) {
  const byId = createCache<ClientEntry | null>({ clock, maxEntries: MAX_CLIENTS });
  const byUri = createCache<RegisteredResource | null>({ clock, maxEntries: MAX_RESOURCES });
  const names = createCache<ReadonlySet<string>>({ clock, maxEntries: 1 });
  const clients: Clients = { find: (id, lookup) => find(id, lookup, clientOf) };
  return { clients, resources: { findCaller, findByUri, readByUri, scopes } };

  /** A client or a resource, in one read. People may have to wait for what an API asks. */
  function findCaller(id: string, { forceRefresh = false }: Lookup): Promise<Caller | null> {
    return find(id, { forceRefresh }, (entry) => entry?.registered ?? null);
  }

  async function find<T>(
    id: string,
    { forceRefresh, isUrgent = false }: Lookup = {},
    select: (entry: ClientEntry | null) => T,
  ): Promise<T> {
    const now = clock.monotonic();
    const cached = byId.get(id);
    const maxAgeMs = forceRefresh ? FRESH_TTL_MS : CACHE_TTL_MS;
    if (cached && now - cached.readAtMs < maxAgeMs) return select(cached);
    // Not shared: a read that began earlier could miss a secret that was added since.
    const reading = () => read(id, isUrgent);
    return select(await (forceRefresh ? reading() : byId.share(`${isUrgent} ${id}`, reading)));
  }

  async function read(id: string, isUrgent: boolean): Promise<ClientEntry | null> {
    const readAtMs = clock.monotonic();
    const row = await registrations.findClient(id, { isUrgent });
    const registered = row && (row.resource === null ? readClient(row) : readResource(row));
    const entry = registered && { registered, readAtMs };
    const known = byId.get(id);
    // This read began before the cached read, so it may have missed a change.
    if (known && known.readAtMs > readAtMs) return entry;
    if (entry === null) byId.delete(id);
    else byId.set(id, entry, CACHE_TTL_MS);
    return entry;
  }

  async function findByUri(uri: string): Promise<RegisteredResource | null> {
    const cached = byUri.get(uri);
    if (cached) return cached;
    return byUri.share(uri, () => readByUri(uri));
  }

  /** As it is now, so that a scope that was removed is gone at once. Not shared: an earlier read could miss that. */
  async function readByUri(uri: string): Promise<RegisteredResource | null> {
    const row = await registrations.findResource(uri);
    const resource = row && readResource(row);
    if (resource === null) byUri.delete(uri);
    else byUri.set(uri, resource, CACHE_TTL_MS);
    return resource;
  }

  /** The scopes of all registered resources. */
  async function scopes(): Promise<ReadonlySet<string>> {
    const known = names.get("");
    if (known !== undefined) return known;
    return names.share("", async () => {
      const all = (await registrations.listResources()).map(readResource);
      const found = new Set(all.flatMap((resource) => resource.scopes.map(({ name }) => name)));
      names.set("", found, CACHE_TTL_MS);
      return found;
    });
  }
}

function clientOf(entry: ClientEntry | null): Client | null {
  const registered = entry?.registered;
  return registered?.uri === undefined ? (registered ?? null) : null;
}
