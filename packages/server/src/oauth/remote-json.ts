// JSON that clients keep at URLs of their own: fetched seldom, remembered for a while.

import { addressKey } from "../http/client-address.ts";
import type { KeyLimit } from "../http/rate-limit.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { type GuardedFetch, GuardedFetchError } from "../outgoing/guarded-fetch.ts";

/** What a client keeps at its host cannot be had (`unreachable`), or is not as it must be (`bad`). */
export class ClientDocumentError extends Error {
  override name = "ClientDocumentError";
  readonly kind: "unreachable" | "bad";
  /** Whose document it is. */
  readonly host: string;

  /** `message` is for whoever runs that host, and may be shown to anybody. */
  constructor(kind: "unreachable" | "bad", host: string, message: string) {
    super(message);
    this.kind = kind;
    this.host = host;
  }
}

export interface RemoteJson<T> {
  /**
   * What is remembered of the URL, else what is read now. `requesterAddress` is the address of whoever made us
   * ask. Rejects with `ClientDocumentError`, and with `TooManyRequestsError` for an address that has us
   * ask too often.
   */
  find(url: string, requesterAddress: string): Promise<T>;
  /** The same, but not older than a few seconds. */
  findNewer(url: string, requesterAddress: string): Promise<T>;
}

/** What limits how often hosts that strangers name are asked. */
export interface RemoteLimits {
  readonly byAddress: KeyLimit;
  readonly byHost: KeyLimit;
}

interface Entry<T> {
  readonly readAt: number;
  /** In epoch milliseconds. */
  readonly until: number;
  readonly value: T;
}

const LONGEST = 3_600_000;
const SHORTEST = 10_000;
const FAILURE_MS = 5_000;
const NEW = 5_000;
/** Of 64 KiB at most. */
const MAX_DOCUMENTS = 1000;

/** `read` makes a value of the body, or rejects with `ClientDocumentError`. */
export function remoteJson<T>(parts: {
  fetch: GuardedFetch;
  clock: Clock;
  limits: RemoteLimits;
  read: (body: unknown, url: string) => Promise<T>;
}): RemoteJson<T> {
  const { clock, limits } = parts;
  // Without a lifetime: that a URL was good once counts after its time, too.
  const known = createCache<Entry<T>>({ clock, maxEntries: MAX_DOCUMENTS });
  const failed = createCache<ClientDocumentError>({ clock, maxEntries: MAX_DOCUMENTS });

  async function notOlder(url: string, milliseconds: number, requesterAddress: string): Promise<T> {
    const now = clock.milliseconds();
    const entry = known.get(url);
    if (entry && now < entry.until && now - entry.readAt < milliseconds) return entry.value;
    const failure = failed.get(url);
    if (failure) throw failure;
    // A URL that was good before is asked again whatever else its host is asked for: others cannot
    // use up what its own client needs.
    if (!entry && !known.isReading(url)) allow(url, requesterAddress);
    return (await known.share(url, () => read(url))).value;
  }

  function allow(url: string, requesterAddress: string): void {
    const key = addressKey(requesterAddress);
    if (key !== null) limits.byAddress.take(key);
    limits.byHost.take(new URL(url).host);
  }

  async function read(url: string): Promise<Entry<T>> {
    try {
      const { body, keep } = await fetched(url, parts.fetch);
      const value = await parts.read(body, url);
      const readAt = clock.milliseconds();
      failed.delete(url);
      const entry = { readAt, until: readAt + keep, value };
      known.set(url, entry);
      return entry;
    } catch (error) {
      if (error instanceof ClientDocumentError) {
        failed.set(url, error, FAILURE_MS);
      }
      throw error;
    }
  }

  return {
    find: (url, requesterAddress) => notOlder(url, LONGEST, requesterAddress),
    findNewer: (url, requesterAddress) => notOlder(url, NEW, requesterAddress),
  };
}

async function fetched(url: string, fetch: GuardedFetch): Promise<{ body: unknown; keep: number }> {
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
    return { body: await response.json(), keep: freshness(headers.get("cache-control") ?? "") };
  } catch {
    throw new ClientDocumentError("bad", host, `${host} responded with a body that is not JSON.`);
  }
}

/** Milliseconds that RFC 9111 lets the answer be kept, within our own bounds. */
function freshness(cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return SHORTEST;
  const [, seconds] = /\bmax-age="?(\d{1,9})/i.exec(cacheControl) ?? [];
  if (seconds === undefined) return LONGEST;
  return Math.min(Math.max(Number(seconds) * 1000, SHORTEST), LONGEST);
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
