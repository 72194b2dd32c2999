// The queue of statements that change something. What waits is flushed together, as one commit.

import { NotBegunError, UnknownOutcomeError } from "../lib/errors.ts";
import { OWN_STEP_MS, stepsIn } from "../lib/own-time.ts";
import { type OnWait, type SqlRow, type StatementOptions, waitOf } from "./engine.ts";

/** The rows of a write, which may come later than those of others; or the error to reject with. */
export type Written = readonly SqlRow[] | Promise<readonly SqlRow[]> | Error;

export const WRITE_LIMITS = {
  /** Beyond it, a write is refused at once. */
  waiting: 4096,
  /** So many share a flush: more would delay the first of them, and gain nothing. */
  batch: 256,
  /** Milliseconds of own time after which a caller is told that the outcome of a flush is not known. */
  flushMs: 30_000,
  /** When the queue is closed, what has not begun waits for so long at most. */
  closingMs: 2000,
} as const;

/** What waits for so long, in milliseconds, is reported, and again after each further such time. */
const REPORTED_MS = 10_000;

interface Waiting<Write> {
  readonly write: Write;
  readonly lane: Waiting<Write>[];
  readonly sinceStep: number;
  /** It is refused when this step comes. */
  untilStep: number;
  /** Its caller has been told that the outcome is not known. It must not be flushed again. */
  isGivenUp: boolean;
  resolve(rows: readonly SqlRow[] | Promise<readonly SqlRow[]>): void;
  reject(error: unknown): void;
}

export type WriteQueue<Write> = ReturnType<typeof createWriteQueue<Write>>;

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
 * again; with any other error, that is the outcome of all. There is no timer: the next flush begins as soon as one has
 * ended.
 */
export function createWriteQueue<Write>(
  flush: (batch: readonly Write[]) => Promise<readonly Written[]>,
  options: WriteQueueOptions = {},
) {
  const { flushes = 1, begin = (run) => run(), whenReady = () => null } = options;
  const lanes = createLanes<Write>();
  const steps = createSteps(lanes, options);
  /** Series of flushes. */
  let running = 0;
  let isClosing = false;
  const drained: (() => void)[] = [];

  /** Never rejects. */
  async function run(): Promise<void> {
    while (lanes.size() > 0) {
      const opening = whenReady();
      if (opening !== null && !(await opening.then(() => true, refuseAll))) continue;
      const batch = lanes.take(WRITE_LIMITS.batch);
      if (batch.length === 0) continue;
      steps.handedOver(batch);
      try {
        const written = await flush(batch.map(({ write }) => write));
        for (const [index, waiting] of batch.entries()) settle(waiting, written[index]);
      } catch (error) {
        if (error instanceof NotBegunError && !isClosing) steps.waitAgain(batch);
        else for (const waiting of batch) waiting.reject(error);
      }
      steps.settled(batch);
    }
    running--;
    if (running > 0) return;
    steps.stop();
    for (const done of drained.splice(0)) done();
  }

  function refuseAll(error: unknown): false {
    lanes.refuse(() => true, error);
    return false;
  }

  /** Resolves when nothing waits and nothing is being flushed. */
  async function drain(): Promise<void> {
    if (running > 0) await new Promise<void>((resolve) => drained.push(resolve));
  }

  return {
    /**
     * Resolves to the rows of the write once it is on the disk. Rejects with `NotBegunError` if it was not begun in the
     * time that its options give it, or if too many wait.
     */
    add(write: Write, statement: StatementOptions = {}): Promise<readonly SqlRow[]> {
      const lane = lanes.of(statement);
      if (lane === null) {
        return Promise.reject(new NotBegunError("too many writes wait for the database"));
      }
      return new Promise((resolve, reject) => {
        const sinceStep = steps.now();
        const untilStep = sinceStep + stepsIn(waitOf(statement));
        lane.push({ write, lane, sinceStep, untilStep, isGivenUp: false, resolve, reject });
        steps.start();
        if (running === flushes) return;
        running++;
        begin(run);
      });
    },
    oldestWaitMs: steps.oldestWaitMs,
    drain,
    /** Leaves no timer behind, although a flush does not end. */
    stop: steps.stop,
    /** As `drain`, but what has not begun is refused soon, and what a lock keeps from beginning at once. */
    close(): Promise<void> {
      isClosing = true;
      lanes.limit(steps.now() + stepsIn(WRITE_LIMITS.closingMs));
      return drain();
    },
  };
}

/** Time in steps, which passes only while something waits: refuses what has waited for too long, and reports it. */
function createSteps<Write>(
  lanes: ReturnType<typeof createLanes<Write>>,
  {
    flushMs = Infinity,
    describe = () => "the database does not keep up with what is written",
    onWait = () => {},
  }: WriteQueueOptions,
) {
  /** What has been handed over: at which step, and since which step the oldest of it waits. */
  const flying = new Map<
    readonly Waiting<Write>[],
    { readonly at: number; readonly oldest: number }
  >();
  let now = 0;
  let timer: NodeJS.Timeout | null = null;

  function oldestWaitMs(): number {
    const flown = Array.from(flying.values(), ({ oldest }) => oldest);
    return (now - Math.min(now, lanes.oldestStep(), ...flown)) * OWN_STEP_MS;
  }

  function giveUp(batch: readonly Waiting<Write>[]): void {
    const error = new UnknownOutcomeError(`${describe()}; the outcome of a write is not known`);
    for (const waiting of batch) {
      waiting.isGivenUp = true;
      waiting.reject(error);
    }
  }

  function refuseLate(): void {
    const isLate = ({ untilStep }: Waiting<Write>) => untilStep <= now;
    if (lanes.some(isLate)) lanes.refuse(isLate, new NotBegunError(describe()));
  }

  function step(): void {
    now++;
    refuseLate();
    for (const [batch, { at }] of flying) if (now - at === stepsIn(flushMs)) giveUp(batch);
    const waitedMs = oldestWaitMs();
    if (waitedMs > 0 && waitedMs % REPORTED_MS === 0) onWait(describe(), waitedMs / 1000);
  }

  return {
    now: () => now,
    oldestWaitMs,
    start(): void {
      timer ??= setInterval(step, OWN_STEP_MS);
    },
    stop(): void {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
    /** For what was handed over and not begun. */
    waitAgain(batch: readonly Waiting<Write>[]): void {
      lanes.putBack(batch);
      // It will be handed over again at once, and no step finds it waiting.
      refuseLate();
    },
    handedOver(batch: readonly Waiting<Write>[]): void {
      const oldest = Math.min(...batch.map(({ sinceStep }) => sinceStep));
      flying.set(batch, { at: now, oldest });
    },
    settled: (batch: readonly Waiting<Write>[]) => void flying.delete(batch),
  };
}

/** What waits, in the order in which it is taken: marks, urgent writes, and the others. */
function createLanes<Write>() {
  const [first, urgent, others]: [Waiting<Write>[], Waiting<Write>[], Waiting<Write>[]] = [
    [],
    [],
    [],
  ];
  const inOrder = [first, urgent, others];
  return {
    size: () => first.length + urgent.length + others.length,
    /** The lane for a write with these options; null if too many wait. */
    of({ isFirst = false, isUrgent = false }: StatementOptions): Waiting<Write>[] | null {
      if (isFirst) return first;
      if (urgent.length + others.length >= WRITE_LIMITS.waiting) return null;
      return isUrgent ? urgent : others;
    },
    take(count: number): Waiting<Write>[] {
      const batch: Waiting<Write>[] = [];
      for (const lane of inOrder) batch.push(...lane.splice(0, count - batch.length));
      return batch;
    },
    putBack(batch: readonly Waiting<Write>[]): void {
      for (const waiting of batch.toReversed()) {
        if (!waiting.isGivenUp) waiting.lane.unshift(waiting);
      }
    },
    some: (which: (waiting: Waiting<Write>) => boolean) => inOrder.some((lane) => lane.some(which)),
    refuse(which: (waiting: Waiting<Write>) => boolean, error: unknown): void {
      for (const lane of inOrder) {
        const refused = lane.filter(which);
        lane.splice(0, lane.length, ...lane.filter((waiting) => !which(waiting)));
        for (const { reject } of refused) reject(error);
      }
    },
    /** Nothing waits beyond this step. */
    limit(step: number): void {
      for (const waiting of inOrder.flat()) waiting.untilStep = Math.min(waiting.untilStep, step);
    },
    /** Since which step the oldest has waited; `Infinity` if none waits. */
    oldestStep: () => Math.min(...inOrder.map(([oldest]) => oldest?.sinceStep ?? Infinity)),
  };
}

function settle(waiting: Waiting<unknown>, written: Written | undefined): void {
  if (written === undefined) waiting.reject(new Error("a write without an outcome"));
  else if (written instanceof Error) waiting.reject(written);
  else waiting.resolve(written);
}
