// The terminal that a command runs in: its streams, its environment and its signals.

import { text } from "node:stream/consumers";
import { type LogDestination, standardError } from "../telemetry/log-sink.ts";

export interface Terminal {
  /** Writes to standard output, which contains only the answer of the command. */
  out(text: string): void;
  err(text: string): void;
  readonly env: NodeJS.ProcessEnv;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** Asks a question and resolves to the line that is typed. Null if there is no terminal to ask on. */
  ask(question: string): Promise<string | null>;
  /** Resolves on the first SIGTERM or SIGINT. The next one ends the process immediately. */
  stopSignal(): Promise<void>;
  /** Destination of the log; standard error by default. */
  readonly log?: LogDestination;
}

/** The exit status that a shell reports for a process that a signal ended. */
const STATUS_OF = { SIGINT: 130, SIGTERM: 143 } as const;

export function processTerminal(): Terminal {
  // Warnings of Node itself; without a listener, a reader that is gone would end the process.
  process.stderr.on("error", () => {});
  return {
    out: (text) => process.stdout.write(text),
    // Through the log's queue, so that a reader that stalls does not keep a failed command from ending.
    err: standardError().write,
    env: process.env,
    // Only on demand: the first access to process.stdin opens the stream.
    readInput: () => text(process.stdin),
    ask,
    stopSignal,
  };
}

async function ask(question: string): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  const { createInterface } = await import("node:readline/promises");
  // Not on standard output, which contains only the answer of the command.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = (signal: keyof typeof STATUS_OF) => {
      // Explicit, because a signal's default action does nothing to the first process of a container.
      if (stopping) process.exit(STATUS_OF[signal]);
      stopping = true;
      resolve();
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  });
}
