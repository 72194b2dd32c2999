// What one address may ask of this node in a minute: floods are answered before they cost anything.

import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
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
    super(`too many requests: retry after ${retryAfter} s`);
    this.retryAfter = retryAfter;
    this.isFirst = isFirst;
  }
}

export interface FloodLimit {
  /** The handler, for those who have not asked too much. */
  guard(handler: Handler): Handler;
}

const WINDOW_MS = 60_000;
/** Addresses, hosts or accounts that are counted at a time. */
const MAX_KEYS = 100_000;

export const unlimited: FloodLimit = { guard: (handler) => handler };

/** Counts every request: a page is written and read by a person. */
export function limitRequests(perMinute: number, clock: Clock): FloodLimit {
  const counter = createCounter(perMinute, clock);
  return {
    guard: (handler) => (http) => {
      const key = addressKey(http.clientAddress);
      if (key !== null) counter.takeOrRefuse(key);
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
  clock: Clock,
): FloodLimit {
  const counter = createCounter(perMinute, clock);
  return {
    guard: (handler) => async (http) => {
      const key = addressKey(http.clientAddress);
      if (key === null) return handler(http);
      if (counter.isFull(key)) counter.takeOrRefuse(key);
      try {
        return await handler(http);
      } catch (error) {
        if (isRefusal(error)) counter.take(key);
        throw error;
      }
    },
  };
}

/** Counts whatever has a key. */
export interface KeyLimit {
  /** Throws `TooManyRequestsError` once the key was taken too often. */
  take(key: string): void;
}

export function limitKeys(perMinute: number, clock: Clock): KeyLimit {
  return { take: createCounter(perMinute, clock).takeOrRefuse };
}

/** A minute that began with the first count of its key. */
interface Window {
  readonly endsAtMs: number;
  count: number;
}

function createCounter(perMinute: number, clock: Clock) {
  const windows = createCache<Window>({ clock, maxEntries: MAX_KEYS });
  const isFull = (key: string) => (windows.get(key)?.count ?? 0) >= perMinute;

  function take(key: string): Window {
    let window = windows.get(key);
    if (window === undefined) {
      window = { endsAtMs: clock.milliseconds() + WINDOW_MS, count: 0 };
      windows.set(key, window, WINDOW_MS);
    }
    window.count++;
    return window;
  }

  function takeOrRefuse(key: string): void {
    const { count, endsAtMs } = take(key);
    if (count <= perMinute) return;
    const seconds = Math.max(1, Math.ceil((endsAtMs - clock.milliseconds()) / 1000));
    throw new TooManyRequestsError(seconds, count === perMinute + 1);
  }

  return { isFull, take, takeOrRefuse };
}
