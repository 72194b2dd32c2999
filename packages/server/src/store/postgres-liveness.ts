// Whether the server is there at all: judged by whether it says anything, on whichever connection.
//
// One slow statement (a lock, a commit that waits for a standby) keeps its own deadline, for the
// server still answers others. Silence on every line is an outage, told long before that deadline.

import { UnavailableError } from "../lib/errors.ts";

export interface Liveness {
  /** Runs the task, or rejects at once with `UnavailableError` while the server is gone. */
  watch<T>(task: () => Promise<T>): Promise<T>;
  /** The server has said something. */
  heard(): void;
  /** A connection is ready for statements: the server is no longer gone. */
  connected(): void;
  /** Judges no more: what is under way ends by its own deadline. */
  stop(): void;
}

/**
 * Milliseconds. Silence is counted in steps and not read off a clock: a time for which this process
 * itself was blocked or stopped is one late step.
 */
const STEP = 100;
/** Silent steps until the server is asked for a word, through a connection that nobody uses. */
const ASK_AFTER = 2;
/** Until another connection is opened: there may be none to ask, or a firewall has forgotten it. */
const CONNECT_AFTER = 3;
/** Until the server is gone: whoever waits for it has an answer within a second. */
const GONE_AFTER = 7;
/**
 * Steps between two attempts to connect while it is gone. They may overlap: one whose first packet
 * was lost must not hold up the next, and one that is merely slow must come to its end.
 */
const BETWEEN_ATTEMPTS = 5;

/** `ask` and `connect` make the server speak if it can; `giveUp` fails all that waits for it. */
export function createLiveness(actions: {
  ask: () => void;
  connect: () => void;
  giveUp: (cause: UnavailableError) => void;
}): Liveness {
  const { ask, connect, giveUp } = actions;
  let waiting = 0;
  /** Steps since the server was last heard, or since somebody began to wait. */
  let silent = 0;
  /** Until the first word a start may be slow, for instance in DNS: other limits hold. */
  let wasHeard = false;
  let gone = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function halt(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function step(): void {
    if (!gone && waiting === 0) halt();
    // What has arrived meanwhile is read before it is judged that nothing has.
    else setImmediate(judge);
  }

  function judge(): void {
    if (stopped) return;
    silent++;
    if (gone) {
      if (silent % BETWEEN_ATTEMPTS === 0) connect();
      return;
    }
    if (!wasHeard || waiting === 0) return;
    if (silent === ASK_AFTER) ask();
    if (silent === CONNECT_AFTER) connect();
    if (silent < GONE_AFTER) return;
    gone = true;
    silent = 0;
    giveUp(new UnavailableError("the database has fallen silent"));
    connect();
  }

  return {
    async watch(task) {
      if (gone) throw new UnavailableError("the database does not answer");
      if (waiting === 0) silent = 0;
      if (!stopped) timer ??= setInterval(step, STEP);
      waiting++;
      try {
        return await task();
      } finally {
        waiting--;
      }
    },
    heard() {
      wasHeard = true;
      // While it is gone only a connection counts: a proxy in front of it may speak for itself.
      if (!gone) silent = 0;
    },
    connected() {
      gone = false;
      silent = 0;
    },
    stop() {
      stopped = true;
      halt();
    },
  };
}
