// Standard error as a bounded queue of lines, so that a log that cannot be written neither delays nor stops the service.

import { constants, fstatSync, openSync, write, writeSync } from "node:fs";
import { isatty } from "node:tty";

/** What waits to be written. Lines beyond it are dropped. */
const MAX_QUEUED_OCTETS = 2 ** 20;
const MAX_CHUNK_OCTETS = 2 ** 16;
/** When a reader that did not keep up is tried again. */
const RETRY_MS = 50;
const NEWLINE = Buffer.from("\n");
const STDERR_FD = 2;

/** `count` lines were dropped since the last notice, which can be dropped too, and `total` since the start. */
export interface Dropped {
  readonly count: number;
  readonly total: number;
}

/** Receives the log line by line. */
export interface LogDestination {
  write(line: string): void;
  /** Calls the listener once lines can be written again after some were dropped. Replaces the last listener. */
  onRecovery?(listener: (dropped: Dropped) => void): void;
  /** Whether a person reads the lines. */
  readonly isTerminal?: boolean;
}

export interface LogSink extends LogDestination {
  /** How many lines were dropped since the start. */
  droppedLines(): number;
  /** Resolves when every line is written or dropped, or after this time. */
  flush(timeoutMs: number): Promise<void>;
  /** Writes what is left without waiting. For the end of the process. */
  writeRest(): void;
}

/** Where a sink writes. Neither function may wait for a reader. */
export interface LogOutput {
  /** Writes as much as it can now. With the error EAGAIN the reader does not keep up: try again later. */
  write(chunk: Buffer, done: (error: unknown, written: number) => void): void;
  /** As `write`, but immediately. Throws the error. */
  writeSync(chunk: Buffer): number;
}

/** Keeps lines while the reader is slow, up to a mebibyte. Drops lines that the output refuses. */
export function createLogSink(output: LogOutput): LogSink {
  const queue = createLineQueue();
  const waiting: (() => void)[] = [];
  let notify: (dropped: Dropped) => void = () => {};
  let total = 0;
  let count = 0;
  let isBusy = false;
  let hasGivenUp = false;

  function drop(lines: number): void {
    total += lines;
    count += lines;
  }

  function drain(): void {
    if (isBusy || queue.octets() === 0) return;
    isBusy = true;
    output.write(queue.nextChunk(), (error, written) => {
      queue.written(written);
      if (codeOf(error) === "EAGAIN") {
        queue.putBack();
        // The queue alone does not keep the process running.
        setTimeout(next, RETRY_MS).unref();
        return;
      }
      if (error) drop(queue.refused());
      // After part of a line, the rest can still be refused, and the notice with it.
      else if (!queue.isPartial()) reportDropped();
      next();
    });
  }

  function next(): void {
    isBusy = false;
    drain();
    if (queue.octets() === 0) for (const resolve of waiting.splice(0)) resolve();
  }

  function reportDropped(): void {
    // A notice for each line that a slow reader takes would drop other lines.
    if (count === 0 || queue.octets() > MAX_QUEUED_OCTETS / 2) return;
    const dropped = { count, total };
    count = 0;
    notify(dropped);
  }

  return {
    write(text) {
      const line = Buffer.from(text);
      if (queue.octets() + line.length > MAX_QUEUED_OCTETS) return drop(1);
      queue.push(line);
      drain();
    },
    onRecovery: (listener) => {
      notify = listener;
    },
    droppedLines: () => total,
    flush: (timeoutMs) =>
      new Promise((resolve) => {
        if (queue.octets() === 0) return resolve();
        const timer = setTimeout(() => {
          hasGivenUp = true;
          resolve();
        }, timeoutMs);
        waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
    writeRest() {
      // An output that did not finish in time would keep the process from ending.
      if (!hasGivenUp) writeAll(output, queue.rest());
    },
  };
}

function writeAll(output: LogOutput, chunk: Buffer): void {
  try {
    for (let left = chunk; left.length > 0; ) left = left.subarray(output.writeSync(left));
  } catch {
    // The process ends, so nobody can be informed.
  }
}

/** The lines that wait, and the state of the line that is being written. */
function createLineQueue() {
  const lines: Buffer[] = [];
  let octets = 0;
  /** How many lines the current chunk contains. */
  let inFlight = 0;
  /** Whether the first line is the rest of a line. */
  let isPartial = false;
  /** Whether the output ends with part of a line whose rest was dropped. */
  let isTorn = false;
  const joined = (part: readonly Buffer[]) => Buffer.concat(isTorn ? [NEWLINE, ...part] : part);

  return {
    octets: () => octets,
    isPartial: () => isPartial,
    push(line: Buffer): void {
      if (line.length > 0) lines.push(line);
      octets += line.length;
    },
    nextChunk(): Buffer {
      inFlight = countThatFit(lines);
      return joined(lines.slice(0, inFlight));
    },
    /** Removes this many octets of the chunk. */
    written(count: number): void {
      let left = isTorn && count > 0 ? count - 1 : count;
      if (count > 0) isTorn = false;
      octets -= left;
      for (let first = lines[0]; first && left > 0; first = lines[0]) {
        isPartial = left < first.length;
        if (isPartial) lines[0] = first.subarray(left);
        else {
          lines.shift();
          inFlight--;
        }
        left -= Math.min(left, first.length);
      }
    },
    /** The rest of the chunk is no longer being written. */
    putBack(): void {
      inFlight = 0;
    },
    /** Removes what is left of the chunk. Returns how many lines that were. */
    refused(): number {
      const dropped = lines.splice(0, inFlight);
      for (const line of dropped) octets -= line.length;
      isTorn ||= isPartial;
      isPartial = false;
      inFlight = 0;
      return dropped.length;
    },
    /** Everything that is not in a chunk that is still being written. */
    rest: () => joined(lines.slice(inFlight)),
  };
}

/** How many lines fit into a chunk, but at least one. */
function countThatFit(lines: readonly Buffer[]): number {
  let octets = 0;
  const end = lines.findIndex((line) => {
    octets += line.length;
    return octets > MAX_CHUNK_OCTETS;
  });
  return end === -1 ? lines.length : Math.max(end, 1);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

let standardErrorSink: LogSink | null = null;

/** The sink of this process on its standard error. Made on the first call. */
export function standardError(): LogSink {
  if (standardErrorSink === null) {
    const sink = { ...createLogSink(standardErrorOutput()), isTerminal: isatty(STDERR_FD) };
    process.once("exit", sink.writeRest);
    standardErrorSink = sink;
  }
  return standardErrorSink;
}

function standardErrorOutput(): LogOutput {
  const stat = fstatSync(STDERR_FD);
  const canStall = stat.isFIFO() || stat.isSocket() || isatty(STDERR_FD);
  return canStall ? nonBlockingOutput() : fileOutput();
}

/** Pipes, sockets and terminals. A thread of the pool that waits for a reader would keep the process from ending. */
function nonBlockingOutput(): LogOutput {
  const fd = nonBlockingStandardError();
  return {
    write(chunk, done) {
      let written = 0;
      try {
        written = writeSync(fd, chunk);
      } catch (error) {
        return done(error, 0);
      }
      done(null, written);
    },
    writeSync: (chunk) => writeSync(fd, chunk),
  };
}

function nonBlockingStandardError(): number {
  // Opening the stream makes a pipe or a socket non-blocking, also for what Node itself prints at the end.
  void process.stderr;
  try {
    // A description of our own: programs that share the other one can make it block again. Works on Linux
    // for pipes and terminals that this user may open.
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync(`/proc/self/fd/${STDERR_FD}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return STDERR_FD;
  }
}

/** Files, which have no reader to wait for, but disks can be slow. */
function fileOutput(): LogOutput {
  return {
    write: (chunk, done) => write(STDERR_FD, chunk, (error, written) => done(error, written ?? 0)),
    writeSync: (chunk) => writeSync(STDERR_FD, chunk),
  };
}
