// Counts uses of keys in windows of time, for rate limits.

import { createCache } from "./cache.ts";
import type { MonotonicClock } from "./clock.ts";

const MINUTE_MS = 60_000;
const MAX_KEYS = 100_000;

/** `isFull`: whether a key has `max` uses in its window. `take` counts a use, or `weight` uses. */
export function createCounter(max: number, clock: MonotonicClock, windowMs: number = MINUTE_MS) {
  const windows = createCache<{ readonly endsAtMs: number; count: number }>({
    clock,
    maxEntries: MAX_KEYS,
  });
  return {
    isFull: (key: string) => (windows.get(key)?.count ?? 0) >= max,

    /** By `clock.monotonic`: when the window of the key ends; 0 if none is open. */
    endsAtMs: (key: string) => windows.get(key)?.endsAtMs ?? 0,

    /** A window starts with the first count of its key. */
    take(key: string, weight = 1): { readonly endsAtMs: number; readonly count: number } {
      const window = windows.get(key) ?? { endsAtMs: clock.monotonic() + windowMs, count: 0 };
      if (window.count === 0) windows.set(key, window, windowMs);
      window.count += weight;
      return window;
    },
  };
}
