// Rate limits on this node: of page requests by address or returning browser, of refused requests by address.

import type { Clock } from "../lib/clock.ts";
import { createCounter } from "../lib/counter.ts";
import { addressKey } from "./client-address.ts";
import type { FairShare } from "./fair-share.ts";
import type { Handler, HttpRequest } from "./message.ts";

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

/** The label of the account that signed in with a returning browser. Null for other browsers. */
export type ReadReturning = (http: HttpRequest) => string | null;

/**
 * Counts every request. For pages, which are requested by people. A returning browser is counted for itself, so
 * that nobody else at its address can shut it out, up to a limit for all of them at an address.
 */
export function limitRequests(
  perMinute: { readonly address: number; readonly browser: number; readonly browsers: number },
  deps: {
    readonly clock: Clock;
    readonly readReturning: ReadReturning;
    /** Null does not share. */
    readonly share: FairShare | null;
  },
): FloodLimit {
  const { clock, readReturning, share } = deps;
  const strangers = limitKeys(perMinute.address, clock);
  const browsers = limitKeys(perMinute.browser, clock);
  const returning = limitKeys(perMinute.browsers, clock);

  function requesterOf(http: HttpRequest): { key: string; isReturning: boolean } {
    const key = addressKey(http.clientAddress);
    const browser = readReturning(http);
    // A cookie that is copied for a flood gives no advantage.
    if (browser !== null && !browsers.isFull(browser) && !returning.isFull(key)) {
      browsers.take(browser);
      returning.take(key);
      return { key: browser, isReturning: true };
    }
    strangers.take(key);
    return { key, isReturning: false };
  }

  return (handler) => (http) => {
    const requester = requesterOf(http);
    return share === null ? handler(http) : share.run(requester, () => handler(http));
  };
}

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

export function limitKeys(perMinute: number, clock: Clock) {
  const counter = createCounter(perMinute, clock);
  return {
    isFull: counter.isFull,

    /** Counts one use of a key. Throws `TooManyRequestsError` over the limit. */
    take(key: string): void {
      const { count, endsAtMs } = counter.take(key);
      if (count <= perMinute) return;
      const seconds = Math.max(1, Math.ceil((endsAtMs - clock.monotonic()) / 1000));
      throw new TooManyRequestsError(seconds, count === perMinute + 1);
    },
  };
}
