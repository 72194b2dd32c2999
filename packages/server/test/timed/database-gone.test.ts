// The database goes away under the real service: each answer in time, and all works within two seconds of its return.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
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
import { fixture } from "../support/fixture.ts";
import { postgresTests } from "../support/postgres.ts";
import { startRoundTrips } from "../support/round-trip.ts";

/** Milliseconds until what is locked is told, and what needs no database is answered. */
const TOLD_MS = 1000;
/** Milliseconds that people and token requests wait for the database, each with a step that had begun. */
const WAIT_MS = { people: 10_200, tokens: 2400 };
/** Milliseconds until all works again. */
const RETURN_MS = 2000;

const trips = fixture(startRoundTrips, "test");

function expectInTime(answers: readonly Answer[], promisedMs = TOLD_MS): void {
  expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(trips.limit(promisedMs));
}

/** What came of each request of a kind, in its time. */
function expectOutageInTime(kind: string, answer: Answer): void {
  expectOutage(kind, answer);
  const isPatient = ["authorize", "signIn", "userinfo"].includes(kind);
  expectInTime([answer], isPatient ? WAIT_MS.people : WAIT_MS.tokens);
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
    "that seems to %s: token requests get 503 within two seconds and all others within ten, and all works within two of its return",
    async (how) => {
      const { way, scene, close } = await startBlockable();
      const { at, otherCode, requests } = scene;
      try {
        await warmUp(scene);
        await way.block(how);
        // People wait for ten seconds, so they are asked in one of these ways only.
        const { refresh, code } = requests;
        const asked = how === "freeze" ? requests : { refresh, code };
        const flood = atOnce({ ...asked, otherCode }, 10);
        await expectServed(scene);
        const readyz = await ask(`${at.issuer}/readyz`);
        expectOutageInTime("readyz", readyz);
        for (const { kind, answer } of await flood) expectOutageInTime(kind, answer);
        await expectServed(scene);
        await way.clear();
        await expectReturn(scene);
      } finally {
        await close();
      }
    },
  );

  test.each(["refuse", "freeze", "ignore"] as const)(
    "that seems to %s for three seconds: pages wait, and are served within two of its return",
    async (how) => {
      const { way, scene, close } = await startBlockable();
      const { authorize, userinfo, signIn } = scene.requests;
      try {
        await warmUp(scene);
        await way.block(how);
        await sleep(1000);
        const pages = atOnce({ authorize, userinfo, signIn }, 10);
        await sleep(2000);
        await way.clear();
        const returned = performance.now();
        for (const { kind, answer } of await pages) {
          expect([kind, answer.status]).toEqual([kind, kind === "signIn" ? 303 : 200]);
        }
        expect(performance.now() - returned).toBeLessThan(trips.limit(RETURN_MS));
      } finally {
        await close();
      }
    },
  );
});

describe("a SQLite file that another process has locked", () => {
  test("many writers at once get 503 in their time, and all works afterwards", async () => {
    const folder = mkdtempSync(join(tmpdir(), "domain-signin-gone-"));
    const scene = await setScene(`sqlite:${join(folder, "store.db")}`);
    const { userinfo: _, authorize: __, ...writers } = scene.requests;
    try {
      await warmUp(scene);
      const release = await lockFile(join(folder, "store.db"));
      const flood = atOnce(writers, 10);
      await expectServed(scene);
      for (const { kind, answer } of await flood) expectOutageInTime(kind, answer);
      await release();
      await expectReturn(scene);
    } finally {
      await scene.at.close();
      rmSync(folder, { recursive: true });
    }
  });
});
