// How certain the time is, as a pure function of the high-water time and the reading of the clock.

import type { HighWater } from "../store/high-water.ts";

/** The clock may be behind the certain time by this much. Larger corrections are no longer ordinary. */
const TOLERANCE_S = 30;
/** A clock that is ahead by more may be wrong: nothing is deleted or ended because of it. */
const MAX_AHEAD_S = 3600;
/** How long the service must run until a clock that is ahead by more than `MAX_AHEAD_S` is certain. */
const RUNS_AHEAD_S = 86_400;
/** The same after a smaller jump. If a clock is wrong for a minute, the right time is not behind afterwards. */
const RUNS_SETTLING_S = 600;

export type Standing =
  /** The time is certain, or will be within minutes. */
  | "right"
  /** The clock is behind the certain time: what has expired would be valid again. */
  | "behind"
  /** The clock jumped ahead: what seems to have expired may not have. */
  | "ahead";

/** Times in epoch seconds. */
export interface Certainty {
  readonly standing: Standing;
  /** It is at least this late. */
  readonly certainS: number;
  /** The time of the clock when it jumped ahead, or later; null if it did not. Rows stored since then are dated by it. */
  readonly jumpedAtS: number | null;
  /** The clock has been ahead for long enough: it is certain if the DNS root's signatures are valid now. */
  readonly isRootNeeded: boolean;
  /** What to store. */
  readonly to: Omit<HighWater, "accepted">;
}

/**
 * Judges the clock, which says `now`. `ranTo` is the certain time by the running time of this process, or 0 at
 * its start.
 */
export function judge(
  row: HighWater,
  { now, ranTo, isRootValid }: { now: number; ranTo: number; isRootValid: boolean },
): Certainty {
  const { seconds, ranS, ranAt } = row;
  if (seconds === 0) return certain(now, now);
  const certainS = Math.max(seconds + ranS, ranTo);
  const ahead = now - certainS;
  const unchanged = { jumpedAtS: null, isRootNeeded: false, to: { seconds, ranS, ranAt } };
  if (ahead < -TOLERANCE_S) return { standing: "behind", certainS, ...unchanged };
  if (ahead <= TOLERANCE_S) return certain(now, Math.max(now, seconds));

  const standing = ahead > MAX_AHEAD_S ? "ahead" : "right";
  const aheadBefore = ranAt - seconds - ranS;
  const wasAhead = aheadBefore > TOLERANCE_S;
  // A short stop is no jump: what the service ran before it counts.
  const isJump = !wasAhead || Math.abs(ahead - aheadBefore) > MAX_AHEAD_S;
  const from = isJump ? certainS : seconds;
  const ran = certainS - from;
  const isLongEnough = ran >= (standing === "ahead" ? RUNS_AHEAD_S : RUNS_SETTLING_S);
  if (isLongEnough && (standing === "right" || isRootValid)) return certain(now, now);
  return {
    standing,
    certainS,
    jumpedAtS: standing === "ahead" ? from + ahead : null,
    isRootNeeded: isLongEnough,
    to: { seconds: from, ranS: ran, ranAt: now },
  };
}

function certain(now: number, certainS: number): Certainty {
  const to = { seconds: certainS, ranS: 0, ranAt: now };
  return { standing: "right", certainS, jumpedAtS: null, isRootNeeded: false, to };
}
