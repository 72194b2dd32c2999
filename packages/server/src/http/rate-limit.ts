// Rate limits per client address on this node. Requests over a limit are rejected before any work.

import type { Clock } from "../lib/clock.ts";
import { createCounter } from "../lib/counter.ts";
import { addressKey } from "./client-address.ts";
import type { Handler } from "./message.ts";

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

/** Counts every request. For pages, which are requested by people. */
export function limitRequests(perMinute: number, clock: Clock): FloodLimit {
  const counter = createRefuser(perMinute, clock);
  return (handler) => (http) => {
    const key = addressKey(http.clientAddress);
    if (key !== null) counter.takeOrRefuse(key);
    return handler(http);
  };
}

/**
 * Counts only refused requests: one address may be an app with many users, but many refusals mean
 * that it guesses credentials or is broken. Over the limit, the request body is not read.
 */
export function limitRefusals(
  perMinute: number,
  isRefusal: (error: unknown) => boolean,
  clock: Clock,
): FloodLimit {
  const counter = createRefuser(perMinute, clock);
  return (handler) => async (http) => {
    const key = addressKey(http.clientAddress);
    if (key === null) return handler(http);
    if (counter.isFull(key)) counter.takeOrRefuse(key);
    try {
      return await handler(http);
    } catch (error) {
      if (isRefusal(error)) counter.take(key);
      throw error;
    }
  };
}

export type KeyLimit = ReturnType<typeof limitKeys>;

/** `take` counts one use of a key. It throws `TooManyRequestsError` over the limit. */
export function limitKeys(perMinute: number, clock: Clock) {
  return { take: createRefuser(perMinute, clock).takeOrRefuse };
}

function createRefuser(perMinute: number, clock: Clock) {
  const { isFull, take } = createCounter(perMinute, clock);

  function takeOrRefuse(key: string): void {
    const { count, endsAtMs } = take(key);
    if (count <= perMinute) return;
    const seconds = Math.max(1, Math.ceil((endsAtMs - clock.monotonic()) / 1000));
    throw new TooManyRequestsError(seconds, count === perMinute + 1);
  }

  return { isFull, take, takeOrRefuse };
}
