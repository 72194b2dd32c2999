// Two nodes on one PostgreSQL, one of them with a wrong clock: both go by the time of the database.

import { beforeEach, expect, test } from "vitest";
import { clockFrom } from "../../src/lib/clock.ts";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { type HeldSleep, heldSleep } from "../support/held-sleep.ts";
import { migratedDatabase, postgresTests } from "../support/postgres.ts";
import { startSecondNode } from "../support/second-node.ts";
import { signedAt, startTestService } from "../support/service.ts";
import { refresh } from "../support/sign-in.ts";

const HOUR = 3600;
const DAY = 86_400;

postgresTests("PostgreSQL", () => {
  let held: HeldSleep;
  /** By how many seconds the clock of the other node's machine is ahead. */
  let ahead = 0;
  const lines: string[] = [];
  beforeEach(() => {
    held = heldSleep();
    [ahead, wrong] = [0, 0];
    lines.length = 0;
  });
  /** The same of the database. */
  let wrong = 0;
  const databaseClock = async () => Date.now() + wrong * 1000;
  const rootLook = async () => signedAt(Math.floor(Date.now() / 1000) - HOUR);
  const database = fixture(migratedDatabase, "test");
  const at = flow({
    start: () =>
      startTestService({ database: database.url, databaseClock, sleep: held.sleep, rootLook }),
    service: "test",
  });
  const other = fixture(
    () =>
      startSecondNode(at, {
        ...{ database: database.url, lines, databaseClock, sleep: held.sleep, rootLook },
        clock: clockFrom(() => Date.now() + ahead * 1000, Date.now),
      }),
    "test",
  );

  async function rotateElsewhere(token: string) {
    const request = new Request(`${at.issuer}/oauth/token`, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`${at.client.id}:${at.client.secret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(refresh(token)).toString(),
    });
    const response = await other.fetch(request);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  test.each([45, -45])("%i s of skew make no theft of an honest retry", async (skew) => {
    ahead = skew;
    const { refresh_token } = await at.tokens();
    const rotated = await at.token(refresh(refresh_token), at.client);
    const retried = await rotateElsewhere(refresh_token);
    expect(retried).toMatchObject({ status: 200 });
    expect(retried.body.refresh_token).toBe(rotated.body.refresh_token);
    expect((await at.token(refresh(String(rotated.body.refresh_token)), at.client)).status).toBe(
      200,
    );
  });

  test("a node whose clock is 40 days ahead deletes nothing, serves, and raises an alarm", async () => {
    const { refresh_token } = await at.tokens();
    ahead = 40 * DAY;
    await held.end((milliseconds) => milliseconds === 10_000);
    await held.end((milliseconds) => milliseconds === 60_000);
    for (let steps = 0; steps < 200; steps++) {
      await held.end((milliseconds) => milliseconds === 250);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(await rotateElsewhere(refresh_token)).toMatchObject({ status: 200 });
    const readyz = await other.fetch(new Request(`${at.issuer}/readyz`));
    expect(await readyz.json()).toMatchObject({ status: "ready", clock: "skewed" });
    expect(lines.join("")).toMatch(/"seconds":3456000,"msg":"clock skewed"/);
  });

  test.each([
    ["ahead", 40 * DAY],
    ["behind", -40 * DAY],
  ])(
    "a database that is 40 days %s makes all nodes unready, and nobody is logged out",
    async (_, by) => {
      const { refresh_token } = await at.tokens();
      const statuses = async () => {
        for (const waited of [10_000, 5000]) await held.end((one) => one === waited);
        const path = `${at.issuer}/readyz`;
        return [(await fetch(path)).status, (await other.fetch(new Request(path))).status];
      };
      wrong = by;
      await expect.poll(statuses, { timeout: 60_000 }).toEqual([503, 503]);
      const answers = [await at.token(refresh(refresh_token), at.client)];
      expect(
        [...answers, await rotateElsewhere(refresh_token)].map(({ status }) => status),
      ).toEqual([503, 503]);
      wrong = 0;
      await expect.poll(statuses, { timeout: 60_000 }).toEqual([200, 200]);
      expect(await rotateElsewhere(refresh_token)).toMatchObject({ status: 200 });
    },
  );
});
