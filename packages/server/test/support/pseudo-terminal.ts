// Tests that need a pseudo-terminal: skipped aloud where there is no `script`, failed in CI.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { describe } from "vitest";

export function terminalTests(title: string, tests: () => void): void {
  const isMissing = spawnSync("script", ["-qec", "true", "/dev/null"]).status !== 0;
  // A skip that nobody reads would let a release out untested.
  if (isMissing && process.env.CI === "true")
    throw new Error("There is no script (Debian: bsdutils, util-linux).");
  if (isMissing) process.stderr.write(`\nSKIPPED: ${title}: there is no script (util-linux)\n\n`);
  describe.skipIf(isMissing)(title, tests);
}

/** A shell command at a terminal of its own. What is written to its standard input is typed. */
export function atTerminal(
  command: string,
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): ChildProcess {
  return spawn("script", ["-qefc", command, "/dev/null"], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
}
