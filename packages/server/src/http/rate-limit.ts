// What one address may ask of this node in a minute: floods are answered before they cost anything.

// The library's index would load its stores for nine databases, a tenth of the time to start.
import RateLimiterMemory from "rate-limiter-flexible/lib/RateLimiterMemory.js";
import RateLimiterRes from "rate-limiter-flexible/lib/RateLimiterRes.js";
import { addressKey } from "./client-address.ts";
import type { Handler } from "./message.ts";

/** Leaves the request: 429. */
export class TooManyRequestsError extends Error {
  override name = "TooManyRequestsError";
  /** Seconds. */
  readonly retryAfter: number;
  /** Whether it is the first of its minute: a flood is no reason to fill a log. */
  readonly isFirst: boolean;

  constructor(retryAfter: number, isFirst: boolean) {
    super(`too many requests; again in ${retryAfter} s`);
    this.retryAfter = retryAfter;
    this.isFirst = isFirst;
  }
}

export interface FloodLimit {
  /** The handler, for those who have not asked too much. */
  guard(handler: Handler): Handler;
}

const MINUTE = 60;

export const unlimited: FloodLimit = { guard: (handler) => handler };

/** Counts every request: a page is written and read by a person. */
export function limitRequests(perMinute: number): FloodLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: MINUTE });
  return {
    guard: (handler) => async (http) => {
      const key = addressKey(http.clientAddress);
      if (key !== null) await limiter.consume(key).catch((full) => refuse(full, perMinute + 1));
      return handler(http);
    },
  };
}

/**
 * Counts what was refused: one address may be an app with a million users, but whoever is refused
 * again and again is guessing or broken. The form is not even read then.
 */
export function limitRefusals(
  perMinute: number,
  isRefusal: (error: unknown) => boolean,
): FloodLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: MINUTE });
  return {
    guard: (handler) => async (http) => {
      const key = addressKey(http.clientAddress);
      if (key === null) return handler(http);
      const counted = await limiter.get(key);
      if (counted !== null && counted.remainingPoints <= 0) {
        refuse(await limiter.penalty(key), perMinute + 1);
      }
      try {
        return await handler(http);
      } catch (error) {
        if (isRefusal(error)) await limiter.penalty(key);
        throw error;
      }
    },
  };
}

/** Counts whatever has a key. */
export interface KeyLimit {
  /** Rejects with `TooManyRequestsError` once the key was taken too often. */
  take(key: string): Promise<void>;
}

export function limitKeys(perMinute: number): KeyLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: MINUTE });
  return {
    async take(key) {
      await limiter.consume(key).catch((full) => refuse(full, perMinute + 1));
    },
  };
}

/** `first` is how many were counted when the first one was too many. */
function refuse(counted: unknown, first: number): never {
  if (!(counted instanceof RateLimiterRes)) throw counted;
  const seconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
  throw new TooManyRequestsError(seconds, counted.consumedPoints === first);
}
