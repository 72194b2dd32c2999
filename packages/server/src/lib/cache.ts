// The one cache: bounded, with an end for each entry, and one read for all who ask at once.

import type { Clock } from "./clock.ts";

export interface Cache<Value> {
  /** The value, unless it has expired. Being read makes an entry the last one to be forgotten. */
  get(key: string): Value | undefined;
  /** Without `lifetimeMs` the entry stays until there is no room for it. */
  set(key: string, value: Value, lifetimeMs?: number): void;
  delete(key: string): void;
  /** Runs `read` once for all who call this with one key before it settles. Keeps nothing by itself. */
  share(key: string, read: () => Promise<Value>): Promise<Value>;
  /** Whether a read of the key is under way. */
  isReading(key: string): boolean;
}

/**
 * Holds at most `maxEntries`. The entry that was not used for the longest time is forgotten first, so
 * that whoever fills a cache with their own keys forgets their own.
 *
 * @example
 * const cache = createCache<Client>({ clock, maxEntries: 1000 });
 * const client = cache.get(id) ?? (await cache.share(id, async () => {
 *   const read = await readClient(id);
 *   cache.set(id, read, 5000);
 *   return read;
 * }));
 */
export function createCache<Value>(setup: {
  readonly clock: Pick<Clock, "milliseconds">;
  readonly maxEntries: number;
}): Cache<Value> {
  const { clock, maxEntries } = setup;
  // A Map keeps the order of insertion: an entry that is used is inserted anew.
  const entries = new Map<string, { readonly value: Value; readonly expiresAtMs: number }>();
  const reading = new Map<string, Promise<Value>>();

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      if (clock.milliseconds() >= entry.expiresAtMs) return undefined;
      entries.set(key, entry);
      return entry.value;
    },

    set(key, value, lifetimeMs = Number.POSITIVE_INFINITY) {
      entries.delete(key);
      const [oldest] = entries.keys();
      if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest);
      entries.set(key, { value, expiresAtMs: clock.milliseconds() + lifetimeMs });
    },

    delete: (key) => void entries.delete(key),

    share(key, read) {
      const shared = reading.get(key) ?? read().finally(() => reading.delete(key));
      reading.set(key, shared);
      return shared;
    },

    isReading: (key) => reading.has(key),
  };
}
