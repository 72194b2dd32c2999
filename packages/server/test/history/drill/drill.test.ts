// The drill: one fault after another under load, and the checker of histories at the end.

import { mkdtempSync, rmSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { postgresTests } from "../../support/postgres.ts";
import { buildPrevious, previousMissing } from "../../upgrade/previous-build.ts";
import { hasVolumes } from "../volume.ts";
import type { DrillPlace } from "./drill-node.ts";
import { ALL_FAULTS, fileDrill, restoreByCommand, restored } from "./file-drill.ts";
import { type Drill, told } from "./load.ts";
import { serverDrill } from "./server-drill.ts";

const BUILD_LIMIT_MS = 280_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "domain-signin-drill-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function rulesIn({ violations }: Drill): string[] {
  return [...new Set(violations.map(({ rule }) => rule))];
}

function show(title: string, drill: Drill): void {
  console.log(`${title}\n${told(drill)}`);
}

const isPossible = await hasVolumes("a drill");

describe.skipIf(!isPossible)("SQLite", () => {
  test("after every fault and a restore, nothing acknowledged is lost, valid twice or revived", async () => {
    const ending = restored(restoreByCommand);
    const drill = await fileDrill({ folder, faults: ALL_FAULTS, ending });
    show("SQLite:", drill);
    expect(drill.violations.slice(0, 3)).toEqual([]);
    expect([...drill.faults.keys()]).toEqual(ALL_FAULTS);
  });

  test("a backup that is only copied back revives what was used and revoked, and the checker says so", async () => {
    const ending = restored(async ({ database, folder: place }: DrillPlace) => {
      const file = database.replace("sqlite:", "");
      for (const end of ["-wal", "-shm"]) await rm(file + end, { force: true });
      await copyFile(join(place, "backup.db"), file);
      for (const name of ["domain-signin.mark"]) await rm(join(place, name), { force: true });
    });
    const drill = await fileDrill({ folder, faults: ["backup"], ending });
    show("without `restored`:", drill);
    expect(rulesIn(drill)).toContain("nothing revoked works again");
  });

  test("a node that acknowledges what the disk refuses loses it, and the checker says so", async () => {
    const drill = await fileDrill({ folder, faults: ["full disk"], broken: "disk" });
    show("a disk that refuses:", drill);
    expect(rulesIn(drill)).toContain("nothing acknowledged is lost");
  });
});

const missing = await previousMissing();
if (missing !== null && process.env.CI === "true") throw new Error(missing);
if (missing !== null) console.error(`SKIPPED: drills of the previous release: ${missing}`);

describe.skipIf(!isPossible || missing !== null)("without the guards of this version", () => {
  let previous: string;
  let service: string;
  beforeAll(async () => {
    previous = await mkdtemp(join(tmpdir(), "domain-signin-previous-"));
    await mkdir(previous, { recursive: true });
    service = join(dirname(await buildPrevious(previous)), "service.js");
  }, BUILD_LIMIT_MS);
  afterAll(async () => {
    await rm(previous, { recursive: true });
    await rm(`${previous}.tar`, { force: true });
  });

  test.each([
    ["clock ahead", "nothing acknowledged is lost"],
    ["clock back", "nothing rotated works again"],
  ] as const)("the %s breaks a promise, and the checker says so", async (fault, rule) => {
    const drill = await fileDrill({ folder, faults: [fault], broken: { service } });
    show(`${fault}, previous release:`, drill);
    expect(rulesIn(drill)).toContain(rule);
  });

  test("a full log stops the service", async () => {
    const drilled = fileDrill({ folder, faults: ["full log"], broken: { service } });
    await expect(drilled).rejects.toThrow();
  });
});

postgresTests("PostgreSQL", () => {
  test("after outages and a failover, nothing acknowledged is lost or valid twice", async () => {
    const drill = await serverDrill({ folder, isSynchronous: true });
    show("PostgreSQL:", drill);
    expect(drill.violations.slice(0, 3)).toEqual([]);
  });

  test("a failover to a standby that was behind loses what was acknowledged, and the checker says so", async () => {
    const drill = await serverDrill({ folder, isSynchronous: false });
    show("a standby that was behind:", drill);
    expect(rulesIn(drill)).toContain("nothing acknowledged is lost");
  });
});
