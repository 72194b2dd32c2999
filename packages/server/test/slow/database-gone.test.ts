// The database goes away in every way that it can, under the real service, and comes back: for a moment, in which all
// wait, or for longer. Here the clocks of the store move when the test says so; see also `timed/database-gone.test.ts`.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
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
import { passingTime, until } from "../support/moving-time.ts";
import { postgresTests } from "../support/postgres.ts";
import { signInForTokens } from "../support/sign-in.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

afterEach(() => void vi.useRealTimers());

/** What has no need of the database is answered. */
async function expectServed({ at: { issuer } }: Scene): Promise<void> {
  for (const path of ["/.well-known/oauth-authorization-server", "/livez"]) {
    expect([path, (await ask(issuer + path)).status]).toEqual([path, 200]);
  }
}

/** Steps of moved time, as the store counts them: 100 ms each. */
const STEPS_PER_S = 10;

/** Milliseconds of moved time in a turn, while connections are opened again. */
const SLOW_MS = 2;

async function untilServed(refresh: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await refresh();
    if (answer.status === 200) return answer;
    expectOutage("refresh", answer);
    await sleep(5);
  }
}

/** The result of the task, and after how many steps of moved time it came. */
async function timed<T>(task: Promise<T>): Promise<{ result: T; steps: number }> {
  let steps = 0;
  const counter = setInterval(() => steps++, 1000 / STEPS_PER_S);
  try {
    return { result: await task, steps };
  } finally {
    clearInterval(counter);
  }
}

/** The store's clock moves as the test says, while the task has a service whose database can be blocked. */
async function whileBlockable(
  task: (blockable: Awaited<ReturnType<typeof startBlockable>>) => Promise<void>,
): Promise<void> {
  // The intervals are those in which the store counts time.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const blockable = await startBlockable();
  try {
    await warmUp(blockable.scene);
    await task(blockable);
  } finally {
    vi.useRealTimers();
    await blockable.close();
  }
}

postgresTests("PostgreSQL", () => {
  test.each(["refuse", "freeze", "ignore"] as const)(
    "that seems to %s for 5 s: whoever asks waits, and nobody reads an error",
    (how) =>
      whileBlockable(async ({ way, scene }) => {
        await way.block(how);
        // It is not yet known that the database is gone: what is sent now may get lost.
        await passFor(1000);
        const { authorize, userinfo, signIn } = scene.requests;
        const pages = atOnce({ authorize, userinfo, signIn }, 10);
        await expectServed(scene);
        await passFor(4000);
        await way.clear();
        for (const { kind, answer } of await passingTime(pages, SLOW_MS)) {
          expect([kind, answer.status]).toEqual([kind, kind === "signIn" ? 303 : 200]);
        }
        await expectWhole(scene, await passingTime(scene.requests.refresh(), SLOW_MS));
      }),
  );

  test.each(["refuse", "freeze", "ignore"] as const)(
    "that seems to %s: many at once get 503 within ten seconds and nothing is lost, and all works afterwards",
    (how) =>
      whileBlockable(async ({ way, scene }) => {
        const { at, otherCode, requests } = scene;
        await way.block(how);
        const flood = timed(atOnce(requests, 10));
        await expectServed(scene);
        const { result, steps } = await passingTime(flood);
        for (const { kind, answer } of result) expectOutage(kind, answer);
        expect(steps).toBeLessThanOrEqual(11 * STEPS_PER_S);

        // With clients that are no longer remembered.
        at.advance(6);
        const readyz = () => ask(`${at.issuer}/readyz`);
        const others = { ...requests, otherCode, readyz };
        for (const { kind, answer } of await passingTime(atOnce(others, 1))) {
          expectOutage(kind, answer);
        }
        await expectServed(scene);
        await way.clear();
        await expectWhole(scene, await passingTime(untilServed(requests.refresh), SLOW_MS));
      }),
  );

  test("that is frozen for 15 s: a refresh that was sent is answered late, with its token", () =>
    whileBlockable(async ({ way, scene }) => {
      const refreshed = await sendRefresh(scene);
      await way.block("freeze");
      await passFor(15_000);
      await way.clear();
      const answer = await passingTime(refreshed.answer, SLOW_MS);
      expect(answer.status, answer.body).toBe(200);
      await expectWhole(scene, answer);
    }));

  test("that stays frozen: a refresh that was sent is 503 after 20 s, and its repetition gets its token", () =>
    whileBlockable(async ({ way, scene }) => {
      const refreshed = await sendRefresh(scene);
      await way.block("freeze");
      const { result, steps } = await passingTime(timed(refreshed.answer));
      expectOutage("refresh", result);
      expect(steps).toBeGreaterThanOrEqual(20 * STEPS_PER_S);
      await way.clear();
      await expectWhole(scene, await passingTime(scene.requests.refresh(), SLOW_MS));
    }));
});

/** A refresh whose change has just been sent. */
async function sendRefresh({ at, requests }: Scene): Promise<{ answer: Promise<Answer> }> {
  at.statements.length = 0;
  const answer = requests.refresh();
  const isSent = () => at.statements.some((sql) => sql.includes("UPDATE grants"));
  while (!isSent()) await new Promise((resolve) => setImmediate(resolve));
  return { answer };
}

/** Moves time on by so much. */
async function passFor(milliseconds: number): Promise<void> {
  let left = milliseconds / 100;
  const over = new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (--left > 0) return;
      clearInterval(timer);
      resolve();
    }, 100);
  });
  await passingTime(over);
}

describe("a SQLite file that another process has locked", () => {
  const folder = temporaryFolder();
  let scene: Scene;
  beforeAll(async () => {
    scene = await setScene(folder.database("store.db"));
  });
  afterAll(() => scene.at.close());

  test("many writers at once get 503 while the rest is served, and all works afterwards", async () => {
    const { userinfo, authorize, ...writers } = scene.requests;
    await warmUp(scene);
    const release = await lockFile(folder.file("store.db"));
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const flood = atOnce(writers, 10);
    // Nobody blocks the process: what only reads is answered meanwhile.
    await expectServed(scene);
    for (const send of [userinfo, authorize]) expect((await send()).status).toBe(200);
    for (const { kind, answer } of await passingTime(flood)) expectOutage(kind, answer);
    vi.useRealTimers();
    await release();
    await expectWhole(scene, await scene.requests.refresh());
  });

  test("a lock that is given up in time costs nobody an error", async () => {
    const release = await lockFile(folder.file("store.db"));
    // No time passes for what waits, however slow the machine is.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    scene.at.statements.length = 0;
    const waiting = signInForTokens(scene.at, scene.client, { domain: "carol.test" });
    await until(() => scene.at.statements.some((sql) => !sql.startsWith("SELECT")));
    await release();
    expect((await waiting).refresh_token).toMatch(/^dsr_/);
  });
});
