// Fetches and caches the JSON documents that clients publish.

import { addressKey } from "../http/client-address.ts";
import type { KeyLimit } from "../http/rate-limit.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { type GuardedFetch, GuardedFetchError } from "../outgoing/guarded-fetch.ts";

/** A client's document cannot be fetched (`unreachable`) or is invalid (`bad`). */
export class ClientDocumentError extends Error {
  override name = "ClientDocumentError";
  readonly kind: "unreachable" | "bad";
  /** The host of the document. */
  readonly host: string;

  /** `message` helps the operator of the host and may be shown to anyone. */
  constructor(kind: "unreachable" | "bad", host: string, message: string) {
    super(message);
    this.kind = kind;
    this.host = host;
  }
}

export interface RemoteJson<T> {
  /**
   * The cached or fetched value. Fetches count against the limits of `requesterAddress`, the address
   * that causes them, and of the host. Rejects with `ClientDocumentError` and `TooManyRequestsError`.
   */
  find(url: string, requesterAddress: string): Promise<T>;
  /** The same, but not older than `FRESH_TTL_MS`. */
  findFresh(url: string, requesterAddress: string): Promise<T>;
}

/** Limits fetches from hosts that unauthenticated requests name. */
export interface RemoteLimits {
  readonly byAddress: KeyLimit;
  readonly byHost: KeyLimit;
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

/** `read` parses the body or rejects with `ClientDocumentError`. */
export function remoteJson<T>(deps: {
  fetch: GuardedFetch;
  clock: Clock;
  limits: RemoteLimits;
  read: (body: unknown, url: string) => Promise<T>;
}): RemoteJson<T> {
  const { clock, limits } = deps;
  // Entries outlive `expiresAtMs`, because known URLs are exempt from the limits.
  const known = createCache<Entry<T>>({ clock, maxEntries: MAX_DOCUMENTS });
  const failed = createCache<ClientDocumentError>({ clock, maxEntries: MAX_DOCUMENTS });

  async function findNotOlder(url: string, maxAgeMs: number, requesterAddress: string): Promise<T> {
    const now = clock.milliseconds();
    const entry = known.get(url);
    if (entry && now < entry.expiresAtMs && now - entry.readAtMs < maxAgeMs) return entry.value;
    const failure = failed.get(url);
    if (failure) throw failure;
    // Known URLs are not limited, so that other URLs of a host cannot use up the limit of its clients.
    if (!entry && !known.isReading(url)) takeFromLimits(url, requesterAddress);
    return (await known.share(url, () => read(url))).value;
  }

  function takeFromLimits(url: string, requesterAddress: string): void {
    const key = addressKey(requesterAddress);
    if (key !== null) limits.byAddress.take(key);
    limits.byHost.take(new URL(url).host);
  }

  async function read(url: string): Promise<Entry<T>> {
    try {
      const { body, ttlMs } = await fetchJson(url, deps.fetch);
      const value = await deps.read(body, url);
      const readAtMs = clock.milliseconds();
      failed.delete(url);
      const entry = { readAtMs, expiresAtMs: readAtMs + ttlMs, value };
      known.set(url, entry);
      return entry;
    } catch (error) {
      if (error instanceof ClientDocumentError) failed.set(url, error, FAILURE_TTL_MS);
      throw error;
    }
  }

  return {
    find: (url, requesterAddress) => findNotOlder(url, MAX_TTL_MS, requesterAddress),
    findFresh: (url, requesterAddress) => findNotOlder(url, FRESH_TTL_MS, requesterAddress),
  };
}

async function fetchJson(
  url: string,
  fetch: GuardedFetch,
): Promise<{ body: unknown; ttlMs: number }> {
  const { host } = new URL(url);
  let response: Response;
  try {
    response = await fetch(url, { headers: { accept: "application/json" } });
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    throw new ClientDocumentError(kindOf(error.code), host, error.message);
  }
  const { status, headers } = response;
  if (status !== 200) {
    const kind = status >= 500 || status === 429 ? "unreachable" : "bad";
    throw new ClientDocumentError(
      kind,
      host,
      `${host} responded with status ${status} instead of 200.`,
    );
  }
  try {
    return { body: await response.json(), ttlMs: ttlOf(headers.get("cache-control") ?? "") };
  } catch {
    throw new ClientDocumentError("bad", host, `${host} responded with a body that is not JSON.`);
  }
}

/** The freshness lifetime in milliseconds (RFC 9111 §4.2), within our own bounds. */
function ttlOf(cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return MIN_TTL_MS;
  const [, seconds] = /\bmax-age="?(\d{1,9})/i.exec(cacheControl) ?? [];
  if (seconds === undefined) return MAX_TTL_MS;
  return Math.min(Math.max(Number(seconds) * 1000, MIN_TTL_MS), MAX_TTL_MS);
}

function kindOf(code: GuardedFetchError["code"]): ClientDocumentError["kind"] {
  switch (code) {
    case "unresolved":
    case "unreachable":
    case "timeout":
    case "busy":
      return "unreachable";
    default:
      return "bad";
  }
}
