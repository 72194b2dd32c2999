// A bounded cache with expiring entries and shared reads.

import type { Clock } from "./clock.ts";

export type Cache<Value> = ReturnType<typeof createCache<Value>>;

interface CacheSetup {
  readonly clock: Pick<Clock, "monotonic">;
  readonly maxEntries: number;
}

/**
 * Holds at most `maxEntries`, and removes the least recently used entry first: a client that fills the
 * cache with keys of its own mostly removes its own entries.
 *
 * @example
 * const cache = createCache<Client>({ clock, maxEntries: 1000 });
 * const client = cache.get(id) ?? (await cache.share(id, async () => {
 *   const read = await readClient(id);
 *   cache.set(id, read, 5000);
 *   return read;
 * }));
 */
export function createCache<Value>({ clock, maxEntries }: CacheSetup) {
  // A Map keeps insertion order: a used entry is inserted again.
  const entries = new Map<string, { readonly value: Value; readonly expiresAtMs: number }>();
  const reading = new Map<string, Promise<Value>>();

  return {
    /** The value, unless it has expired. Marks the entry as most recently used. */
    get(key: string): Value | undefined {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      if (clock.monotonic() >= entry.expiresAtMs) return undefined;
      entries.set(key, entry);
      return entry.value;
    },

    /** Without `lifetimeMs` the entry does not expire. */
    set(key: string, value: Value, lifetimeMs = Number.POSITIVE_INFINITY): void {
      entries.delete(key);
      const [oldest] = entries.keys();
      if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest);
      entries.set(key, { value, expiresAtMs: clock.monotonic() + lifetimeMs });
    },

    delete: (key: string) => void entries.delete(key),

    /** Runs `read` once for all concurrent calls with the same key. Does not store the result. */
    share(key: string, read: () => Promise<Value>): Promise<Value> {
      const shared = reading.get(key) ?? read().finally(() => reading.delete(key));
      reading.set(key, shared);
      return shared;
    },

    /** Whether a read of the key is in progress. */
    isReading: (key: string) => reading.has(key),
  };
}
