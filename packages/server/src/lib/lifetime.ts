// Whether a lifetime is over, by a clock that may have jumped.

import type { Clock } from "./clock.ts";
import { UnavailableError } from "./errors.ts";

/** A time that is further ahead was written by a wrong clock. It counts as never. */
export const CLOCK_TOLERANCE_S = 300;

/** Whether only a clock that was ahead can have written this time: it says nothing about when something happened. */
export function isMisdated(time: number, now: number): boolean {
  return time > now + CLOCK_TOLERANCE_S;
}

/** Epoch seconds. */
export interface Lifetime {
  readonly since: number;
  readonly end: number;
}

type ReadClock = Pick<Clock, "seconds" | "slack">;

/**
 * Whether a lifetime lasts. What began in the future is over. `uncertain`: it is over only because the clock has jumped
 * ahead, which may be wrong.
 */
export function lifetimeStateOf(
  { since, end }: Lifetime,
  clock: ReadClock,
): "lasts" | "over" | "uncertain" {
  const now = clock.seconds();
  if (isMisdated(since, now)) return "over";
  if (end > now) return "lasts";
  return end <= now - clock.slack(since) ? "over" : "uncertain";
}

/**
 * The same for a request that cannot go on without knowing. Throws `UnavailableError` if it is uncertain.
 *
 * @example
 * if (isOver({ since: grant.createdAt, end: grant.codeExpiresAt }, clock)) throw refuse("expired");
 */
export function isOver(lifetime: Lifetime, clock: ReadClock): boolean {
  const state = lifetimeStateOf(lifetime, clock);
  if (state !== "uncertain") return state === "over";
  throw new UnavailableError("the clock has jumped ahead, so it is not certain what has expired");
}
