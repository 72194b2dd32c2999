// `clock accept`, and commands on a machine whose clock is behind.

import { expect, test } from "vitest";
import { highWaterStore } from "../../src/store/high-water.ts";
import { sqlOf } from "../../src/store/rows.ts";
import { openSqlite } from "../../src/store/sqlite.ts";
import { flow } from "../support/flow.ts";
import { startOperatedService } from "../support/operated-service.ts";
import { refresh } from "../support/sign-in.ts";

const HOUR = 3600;

const at = flow({ start: startOperatedService, service: "test", domain: "alice.test" });

/** As a service stores it whose clock was an hour ahead for long. */
async function raiseHighWater(seconds: number): Promise<void> {
  const engine = openSqlite(`${at.folder}/domain-signin.db`);
  const store = highWaterStore(sqlOf(engine));
  const row = await store.readHighWater();
  await store.replaceHighWater(row, { seconds, ranS: 0, ranAt: seconds });
  await engine.close();
}

test("a clock that is behind stops commands and the service, until it is accepted", async () => {
  const { refresh_token } = await at.tokens();
  const now = Math.floor(Date.now() / 1000);
  await raiseHighWater(now + HOUR);
  const refused = await at.operate(["accounts", "sign-out", "alice.test"]);
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toMatch(
    /^the clock is 3\d\d\d s behind the latest certain time: correct it, or run domain-signin clock accept\n$/,
  );
  at.advance(2);
  expect((await fetch(`${at.issuer}/readyz`)).status).toBe(503);
  expect((await at.token(refresh(refresh_token), at.client)).status).toBe(503);

  const accepted = (await at.ask("clock", "accept")) as { now: number; before: number };
  expect(accepted.before).toBe(now + HOUR);
  expect(Math.abs(accepted.now - now)).toBeLessThan(HOUR);
  at.advance(2);
  expect((await fetch(`${at.issuer}/readyz`)).status).toBe(200);
  expect((await at.token(refresh(refresh_token), at.client)).status).toBe(200);
  expect((await at.operate(["accounts", "sign-out", "alice.test"])).status).toBe(0);
});

test("a clock that is behind stops neither backup nor verify nor migrate", async () => {
  await raiseHighWater(Math.floor(Date.now() / 1000) + HOUR);
  const statusOf = async (...args: string[]) => (await at.operate(args)).status;
  expect(await statusOf("clients", "list")).toBe(2);
  expect(await statusOf("backup", "copy.db")).toBe(0);
  expect(await statusOf("verify")).toBe(0);
  expect(await statusOf("migrate")).toBe(0);
});

test("what it prints names both times, and the change is logged", async () => {
  const { status, stdout, stderr } = await at.operate(["clock", "accept"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^the certain time is now 2\d{3}-[\d-]+T[\d:]+Z; before, it was 2\d{3}-[\d-]+T[\d:]+Z\n$/,
  );
  expect(JSON.parse(stderr)).toMatchObject({ msg: "operator change", command: "clock accept" });
});
