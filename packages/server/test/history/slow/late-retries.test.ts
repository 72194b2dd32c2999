// Late retries: whatever a disk, a lock or a processor did, no honest app is logged out, and no theft is missed.

import { expect, test } from "vitest";
import {
  type Fault,
  GIVEN_UP,
  LOCKS,
  SLOW_FLUSHES,
  STOPPED,
  THREAD_DEATHS,
} from "../late/faults.ts";
import { startHonestLoad, witness } from "../late/honest.ts";
import { countsOf, judge, NOTHING, told } from "../late/judge.ts";
import { slowDiskTests } from "../late/slow-disk.ts";
import { startFileWorld } from "../late/world.ts";

/** Grants of a fault, of both kinds of client. */
const LIVES = Number(process.env.LATE_LIVES ?? 60);
const CLIENTS = Math.ceil(LIVES / 3);

async function expectPromisesKept(fault: Fault, broken?: "thread"): Promise<void> {
  const world = await startFileWorld({ grants: LIVES, ...(broken && { broken }) });
  try {
    fault.prepare?.(world);
    const load = startHonestLoad(world, { clients: CLIENTS });
    await fault.run(world);
    await load.finish();
    const witnessed = broken ? [] : await witness(world, world.grants, load.operations);
    const judgement = judge(load, witnessed);
    console.log(told(fault.title, load, judgement));
    expect(countsOf(judgement)).toEqual(NOTHING);
    expect(load.operations.length).toBeGreaterThan(LIVES);
  } finally {
    await world.close();
  }
}

slowDiskTests("late retries on SQLite", () => {
  test.each([...SLOW_FLUSHES, STOPPED, ...LOCKS, GIVEN_UP])(
    "after $title, nothing is lost or valid twice, and no app is logged out",
    (fault) => expectPromisesKept(fault),
  );

  test(`after ${THREAD_DEATHS.title}, nothing is lost or valid twice, and no app is logged out`, () =>
    expectPromisesKept(THREAD_DEATHS, "thread"));
});
