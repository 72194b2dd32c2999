// Counts uses of keys in windows of one minute, for rate limits.

import { createCache } from "./cache.ts";
import type { Clock } from "./clock.ts";

const WINDOW_MS = 60_000;
/** Maximum number of keys that one limit tracks. */
const MAX_KEYS = 100_000;

/** `isFull` reports whether a key was used `perMinute` times in its window. `take` counts one use. */
export function createCounter(perMinute: number, clock: Pick<Clock, "monotonic">) {
  const windows = createCache<{ readonly endsAtMs: number; count: number }>({
    clock,
    maxEntries: MAX_KEYS,
  });
  return {
    isFull: (key: string) => (windows.get(key)?.count ?? 0) >= perMinute,

    /** A window starts with the first count of its key. */
    take(key: string): { readonly endsAtMs: number; readonly count: number } {
      const window = windows.get(key) ?? { endsAtMs: clock.monotonic() + WINDOW_MS, count: 0 };
      if (window.count === 0) windows.set(key, window, WINDOW_MS);
      window.count++;
      return window;
    },
  };
}
