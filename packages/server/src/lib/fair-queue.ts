// Turns for tasks of many users, in lanes: users take turns, and where too many wait, the largest user's give way.

import type { MonotonicClock } from "./clock.ts";
import { type Budget, createFairRoom, type FairRoom, type Holding } from "./fair-room.ts";
import { afterOwnTime } from "./own-time.ts";

/** Says when a task may begin. Several lanes may have one gate. */
export interface Gate {
  /** In milliseconds. 0: at once; `Infinity`: not before a task has ended. */
  waitMs(): number;
  /** Whether a task of this user may begin now, if `waitMs` is 0. Without it, any task may. */
  isOpenFor?(keys: readonly string[]): boolean;
  begin(keys: readonly string[]): void;
  end(keys: readonly string[]): void;
}

export interface QueueLane {
  readonly gate: Gate;
  /** How much may wait, in the unit of `size`. */
  readonly capacity: number;
  /** How often its turn comes, beside other lanes in which somebody waits: a whole number of at least 1. */
  readonly turns?: number;
  readonly weightOf?: ((key: string) => number) | undefined;
  readonly budget?: Budget | undefined;
}

/** Where a task waits: by whose keys, as in a fair room, and in which lane. */
export interface Entry {
  readonly lane: number;
  readonly keys: readonly string[];
  readonly group?: string;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

interface WaitingTask extends Holding {
  readonly sinceMs: number;
  readonly start: () => void;
}

interface OpenLane {
  readonly gate: Gate;
  readonly turns: number;
  left: number;
  /** How long the task that began last has waited. */
  lastWaitMs: number;
  readonly room: FairRoom<WaitingTask>;
  readonly budget: Budget | undefined;
}

/**
 * @example
 * const queue = createFairQueue([{ gate: createSharedGate(64), capacity: 1000 }], clock);
 * const end = await queue.enter([{ lane: 0, keys: ["203.0.113.0/24", "203.0.113.7"] }]);
 */
export function createFairQueue(lanes: readonly QueueLane[], clock: MonotonicClock) {
  const open = lanes.map(({ gate, turns = 1, budget, ...lane }): OpenLane => {
    const room = createFairRoom<WaitingTask>({ ...lane, clock, budget });
    return { gate, turns, left: turns, lastWaitMs: 0, room, budget };
  });
  const isWaitingAt = (gate: Gate) => open.some((one) => one.gate === gate && one.room.held() > 0);
  let timer: NodeJS.Timeout | null = null;
  return { enter, enterAtOnce, retryAfter };

  /**
   * Begins in the first lane that is free. Otherwise the task waits in the lane of the first entry; if it gives way
   * there or waits for too long, in the next one: in all for `waitMs`. Resolves to a function that must be called when
   * the task has ended, or to null if it may not begin.
   */
  async function enter(
    entries: readonly Entry[],
    { size = 1, waitMs = Number.POSITIVE_INFINITY }: { size?: number; waitMs?: number } = {},
  ): Promise<(() => void) | null> {
    for (const { lane, keys } of entries) {
      const end = enterAtOnce(lane, keys);
      if (end !== null) return end;
    }
    for (const entry of entries) {
      const isLast = entry === entries.at(-1);
      const end = await turn(entry, { size, waitMs: waitMs / entries.length, isLast });
      if (end !== null) return end;
    }
    return null;
  }

  /** Null if the task has to wait for its turn, or for others. A gate that is the same for all needs no keys. */
  function enterAtOnce(index: number, keys: readonly string[] = []): (() => void) | null {
    const lane = laneAt(index);
    return !isWaitingAt(lane.gate) && isOpen(lane.gate, keys) ? begin(lane, keys) : null;
  }

  /** In seconds: how long the task that began last in the lane has waited. */
  function retryAfter(index: number): number {
    return Math.min(600, Math.max(1, Math.ceil(laneAt(index).lastWaitMs / 1000)));
  }

  function laneAt(index: number): OpenLane {
    const lane = open[index];
    if (lane === undefined) throw new Error(`there is no lane ${index}`);
    return lane;
  }

  function turn(
    { lane: index, keys, group = "" }: Entry,
    { size, waitMs, isLast }: { size: number; waitMs: number; isLast: boolean },
  ) {
    const lane = laneAt(index);
    return new Promise<(() => void) | null>((resolve) => {
      let stopTimer = () => {};
      const settle = (end: (() => void) | null) => {
        stopTimer();
        resolve(end);
      };
      const sinceMs = clock.monotonic();
      const waiter: WaitingTask = {
        ...{ keys, group, size, sinceMs },
        evict: () => settle(null),
        start: () => settle(begin(lane, keys)),
      };
      const place = lane.room.enter(waiter);
      if (Number.isFinite(waitMs)) {
        stopTimer = afterOwnTime(waitMs, () => {
          place.leave();
          if (isLast) lane.budget?.refused();
          resolve(null);
        });
      }
      startWaiting();
    });
  }

  function begin({ gate }: OpenLane, keys: readonly string[]): () => void {
    gate.begin(keys);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      gate.end(keys);
      startWaiting();
    };
  }

  function startWaiting(): void {
    let { waiter, againMs } = nextTask();
    while (waiter !== null) {
      waiter.start();
      ({ waiter, againMs } = nextTask());
    }
    if (timer !== null || !Number.isFinite(againMs)) return;
    const again = () => {
      timer = null;
      startWaiting();
    };
    timer = setTimeout(again, Math.max(1, againMs));
  }

  /**
   * Lanes take turns: the first of those with turns left; if none has any left, all get theirs again. Each gate is asked
   * once, because its next answer may be another one: a gate that opens between two questions would wake nobody.
   */
  function nextTask(): { waiter: WaitingTask | null; againMs: number } {
    const inUse = open.filter(({ room }) => room.held() > 0);
    const asked = inUse.map((lane) => ({ lane, waitMs: lane.gate.waitMs() }));
    const ready = asked.filter(({ waitMs }) => waitMs === 0).map(({ lane }) => lane);
    if (ready.length > 0 && !ready.some(({ left }) => left > 0)) {
      for (const lane of open) lane.left = lane.turns;
    }
    for (const lane of ready.toSorted(
      (one, other) => Number(other.left > 0) - Number(one.left > 0),
    )) {
      const { gate } = lane;
      const waiter = lane.room.next(({ keys }) => gate.isOpenFor?.(keys) ?? true);
      if (waiter === null) continue;
      lane.left--;
      lane.lastWaitMs = clock.monotonic() - waiter.sinceMs;
      return { waiter, againMs: 0 };
    }
    // Who waits at a gate that is open waits for the end of a task.
    const waits = asked.map(({ waitMs }) => waitMs || Number.POSITIVE_INFINITY);
    return { waiter: null, againMs: Math.min(...waits) };
  }
}

function isOpen(gate: Gate, keys: readonly string[]): boolean {
  return gate.waitMs() === 0 && (gate.isOpenFor?.(keys) ?? true);
}

/** Who causes something: a network by its keys, from the widest to the narrowest. */
export interface Requester {
  readonly keys: readonly string[];
  /** Of networks that hold as much, those of the largest group give way. */
  readonly group: string;
  /** Whether the request has shown an open set-up, a challenge or a known browser of exactly the name that it names. */
  readonly isReserved: boolean;
}

/** What nobody outside has caused, such as the daily look at an account. */
export const SERVICE: Requester = { keys: ["this service"], group: "", isReserved: true };

export type ReservedQueue = ReturnType<typeof createReservedQueue>;

/**
 * A queue of two halves, each with a gate of its own: requesters with the reserve wait in the one that others cannot
 * use, and then, if they give way there, once more with the others.
 */
export function createReservedQueue(
  lane: Omit<QueueLane, "gate" | "turns"> & { readonly gate: () => Gate },
  clock: MonotonicClock,
) {
  const half = () => ({ ...lane, gate: lane.gate() });
  const queue = createFairQueue([half(), half()], clock);
  return {
    enter({ keys, group, isReserved }: Requester, options?: { size?: number; waitMs?: number }) {
      const open = { lane: 1, keys, group };
      return queue.enter(isReserved ? [{ ...open, lane: 0 }, open] : [open], options);
    },
  };
}

/**
 * At most so many tasks at once. The fewer slots are free, the fewer one user may hold: `timesFree` as many as stay free
 * for others, and a user below it fewer. So there is a slot for the next user, and within a network for its next address.
 */
export function createSharedGate(
  slots: number,
  weightOf: (key: string) => number = () => 1,
  timesFree = 3,
): Required<Gate> & { readonly free: () => number } {
  const held = new Map<string, number>();
  let used = 0;
  const add = (keys: readonly string[], count: 1 | -1) => {
    used += count;
    for (const key of keys) {
      const sum = (held.get(key) ?? 0) + count;
      if (sum > 0) held.set(key, sum);
      else held.delete(key);
    }
  };
  return {
    free: () => slots - used,
    waitMs: () => (used < slots ? 0 : Number.POSITIVE_INFINITY),
    isOpenFor(keys) {
      let free = (slots - used) * timesFree;
      for (const key of keys) {
        free = free * weightOf(key) - (held.get(key) ?? 0);
        if (free <= 0) return false;
      }
      return true;
    },
    begin: (keys) => add(keys, 1),
    end: (keys) => add(keys, -1),
  };
}

/** So many tasks a second, and after a pause up to those of `burstS` seconds at once. */
export function createRateGate(perSecond: number, burstS: number, clock: MonotonicClock): Gate {
  let level = perSecond * burstS;
  let at = clock.monotonic();
  return {
    waitMs() {
      const now = clock.monotonic();
      level = Math.min(perSecond * burstS, level + ((now - at) * perSecond) / 1000);
      at = now;
      return level >= 1 ? 0 : ((1 - level) * 1000) / perSecond;
    },
    begin: () => void level--,
    end() {},
  };
}
