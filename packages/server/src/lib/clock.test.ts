// The clock of this machine: on Linux it goes by the boot clock, which counts suspends.

import { execFileSync } from "node:child_process";
import { uptime } from "node:os";
import { expect, test } from "vitest";
import { systemClock } from "./clock.ts";

/** Whether a process may get a boot clock of its own: on Linux, as root. */
function mayMoveBootClock(): boolean {
  try {
    execFileSync("unshare", ["-T", "--boottime", "1", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!mayMoveBootClock())("what it reads counts suspends: a time namespace moves it", () => {
  const read = ["-p", "require('node:os').uptime() + ' ' + performance.now()"];
  const asleep = ["-T", "--boottime", "100000", process.execPath, ...read];
  const [boot = 0, monotonic = 0] = execFileSync("unshare", asleep, { encoding: "utf8" })
    .split(" ")
    .map(Number);
  expect(boot - uptime()).toBeGreaterThan(99_000);
  expect(monotonic).toBeLessThan(99_000_000);
});

test.skipIf(process.platform !== "linux")("it is the boot clock, in milliseconds", () => {
  const before = uptime() * 1000;
  expect(systemClock.boot()).toBeGreaterThanOrEqual(before);
  expect(systemClock.boot()).toBeLessThanOrEqual(uptime() * 1000 + 20);
});
