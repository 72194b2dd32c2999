// A group of tests that need a browser: skipped aloud where there is none, failed in CI.

import { describe, inject } from "vitest";
import type {} from "./browser-setup.ts";

export function browserTests(title: string, tests: () => void): void {
  const chromium = inject("chromium");
  const missing = "missing" in chromium ? chromium.missing : undefined;
  // A skip that nobody reads would let a release out untested.
  if (missing !== undefined && process.env.CI === "true") throw new Error(missing);
  describe.skipIf(missing !== undefined)(title, tests);
}
