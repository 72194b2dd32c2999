// Fetches and caches the JSON documents that clients and resources publish.

import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { BusyError } from "../lib/errors.ts";
import type { Requester } from "../lib/fair-queue.ts";
import { type GuardedFetch, GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import type { Lookup } from "./client.ts";
import { ClientDocumentError } from "./client-errors.ts";

const MAX_TTL_MS = 3_600_000;
const MIN_TTL_MS = 10_000;
const FAILURE_TTL_MS = 5_000;
const FRESH_TTL_MS = 5_000;
/** Each has at most 64 KiB. */
const MAX_DOCUMENTS = 1000;

interface DocumentEntry<T> {
  readonly readAtMs: number;
  readonly expiresAtMs: number;
  readonly value: T;
}

/** What the documents of clients and resources are read with, and which of them may be. */
export interface DocumentDeps {
  /** Our own issuer. What it publishes for SPs is no client and no resource of this service. */
  readonly issuer: string;
  readonly fetch: GuardedFetch;
  readonly clock: Clock;
  readonly allowLoopback: boolean;
}

/** Makes sources of documents. */
export function createRemoteJson({ fetch, clock }: DocumentDeps) {
  return sourceOf;

  /** `read` parses a body or rejects with `ClientDocumentError`. `peek` returns the last value and never fetches. */
  function sourceOf<T>(read: (body: unknown, url: string) => Promise<T>) {
    // Entries outlive `expiresAtMs`, for `peek`.
    const known = createCache<DocumentEntry<T>>({ clock, maxEntries: MAX_DOCUMENTS });
    const failed = createCache<ClientDocumentError>({ clock, maxEntries: MAX_DOCUMENTS });
    return { find, peek: (url: string): T | null => known.get(url)?.value ?? null };

    /** The cached or fetched value. Rejects with `ClientDocumentError` and `BusyError`. */
    async function find(url: string, { from, forceRefresh }: Lookup): Promise<T> {
      const now = clock.monotonic();
      const entry = known.get(url);
      const maxAgeMs = forceRefresh ? FRESH_TTL_MS : MAX_TTL_MS;
      if (entry && now < entry.expiresAtMs && now - entry.readAtMs < maxAgeMs) return entry.value;
      const failure = failed.get(url);
      if (failure) throw failure;
      return (await known.share(url, () => readNow(url, from))).value;
    }

    async function readNow(url: string, from?: Requester): Promise<DocumentEntry<T>> {
      try {
        const { body, ttlMs } = await fetchJson(url, from);
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

  async function fetchJson(
    url: string,
    from?: Requester,
  ): Promise<{ body: unknown; ttlMs: number }> {
    const { host } = new URL(url);
    const init = { headers: { accept: "application/json" }, from };
    const response = await fetch(url, init).catch((error) => {
      if (!(error instanceof GuardedFetchError)) throw error;
      if (error.code === "busy") throw new BusyError();
      const mayRecover = ["unresolved", "unreachable", "timeout"].includes(error.code);
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
}

/** Whether a document may be at a URL: at `http://localhost:PORT` only if the issuer is of that kind. */
export function isDocumentUrl(url: string, allowLoopback: boolean): boolean {
  return url.startsWith("https:") || (allowLoopback && url.startsWith("http://localhost:"));
}

/** The freshness lifetime in milliseconds (RFC 9111 §4.2), within our own bounds. */
function ttlOf(cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return MIN_TTL_MS;
  const [, seconds] = /\bmax-age="?(\d{1,9})/i.exec(cacheControl) ?? [];
  if (seconds === undefined) return MAX_TTL_MS;
  return Math.min(Math.max(Number(seconds) * 1000, MIN_TTL_MS), MAX_TTL_MS);
}
