// A new working directory for each test of a file.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** Registers the hooks that enter a new folder before each test, and remove the folder after it. */
export function inNewFolder(): void {
  const home = process.cwd();
  beforeEach(() => process.chdir(mkdtempSync(join(tmpdir(), "domain-signin-test-"))));
  afterEach(() => {
    const folder = process.cwd();
    process.chdir(home);
    rmSync(folder, { recursive: true });
  });
}
