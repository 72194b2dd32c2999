// Rate limits on this node, by keys such as the address of refused requests.

import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { addressKey } from "./client-address.ts";
import type { Handler } from "./message.ts";

const MINUTE_MS = 60_000;
const MAX_KEYS = 100_000;

/** Answered with 429. */
export class TooManyRequestsError extends Error {
  override name = "TooManyRequestsError";
  /** In seconds. */
  readonly retryAfter: number;
  /** True for the first rejection in a window. Only this one is logged. */
  readonly isFirst: boolean;

  constructor(retryAfter: number, isFirst: boolean) {
    super(`too many requests: retry after ${retryAfter} s`);
    this.retryAfter = retryAfter;
    this.isFirst = isFirst;
  }
}

/** Wraps a handler. The result throws `TooManyRequestsError` while the limit is exceeded. */
export type FloodLimit = (handler: Handler) => Handler;

export const unlimited: FloodLimit = (handler) => handler;

/**
 * Counts only refused requests: many of them mean that somebody guesses credentials, or a broken client. Over the
 * limit, a refusal becomes a 429. Other requests are never limited, because many people may share an address.
 */
export function limitRefusals(
  perMinute: number,
  isRefusal: (error: unknown) => boolean,
  clock: Clock,
): FloodLimit {
  const counter = limitKeys(perMinute, clock);
  return (handler) => async (http) => {
    try {
      return await handler(http);
    } catch (error) {
      if (isRefusal(error)) counter.take(addressKey(http.clientAddress));
      throw error;
    }
  };
}

export type KeyLimit = ReturnType<typeof limitKeys>;

/** A minute begins with the first use of its key. */
export function limitKeys(perMinute: number, clock: Clock) {
  const minutes = createCache<{ readonly endsAtMs: number; count: number }>({
    clock,
    maxEntries: MAX_KEYS,
  });
  return {
    /** Counts one use of a key. Throws `TooManyRequestsError` over the limit. */
    take(key: string): void {
      const minute = minutes.get(key) ?? { endsAtMs: clock.monotonic() + MINUTE_MS, count: 0 };
      if (minute.count === 0) minutes.set(key, minute, MINUTE_MS);
      minute.count++;
      if (minute.count <= perMinute) return;
      const seconds = Math.max(1, Math.ceil((minute.endsAtMs - clock.monotonic()) / 1000));
      throw new TooManyRequestsError(seconds, minute.count === perMinute + 1);
    },
  };
}
