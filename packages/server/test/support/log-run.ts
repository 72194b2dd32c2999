// Where the services that tests start write their logs, and where secrets of theirs are noted.

import { appendFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const TESTS = fileURLToPath(new URL("..", import.meta.url));
let count = 0;

/** The folder that the end of the run is to scan. */
function folder(): string {
  const path = process.env.LOG_SCAN_FOLDER;
  if (path === undefined) throw new Error("only tests of a project with log-scan-setup.ts log");
  return path;
}

/** The path of a log of its own; `what` says who writes it. */
export function logFile(what: string): string {
  count++;
  const test = relative(TESTS, expect.getState().testPath ?? "");
  const parts = [test, what, `${process.pid}-${count}`].map(encodeURIComponent);
  return join(folder(), `${parts.join("@")}.log`);
}

/** A log of its own, for what is not written to a file by itself. */
export function logTo(what: string): { write(text: string | Uint8Array): void } {
  const path = logFile(what);
  return { write: (text) => appendFileSync(path, text) };
}

/** Notes what no log may hold, and what no HTTP exchange carries. */
export function noteSecret(kind: string, value: string): void {
  const line = `${JSON.stringify({ kind, value })}\n`;
  appendFileSync(join(folder(), `${process.pid}.secrets`), line);
}
