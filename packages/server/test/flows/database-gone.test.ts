// The database goes away in every way that it can, under the real service, and comes back. How soon that is
// told is in `timed/database-gone.test.ts`: here the clocks of the store move when the test says so.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

afterEach(() => void vi.useRealTimers());

/** What has no need of the database is answered. */
async function expectServed({ at: { issuer } }: Scene): Promise<void> {
  for (const path of ["/.well-known/oauth-authorization-server", "/livez"]) {
    expect([path, (await ask(issuer + path)).status]).toEqual([path, 200]);
  }
}

async function untilServed(refresh: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await refresh();
    if (answer.status === 200) return answer;
    expectOutage("refresh", answer);
    await sleep(5);
  }
}

postgresTests("PostgreSQL", () => {
  test.each(["refuse", "freeze", "ignore"] as const)(
    "that seems to %s: many at once get 503 and nothing is lost, and all works afterwards",
    async (how) => {
      // The one interval is that of the judgement whether the server is silent.
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      const { way, scene, close } = await startBlockable();
      const { at, otherCode, requests } = scene;
      try {
        await warmUp(scene);
        await way.block(how);
        const flood = atOnce(requests, 10);
        await expectServed(scene);
        for (const { kind, answer } of await passingTime(flood)) expectOutage(kind, answer);

        // With clients that are no longer remembered.
        at.advance(6);
        const readyz = () => ask(`${at.issuer}/readyz`);
        for (const [kind, send] of Object.entries({ ...requests, otherCode, readyz })) {
          expectOutage(kind, await passingTime(send()));
        }
        await expectServed(scene);
        await way.clear();
        await expectWhole(scene, await passingTime(untilServed(requests.refresh)));
      } finally {
        vi.useRealTimers();
        await close();
      }
    },
  );
});

/** A write waits longer for a lock. */
const IN_TIME_MS = 400;

describe("a SQLite file that another process has locked", () => {
  let folder = "";
  let scene: Scene;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "domain-signin-gone-"));
    scene = await setScene(`sqlite:${join(folder, "store.db")}`);
  });
  afterAll(async () => {
    await scene.at.close();
    rmSync(folder, { recursive: true });
  });

  test("many writers at once get 503 while the rest is served, and all works afterwards", async () => {
    const { userinfo, authorize, ...writers } = scene.requests;
    await warmUp(scene);
    const release = await lockFile(join(folder, "store.db"));
    const flood = atOnce(writers, 10);
    // Nobody blocks the process: what only reads is answered meanwhile.
    await expectServed(scene);
    for (const send of [userinfo, authorize]) expect((await send()).status).toBe(200);
    for (const { kind, answer } of await flood) expectOutage(kind, answer);
    await release();
    await expectWhole(scene, await scene.requests.refresh());
  });

  test("a lock that is given up in time costs nobody an error", async () => {
    let releasedInMs = Number.POSITIVE_INFINITY;
    // The thread that writes has a clock that no test moves. On a slow machine, a try can take too long.
    while (releasedInMs > IN_TIME_MS) {
      const release = await lockFile(join(folder, "store.db"));
      scene.at.statements.length = 0;
      const waiting = signInForTokens(scene.at, scene.client, { domain: "carol.test" });
      const outcome = waiting.then(
        ({ refresh_token }) => refresh_token,
        (error: unknown) => error,
      );
      await until(() => scene.at.statements.some((sql) => !sql.startsWith("SELECT")));
      const begun = performance.now();
      await release();
      releasedInMs = performance.now() - begun;
      const token = await outcome;
      if (releasedInMs <= IN_TIME_MS) expect(token).toMatch(/^dsr_/);
    }
  });
});
