// Whether a lifetime is over, by a clock that may have jumped.

import type { Clock } from "./clock.ts";
import { UnavailableError } from "./errors.ts";

/** A time that is further ahead was written by a wrong clock. It counts as never. */
export const CLOCK_TOLERANCE_S = 300;

/**
 * Whether what began at `since` is over at `end`, in epoch seconds. Also true if it began in the future. Throws
 * `UnavailableError` if it is over only because the clock has jumped ahead, which may be wrong.
 *
 * @example
 * if (isOver({ since: grant.createdAt, end: grant.codeExpiresAt }, clock)) throw refuse("expired");
 */
export function isOver(
  { since, end }: { readonly since: number; readonly end: number },
  clock: Pick<Clock, "seconds" | "slack">,
): boolean {
  const now = clock.seconds();
  if (since > now + CLOCK_TOLERANCE_S) return true;
  if (end > now) return false;
  if (end <= now - clock.slack(since)) return true;
  throw new UnavailableError("the clock has jumped ahead, so it is not certain what has expired");
}
