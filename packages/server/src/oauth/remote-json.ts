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

interface Entry<T> {
  readonly readAtMs: number;
  readonly expiresAtMs: number;
  readonly value: T;
}

/** The failures of a host that may answer later. */
const UNREACHABLE = ["unresolved", "unreachable", "timeout", "busy"];

const MAX_TTL_MS = 3_600_000;
const MIN_TTL_MS = 10_000;
const FAILURE_TTL_MS = 5_000;
const FRESH_TTL_MS = 5_000;
/** Each has at most 64 KiB. */
const MAX_DOCUMENTS = 1000;

/** `read` parses the body or rejects with `ClientDocumentError`. */
export function remoteJson<T>({
  clock,
  limits,
  fetch,
  read,
}: {
  fetch: GuardedFetch;
  clock: Clock;
  /** On fetches from hosts that unauthenticated requests name. */
  limits: { readonly byAddress: KeyLimit; readonly byHost: KeyLimit };
  read: (body: unknown, url: string) => Promise<T>;
}): RemoteJson<T> {
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
    if (!entry && !known.isReading(url)) {
      const key = addressKey(requesterAddress);
      if (key !== null) limits.byAddress.take(key);
      limits.byHost.take(new URL(url).host);
    }
    return (await known.share(url, () => readNow(url))).value;
  }

  async function readNow(url: string): Promise<Entry<T>> {
    try {
      const { body, ttlMs } = await fetchJson(url, fetch);
      const value = await read(body, url);
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
    const mayRecover = UNREACHABLE.includes(error.code);
    throw new ClientDocumentError(mayRecover ? "unreachable" : "bad", host, error.message);
  }
  const { status, headers } = response;
  if (status !== 200) {
    const kind = status >= 500 || status === 429 ? "unreachable" : "bad";
    const problem = `${host} responded with status ${status} instead of 200.`;
    throw new ClientDocumentError(kind, host, problem);
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
