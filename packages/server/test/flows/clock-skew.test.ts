// Two nodes on one PostgreSQL, one of them with a wrong clock: both go by the time of the database.

import { afterEach, beforeEach, expect, test } from "vitest";
import { clockFrom } from "../../src/lib/clock.ts";
import { createService, type Service } from "../../src/service.ts";
import { migrate } from "../../src/store/migrations.ts";
import { openPostgres } from "../../src/store/postgres.ts";
import { jsonEvents } from "../../src/telemetry/events.ts";
import { type HeldSleep, heldSleep } from "../support/held-sleep.ts";
import { logTo } from "../support/log-run.ts";
import { type FreshDatabase, freshDatabase, postgresTests } from "../support/postgres.ts";
import {
  startTestService,
  TEST_SECRET,
  type TestClient,
  type TestService,
} from "../support/service.ts";
import { refresh, signInForTokens } from "../support/sign-in.ts";
import { makeTestKey } from "../support/test-keys.ts";

const DAY = 86_400;

postgresTests("PostgreSQL", () => {
  let database: FreshDatabase;
  let at: TestService;
  let client: TestClient;
  let other: Service;
  let held: HeldSleep;
  /** By how many seconds the clock of the other node's machine is ahead. */
  let ahead = 0;
  const events: string[] = [];
  beforeEach(async () => {
    database = await freshDatabase();
    const engine = openPostgres(database.url);
    await migrate(engine);
    await engine.close();
    held = heldSleep();
    ahead = 0;
    events.length = 0;
    const databaseClock = async () => Date.now();
    at = await startTestService({ database: database.url, databaseClock });
    client = await at.addClient({ consent: "never" });
    const log = logTo("the other node");
    other = createService(
      {
        ...{ issuer: at.issuer, database: database.url, secret: TEST_SECRET },
        ...{ dnsServers: [at.zone.address], minAssurance: "single", trustAnchors: [] },
        allowedSpecialNames: ["test"],
      },
      {
        clock: clockFrom(() => Date.now() + ahead * 1000, Date.now),
        ...{ databaseClock, makeKey: makeTestKey, sleep: held.sleep },
        events: jsonEvents({
          write(line) {
            log.write(line);
            events.push(line);
          },
        }),
      },
    );
    await other.ready();
  });
  afterEach(async () => {
    await other.close();
    await at.close();
    await database.drop();
  });

  async function rotateElsewhere(token: string) {
    const request = new Request(`${at.issuer}/oauth/token`, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(refresh(token)).toString(),
    });
    const response = await other.fetch(request);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  test.each([45, -45])("%i s of skew make no theft of an honest retry", async (skew) => {
    ahead = skew;
    const { refresh_token } = await signInForTokens(at, client);
    const rotated = await at.token(refresh(refresh_token), client);
    const retried = await rotateElsewhere(refresh_token);
    expect(retried).toMatchObject({ status: 200 });
    expect(retried.body.refresh_token).toBe(rotated.body.refresh_token);
    expect((await at.token(refresh(String(rotated.body.refresh_token)), client)).status).toBe(200);
  });

  test("a node whose clock is 40 days ahead deletes nothing, serves, and raises an alarm", async () => {
    const { refresh_token } = await signInForTokens(at, client);
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
    expect(events.join("")).toMatch(/"seconds":3456000,"msg":"clock skewed"/);
  });
});
