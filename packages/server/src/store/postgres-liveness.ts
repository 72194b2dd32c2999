// Detects an outage of the server: silence on all connections.
//
// One slow statement (a lock, a commit that waits for a standby) only has its own deadline, because the
// server still responds on other connections. Silence on all of them is reported long before that deadline.

import { UnavailableError } from "../lib/errors.ts";

export type Liveness = ReturnType<typeof createLiveness>;

/**
 * Milliseconds. Silence is counted in steps and not measured with a clock: if this process was blocked or
 * stopped, that time counts as one step.
 */
const STEP = 100;
/** Silent steps until a query is sent on an idle connection. */
const ASK_AFTER = 2;
/** Until another connection is opened: there may be no idle one, or a firewall may have dropped it. */
const CONNECT_AFTER = 3;
/** Until the outage is reported: all waiting requests fail within a second. */
const GONE_AFTER = 7;
/**
 * Steps between two attempts to connect during an outage. Attempts can overlap: one whose first packet was
 * lost must not delay the next, and a slow one must be able to finish.
 */
const BETWEEN_ATTEMPTS = 5;

/**
 * `ask` and `connect` provoke a response of the server; `giveUp` fails all pending statements. `octets` is how many
 * the server has sent.
 */
export function createLiveness(actions: {
  ask: () => void;
  connect: () => void;
  giveUp: (cause: UnavailableError) => void;
  octets: () => number;
}) {
  const { ask, connect, giveUp, octets } = actions;
  let waiting = 0;
  /** Steps since the server last sent something, or since the first task began to wait. */
  let silent = 0;
  /** As of the last step. */
  let received = 0;
  let gone = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function halt(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function step(): void {
    if (!gone && waiting === 0) halt();
    // Deferred, so that data that has already arrived is read first.
    else setImmediate(judge);
  }

  function judge(): void {
    if (stopped) return;
    silent++;
    if (gone) {
      if (silent % BETWEEN_ATTEMPTS === 0) connect();
      return;
    }
    const total = octets();
    if (total !== received) silent = 0;
    received = total;
    // Before the first response, a slow start (for example in DNS) is covered by other limits.
    if (received === 0 || waiting === 0) return;
    if (silent === ASK_AFTER) ask();
    if (silent === CONNECT_AFTER) connect();
    if (silent < GONE_AFTER) return;
    gone = true;
    silent = 0;
    giveUp(new UnavailableError("the database has fallen silent"));
    connect();
  }

  return {
    /** Runs the task. During an outage, rejects immediately with `UnavailableError`. */
    async watch<T>(task: () => Promise<T>): Promise<T> {
      if (gone) throw new UnavailableError("the database does not answer");
      if (waiting === 0) {
        silent = 0;
        received = octets();
      }
      if (!stopped) timer ??= setInterval(step, STEP);
      waiting++;
      try {
        return await task();
      } finally {
        waiting--;
      }
    },
    /** A connection is ready for statements. Only this ends an outage: other data may come from a proxy. */
    connected() {
      gone = false;
      silent = 0;
    },
    /** Stops detection. Pending statements end by their own deadlines. */
    stop() {
      stopped = true;
      halt();
    },
  };
}
