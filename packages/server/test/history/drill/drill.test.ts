// The drill: one fault after another under load, and the checker of histories at the end.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { volumesRefused } from "../volume.ts";
import { ALL_FAULTS, type FileDrill, fileDrill } from "./file-drill.ts";

const folder = mkdtempSync(join(tmpdir(), "domain-signin-drill-"));
const refused = await volumesRefused(folder);
if (refused !== null) {
  console.error(`SKIPPED: the drill needs root, mkfs.ext4 and a loop device: ${refused}`);
}
afterAll(() => rmSync(folder, { recursive: true }));

function told({ operations, violations, faults }: FileDrill): string {
  const ok = operations.filter(({ outcome }) => outcome === "ok").length;
  const each = [...faults].map(
    ([name, { during, recoveredMs }]) =>
      `  ${name}: ${during} acknowledged meanwhile, ${Math.round(recoveredMs)} ms until 10 more were`,
  );
  const total = `${operations.length} requests, ${ok} acknowledged, ${violations.length} violations`;
  return [...each, total].join("\n");
}

describe.skipIf(refused !== null && process.env.CI !== "true")("a SQLite file", () => {
  test("after each fault under load, nothing acknowledged is lost, valid twice or revived", async () => {
    const drill = await fileDrill({ folder, faults: ALL_FAULTS.filter((one) => one !== "backup") });
    console.log(told(drill));
    expect(drill.violations.slice(0, 3)).toEqual([]);
  });
});
