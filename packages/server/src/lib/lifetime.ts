// Whether a lifetime is over, by a clock that may have jumped.

import type { Clock } from "./clock.ts";
import { UncertainTimeError } from "./errors.ts";

/** A time that is further ahead was written by a wrong clock. It counts as never. */
export const CLOCK_TOLERANCE_S = 300;

/** Whether only a clock that was ahead can have written this time: it says nothing about when something happened. */
export function isMisdated(time: number, now: number): boolean {
  return time > now + CLOCK_TOLERANCE_S;
}

/** Whether something began before a restore. Also true if a wrong clock dated it: it may have begun at any time. */
export function isBeforeRestore(
  startedAt: number,
  restoredAt: number | null,
  now: number,
): boolean {
  return restoredAt !== null && (startedAt <= restoredAt || isMisdated(startedAt, now));
}

/** Epoch seconds. */
export interface Lifetime {
  readonly since: number;
  readonly end: number;
}

/** Whether a lifetime is over by the present time. What began in the future is over. */
export function isOver({ since, end }: Lifetime, clock: Clock): boolean {
  const now = clock.seconds();
  return isMisdated(since, now) || end <= now;
}

/** The same, but `uncertain` if the lifetime is over only because the clock has jumped ahead. */
export function lifetimeStateOf({ since, end }: Lifetime, clock: Clock) {
  if (!isOver({ since, end }, clock)) return "lasts";
  const now = clock.seconds();
  const isSure = isMisdated(since, now) || end <= now - clock.slack(since);
  return isSure ? "over" : "uncertain";
}

/** The same for a request that needs an answer. Throws `UncertainTimeError` if none is certain. */
export function isSurelyOver(lifetime: Lifetime, clock: Clock): boolean {
  const state = lifetimeStateOf(lifetime, clock);
  if (state !== "uncertain") return state === "over";
  throw new UncertainTimeError();
}
