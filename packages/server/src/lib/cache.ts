// A bounded cache with expiring entries and shared reads.

import type { MonotonicClock } from "./clock.ts";
import { unlessBusy } from "./errors.ts";
import { append, type Order, type Ordered, unlink } from "./order.ts";

export type Cache<Value> = ReturnType<typeof createCache<Value>>;

interface CacheEntry<Value> extends Ordered<CacheEntry<Value>> {
  readonly key: string;
  readonly value: Value;
  readonly expiresAtMs: number;
}

/**
 * Removes the least recently used entry first: a client that fills the cache with keys mostly removes its own entries.
 *
 * @example
 * const cache = createCache<Client>({ clock, maxEntries: 1000 });
 * const client = cache.get(id) ?? (await cache.share(id, async () => {
 *   const read = await readClient(id);
 *   cache.set(id, read, 5000);
 *   return read;
 * }));
 */
export function createCache<Value>({
  clock,
  maxEntries,
}: {
  readonly clock: MonotonicClock;
  readonly maxEntries: number;
}) {
  const entries = new Map<string, CacheEntry<Value>>();
  /** From the least to the most recently used. */
  const byUse: Order<CacheEntry<Value>> = { first: null, last: null };
  const reading = new Map<string, Promise<Value>>();

  function remove(entry: CacheEntry<Value> | null | undefined): void {
    if (!entry) return;
    entries.delete(entry.key);
    unlink(byUse, entry);
  }

  return {
    /** The value, unless it has expired. Marks the entry as most recently used. */
    get(key: string): Value | undefined {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (clock.monotonic() >= entry.expiresAtMs) {
        remove(entry);
        return undefined;
      }
      unlink(byUse, entry);
      append(byUse, entry);
      return entry.value;
    },

    /** Without `lifetimeMs` the entry does not expire. */
    set(key: string, value: Value, lifetimeMs = Number.POSITIVE_INFINITY): void {
      remove(entries.get(key));
      if (entries.size >= maxEntries) remove(byUse.first);
      const expiresAtMs = clock.monotonic() + lifetimeMs;
      const entry: CacheEntry<Value> = { key, value, expiresAtMs, before: null, after: null };
      entries.set(key, entry);
      append(byUse, entry);
    },

    delete: (key: string) => remove(entries.get(key)),

    /**
     * Runs `read` once for all concurrent calls with the same key. Does not store the result. If `read` rejects with
     * `BusyError`, its requester has given way, and each of the other calls goes on by itself: one after another, a flood
     * of calls would make everybody wait for the sum of their waits.
     */
    async share(key: string, read: () => Promise<Value>): Promise<Value> {
      const begun = reading.get(key);
      const shared = begun === undefined ? null : await unlessBusy(begun);
      if (shared !== null) return shared.value;
      const own = read().finally(() => {
        if (reading.get(key) === own) reading.delete(key);
      });
      reading.set(key, own);
      return own;
    },

    /** What a concurrent call with this key has begun to read. */
    begun: (key: string) => reading.get(key),
  };
}
