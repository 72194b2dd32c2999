// A soak of half a minute; `npm run soak` runs it for ten minutes, or for as many seconds as are given.

import { expect, test } from "vitest";
import { reportOf, soak, verdictOf } from "../support/load/soak.ts";

const SECONDS = Number(process.env.SOAK_SECONDS ?? 30);
/** A shorter one is over before memory has settled. */
const SETTLED_S = 120;
/** Samples in a soak, if it is not longer than that many times ten seconds. */
const SAMPLES = 12;
const EVERY_MS = Math.min(10_000, (SECONDS * 1000) / SAMPLES);

test("a short soak under load and junk ends flat", {
  timeout: (SECONDS + 240) * 1000,
}, async () => {
  const result = await soak({ seconds: SECONDS, everyMs: EVERY_MS });
  console.log(reportOf(result));
  expect(result.signIns).toBeGreaterThan(0);
  expect(result.refreshes).toBeGreaterThan(SECONDS);
  expect(result.statuses[200]).toBeGreaterThan(0);
  expect(result.statuses[500]).toBeUndefined();
  const grown = result.measures
    .filter(({ verdict }) => verdict === "grows")
    .map(({ what }) => what);
  // Rows grow with each sign-in until they expire, which takes days.
  const ofProcess =
    SECONDS < SETTLED_S ? ["file descriptors"] : ["file descriptors", "RSS, MB", "heap, MB"];
  expect(grown.filter((what) => ofProcess.includes(what))).toEqual([]);
});

test("what is never given back grows, and what rises and falls does not", () => {
  const times = Array.from({ length: 60 }, (_, index) => index);
  expect(verdictOf(times.map((index) => 100 + 3 * index))).toBe("grows");
  expect(verdictOf(times.map((index) => 100 + 40 * (index % 7)))).toBe("flat");
  expect(verdictOf(times.map((index) => 100 + 40 * (index % 7) + 2 * index))).toBe("grows");
  // The warm-up alone.
  expect(verdictOf(times.map((index) => Math.min(300, 20 * index)))).toBe("flat");
});
