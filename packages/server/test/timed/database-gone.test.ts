// The database goes away under the real service: each answer within a second, and all works within two.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Answer,
  ask,
  atOnce,
  expectOutage,
  expectWhole,
  lockFile,
  type Scene,
  setScene,
  startBlockable,
  warmUp,
} from "../support/database-outage.ts";
import { postgresTests } from "../support/postgres.ts";
import { type RoundTrips, startRoundTrips } from "../support/round-trip.ts";

/** Milliseconds until an outage is told, and until all works after it. */
const TOLD_MS = 1000;
const RETURN_MS = 2000;
/** Milliseconds after which whatever was begun before an outage has been given up. */
const GIVEN_UP_MS = 4000;

let trips: RoundTrips;
beforeEach(async () => {
  trips = await startRoundTrips();
});
afterEach(() => trips.close());

function expectInTime(answers: readonly Answer[]): void {
  expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(trips.limit(TOLD_MS));
}

/** What has no need of the database is answered meanwhile. */
async function expectServed({ at: { issuer } }: Scene): Promise<void> {
  for (const path of ["/.well-known/oauth-authorization-server", "/livez"]) {
    const answer = await ask(issuer + path);
    expect([path, answer.status]).toEqual([path, 200]);
    expectInTime([answer]);
  }
}

async function expectReturn(scene: Scene): Promise<void> {
  const returned = performance.now();
  let first = await scene.requests.refresh();
  while (first.status !== 200) {
    expectOutage("refresh", first);
    expect(performance.now() - returned).toBeLessThan(trips.limit(RETURN_MS));
    await sleep(50);
    first = await scene.requests.refresh();
  }
  expect(performance.now() - returned).toBeLessThan(trips.limit(RETURN_MS));
  await expectWhole(scene, first);
}

postgresTests("PostgreSQL", () => {
  test.each(["refuse", "freeze", "ignore"] as const)(
    "that seems to %s: many at once get 503 within a second, and all works within two of its return",
    async (how) => {
      const { way, scene, close } = await startBlockable();
      const { at, otherCode, requests } = scene;
      try {
        await warmUp(scene);
        await way.block(how);
        const begun = performance.now();
        const flood = atOnce(requests, 10);
        await expectServed(scene);
        const answers = await flood;
        for (const { kind, answer } of answers) expectOutage(kind, answer);
        expectInTime(answers.map(({ answer }) => answer));
        await expectServed(scene);

        // With clients that are no longer remembered, one request after the other.
        at.advance(6);
        for (let turn = 0; turn < 3; turn++) {
          const readyz = () => ask(`${at.issuer}/readyz`);
          for (const [kind, send] of Object.entries({ ...requests, otherCode, readyz })) {
            const answer = await send();
            expectOutage(kind, answer);
            expectInTime([answer]);
          }
        }
        await expectServed(scene);
        await sleep(Math.max(0, GIVEN_UP_MS - (performance.now() - begun)));
        await way.clear();
        await expectReturn(scene);
      } finally {
        await close();
      }
    },
  );
});

describe("a SQLite file that another process has locked", () => {
  test("many writers at once get 503 within a second, and all works afterwards", async () => {
    const folder = mkdtempSync(join(tmpdir(), "domain-signin-gone-"));
    const scene = await setScene(`sqlite:${join(folder, "store.db")}`);
    const { userinfo: _, authorize: __, ...writers } = scene.requests;
    try {
      await warmUp(scene);
      const release = await lockFile(join(folder, "store.db"));
      const flood = atOnce(writers, 10);
      await expectServed(scene);
      const answers = await flood;
      for (const { kind, answer } of answers) expectOutage(kind, answer);
      expectInTime(answers.map(({ answer }) => answer));
      for (const [kind, send] of Object.entries(writers)) {
        const answer = await send();
        expectOutage(kind, answer);
        expectInTime([answer]);
      }
      await release();
      await expectReturn(scene);
    } finally {
      await scene.at.close();
      rmSync(folder, { recursive: true });
    }
  });
});
