// Resources (RFC 8707): the APIs that access tokens are made for, and how the registered ones are looked up.

import type { SigningAlg } from "../keys/signing-key.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { ClientRow, ClientStore } from "../store/clients.ts";

export interface ResourceScope {
  readonly name: string;
  /** What the scope allows, in the operator's words; null if only a document names it. */
  readonly description: string | null;
}

export interface Resource {
  /** The identifier: an absolute URI without a fragment, compared exactly. */
  readonly uri: string;
  /** Null if only its document is known. */
  readonly name: string | null;
  readonly scopes: readonly ResourceScope[];
}

/** A resource that an operator has added. */
export interface RegisteredResource extends Resource {
  readonly name: string;
  readonly client_id: string;
  /** Signs its access tokens. */
  readonly signing_alg: SigningAlg;
  readonly secrets: readonly { readonly hash: string; readonly expiresAt: number | null }[];
}

/** As stored in the `registration` of its row. */
export interface ResourceRegistration {
  readonly name: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  readonly signing_alg: SigningAlg;
}

export function readResource(row: ClientRow & { readonly resource: string }): RegisteredResource {
  const registration: ResourceRegistration = JSON.parse(row.registration);
  const secrets = [
    { hash: row.secretHash, expiresAt: null },
    { hash: row.formerSecretHash, expiresAt: row.formerSecretExpiresAt },
  ];
  return {
    ...registration,
    uri: row.resource,
    client_id: row.id,
    secrets: secrets.flatMap(({ hash, expiresAt }) => (hash === null ? [] : { hash, expiresAt })),
  };
}

export function isResourceRow(row: ClientRow): row is ClientRow & { readonly resource: string } {
  return row.resource !== null;
}

const MAX_URI_CHARS = 500;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Returns why a URI cannot identify a resource, as the end of a sentence; null if it can (RFC 8707 §2). */
export function resourceUriProblem(uri: string): string | null {
  if (uri.length > MAX_URI_CHARS) return `is longer than ${MAX_URI_CHARS} characters`;
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\"<>^`{|}*]/.test(uri)) {
    return "contains a space or a character that is not allowed in a URI";
  }
  if (uri.includes("#")) return "has a fragment";
  if (!URL.canParse(uri)) return "is not an absolute URI";
  const { protocol, hostname } = new URL(uri);
  if (/^[a-z]+:\/\/[^/?]*@/i.test(uri)) return "contains a user name or password";
  if (!/^https?:\/\/[^/?]/.test(uri)) return "must be an https URI with a host";
  if (protocol === "http:" && !LOOPBACK.has(hostname)) {
    return "uses http for a host that is not loopback";
  }
  return null;
}

/** Where the metadata of a resource is: the path follows the well-known one (RFC 9728 §3.1). */
export function metadataUrl(uri: string): string {
  const { origin, pathname, search } = new URL(uri);
  return `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}${search}`;
}

const CACHE_TTL_MS = 5000;
/** Guesses of a secret cost at most one query a second per resource. */
const FRESH_TTL_MS = 1000;
const MAX_RESOURCES = 1000;

export interface RegisteredResources {
  /** By its identifier. Null if no operator has added it. */
  findByUri(uri: string): Promise<RegisteredResource | null>;
  /** By the client_id that it authenticates with. */
  find(
    clientId: string,
    lookup?: { readonly forceRefresh?: boolean },
  ): Promise<RegisteredResource | null>;
  /** The scopes of all, which no document can claim. */
  scopes(): Promise<ReadonlySet<string>>;
}

/** Each is read again after five seconds. That a URI is unknown is not cached, so that a resource can be used as soon as it is added. */
export function registeredResources(
  store: Pick<ClientStore, "findClient" | "findResource" | "listResources">,
  clock: Clock,
): RegisteredResources {
  const options = { clock, maxEntries: MAX_RESOURCES };
  const byUri = createCache<RegisteredResource | null>(options);
  const byId = createCache<{ resource: RegisteredResource | null; readAtMs: number }>(options);
  const names = createCache<ReadonlySet<string>>({ clock, maxEntries: 1 });
  return {
    async findByUri(uri) {
      const cached = byUri.get(uri);
      if (cached) return cached;
      return byUri.share(uri, async () => {
        const found = read(await store.findResource(uri));
        if (found !== null) byUri.set(uri, found, CACHE_TTL_MS);
        return found;
      });
    },
    async find(clientId, { forceRefresh } = {}) {
      const cached = byId.get(clientId);
      const maxAgeMs = forceRefresh ? FRESH_TTL_MS : CACHE_TTL_MS;
      if (cached && clock.monotonic() - cached.readAtMs < maxAgeMs) return cached.resource;
      const readAtMs = clock.monotonic();
      const shared = await byId.share(clientId, async () => {
        const resource = read(await store.findClient(clientId));
        // Also that there is none: the id of a resource is not known before it is added.
        byId.set(clientId, { resource, readAtMs }, CACHE_TTL_MS);
        return { resource, readAtMs };
      });
      return shared.resource;
    },
    async scopes() {
      const known = names.get("");
      if (known !== undefined) return known;
      return names.share("", async () => {
        const all = (await store.listResources()).map(read);
        const found = new Set(all.flatMap((one) => one?.scopes.map(({ name }) => name) ?? []));
        names.set("", found, CACHE_TTL_MS);
        return found;
      });
    },
  };
}

function read(row: ClientRow | null): RegisteredResource | null {
  return row !== null && isResourceRow(row) ? readResource(row) : null;
}
