// Turns for DNS tasks, of which a limited number run at once: a full service refuses those who use it most.

import type { Cache } from "../lib/cache.ts";
import type { MonotonicClock } from "../lib/clock.ts";
import { BusyError, unlessBusy } from "../lib/errors.ts";
import {
  createFairQueue,
  createReservedQueue,
  createSharedGate,
  type FairQueue,
  type Requester,
} from "../lib/fair-queue.ts";
import type { Budget } from "../lib/fair-room.ts";

/** How long a person waits for a turn: slow zones of others must not keep anybody waiting. */
export const TURN_WAIT_MS = 500;
/** So many tasks wait for a turn. */
export const MAX_WAITING = 1000;

/** How a budget is shown to the operator, and how much more than others a network may use of it. */
export interface Sharing {
  readonly budget?: Budget | undefined;
  readonly weightOf?: ((key: string) => number) | undefined;
}

/** Keeps the turn until this promise has settled too. */
export type Hold = (asked: Promise<unknown>) => void;

export type Turns = ReturnType<typeof createTurns>;

/** `slots` tasks at once, and as many with the reserve. */
export function createTurns(slots: number, clock: MonotonicClock, sharing: Sharing = {}) {
  const gate = () => createSharedGate(slots, sharing.weightOf);
  const queue = createReservedQueue({ gate, capacity: MAX_WAITING, ...sharing }, clock);
  return { run, share };

  /** Runs the task in a turn of the requester. Rejects with `BusyError` after half a second. */
  async function run<T>(from: Requester, task: (hold: Hold) => Promise<T>): Promise<T> {
    return during(await enter(from), task);
  }

  /**
   * The same for a read that others may share. What has begun costs nothing more, so it needs no turn. Those who wait
   * have a turn each, so that nobody is refused because another requester is.
   */
  async function share<Value>(
    cache: Cache<Value>,
    wanted: { readonly key: string; readonly from: Requester },
    read: (hold: Hold) => Promise<Value>,
  ): Promise<Value> {
    const { key, from } = wanted;
    const end = cache.begun(key) === undefined ? await enter(from) : null;
    const begun = cache.begun(key);
    if (end !== null && begun === undefined) return cache.share(key, () => during(end, read));
    end?.();
    const shared = begun === undefined ? null : await unlessBusy(begun);
    return shared === null ? share(cache, wanted, read) : shared.value;
  }

  async function enter(from: Requester): Promise<() => void> {
    return unlessNull(await queue.enter(from, { waitMs: TURN_WAIT_MS }));
  }

  function during<T>(end: () => void, task: (hold: Hold) => Promise<T>): Promise<T> {
    const held: Promise<unknown>[] = [];
    const done = task((asked) => void held.push(asked));
    void Promise.allSettled([done])
      .then(() => Promise.allSettled(held))
      .then(end);
    return done;
  }
}

/** One task at a time for each key, in which requesters take turns. Rejects with `BusyError` after half a second. */
export function createTurnsByKey(clock: MonotonicClock) {
  const gate = () => ({ gate: createSharedGate(1), capacity: MAX_WAITING });
  const lines = new Map<string, { readonly queue: FairQueue; users: number }>();
  return async <T>(key: string, { keys, group }: Requester, task: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { queue: createFairQueue([gate()], clock), users: 0 };
    lines.set(key, line);
    line.users++;
    let end: (() => void) | null = null;
    try {
      end = await line.queue.enter([{ lane: 0, keys, group }], { waitMs: TURN_WAIT_MS });
      unlessNull(end);
      return await task();
    } finally {
      end?.();
      line.users--;
      if (line.users === 0) lines.delete(key);
    }
  };
}

function unlessNull(end: (() => void) | null): () => void {
  if (end === null) throw new BusyError();
  return end;
}
