// The queue of statements that change something. What waits is flushed together, as one commit.

import { NotBegunError, UnknownOutcomeError } from "../lib/errors.ts";
import { OWN_STEP_MS, stepsIn } from "../lib/own-time.ts";
import { type OnWait, type SqlRow, type StatementOptions, waitOf } from "./engine.ts";

/** What a write returned, which may come later than that of others; or the error to reject with. */
export type Written<Result = readonly SqlRow[]> = Result | Promise<Result> | Error;

export const WRITE_LIMITS = {
  /** Beyond it, a write is refused at once. */
  waiting: 4096,
  /** How many writes share a flush: more would delay the first of them, and gain nothing. */
  batch: 256,
  /** Milliseconds of own time after which a caller is told that the outcome of a flush is not known. */
  flushMs: 30_000,
  /** Milliseconds that a write that has not begun may still wait when the queue is closed. */
  closingMs: 2000,
} as const;

/** A wait of this length is reported, and again after each further such time. */
const REPORTED_MS = 10_000;

type Lane<Write, Result> = Waiting<Write, Result>[];

interface Waiting<Write, Result> {
  readonly write: Write;
  readonly lane: Lane<Write, Result>;
  readonly sinceStep: number;
  /** The step at which the write is refused. */
  untilStep: number;
  /** Whether the caller was told that the outcome is unknown. The write must not be flushed again. */
  isGivenUp: boolean;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

export type WriteQueue<Write, Result = readonly SqlRow[]> = ReturnType<
  typeof createWriteQueue<Write, Result>
>;

export interface WriteQueueOptions {
  /** How many flushes run at a time. */
  readonly flushes?: number;
  /** Starts the first flush of a series: `setImmediate` lets it gather what has arrived at the same moment. */
  readonly begin?: (run: () => unknown) => unknown;
  /** Before a flush: null if it can begin, or resolves when it can. If it rejects, so does everything that waits. */
  readonly whenReady?: () => Promise<void> | null;
  /** Milliseconds of own time after which the callers of a flush get `UnknownOutcomeError`. None by default. */
  readonly flushMs?: number;
  /** What the database is waiting for, as a clause: "another process has locked the database". */
  readonly describe?: () => string;
  readonly onWait?: OnWait | undefined;
}

/**
 * `flush` commits a group, and resolves to what came of each write. If it rejects with `NotBegunError`, the group waits
 * again; with any other error, that is the outcome of all. The next flush begins as soon as one has ended.
 *
 * Time is counted in steps, and passes only while something waits.
 */
export function createWriteQueue<Write, Result = readonly SqlRow[]>(
  flush: (batch: readonly Write[]) => Promise<readonly Written<Result>[]>,
  {
    flushes = 1,
    begin = (run) => run(),
    whenReady = () => null,
    flushMs = Infinity,
    describe = () => "the database does not keep up with what is written",
    onWait = () => {},
  }: WriteQueueOptions = {},
) {
  const [first, urgent, others]: [Lane<Write, Result>, Lane<Write, Result>, Lane<Write, Result>] = [
    [],
    [],
    [],
  ];
  /** In the order in which writes are taken: marks, urgent writes, and the others. */
  const inOrder = [first, urgent, others];
  /** The batches in flight: since which step, and since which step the oldest write of each waits. */
  const flying = new Map<Lane<Write, Result>, { readonly at: number; readonly oldest: number }>();
  /** How many series of flushes run. */
  let running = 0;
  let isClosing = false;
  let now = 0;
  let timer: NodeJS.Timeout | null = null;
  const drained: (() => void)[] = [];

  /** The lane for a write with these options; null if too many wait. */
  function laneOf({
    isFirst = false,
    isUrgent = false,
  }: StatementOptions): Lane<Write, Result> | null {
    if (isFirst) return first;
    if (urgent.length + others.length >= WRITE_LIMITS.waiting) return null;
    return isUrgent ? urgent : others;
  }

  function take(count: number): Lane<Write, Result> {
    const batch: Lane<Write, Result> = [];
    for (const lane of inOrder) batch.push(...lane.splice(0, count - batch.length));
    return batch;
  }

  function refuse(isRefused: (waiting: Waiting<Write, Result>) => boolean, error: unknown): void {
    for (const lane of inOrder) {
      const refused = lane.filter(isRefused);
      lane.splice(0, lane.length, ...lane.filter((waiting) => !isRefused(waiting)));
      for (const { reject } of refused) reject(error);
    }
  }

  function refuseLate(): void {
    const isLate = ({ untilStep }: Waiting<Write, Result>) => untilStep <= now;
    if (inOrder.some((lane) => lane.some(isLate))) refuse(isLate, new NotBegunError(describe()));
  }

  function waitAgain(batch: Lane<Write, Result>): void {
    for (const waiting of batch.toReversed()) {
      if (!waiting.isGivenUp) waiting.lane.unshift(waiting);
    }
    // It will be handed over again at once, and no step finds it waiting.
    refuseLate();
  }

  function giveUp(batch: Lane<Write, Result>): void {
    const error = new UnknownOutcomeError(`${describe()}; the outcome of a write is not known`);
    for (const waiting of batch) {
      waiting.isGivenUp = true;
      waiting.reject(error);
    }
  }

  function oldestWaitMs(): number {
    const waiting = inOrder.map(([oldest]) => oldest?.sinceStep ?? Infinity);
    const flown = Array.from(flying.values(), ({ oldest }) => oldest);
    return (now - Math.min(now, ...waiting, ...flown)) * OWN_STEP_MS;
  }

  function step(): void {
    now++;
    refuseLate();
    for (const [batch, { at }] of flying) if (now - at === stepsIn(flushMs)) giveUp(batch);
    const waitedMs = oldestWaitMs();
    if (waitedMs > 0 && waitedMs % REPORTED_MS === 0) onWait(describe(), waitedMs / 1000);
  }

  function stop(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  function refuseAll(error: unknown): false {
    refuse(() => true, error);
    return false;
  }

  /** Never rejects. */
  async function run(): Promise<void> {
    while (inOrder.some((lane) => lane.length > 0)) {
      const opening = whenReady();
      if (opening !== null && !(await opening.then(() => true, refuseAll))) continue;
      const batch = take(WRITE_LIMITS.batch);
      if (batch.length === 0) continue;
      const oldest = Math.min(...batch.map(({ sinceStep }) => sinceStep));
      flying.set(batch, { at: now, oldest });
      try {
        const written = await flush(batch.map(({ write }) => write));
        for (const [index, waiting] of batch.entries()) settle(waiting, written[index]);
      } catch (error) {
        if (error instanceof NotBegunError && !isClosing) waitAgain(batch);
        else for (const waiting of batch) waiting.reject(error);
      }
      flying.delete(batch);
    }
    running--;
    if (running > 0) return;
    stop();
    for (const done of drained.splice(0)) done();
  }

  /** Resolves when nothing waits and nothing is being flushed. */
  async function drain(): Promise<void> {
    if (running > 0) await new Promise<void>((resolve) => drained.push(resolve));
  }

  return {
    /** Resolves once the write is on disk. `NotBegunError`: not begun in time, or too many wait. */
    add(write: Write, options: StatementOptions = {}): Promise<Result> {
      const lane = laneOf(options);
      if (lane === null) {
        return Promise.reject(new NotBegunError("too many writes wait for the database"));
      }
      return new Promise((resolve, reject) => {
        const untilStep = now + stepsIn(waitOf(options));
        lane.push({ write, lane, sinceStep: now, untilStep, isGivenUp: false, resolve, reject });
        timer ??= setInterval(step, OWN_STEP_MS);
        if (running === flushes) return;
        running++;
        begin(run);
      });
    },
    oldestWaitMs,
    drain,
    /** Leaves no timer behind, even if a flush does not end. */
    stop,
    /** As `drain`, but soon refuses writes that have not begun, and at once writes that a lock keeps from beginning. */
    close(): Promise<void> {
      isClosing = true;
      const end = now + stepsIn(WRITE_LIMITS.closingMs);
      for (const waiting of inOrder.flat()) waiting.untilStep = Math.min(waiting.untilStep, end);
      return drain();
    },
  };
}

function settle<Result>(
  waiting: Waiting<unknown, Result>,
  written: Written<Result> | undefined,
): void {
  if (written === undefined) waiting.reject(new Error("a write without an outcome"));
  else if (written instanceof Error) waiting.reject(written);
  else waiting.resolve(written);
}
