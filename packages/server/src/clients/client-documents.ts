// Fetches and caches the documents that clients publish: their metadata and their keys.

import type { JSONWebKeySet } from "jose";
import { addressKey } from "../http/client-address.ts";
import { type KeyLimit, limitKeys } from "../http/rate-limit.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { type GuardedFetch, GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import type { Client, Clients, Lookup } from "./client.ts";
import { ClientDocumentError } from "./client-errors.ts";
import { hasUserInfo } from "./redirect-target.ts";

/**
 * Limits on fetches, by the address that causes them and by the host that serves them. The second is
 * much higher, so that one address cannot block the clients of a host.
 */
const FETCHES_PER_MINUTE_BY_ADDRESS = 30;
const FETCHES_PER_MINUTE_BY_HOST = 150;
const MAX_URL_CHARS = 2000;

/** The keys for a client's assertions. */
export type ClientKeys = (
  client: Pick<Client, "client_id" | "jwks" | "jwks_uri">,
  lookup: Lookup,
) => Promise<JSONWebKeySet>;

interface DocumentDeps {
  /** Our own issuer. The documents that we publish for SPs are not clients of this service. */
  readonly issuer: string;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  /** Whether to allow clients at `http://localhost:PORT`: only if the issuer is of that kind. */
  readonly allowLoopback: boolean;
}

/** Adds clients whose client_id is the URL of a metadata document to the registered ones. */
export function withDocuments(
  registered: Clients,
  deps: DocumentDeps,
): { clients: Clients; clientKeys: ClientKeys } {
  const { issuer, allowLoopback } = deps;
  const limits = {
    byAddress: limitKeys(FETCHES_PER_MINUTE_BY_ADDRESS, deps.clock),
    byHost: limitKeys(FETCHES_PER_MINUTE_BY_HOST, deps.clock),
  };
  // Loaded on demand: zod is only needed once there is a document.
  const reader = () => import("./client-document.ts");
  const fetching = { ...deps, limits };
  const documents = remoteJson(fetching, async (body, url) =>
    (await reader()).readClientDocument(body, url),
  );
  const keys = remoteJson(fetching, async (body, url) =>
    (await reader()).readClientKeys(body, url),
  );
  const isUrl = (id: string) =>
    id.startsWith("https:") || (allowLoopback && id.startsWith("http://localhost:"));
  /** Rejects with `ClientDocumentError` for a URL that cannot be a client_id. */
  const documentOf = async (id: string, lookup: Lookup) => {
    const problem = documentUrlProblem(id, issuer);
    if (problem === null) return await documents.find(id, lookup);
    const host = URL.canParse(id) ? new URL(id).host : id.slice(0, 100);
    throw new ClientDocumentError("bad", host, `client_id: ${problem}`);
  };
  return {
    clients: {
      find(id, lookup = {}) {
        // Most clients are registered and need no document.
        if (!isUrl(id)) return registered.find(id, lookup);
        return documentOf(id, lookup);
      },
    },
    async clientKeys({ client_id, jwks, jwks_uri }, lookup) {
      if (jwks_uri !== undefined) return keys.find(jwks_uri, lookup);
      const newer = lookup.forceRefresh ? await documents.find(client_id, lookup) : { jwks };
      return newer.jwks ?? { keys: [] };
    },
  };
}

/** Why a URL cannot be a client_id, or null. Only normalized URLs can, so that each has one form. */
function documentUrlProblem(id: string, issuer: string): string | null {
  if (id.length > MAX_URL_CHARS) return `is longer than ${MAX_URL_CHARS} characters`;
  if (!URL.canParse(id)) return "is not a URL";
  if (id.includes("#")) return "has a fragment";
  if (hasUserInfo(id)) return "contains a user name or password";
  const { href, origin, port } = new URL(id);
  if (id === origin) return "has no path";
  const own = new URL(issuer);
  if (origin === own.origin) return "must not be a URL of this service";
  // As in SP records: prevents port scans of other hosts through this service.
  if (port !== "" && own.port === "") return "must not contain a port";
  // Refuses dot segments, an upper-case host, the default port and characters that need escapes.
  return href === id ? null : "is not a normalized URL";
}

interface Entry<T> {
  readonly readAtMs: number;
  readonly expiresAtMs: number;
  readonly value: T;
}

const MAX_TTL_MS = 3_600_000;
const MIN_TTL_MS = 10_000;
const FAILURE_TTL_MS = 5_000;
const FRESH_TTL_MS = 5_000;
/** Each has at most 64 KiB. */
const MAX_DOCUMENTS = 1000;

interface FetchDeps extends Pick<DocumentDeps, "fetch" | "clock"> {
  /** On fetches from hosts that unauthenticated requests name. */
  readonly limits: { readonly byAddress: KeyLimit; readonly byHost: KeyLimit };
}

/**
 * `read` parses the body or rejects with `ClientDocumentError`. `peek` returns what was read last, however old it is,
 * and causes no fetch.
 */
export function remoteJson<T>(
  { clock, limits, fetch }: FetchDeps,
  read: (body: unknown, url: string) => Promise<T>,
) {
  // Entries outlive `expiresAtMs`, because known URLs are exempt from the limits.
  const known = createCache<Entry<T>>({ clock, maxEntries: MAX_DOCUMENTS });
  const failed = createCache<ClientDocumentError>({ clock, maxEntries: MAX_DOCUMENTS });
  return { find, peek: (url: string): T | null => known.get(url)?.value ?? null };

  /**
   * The cached or fetched value. Fetches count against the limits of the address that causes them and
   * of the host. Rejects with `ClientDocumentError` and `TooManyRequestsError`.
   */
  async function find(url: string, { requesterAddress, forceRefresh }: Lookup): Promise<T> {
    const now = clock.monotonic();
    const entry = known.get(url);
    const maxAgeMs = forceRefresh ? FRESH_TTL_MS : MAX_TTL_MS;
    if (entry && now < entry.expiresAtMs && now - entry.readAtMs < maxAgeMs) return entry.value;
    const failure = failed.get(url);
    if (failure) throw failure;
    // Known URLs are not limited, so that other URLs of a host cannot use up the limit of its clients.
    if (!entry && !known.isReading(url)) {
      const key = requesterAddress === undefined ? null : addressKey(requesterAddress);
      if (key !== null) limits.byAddress.take(key);
      limits.byHost.take(new URL(url).host);
    }
    return (await known.share(url, () => readNow(url))).value;
  }

  async function readNow(url: string): Promise<Entry<T>> {
    try {
      const { body, ttlMs } = await fetchJson(url, fetch);
      const value = await read(body, url);
      const readAtMs = clock.monotonic();
      failed.delete(url);
      const entry = { readAtMs, expiresAtMs: readAtMs + ttlMs, value };
      known.set(url, entry);
      return entry;
    } catch (error) {
      if (error instanceof ClientDocumentError) failed.set(url, error, FAILURE_TTL_MS);
      throw error;
    }
  }
}

async function fetchJson(url: string, fetch: GuardedFetch) {
  const { host } = new URL(url);
  const response = await fetch(url, { headers: { accept: "application/json" } }).catch((error) => {
    if (!(error instanceof GuardedFetchError)) throw error;
    const mayRecover = ["unresolved", "unreachable", "timeout", "busy"].includes(error.code);
    throw new ClientDocumentError(mayRecover ? "unreachable" : "bad", host, error.message);
  });
  const { status, headers } = response;
  if (status !== 200) {
    const kind = status >= 500 || status === 429 ? "unreachable" : "bad";
    const problem = `${host} responded with status ${status} instead of 200.`;
    throw new ClientDocumentError(kind, host, problem);
  }
  const body: unknown = await response.json().catch(() => {
    throw new ClientDocumentError("bad", host, `${host} responded with a body that is not JSON.`);
  });
  return { body, ttlMs: ttlOf(headers.get("cache-control") ?? "") };
}

/** The freshness lifetime in milliseconds (RFC 9111 §4.2), within our own bounds. */
function ttlOf(cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return MIN_TTL_MS;
  const [, seconds] = /\bmax-age="?(\d{1,9})/i.exec(cacheControl) ?? [];
  if (seconds === undefined) return MAX_TTL_MS;
  return Math.min(Math.max(Number(seconds) * 1000, MIN_TTL_MS), MAX_TTL_MS);
}
