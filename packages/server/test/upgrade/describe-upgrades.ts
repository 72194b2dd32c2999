// Describes tests of upgrades, which need a build of the previous release.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { buildPrevious, previousMissing } from "./previous-build.ts";

const BUILD_LIMIT_MS = 280_000;

/** Builds the previous release once for the tests that `body` defines. `previous` returns the path of its program. */
export async function describeUpgrades(
  title: string,
  body: (previous: () => string) => void,
): Promise<void> {
  const missing = await previousMissing();
  // A skip that nobody reads would let a release out untested.
  if (missing !== null && process.env.CI === "true") throw new Error(missing);
  if (missing !== null) console.error(`SKIPPED: ${title}: ${missing}`);
  describe.skipIf(missing !== null)(title, () => {
    let folder: string;
    let previous: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "domain-signin-previous-"));
      previous = await buildPrevious(folder);
    }, BUILD_LIMIT_MS);
    afterAll(async () => {
      await rm(folder, { recursive: true });
      await rm(`${folder}.tar`, { force: true });
    });
    body(() => previous);
  });
}
