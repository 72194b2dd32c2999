// Power cuts: what was acknowledged is on the disk, and with weaker flushing it would not be.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Cut, cutPower } from "../power-cut.ts";
import { hasVolumes } from "../volume.ts";

const CUTS = Number(process.env.POWER_CUTS ?? 20);
/** Enough to show that the test can see a loss. */
const CONTROL_CUTS = 3;

const folder = mkdtempSync(join(tmpdir(), "domain-signin-power-"));
const isPossible = await hasVolumes("a power cut");
if (!isPossible) rmSync(folder, { recursive: true });

function told(cuts: readonly Cut[]): string {
  const each = cuts.map(({ acknowledged, underWay, violations }) => {
    return `${acknowledged} (+${underWay}) ${violations.length}`;
  });
  return `${cuts.length} cuts, acknowledged (+ under way) and violations: ${each.join(", ")}`;
}

describe.skipIf(!isPossible)("on a file system of its own", () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  test(`after ${CUTS} cuts nothing that was acknowledged is lost`, async () => {
    const cuts = await cutPower({ folder, cuts: CUTS });
    console.log(told(cuts));
    expect(cuts).toHaveLength(CUTS);
    expect(cuts.flatMap(({ violations }) => violations)).toEqual([]);
    // Counted over all cuts: a load that nobody answers would lose nothing either.
    expect(cuts.at(-1)?.acknowledged).toBeGreaterThan(CUTS);
  });

  test("with synchronous=NORMAL acknowledged writes are lost, and the checker says so", async () => {
    const cuts = await cutPower({ folder, cuts: CONTROL_CUTS, broken: "synchronous" });
    console.log(told(cuts));
    const rules = new Set(cuts.flatMap(({ violations }) => violations.map(({ rule }) => rule)));
    expect([...rules]).toContain("nothing acknowledged is lost");
  });
});
