// Fake timers for each test of a file.

import { afterEach, beforeEach, vi } from "vitest";

/** Registers the hooks that replace the timers before each test, and put the real ones back after it. */
export function fakeTimers(...options: Parameters<typeof vi.useFakeTimers>): void {
  beforeEach(() => void vi.useFakeTimers(...options));
  afterEach(() => void vi.useRealTimers());
}
