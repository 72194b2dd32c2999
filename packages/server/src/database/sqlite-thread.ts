// Hands batches to the thread that writes to a SQLite file, and replaces the thread when it dies.
//
// A thread that hangs is never replaced or ended: a second one would wait for the same disk and the same lock, and libsql
// aborts the process if its thread is ended during a call.

import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { NotBegunError, UnavailableError, UnknownOutcomeError } from "../lib/errors.ts";
import { withinOwnTime } from "../lib/own-time.ts";
import type { SqlValue } from "./engine.ts";
import type { BatchItem, Outcome } from "./sqlite-batch.ts";
import { translate } from "./sqlite-library.ts";
import { lockedBy } from "./sqlite-lock.ts";

export interface WriterRequest {
  /** Texts that the thread has not had before. */
  readonly texts: readonly string[];
  /** The place of each statement's text, and its parameters. */
  readonly batch: readonly (
    | readonly [text: number, parameters: readonly SqlValue[], rows: string | undefined]
    | { readonly joined: readonly (readonly [text: number, readonly SqlValue[], when: boolean])[] }
  )[];
}

/** The outcomes of a batch, or why none of it has taken effect. `hasBegun` is false if only a lock was in the way. */
export type WriterAnswer =
  | readonly Outcome[]
  | { readonly failure: string; readonly hasBegun: boolean };

/** `opened`: the file is open; the value is the name of the thread in `/proc/self/task`, or empty. */
export type WriterMessage = { readonly opened: string } | { readonly answer: WriterAnswer };

export interface ThreadData {
  readonly path: string;
  /** One of `WRITER_STATES`, in memory that both threads share. */
  readonly state: Int32Array;
}

/** What the thread is doing. It is `flushing` from before it takes the lock until the disk has confirmed the commit. */
export const WRITER_STATES = { opening: 0, idle: 1, flushing: 2, locked: 3 } as const;

/** Milliseconds for the thread to close the file, once it has nothing else to do. */
const CLOSE_MS = 1000;

/** The thread has a file of its own in the build. Tests, which run the sources, build that file alone. */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "../../.test/sqlite-writer.js" : "./sqlite-writer.js",
  import.meta.url,
);

/** It holds statements and the rows of one batch. */
const MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };

export function createWriterThread(path: string) {
  let thread: ReturnType<typeof startThread> | null = null;

  return {
    /** Null if the thread has the file open; otherwise resolves when it has, and rejects if it cannot open the file. */
    whenReady(): Promise<void> | null {
      if (thread?.isAlive() !== true) thread = startThread(path);
      return thread.whenOpened();
    },

    /**
     * Hands over a batch; one at a time. Resolves when the thread has answered, however late. Rejects with
     * `UnknownOutcomeError` if the thread dies first, and with `NotBegunError` if it has not opened the file or only a
     * lock was in its way.
     */
    async flush(batch: readonly BatchItem[]): Promise<readonly Outcome[]> {
      if (thread?.isAlive() !== true || thread.whenOpened() !== null) {
        throw new NotBegunError("the thread that writes has not opened the database file");
      }
      const answer = await thread.ask(batch);
      if (!("failure" in answer)) return answer;
      const { failure, hasBegun } = answer;
      throw hasBegun ? translate(new Error(failure)) : new NotBegunError(failure);
    },

    /** What the thread is waiting for, as a clause. */
    describe(): string {
      switch (thread?.state()) {
        case WRITER_STATES.locked:
          return lockedBy(path);
        case WRITER_STATES.flushing:
          // A thread that could run, and does not, waits for a processor and not for a disk.
          return thread !== null && isRunnable(thread.taskId())
            ? "the machine is busy, and a write to the disk is not finished"
            : "the disk has not finished a write";
        case WRITER_STATES.opening:
          return "the thread that writes has not opened the database file yet";
        default:
          return "the machine is busy: the thread that writes gets no processor time";
      }
    },

    /** Closes the file, after the batch that was handed over last. Does not wait for a thread that hangs. */
    async close(): Promise<void> {
      const closing = thread;
      thread = null;
      if (closing !== null) await withinOwnTime(CLOSE_MS, closing.close());
    },
  };
}

/** By the third field of `/proc/self/task/ID/stat` (`proc(5)`). */
function isRunnable(taskId: string): boolean {
  if (taskId === "") return false;
  try {
    return /\) R /.test(readFileSync(`/proc/self/task/${taskId}/stat`, "latin1"));
  } catch {
    return false;
  }
}

function startThread(path: string) {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ThreadData = { path, state };
  const worker = new Worker(PROGRAM, { workerData, execArgv: [], resourceLimits: MEMORY });
  // The timers of those who wait for the thread keep the process alive.
  worker.unref();
  const places = new Map<string, number>();
  let isAlive = true;
  let reason = "it ended";
  let taskId: string | null = null;
  let answered = (_: WriterAnswer) => {};
  let failed = (_: Error) => {};
  let opened = () => {};
  let closedEarly = (_: Error) => {};
  const opening = new Promise<void>((resolve, reject) => {
    [opened, closedEarly] = [resolve, reject];
  });
  // Without a caller that waits, the rejection would end the process.
  opening.catch(() => {});
  const gone = new Promise<void>((resolve) => {
    worker.on("exit", () => {
      isAlive = false;
      closedEarly(new UnavailableError(`the thread that writes cannot open the file: ${reason}`));
      // It may have committed before it died.
      failed(new UnknownOutcomeError(`the thread that writes has died: ${reason}`));
      resolve();
    });
  });
  worker.on("message", (message: WriterMessage) => {
    if ("answer" in message) return answered(message.answer);
    taskId = message.opened;
    opened();
  });
  worker.on("error", (error) => {
    reason = error.message;
  });

  function requestOf(batch: readonly BatchItem[]): WriterRequest {
    const texts: string[] = [];
    const placeOf = (sql: string) => {
      const known = places.get(sql);
      if (known !== undefined) return known;
      const place = places.size;
      places.set(sql, place);
      texts.push(sql);
      return place;
    };
    const numbered = batch.map((item) => {
      if (!("joined" in item)) return [placeOf(item.sql), item.parameters, item.rows] as const;
      const joined = item.joined.map(
        ({ sql, parameters, when }) => [placeOf(sql), parameters, when] as const,
      );
      return { joined };
    });
    return { texts, batch: numbered };
  }

  return {
    isAlive: () => isAlive,
    state: () => Atomics.load(state, 0),
    taskId: () => taskId ?? "",
    whenOpened: (): Promise<void> | null => (taskId === null ? opening : null),
    ask: (batch: readonly BatchItem[]) =>
      new Promise<WriterAnswer>((resolve, reject) => {
        [answered, failed] = [resolve, reject];
        worker.postMessage(requestOf(batch));
      }),
    close(): Promise<void> {
      worker.postMessage(null);
      return gone;
    },
  };
}
