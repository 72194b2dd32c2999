// From published to signed in: at most three seconds, however long resolvers may remember an absence.

import { expect, test } from "vitest";
import { startSeenWorld } from "../support/record-seen.ts";
import { publish } from "../support/sign-in.ts";
import { validatorTests } from "../support/validators.ts";

const PROMISED_MS = 3000;

// What a stalled machine delays is in time the second time.
const options = { retry: 1 };

validatorTests("behind unbound with aggressive NSEC", () => {
  test.each([
    [60, "alice.test"],
    [600, "alice.test"],
    [3600, "alice.test"],
    [60, "carol.test"],
    [600, "carol.test"],
    [3600, "carol.test"],
  ])(
    "with a negative TTL of %i s, %s is signed in within 3 s",
    options,
    async (negativeTtl, domain) => {
      const world = await startSeenWorld({ negativeTtl });
      try {
        const page = await world.enter(domain);
        await world.agent.open(page.url);
        const begun = performance.now();
        publish(world.at, page);
        const after = await world.check(page);
        expect(new URL(after.url).searchParams.has("code")).toBe(true);
        expect(performance.now() - begun).toBeLessThanOrEqual(PROMISED_MS);
      } finally {
        await world.close();
      }
    },
  );
});
