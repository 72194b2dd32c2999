// A disk whose flushes take as long as a test wants, for one process.

import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe } from "vitest";

const SOURCE = fileURLToPath(new URL("./slow-disk.c", import.meta.url));
/** So often a test looks whether a flush has begun. */
const LOOK_MS = 5;

export interface SlowDisk {
  /** The environment of the process whose flushes are delayed. */
  readonly env: Readonly<Record<string, string>>;
  /** Holds for each flush that begins from now on. */
  delay(milliseconds: number): void;
  /** Resolves when a flush is under way that is delayed. */
  flushing(): Promise<void>;
}

/** Compiles the library into the folder. */
export function makeSlowDisk(folder: string): SlowDisk {
  const library = join(folder, "slow-disk.so");
  execFileSync("cc", ["-shared", "-fPIC", "-o", library, SOURCE, "-ldl", "-lpthread"]);
  const delays = join(folder, "disk-delay");
  const flushes = join(folder, "disk-flushes");
  writeFileSync(delays, "0");
  writeFileSync(flushes, "");
  return {
    env: { LD_PRELOAD: library, LATE_DISK_DELAY: delays, LATE_DISK_FLUSHES: flushes },
    delay(milliseconds) {
      // By a rename, so that nobody reads half of it.
      writeFileSync(`${delays}.new`, String(milliseconds));
      renameSync(`${delays}.new`, delays);
    },
    async flushing() {
      const underWay = () => {
        const notes = readFileSync(flushes, "latin1");
        return 2 * notes.replaceAll("e", "").length - notes.length;
      };
      while (underWay() <= 0) await sleep(LOOK_MS);
    },
  };
}

/** A group of tests that need a C compiler and `LD_PRELOAD`: skipped with a notice without them, failed in CI. */
export function slowDiskTests(title: string, tests: () => void): void {
  const hasCompiler = spawnSync("cc", ["--version"], { stdio: "ignore" }).status === 0;
  const isPossible = process.platform === "linux" && hasCompiler;
  const missing = "a slow disk needs Linux and a C compiler (Debian: gcc, libc6-dev)";
  // A skip that nobody reads would let a release out untested.
  if (!isPossible && process.env.CI === "true") throw new Error(missing);
  if (!isPossible) process.stderr.write(`\nSKIPPED: ${title}: ${missing}\n\n`);
  describe.skipIf(!isPossible)(title, tests);
}
