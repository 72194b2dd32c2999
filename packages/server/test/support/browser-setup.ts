// Looks for Chromium before the first browser test starts, and says so once where there is none.

import type { TestProject } from "vitest/node";
import { type ChromiumFound, findChromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    chromium: ChromiumFound;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const chromium = await findChromium();
  project.provide("chromium", chromium);
  // In CI the test files themselves fail of it.
  if ("missing" in chromium && process.env.CI !== "true") {
    process.stderr.write(`\nSKIPPED: browser tests: ${chromium.missing}\n\n`);
  }
}
