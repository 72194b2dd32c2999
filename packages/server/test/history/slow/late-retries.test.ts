// Late retries: whatever a disk, a lock, a processor or a database did, no honest app is logged out.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresTests } from "../../support/postgres.ts";
import {
  type Fault,
  GIVEN_UP,
  LOCKS,
  SLOW_FLUSHES,
  STOPPED,
  THREAD_DEATHS,
} from "../late/faults.ts";
import { type FreezableServer, startFreezableServer } from "../late/frozen-server.ts";
import { startHonestLoad, witness } from "../late/honest.ts";
import { countsOf, judge, NOTHING, told } from "../late/judge.ts";
import { slowDiskTests } from "../late/slow-disk.ts";
import { startFileWorld, startServerWorld, type World } from "../late/world.ts";

/** Grants of a fault, of both kinds of client. */
const LIVES = Number(process.env.LATE_LIVES ?? 60);
const CLIENTS = Math.ceil(LIVES / 3);
/** A sample leaves out the faults that take longer. */
const LONGEST_S = Number(process.env.LATE_LONGEST ?? 60);

const TITLE = "nothing is lost or valid twice, and no app is logged out";

async function expectPromisesKept(
  world: World,
  title: string,
  fault: () => Promise<void>,
  hasWitness = true,
): Promise<void> {
  try {
    const load = startHonestLoad(world, { clients: CLIENTS });
    await fault();
    await load.finish();
    const witnessed = hasWitness ? await witness(world, world.grants, load.operations) : [];
    const judgement = judge(load, witnessed);
    console.log(told(title, load, judgement));
    expect(countsOf(judgement)).toEqual(NOTHING);
    expect(load.operations.length).toBeGreaterThan(LIVES);
  } finally {
    await world.close();
  }
}

slowDiskTests("late retries on SQLite", () => {
  async function expectKeptOnFile(fault: Fault, broken?: "thread"): Promise<void> {
    const world = await startFileWorld({ grants: LIVES, ...(broken && { broken }) });
    fault.prepare?.(world);
    await expectPromisesKept(world, fault.title, () => fault.run(world), broken === undefined);
  }

  const faults = [...SLOW_FLUSHES, STOPPED, ...LOCKS, GIVEN_UP];
  test.each(faults.filter(({ seconds }) => seconds <= LONGEST_S))(
    `$title: ${TITLE}`,
    { timeout: 200_000 },
    (fault) => expectKeptOnFile(fault),
  );

  test(`${THREAD_DEATHS.title}: ${TITLE}`, () => expectKeptOnFile(THREAD_DEATHS, "thread"));
});

postgresTests("late retries on PostgreSQL", () => {
  let server: FreezableServer;
  beforeAll(async () => {
    server = await startFreezableServer();
  });
  afterAll(() => server.stop());

  const freezes = [3, 25].filter((seconds) => seconds <= LONGEST_S);
  test.each(freezes)(
    `a server that is frozen for %i s: ${TITLE}`,
    { timeout: 200_000 },
    async (seconds) => {
      const database = await server.freshDatabase();
      const world = await startServerWorld(database, LIVES);
      await expectPromisesKept(world, `a server that is frozen for ${seconds} s`, async () => {
        await sleep(1000 + Math.random() * 1000);
        await server.freeze(1000 * seconds);
      });
    },
  );
});
