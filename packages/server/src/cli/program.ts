// The program after its first line: runs the command that the arguments name, and exits with its status.

import { standardError } from "../telemetry/log-sink.ts";
import { runCommand } from "./command-line.ts";
import { processTerminal } from "./terminal.ts";

/** How long the end waits for a reader of standard error. */
const FLUSH_TIMEOUT_MS = 500;

try {
  process.exitCode = await runCommand(process.argv.slice(2), processTerminal());
} finally {
  await standardError().flush(FLUSH_TIMEOUT_MS);
}
