// A bounded cache with expiring entries and shared reads.

import type { MonotonicClock } from "./clock.ts";

export type Cache<Value> = ReturnType<typeof createCache<Value>>;

interface Linked<Item> {
  older: Item | null;
  newer: Item | null;
}

interface CacheEntry<Value> extends Linked<CacheEntry<Value>> {
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
  const byUse = createUseOrder<CacheEntry<Value>>();
  const reading = new Map<string, Promise<Value>>();

  function remove(entry: CacheEntry<Value> | null | undefined): void {
    if (!entry) return;
    entries.delete(entry.key);
    byUse.remove(entry);
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
      byUse.remove(entry);
      byUse.add(entry);
      return entry.value;
    },

    /** Without `lifetimeMs` the entry does not expire. */
    set(key: string, value: Value, lifetimeMs = Number.POSITIVE_INFINITY): void {
      remove(entries.get(key));
      if (entries.size >= maxEntries) remove(byUse.oldest());
      const expiresAtMs = clock.monotonic() + lifetimeMs;
      const entry: CacheEntry<Value> = { key, value, expiresAtMs, older: null, newer: null };
      entries.set(key, entry);
      byUse.add(entry);
    },

    delete: (key: string) => remove(entries.get(key)),

    /** Runs `read` once for all concurrent calls with the same key. Does not store the result. */
    share(key: string, read: () => Promise<Value>): Promise<Value> {
      const shared = reading.get(key) ?? read().finally(() => reading.delete(key));
      reading.set(key, shared);
      return shared;
    },

    isReading: (key: string) => reading.has(key),
  };
}

/**
 * Items from the least to the most recently used. The order of a Map would do as well, but to find its first key
 * takes as long as there are keys that were deleted before it: up to a millisecond for each new address of a flood.
 */
function createUseOrder<Item extends Linked<Item>>() {
  let oldest: Item | null = null;
  let newest: Item | null = null;
  return {
    oldest: () => oldest,
    add(item: Item): void {
      item.older = newest;
      item.newer = null;
      if (newest === null) oldest = item;
      else newest.newer = item;
      newest = item;
    },
    remove(item: Item): void {
      if (item.older === null) oldest = item.newer;
      else item.older.newer = item.newer;
      if (item.newer === null) newest = item.older;
      else item.newer.older = item.older;
    },
  };
}
