// Whether the time can be used: a pure function of the clock, of the stored floor and of the signature of the DNS root.
// A gap is normal, because machines sleep. Only a contradiction is a fault.

import type { SignaturePeriod } from "../dns/view.ts";
import { isoTime } from "../lib/iso-time.ts";
import { EARLIEST_S, OLD_S } from "../lib/root-signatures.ts";
import type { Floor, Jump } from "../store/floor.ts";

/** The newest signature of the root's SOA record that a source has proved. Times in epoch seconds. */
export interface Witness extends SignaturePeriod {
  /** Whether a look after the start, and after the last jump, has found one. An older one still proves that it is not earlier. */
  readonly isFresh: boolean;
}

export type TimeVerdict =
  /** The root's signatures agree with the clock. */
  | "certain"
  /** No source has proved a signature of the root. */
  | "unwitnessed"
  /** The signatures of the root are from another time. */
  | "contradicted"
  /** The clock is before the floor: what has expired would be valid again. */
  | "behind";

/** What one look at the clock finds: `now` is in epoch seconds, `ran` in seconds of running time. */
export interface TimeReading {
  readonly now: number;
  readonly ran: number;
  readonly witness: Witness | null;
  /** The running time since when this process was certain without a jump; null if it was not. */
  readonly certainSince: number | null;
  readonly hasPublicRoot: boolean;
}

export interface Judged {
  readonly verdict: TimeVerdict;
  /** The clock cannot be used. */
  readonly isHeld: boolean;
  /** Somebody should look: the clock cannot be used, or the signatures are old at a node that has been right so far. */
  readonly isAlarming: boolean;
  /** Since the floor was stored. */
  readonly hasJumped: boolean;
  readonly certainSince: number | null;
  readonly floor: Floor;
}

/** Larger differences are jumps. */
const JUMP_S = 60;
/** How much newer than the clock the signature may be. */
const WITNESS_SKEW_S = 300;
/** The newest signature of another root may be older by this than it is valid. */
const PRIVATE_LATE_S = 2 * 86_400;
/** How much later than necessary the service deletes what a person or an app would miss. */
const MARGIN_S = 7 * 86_400;
/** The same with another root that was not seen yet: no root is a witness that signs for more than 35 days. */
const PRIVATE_MARGIN_S = 37 * 86_400;
/** The clock may be before the floor by this much. */
const BEHIND_S = 30;
/** After this much running time without a jump, a certain time becomes the floor. */
const CERTAIN_FLOOR_S = 3600;
/** After this much running time, a jump without a witness is believed. */
const BELIEVED_S = 86_400;
/** Running time in which nothing is deleted, after jumps of more than a day were believed: the margin covers shorter ones. */
export const QUIET_S = 7 * 86_400;
const QUIET_FROM_S = 86_400;
const MAX_JUMPS = 40;

/** Judges the clock. `stored` is what the database knows. */
export function judge(stored: Floor, reading: TimeReading): Judged {
  const { now, ran, witness, certainSince } = reading;
  const before = stored.seconds === 0 ? { ...stored, seconds: EARLIEST_S, ran } : stored;
  const ranOn = before.seconds + Math.max(0, ran - before.ran);
  const jumps = jumpsIn(before, reading, ranOn);
  const hasJumped = jumps !== before.jumps;
  const inception = witness?.inception ?? 0;
  const passed = Math.max(ranOn, inception);
  // While the clock is used: clocks of slightly different rates must not add up to a floor that is ahead.
  const lowest = Math.max(before.seconds, Math.min(passed, now), inception);
  const found = (verdict: TimeVerdict, { seconds = lowest, waiting = jumps } = {}): Judged => {
    const floor = { ...before, seconds, ran, jumps: lastOf(waiting, now - seconds) };
    const isHeld = verdict === "contradicted" || verdict === "behind";
    return { verdict, isHeld, isAlarming: isHeld, hasJumped, certainSince: null, floor };
  };
  if (now < inception - WITNESS_SKEW_S) return found("contradicted", { seconds: passed });
  if (now < passed - BEHIND_S) {
    // After a correction by less than that, the floor waits for the clock.
    const isSlight = now >= passed - WITNESS_SKEW_S;
    const judged = found("behind", { seconds: isSlight ? lowest : passed });
    return isSlight ? { ...judged, certainSince } : judged;
  }
  if (!witness?.isFresh || hasJumped) {
    if (jumps.some(({ isRefuted }) => isRefuted)) return found("contradicted");
    const judged = found("unwitnessed");
    return { ...judged, floor: believed(judged.floor) };
  }
  const isOld =
    now > Math.min(inception + maxAgeOf(witness, reading.hasPublicRoot), witness.expiration);
  const marked = (isRefuted: boolean) => jumps.map((jump) => ({ ...jump, isRefuted }));
  if (isOld && certainSince === null) return found("contradicted", { waiting: marked(true) });
  const since = certainSince ?? ran;
  const seconds = ran - since >= CERTAIN_FLOOR_S ? Math.max(now, lowest) : lowest;
  const judged = found("certain", { seconds, waiting: marked(false) });
  return { ...judged, isAlarming: isOld, certainSince: since };
}

function maxAgeOf({ inception, expiration }: SignaturePeriod, hasPublicRoot: boolean): number {
  return hasPublicRoot ? OLD_S : expiration - inception + PRIVATE_LATE_S;
}

/** How much later than it could be is deleted what people would miss: longer than a clock that the root confirms is ahead. */
export function marginOf(witness: SignaturePeriod | null, hasPublicRoot: boolean): number {
  if (hasPublicRoot) return MARGIN_S;
  return Math.max(MARGIN_S, witness ? maxAgeOf(witness, hasPublicRoot) : PRIVATE_MARGIN_S);
}

/** By how many seconds the clock may be ahead for a row of this time: see `Clock`. */
export function slackOf({ verdict, floor }: Judged, since: number): number {
  return verdict === "unwitnessed" ? sum(floor.jumps.filter(({ at }) => at > since)) : 0;
}

/** Without a witness, time itself shows in the end that a jump was right. */
function believed(floor: Floor): Floor {
  const { ran, jumps } = floor;
  const waiting = jumps.filter((jump) => ran - jump.ran < BELIEVED_S);
  if (waiting.length === jumps.length) return floor;
  const by = sum(jumps) - sum(waiting);
  const quietUntil = by > QUIET_FROM_S ? ran + QUIET_S : floor.quietUntil;
  return { ...floor, seconds: floor.seconds + by, quietUntil, jumps: waiting };
}

/** The jumps that are not believed yet. The same list if there is no other. */
function jumpsIn(before: Floor, { now, ran }: TimeReading, ranOn: number): readonly Jump[] {
  const { jumps } = before;
  const by = now - ranOn - sum(jumps);
  if (by > JUMP_S) return merged(jumps, { ran, at: now, seconds: by, isRefuted: false });
  if (by >= -JUMP_S || jumps.length === 0) return jumps;
  // A jump back undoes those before it.
  const left = sum(jumps) + by;
  const rest = firstOf(jumps, left);
  // What the root allows was not refuted.
  return left > OLD_S ? rest : rest.map((jump) => ({ ...jump, isRefuted: false }));
}

/** The first jumps, up to a sum of `total` seconds. */
function firstOf(jumps: readonly Jump[], total: number): readonly Jump[] {
  let left = Math.max(0, total);
  return jumps.flatMap((jump) => {
    const seconds = Math.min(jump.seconds, left);
    left -= seconds;
    return seconds === 0 ? [] : [{ ...jump, seconds }];
  });
}

/** The jumps that explain why the clock is `ahead` of the floor: the earlier jumps have been proven. */
const lastOf = (jumps: readonly Jump[], ahead: number) =>
  firstOf(jumps.toReversed(), ahead).toReversed();

/** A list that does not grow: at its limit, the last jump counts as one with the next. */
function merged(jumps: readonly Jump[], next: Jump): readonly Jump[] {
  const last = jumps.length < MAX_JUMPS ? undefined : jumps.at(-1);
  if (last === undefined) return [...jumps, next];
  const isRefuted = last.isRefuted;
  return [...jumps.slice(0, -1), { ...next, seconds: last.seconds + next.seconds, isRefuted }];
}

const sum = (jumps: readonly Jump[]) => jumps.reduce((seconds, jump) => seconds + jump.seconds, 0);

/** Why the time cannot be used, or what is wrong with the witness, for the operator. Names both times. */
export function reasonOf(judged: Judged, now: number, witness: SignaturePeriod | null): string {
  const { verdict, floor } = judged;
  const clock = `the clock says ${isoTime(now)}`;
  if (verdict === "behind") {
    const by = `${floor.seconds - now} s behind the newest time that is proven, ${isoTime(floor.seconds)}`;
    return `${clock}, ${by}: correct the clock; if it is right, run domain-signin clock accept`;
  }
  if (witness === null) return `${clock}, and the DNS root has contradicted it: correct the clock`;
  const signed = `the newest signature of the DNS root is of ${isoTime(witness.inception)}`;
  const advice =
    verdict === "certain"
      ? "the resolvers show old answers. The clock has been right so far"
      : "correct the clock, unless the resolvers show old answers";
  return `${clock}, and ${signed}: ${advice}`;
}
