// The executable: runs the command and exits with its status.

import { runCommand } from "./command.ts";
import { failureLine } from "./demo-error.ts";

/** The exit status that a shell reports for a process that a signal ended. */
const STATUS_OF = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Resolves on the first signal: SIGTERM, SIGINT, or SIGHUP, when the terminal is closed. The second one ends the process immediately. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = (signal: keyof typeof STATUS_OF) => {
      if (stopping) process.exit(STATUS_OF[signal]);
      stopping = true;
      resolve();
    };
    for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  });
}

// Also for a promise that nobody waits for. Node would print a stack trace.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${failureLine(error)}\n`);
  process.exit(1);
});

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  stopSignal,
});
