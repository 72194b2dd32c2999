// Late retries: whatever a disk, a lock, a processor or a database did, no honest app is logged out.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresTests } from "../../support/postgres.ts";
import { deafWayTo } from "../late/deaf-way.ts";
import {
  type Fault,
  GIVEN_UP,
  LOCKS,
  SLOW_FLUSHES,
  STOPPED,
  THREAD_DEATHS,
} from "../late/faults.ts";
import { type FreezableServer, startFreezableServer } from "../late/frozen-server.ts";
import { AT_ONCE, type Return, startHonestLoad, witness } from "../late/honest.ts";
import { countsOf, describeLoad, judge, NOTHING } from "../late/judge.ts";
import { probeOf, successorOf } from "../late/probes.ts";
import { slowDiskTests } from "../late/slow-disk.ts";
import { startFileWorld, startServerWorld, type World } from "../late/world.ts";
import type { Broken, ServiceNode } from "../node-process.ts";

// A sample: LATE_LIVES=24 LATE_SECONDS=3 LATE_LONGEST=16. LATE_SECONDS is how long a fault of the disk lasts at least.

/** Grants of a fault, of both kinds of client. */
const LIVES = Number(process.env.LATE_LIVES ?? 60);
const CLIENTS = Math.ceil(LIVES / 3);
/** Faults that take longer, in seconds, are left out. */
const LONGEST_S = Number(process.env.LATE_LONGEST ?? 60);

const KINDS = ["public", "confidential"] as const;
/** Requests of each verb that a node gives up. */
const PROBES = 6;
const LATE_S = 540;

const TITLE = "nothing is lost or valid twice, and no app is logged out";

async function expectPromisesKept(
  world: World,
  title: string,
  fault: (join: () => void) => Promise<void>,
  how: { readonly hasWitness?: boolean; readonly return?: Return | undefined } = {},
): Promise<void> {
  const { hasWitness = true } = how;
  try {
    const load = startHonestLoad(world, {
      clients: CLIENTS,
      ...(how.return && { return: how.return }),
    });
    await fault(() => load.join());
    await load.finish();
    const witnessed = hasWitness ? await witness(world, world.grants, load.operations) : [];
    const judgement = judge(load, witnessed);
    console.log(describeLoad(title, load, judgement));
    expect(countsOf(judgement)).toEqual(NOTHING);
    expect(load.operations.length).toBeGreaterThan(LIVES);
  } finally {
    await world.close();
  }
}

slowDiskTests("late retries on SQLite", () => {
  async function expectKeptOnFile(
    fault: Fault,
    { broken, ...how }: { broken?: Broken; return?: Return } = {},
  ): Promise<void> {
    const world = await startFileWorld({ grants: LIVES, ...(broken && { broken }) });
    fault.prepare?.(world);
    const hasWitness = broken === undefined;
    const run = (join: () => void) => fault.run(world, join);
    await expectPromisesKept(world, fault.title, run, { hasWitness, ...how });
  }

  const faults = [...SLOW_FLUSHES, STOPPED, ...LOCKS, GIVEN_UP];
  for (const fault of faults.filter(({ seconds }) => seconds <= LONGEST_S))
    test(`${fault.title}: ${TITLE}`, { timeout: 200_000 }, () => expectKeptOnFile(fault));

  test(`${THREAD_DEATHS.title}: ${TITLE}`, () =>
    expectKeptOnFile(THREAD_DEATHS, { broken: "thread" }));

  test(`threads most of which die before they write, and clients that come back at once: ${TITLE}`, () =>
    expectKeptOnFile(THREAD_DEATHS, { broken: "young-thread", return: AT_ONCE }));
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
      await expectPromisesKept(world, `a server that is frozen for ${seconds} s`, async (join) => {
        await sleep(1000 + Math.random() * 1000);
        const frozen = server.freeze(1000 * seconds);
        join();
        await frozen;
      });
    },
  );

  test("what one node gave up is delivered by another node", { timeout: 200_000 }, async () => {
    const database = await server.freshDatabase();
    const way = await deafWayTo(database);
    const world = await startServerWorld(database, 2 * PROBES, { firstUrl: way.url });
    try {
      const kinds = Array.from({ length: PROBES }, (_, index) => KINDS[index % 2] ?? "public");
      const codes = kinds.map((kind) => probeOf(world, world.take(kind)));
      const refreshes = await Promise.all(
        kinds.map(async (kind) => {
          const about = probeOf(world, world.take(kind));
          return { about, token: await about.redeemed() };
        }),
      );
      const present = (node: ServiceNode) =>
        Promise.all([
          ...codes.map((about) => about.code(node)),
          ...refreshes.map(({ about, token }) => about.refresh(token, node)),
        ]);
      way.deafen();
      const answers = await present(world.node);
      const givenUp = answers.flatMap(({ status }, index) => (status === 503 ? [index] : []));
      const all = [...codes, ...refreshes.map(({ about }) => about)];
      const rows = await Promise.all(all.map((about) => about.row()));
      const committed = givenUp.filter(
        (index) => rows[index]?.generation === (index < PROBES ? 1 : 2),
      );
      console.log(
        `what one node gave up: ${givenUp.length} requests, ${committed.length} committed`,
      );
      expect(committed.length).toBeGreaterThan(0);
      way.clear();
      await untilReady(world.node);
      await sleep(world.settleMs);
      const soon = { codeExpiresAt: Date.now() / 1000 + 60 };
      for (const about of codes) await about.age(LATE_S, soon);
      for (const { about } of refreshes) await about.age(LATE_S);
      const retried = await present(world.other);
      expect(givenUp.map((index) => retried[index]?.status)).toEqual(givenUp.map(() => 200));
      // The node that gave up agrees.
      for (const index of givenUp) {
        const { successor = "" } = retried[index] ?? {};
        successorOf((await all[index]?.refresh(successor)) ?? missing());
      }
    } finally {
      await world.close();
      await way.close();
    }
  });
});

async function untilReady({ port }: ServiceNode): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    await answer.text();
    if (answer.status === 200) return;
    await sleep(100);
  }
}

function missing(): never {
  throw new Error("no such probe");
}
