// The time that decides what has expired: the clock of PostgreSQL, or with SQLite that of this machine.
//
// Between two steps, time passes by the monotonic clock. A step reads the clock, compares it with the high-water
// time in the database, and updates that.

import type { Clock } from "../lib/clock.ts";
import { messageOf, UnavailableError } from "../lib/errors.ts";
import { withinOwnTime } from "../lib/own-time.ts";
import type { HighWaterStore } from "../store/high-water.ts";
import type { Events } from "../telemetry/events.ts";
import { type Certainty, judge, type Standing } from "./certainty.ts";
import { behindMessage } from "./command-time.ts";
import { createRunningTime, type Reading, type RunningTime, readTime } from "./running-time.ts";

/** If the clock of this machine differs by more from that of PostgreSQL, it is wrong. */
const MAX_SKEW_MS = 30_000;
/** Steps that requests cause are at least this far apart. */
const MIN_INTERVAL_MS = 1000;
/** Milliseconds of own time that a health check waits for a step. */
const CHECK_TIMEOUT_MS = 2000;
/** The same for a request. */
const SETTLE_TIMEOUT_MS = 10_000;
const MAX_TRIES = 5;

export type TimeAuthority = ReturnType<typeof createTimeAuthority>;

interface TimeDeps {
  readonly store: Pick<HighWaterStore, "readHighWater" | "replaceHighWater">;
  /** The clock of this machine. */
  readonly machine: Clock;
  /** The time of the database in epoch milliseconds; null if it has no clock of its own. */
  readonly databaseNow: (() => Promise<number>) | null;
  /** Why the database cannot be used at all, or null. */
  readonly problem?: (() => string | null) | undefined;
  readonly events: Pick<Events, "clockUncertain" | "clockCertain" | "clockSkewed">;
}

/** Until the first step, its clock is that of this machine. */
export function createTimeAuthority(deps: TimeDeps) {
  const { machine } = deps;
  const running = createRunningTime(machine);
  const steps = createSteps(running, deps);
  const { step, state } = steps;

  /** Rejects with `UnavailableError` if the database does not take the step in time, or the clock is behind. */
  async function check(timeoutMs = CHECK_TIMEOUT_MS): Promise<void> {
    const problem = deps.problem?.() ?? null;
    if (problem !== null) throw new UnavailableError(problem);
    const isDue = () =>
      machine.monotonic() - state.steppedAtMs >= MIN_INTERVAL_MS || running.isDrifting();
    // A second time if the machine was suspended during the step.
    for (let tries = 1; tries <= 2 && isDue(); tries++) {
      const stepped = await withinOwnTime(
        timeoutMs,
        step().then(() => true),
      );
      if (stepped === null) {
        throw new UnavailableError(`the database did not confirm a write within ${timeoutMs} ms`);
      }
    }
    if (state.standing !== "behind") return;
    throw new UnavailableError(behindMessage(state.offBySeconds));
  }

  const clock: Clock = {
    milliseconds: running.milliseconds,
    seconds: () => Math.floor(running.milliseconds() / 1000),
    monotonic: machine.monotonic,
    slack(since) {
      const { standing, jumpedAtS } = state;
      if (standing !== "ahead" || jumpedAtS === null || since >= jumpedAtS) return 0;
      return Math.max(0, Math.ceil((running.milliseconds() - running.certainMs()) / 1000));
    },
  };

  return {
    clock,
    step,
    /** Rejects with `UnavailableError`, which says why, if no write succeeds or the clock is behind. */
    check,
    standing: (): Standing => state.standing,
    isSkewed: () => state.isSkewed,
    /** Whether what has expired may be deleted, accounts may end because of the time, and keys may be rotated. */
    isCertain: () => state.standing === "right" && !state.isSkewed,
    /** Before a request that depends on the time: null if the time can be used; otherwise as `check`. */
    settle: (): Promise<void> | null =>
      state.standing !== "behind" && !running.isDrifting() ? null : check(SETTLE_TIMEOUT_MS),
  };
}

/** What the last step has found. */
interface State {
  readonly standing: Standing;
  readonly jumpedAtS: number | null;
  /** By how much the clock is behind or ahead of the time that is certain. */
  readonly offBySeconds: number;
  readonly isSkewed: boolean;
  readonly steppedAtMs: number;
}

function createSteps(running: RunningTime, deps: TimeDeps) {
  const { store, events } = deps;
  const state: { -readonly [name in keyof State]: State[name] } = {
    ...{ standing: "right", jumpedAtS: null, offBySeconds: 0, isSkewed: false },
    steppedAtMs: Number.NEGATIVE_INFINITY,
  };
  let accepted: number | null = null;
  let stepping: Promise<void> | null = null;

  async function takeStep(isRootValid: () => Promise<boolean>): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const row = await store.readHighWater();
      const reading = await readTime(deps);
      const goesOn = accepted === row.accepted;
      const now = Math.floor(reading.timeMs / 1000);
      const ranTo = goesOn ? Math.floor(running.certainMs(reading.monotonicMs) / 1000) : 0;
      const first = judge(row, { now, ranTo, isRootValid: false });
      const isRootShown = first.isRootNeeded && (await isRootValid());
      const judged = isRootShown ? judge(row, { now, ranTo, isRootValid: true }) : first;
      const isStored = await store.replaceHighWater(row, judged.to);
      // If other nodes were faster each time, they have stored much the same: what was read counts all the same.
      if (!isStored && tries < MAX_TRIES) continue;
      accepted = row.accepted;
      return adopt(judged, reading);
    }
  }

  function adopt(judged: Certainty, reading: Reading): void {
    const { standing, certainS, jumpedAtS } = judged;
    const certainMs = certainS * 1000;
    // While the clock is behind, time goes on from what is certain.
    const timeMs = standing === "behind" ? certainMs : reading.timeMs;
    running.adopt({ ...reading, timeMs }, { certainMs });
    const skewMs = reading.machineMs - reading.timeMs;
    const isSkewed = Math.abs(skewMs) > MAX_SKEW_MS;
    const before = { ...state };
    const offBySeconds = Math.abs(Math.floor(reading.timeMs / 1000) - certainS);
    const steppedAtMs = deps.machine.monotonic();
    Object.assign(state, { standing, jumpedAtS, offBySeconds, isSkewed, steppedAtMs });
    if (isSkewed && !before.isSkewed) events.clockSkewed({ seconds: Math.round(skewMs / 1000) });
    if (standing === before.standing) return;
    if (standing === "right") events.clockCertain();
    else events.clockUncertain({ standing, seconds: offBySeconds });
  }

  return {
    state: state as State,
    /** Takes one step for all who want one. Rejects with `UnavailableError` if the database does not answer. */
    step(isRootValid = async () => false): Promise<void> {
      stepping ??= takeStep(isRootValid)
        .catch((cause) => {
          if (cause instanceof UnavailableError) throw cause;
          throw new UnavailableError(messageOf(cause), { cause });
        })
        .finally(() => {
          stepping = null;
        });
      return stepping;
    },
  };
}
