// Gives page requests at most a share of the event loop's time, and decides which of them goes next.

import type { RequestCost } from "./request-cost.ts";

/** More page requests arrive than this node can serve besides its other work. Answered with 503. */
export class OverloadedError extends Error {
  override name = "OverloadedError";
  /** True for the first rejection in a while. Only this one is logged. */
  readonly isFirst: boolean;

  constructor(isFirst: boolean) {
    super("too many page requests are waiting");
    this.isFirst = isFirst;
  }
}

export interface Requester {
  /** Requests with one key wait in one line. */
  readonly key: string;
  /** Whether somebody has signed in here with this browser before: such requests go first. */
  readonly isReturning: boolean;
}

export type FairShare = ReturnType<typeof createFairShare>;

interface WaitingRequest {
  start(): void;
  refuse(): void;
}

export const WAITING = {
  /** Requests of one key. */
  each: 16,
  /** Requests of all keys together, in each of both lanes. */
  lane: 256,
  /** A person who waits longer reloads the page, which would add a request. */
  ms: 10_000,
} as const;
/** Waits are counted in ticks, so that a pause of the whole process counts as at most one tick. */
const TICK_MS = 1000;
/** Time that may be saved up while there are few requests. */
const BURST_MS = 100;
/** After this long without a rejection, the next rejection is logged again. */
const QUIET_MS = 60_000;
/** Many requests run at once, because each may wait for DNS. */
const MAX_RUNNING = 1000;

/**
 * `share` is a fraction of the event loop's time. While pages have used less than this, a request starts at once.
 * Otherwise returning browsers go first, and in both lanes the keys take turns: so neither a flood nor one address
 * delays tokens, and few requests overtake many. In a full lane, the longest line makes room for a shorter one.
 */
export function createFairShare({
  share,
  cost,
  now = () => performance.now(),
  random = Math.random,
}: {
  readonly share: number;
  readonly cost: RequestCost;
  readonly now?: () => number;
  readonly random?: () => number;
}) {
  const lanes = { returning: createLane(random), strangers: createLane(random) };
  const allowance = createAllowance(share, now);
  const isWaiting = () => lanes.returning.size() + lanes.strangers.size() > 0;
  let rejectedAt = Number.NEGATIVE_INFINITY;
  let running = 0;
  let timer: NodeJS.Timeout | null = null;

  function overloaded(): OverloadedError {
    const isFirst = now() - rejectedAt >= QUIET_MS;
    rejectedAt = now();
    return new OverloadedError(isFirst);
  }

  const mayStart = () => running < MAX_RUNNING && allowance.waitMs() === 0;

  function begin(): void {
    running++;
    cost.countPage();
    allowance.use(cost.pageMs());
  }

  function startWaiting(): void {
    while (isWaiting() && mayStart()) {
      (lanes.returning.shift() ?? lanes.strangers.shift())?.start();
    }
    if (timer !== null || !isWaiting()) return;
    const again = () => {
      timer = null;
      startWaiting();
    };
    timer = setTimeout(again, Math.max(1, allowance.waitMs()));
  }

  function turn({ key, isReturning }: Requester): Promise<void> {
    const lane = isReturning ? lanes.returning : lanes.strangers;
    return new Promise((resolve, reject) => {
      let ticks = WAITING.ms / TICK_MS;
      const timeout = setInterval(() => {
        ticks--;
        if (ticks > 0) return;
        lane.remove(key, waiter);
        waiter.refuse();
      }, TICK_MS);
      const waiter: WaitingRequest = {
        start() {
          clearInterval(timeout);
          begin();
          resolve();
        },
        refuse() {
          clearInterval(timeout);
          reject(overloaded());
        },
      };
      if (lane.add(key, waiter)) startWaiting();
      else waiter.refuse();
    });
  }

  return {
    /** Runs the task in its turn. Rejects with `OverloadedError` if too many wait, or the wait is too long. */
    async run<T>(from: Requester, task: () => T | Promise<T>): Promise<T> {
      if (!isWaiting() && mayStart()) begin();
      else await turn(from);
      try {
        return await task();
      } finally {
        running--;
        if (isWaiting()) startWaiting();
      }
    },
  };
}

/** Busy time that grows with time, and may be overdrawn by one request. */
function createAllowance(share: number, now: () => number) {
  let levelMs = BURST_MS;
  let at = now();
  return {
    /** 0 if a request may start now. */
    waitMs(): number {
      levelMs = Math.min(BURST_MS, levelMs + (now() - at) * share);
      at = now();
      return levelMs > 0 ? 0 : -levelMs / share + 1;
    },
    use(ms: number): void {
      levelMs -= ms;
    },
  };
}

/** Lines of waiting requests, one for each key. `shift` takes one of each line in turn. */
function createLane(random: () => number) {
  // A Map keeps insertion order: a line that was served goes to the end.
  const lines = new Map<string, WaitingRequest[]>();
  let size = 0;

  /** Refuses the newest request of the longest line. False if no line is longer than `length`. */
  function makeRoom(length: number): boolean {
    let longest: { readonly key: string; readonly line: WaitingRequest[] } | null = null;
    let equals = 0;
    for (const [key, line] of lines) {
      const most = longest?.line.length ?? length + 1;
      if (line.length < most) continue;
      equals = longest !== null && line.length === most ? equals + 1 : 1;
      // Of equally long lines one is drawn: any fixed choice would favor requests by the time of their arrival.
      if (random() * equals < 1) longest = { key, line };
    }
    if (longest === null) return false;
    const newest = longest.line.pop();
    if (longest.line.length === 0) lines.delete(longest.key);
    size--;
    newest?.refuse();
    return true;
  }

  return {
    size: () => size,
    add(key: string, waiter: WaitingRequest): boolean {
      const line = lines.get(key) ?? [];
      if (line.length >= WAITING.each) return false;
      if (size >= WAITING.lane && !makeRoom(line.length)) return false;
      line.push(waiter);
      lines.set(key, line);
      size++;
      return true;
    },
    shift(): WaitingRequest | undefined {
      const [first] = lines;
      if (first === undefined) return undefined;
      const [key, line] = first;
      const waiter = line.shift();
      lines.delete(key);
      if (line.length > 0) lines.set(key, line);
      size--;
      return waiter;
    },
    remove(key: string, waiter: WaitingRequest): void {
      const line = lines.get(key) ?? [];
      const rest = line.filter((one) => one !== waiter);
      size -= line.length - rest.length;
      if (rest.length > 0) lines.set(key, rest);
      else lines.delete(key);
    },
  };
}
