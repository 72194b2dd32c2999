// A group of tests that need strace: skipped aloud where there is none or it may not trace, failed in CI.

import { spawnSync } from "node:child_process";
import { describe } from "vitest";

export function straceTests(title: string, tests: () => void): void {
  const hasStrace = runs("-V");
  // A skip that nobody reads would let a release out untested.
  if (!hasStrace && process.env.CI === "true")
    throw new Error("There is no strace (Debian: strace).");
  const missing = hasStrace ? tracingProblem() : "there is no strace (Debian: strace)";
  if (missing !== "") process.stderr.write(`\nSKIPPED: ${title}: ${missing}\n\n`);
  describe.skipIf(missing !== "")(title, tests);
}

/** Some machines have strace and let nobody trace, in CI too: nothing that is installed helps. */
function tracingProblem(): string {
  const traces = runs("-D", "-f", "-o", "/dev/null", "-e", "trace=connect", "true");
  return traces ? "" : "this machine lets nobody trace a process";
}

function runs(...options: string[]): boolean {
  return spawnSync("strace", options, { stdio: "ignore" }).status === 0;
}
