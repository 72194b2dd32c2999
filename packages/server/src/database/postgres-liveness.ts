// Detects an outage of the server: silence on all connections, or connections that are refused.
//
// One slow statement (a lock, a commit that waits for a standby) only has its own deadline, because the
// server still responds on other connections. During an outage no statement is sent, and those that were sent
// are answered late if the server only was slow.

import { UnavailableError, UnknownOutcomeError } from "../lib/errors.ts";
import { type Settle, settledWithin, type Wait } from "./waits.ts";

export type Liveness = ReturnType<typeof createLiveness>;

/** How many octets the server has sent. */
export interface Octets {
  all: number;
  /** On connections that were ready for statements. Others may come from a proxy. */
  ready: number;
}

/** Milliseconds. Silence is counted in steps: if this process was stopped, that time counts as one step. */
const STEP = 100;
/** Silent steps until a query is sent on an idle connection. */
const ASK_AFTER = 2;
/** Until another connection is opened: there may be no idle one, or a firewall may have dropped it. */
const CONNECT_AFTER = 3;
/** Until nothing more is sent. */
const SILENT_AFTER = 7;
/** Until statements that were sent are given up, with an unknown outcome. */
const GIVEN_UP_AFTER = 200;
/** Steps between two attempts to connect during an outage. Attempts overlap: a lost packet must not delay the next. */
const BETWEEN_ATTEMPTS = 5;

interface Outage {
  /** Why no statement is sent. */
  cause: Error;
  /** Whether connections may only be silent, and answer later. */
  isSilence: boolean;
  /** What the server had sent on connections that were ready. */
  readonly heard: number;
}

interface Deps {
  /** Provokes a response of the server on an idle connection. */
  ask(): void;
  /** Provokes a response of the server on a new connection. */
  connect(): void;
  /** Fails all statements that were sent. */
  giveUp(cause: UnknownOutcomeError): void;
  /** Replaces connections that may be dead, and attempts that may have no answer: a new connection has ended an outage. */
  renew(): void;
  octets(): Octets;
}

export function createLiveness({ ask, connect, giveUp, renew, octets }: Deps) {
  const waiters = new Set<Settle<void>>();
  let running = 0;
  /** Steps since the server last sent something, or since the first task began to wait. */
  let silent = 0;
  /** As of the last step. */
  let received = 0;
  let outage: Outage | null = null;
  let wasReached = false;
  /** Why nothing waits for the end of an outage any more. */
  let closed: Error | null = null;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function halt(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function start(): void {
    if (!stopped) timer ??= setInterval(step, STEP);
  }

  function step(): void {
    if (outage === null && running === 0) halt();
    // Deferred, so that data that has already arrived is read first.
    else setImmediate(judge);
  }

  function judge(): void {
    if (stopped) return;
    silent++;
    if (outage !== null) judgeOutage(outage);
    else judgeServer();
  }

  function judgeServer(): void {
    const { all } = octets();
    if (all !== received) silent = 0;
    received = all;
    // Before the first response, a slow start (for example in DNS) is covered by other limits.
    if (received === 0 || running === 0) return;
    if (silent === ASK_AFTER) ask();
    if (silent === CONNECT_AFTER) connect();
    if (silent < SILENT_AFTER) return;
    begin(new UnavailableError("the database does not answer"), true);
    connect();
  }

  function judgeOutage({ isSilence, heard }: Outage): void {
    if (isSilence && octets().ready !== heard) {
      end();
      return;
    }
    if (isSilence && silent === GIVEN_UP_AFTER) {
      begin(new UnavailableError("the database does not answer"), false);
      giveUp(new UnknownOutcomeError("the database gave no answer for 20 s"));
    }
    if (silent % BETWEEN_ATTEMPTS === 0) connect();
  }

  function begin(cause: Error, isSilence: boolean): void {
    outage = { cause, isSilence, heard: octets().ready };
    start();
  }

  function end(): void {
    outage = null;
    silent = 0;
    received = octets().all;
    for (const { resolve } of waiters) resolve();
  }

  return {
    /** Runs a task that needs the server. */
    async watch<T>(task: () => Promise<T>): Promise<T> {
      if (running === 0 && outage === null) {
        silent = 0;
        received = octets().all;
      }
      start();
      running++;
      try {
        return await task();
      } finally {
        running--;
      }
    },
    /** Resolves when there is no outage. Rejects when the time is over. Null if there is nothing to wait for. */
    whenResponsive(wait: Wait): Promise<void> | null {
      if (outage === null) return null;
      if (closed !== null) return Promise.reject(closed);
      return settledWithin(wait, "the database did not answer", waiters);
    },
    /** A connection is ready for statements. */
    connected(): void {
      wasReached = true;
      silent = 0;
      if (outage === null) return;
      renew();
      end();
    },
    /**
     * No connection is left, and a new one is refused. Throws the cause if the server was never reached: then it is
     * probably a mistake in the settings.
     */
    refused(cause: Error): void {
      if (!wasReached) throw cause;
      if (outage === null) silent = 0;
      begin(cause, false);
    },
    outage: (): Error | null => outage?.cause ?? null,
    /** Nothing waits for the end of an outage any more. */
    close(cause: Error): void {
      closed = cause;
      if (outage === null) return;
      for (const { reject } of waiters) reject(cause);
    },
    /** Stops detection. Pending statements end by their own deadlines. */
    stop(): void {
      stopped = true;
      halt();
    },
  };
}
