// Waits for what happens in the background, however slow the machine is.

import { vi } from "vitest";

/** Only ends a hang. */
const LIMIT_MS = 30_000;

/** Tries again until the check throws no more, and gives what it gives. Where a value is enough, `expect.poll` says it. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: LIMIT_MS });
}
