// The time that decides what has expired: the clock of PostgreSQL, or with SQLite that of this machine.
// Between two steps, time passes by the monotonic clock. A step judges the clock, and moves the floor on.

import type { WitnessKeeper } from "../dns/root-witness.ts";
import type { MachineClock } from "../lib/clock.ts";
import { type ClockReading, readTime } from "../lib/clock-reading.ts";
import { messageOf, UnavailableError } from "../lib/errors.ts";
import { withinOwnTime } from "../lib/own-time.ts";
import type { Floor, FloorStore, Jump } from "../store/floor.ts";
import type { TimeEvents } from "../telemetry/events.ts";
import { createRunningTime } from "./running-time.ts";
import {
  type Judged,
  judge,
  marginOf,
  reasonOf,
  slackOf,
  type TimeVerdict,
} from "./time-verdict.ts";

/** If the clock of this machine differs by more from that of PostgreSQL, it is wrong. */
const MAX_SKEW_MS = 30_000;
/** Between two steps that requests cause. */
const MIN_INTERVAL_MS = 1000;
/** Milliseconds of own time that a health check waits for a step. */
const CHECK_TIMEOUT_MS = 2000;
/** As `CHECK_TIMEOUT_MS`, for a request. */
const SETTLE_TIMEOUT_MS = 10_000;
/** As `CHECK_TIMEOUT_MS`, for the first look at the root after a start or a jump: there may be no answer. */
const FIRST_LOOK_MS = 1000;
const MAX_TRIES = 5;

export type TimeAuthority = ReturnType<typeof createTimeAuthority>;

interface Deps {
  readonly store: FloorStore;
  readonly machine: MachineClock;
  /** The time of the database in epoch milliseconds; null if it has no clock of its own. */
  readonly databaseNow: (() => Promise<number>) | null;
  readonly witness: WitnessKeeper;
  readonly hasPublicRoot: boolean;
  /** Why the database cannot be used at all, or null. */
  readonly problem?: (() => string | null) | undefined;
  readonly events: TimeEvents;
}

interface TimeStep extends Judged {
  readonly reason: string;
  readonly isSkewed: boolean;
  readonly steppedAtMs: number;
}

/** Until the first step, its clock is that of this machine. */
export function createTimeAuthority(deps: Deps) {
  const { store, machine, witness, hasPublicRoot, events } = deps;
  const running = createRunningTime(machine);
  let state: TimeStep = {
    ...{ verdict: "unwitnessed", isHeld: false, isAlarming: false, hasJumped: false },
    ...{ certainSince: null, floor: { seconds: 0, ran: 0, quietUntil: 0, jumps: [], accepted: 0 } },
    ...{ reason: "", isSkewed: false, steppedAtMs: Number.NEGATIVE_INFINITY },
  };
  let stepping: Promise<void> | null = null;
  const clock = running.clockWith((since) => slackOf(state, since));
  const isSure = () => !state.isAlarming && !state.isSkewed;

  async function takeStep(): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const row = await store.readFloor();
      const reading = await readTime(deps);
      if (hasForeignJump(row) || running.hasSlept(reading)) witness.noteJump();
      const ran = running.ranAt(reading, row.ran);
      const since = state.certainSince;
      // After an operator has accepted the clock, the hour of certainty begins again.
      const certainSince = since !== null && row.accepted !== state.floor.accepted ? ran : since;
      const now = Math.floor(reading.timeMs / 1000);
      const at = { now, ran, certainSince, witness: witness.newest(), hasPublicRoot };
      const judged = judge(row, at);
      const isStored = await store.replaceFloor(row, judged.floor);
      // If other nodes were faster each time, they have stored much the same floor, so this reading still counts.
      if (!isStored && tries < MAX_TRIES) continue;
      return adopt(judged, reading);
    }
  }

  /** Whether another node has found a jump, or an unconfirmed write of this node has stored one. */
  function hasForeignJump(row: Floor): boolean {
    const { jumps } = state.floor;
    const isOwn = (one: Jump) => jumps.some(({ ran, at }) => one.ran === ran && one.at === at);
    return !row.jumps.every(isOwn);
  }

  function adopt(judged: Judged, reading: ClockReading): void {
    const { verdict, floor } = judged;
    if (judged.hasJumped) witness.noteJump();
    // While the clock cannot be used, time goes on from what is proven.
    const timeMs = judged.isHeld ? floor.seconds * 1000 : reading.timeMs;
    running.adopt({ ...reading, timeMs }, floor.seconds);
    const skewMs = reading.machineMs - reading.timeMs;
    const isSkewed = Math.abs(skewMs) > MAX_SKEW_MS;
    const before = state;
    const now = Math.floor(reading.timeMs / 1000);
    const reason = reasonOf(judged, now, witness.newest());
    state = { ...judged, reason, isSkewed, steppedAtMs: machine.monotonic() };
    events.timeJudged({ verdict, floorLag: now - floor.seconds });
    if (isSkewed && !before.isSkewed) events.clockSkewed({ seconds: Math.round(skewMs / 1000) });
    if (judged.isAlarming && (!before.isAlarming || verdict !== before.verdict)) {
      if (verdict === "certain") events.witnessOld({ reason });
      else events.clockUncertain({ verdict, reason });
    }
    if (verdict === "certain" && before.verdict !== "certain") events.clockCertain();
  }

  /** Takes one step for all who want one. Rejects with `UnavailableError` if the database does not answer. */
  function step(): Promise<void> {
    stepping ??= takeStep()
      .catch((cause) => {
        if (cause instanceof UnavailableError) throw cause;
        throw new UnavailableError(messageOf(cause), { cause });
      })
      .finally(() => {
        stepping = null;
      });
    return stepping;
  }

  /** Rejects with `UnavailableError` if the database does not take the step in time. */
  async function stepIfDue(timeoutMs: number): Promise<void> {
    const problem = deps.problem?.() ?? null;
    if (problem !== null) throw new UnavailableError(problem);
    const isDue = () =>
      machine.monotonic() - state.steppedAtMs >= MIN_INTERVAL_MS || running.isDrifting();
    // A second time if the machine was suspended during the step.
    for (let tries = 1; tries <= 2 && isDue(); tries++) {
      const taken = step().then(() => true);
      if ((await withinOwnTime(timeoutMs, taken)) !== null) continue;
      throw new UnavailableError(`the database did not confirm a write within ${timeoutMs} ms`);
    }
  }

  function refuseIfHeld(): void {
    if (state.isHeld) throw new UnavailableError(state.reason);
  }

  /** Looks at the DNS root, if it is due, and judges the clock by it. */
  const seekWitness = (): Promise<void> =>
    witness.seek(async () => {
      await step();
      return state.verdict !== "contradicted";
    });

  /** A clock that jumped is not used before the root was asked about it. */
  async function settleNow(): Promise<void> {
    await stepIfDue(SETTLE_TIMEOUT_MS);
    const look = async () => {
      // A second time if the first one began before the jump.
      for (let tries = 1; tries <= 2 && witness.isUnasked(); tries++) await seekWitness();
    };
    const looked = look().catch(() => {});
    await withinOwnTime(FIRST_LOOK_MS, looked);
    refuseIfHeld();
  }

  return {
    clock,
    step,
    seekWitness,
    /** Rejects with `UnavailableError`, which says why, if no write succeeds or the time cannot be used. */
    async check(): Promise<void> {
      await stepIfDue(CHECK_TIMEOUT_MS);
      refuseIfHeld();
    },
    verdict: (): TimeVerdict => state.verdict,
    isSkewed: () => state.isSkewed,
    unknownRootKeys: witness.unknownKeys,
    /** Whether keys may be rotated, by the floor. */
    mayRotate: isSure,
    /** Whether what the floor has passed may be deleted or ended: not before the root was seen again, if it ever was. */
    mayEnd: () =>
      isSure() &&
      (state.verdict === "certain" || witness.newest() === null) &&
      state.floor.ran >= state.floor.quietUntil,
    /** For what is removed: `before` is in epoch seconds, `ran` is the running time. */
    cleanUpTime: (margin = marginOf(witness.newest(), hasPublicRoot)) => ({
      before: clock.floor() - margin,
      ran: state.floor.ran,
    }),
    /** Before a request that depends on the time: null if the time can be used; otherwise as `check`. */
    settle: (): Promise<void> | null =>
      state.isHeld || running.isDrifting() || witness.isUnasked() ? settleNow() : null,
  };
}
