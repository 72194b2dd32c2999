// Hands batches to the thread that writes to a SQLite file, and replaces it when it dies or hangs.

import { Worker } from "node:worker_threads";
import { UnavailableError } from "../lib/errors.ts";
import { within } from "../lib/within.ts";
import { UnknownOutcomeError } from "./engine.ts";
import type { BatchStatement, Outcome } from "./sqlite-batch.ts";

export interface WriterRequest {
  /** Texts that the thread has not had before. */
  readonly texts: readonly string[];
  /** The place of each statement's text, and its parameters. */
  readonly batch: readonly (readonly [text: number, parameters: BatchStatement["parameters"]])[];
}

/** The outcomes of a batch, or why none of it has taken effect. */
export type WriterAnswer = readonly Outcome[] | { readonly failure: string };

export const THREAD_LIMITS_MS = {
  /** Without an answer for so long, all that waits and all that follows is refused. Longer than a lock is waited for. */
  silent: 900,
  /** Then the thread is replaced. A disk that stalls for a moment does not need that. */
  replaced: 3000,
} as const;

/** The thread has a file of its own in the build, which sources that run unbuilt use too. */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/sqlite-writer.js" : "./sqlite-writer.js",
  import.meta.url,
);

/** It holds statements and the rows of one batch. */
const MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };

type WriterThread = ReturnType<typeof startThread>;

/** `onSilence` is called with the error for all who wait, when the thread does not answer in time. */
export function createWriterThread(path: string, onSilence: (error: UnavailableError) => void) {
  let thread: WriterThread | null = null;
  let isSilent = false;

  /** Refuses writes until the thread answers after all, or is replaced. */
  function giveUp(silent: WriterThread, answered: Promise<unknown>): UnavailableError {
    const error = new UnavailableError("the disk did not answer in time");
    isSilent = true;
    onSilence(error);
    const replace = () => {
      if (thread === silent) thread = null;
      isSilent = false;
      // Not ended, which would abort the process while the thread is in a library: it closes when it returns.
      void silent.close();
    };
    const timer = setTimeout(replace, THREAD_LIMITS_MS.replaced);
    const recover = () => {
      clearTimeout(timer);
      isSilent = false;
    };
    answered.then(recover, recover);
    return error;
  }

  return {
    /**
     * Hands over a batch; one at a time. Rejects with `UnavailableError` if there is no answer in time, and with
     * `UnknownOutcomeError` if the thread dies.
     */
    async flush(batch: readonly BatchStatement[]): Promise<WriterAnswer> {
      if (isSilent) throw new UnavailableError("the disk does not answer");
      if (thread?.isAlive() !== true) thread = startThread(path);
      const current = thread;
      const answered = current.ask(batch);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(giveUp(current, answered)), THREAD_LIMITS_MS.silent);
        answered.then(resolve, reject).finally(() => clearTimeout(timer));
      });
    },
    /** Closes the file, after the batch that was handed over last. Does not wait for a thread that hangs. */
    async close(): Promise<void> {
      const closing = thread;
      thread = null;
      if (closing !== null) await within(THREAD_LIMITS_MS.silent, closing.close());
    },
  };
}

function startThread(path: string) {
  const worker = new Worker(PROGRAM, {
    workerData: { path },
    execArgv: [],
    resourceLimits: MEMORY,
  });
  // A batch that waits keeps the process alive by its timer.
  worker.unref();
  const known = new Map<string, number>();
  let isAlive = true;
  let reason = "it ended";
  let answer = (_: WriterAnswer) => {};
  let fail = (_: Error) => {};
  const gone = new Promise<void>((resolve) => {
    worker.on("exit", () => {
      isAlive = false;
      // It may have committed before it died.
      fail(new UnknownOutcomeError(`the thread that writes has died: ${reason}`));
      resolve();
    });
  });
  worker.on("message", (message: WriterAnswer) => answer(message));
  worker.on("error", (error) => {
    reason = error.message;
  });

  function requestOf(batch: readonly BatchStatement[]): WriterRequest {
    const texts: string[] = [];
    const numbered = batch.map(({ sql, parameters }) => {
      let place = known.get(sql);
      if (place === undefined) {
        place = known.size;
        known.set(sql, place);
        texts.push(sql);
      }
      return [place, parameters] as const;
    });
    return { texts, batch: numbered };
  }

  return {
    isAlive: () => isAlive,
    ask: (batch: readonly BatchStatement[]) =>
      new Promise<WriterAnswer>((resolve, reject) => {
        [answer, fail] = [resolve, reject];
        worker.postMessage(requestOf(batch));
      }),
    close(): Promise<void> {
      worker.postMessage(null);
      return gone;
    },
  };
}
