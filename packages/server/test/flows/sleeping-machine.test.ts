// A machine that was off: apps and people notice nothing, and what has ended stays so.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqlite } from "../../src/database/sqlite.ts";
import type { RootLook } from "../../src/dns/root-witness.ts";
import { type HeldSleep, heldSleep } from "../support/held-sleep.ts";
import { signedAt, startTestService, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  redemption,
  refresh,
  signIn,
  signInForTokens,
} from "../support/sign-in.ts";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** Between two questions whether a look at the DNS root is due, and between two readings of the clock. */
const [LOOK_MS, STEP_MS] = [5000, 10_000];

let folder = "";
let held: HeldSleep;
let at: TestService;
/** Of the service, which is the same after each start. */
let port = 0;
/** Since the test began, in seconds. */
let passed = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "domain-signin-asleep-"));
  [passed, port] = [0, 0];
});
afterEach(async () => {
  await at.close();
  rmSync(folder, { recursive: true });
});

const path = () => join(folder, "store.db");

/** The machine is on again. `hasNetwork`: the root can be seen. */
async function start(hasNetwork = true): Promise<{ connect: () => void }> {
  held = heldSleep();
  const network = { isUp: hasNetwork };
  const rootLook = async (): Promise<RootLook | null> =>
    network.isUp ? signedAt(Math.floor(Date.now() / 1000) + passed - HOUR) : null;
  at = await startTestService({
    ...{ database: `sqlite:${path()}`, aheadAtStart: passed, sleep: held.sleep, rootLook },
    port,
  });
  port = Number(new URL(at.issuer).port);
  if (hasNetwork) await expect.poll(clockOf).toBe("certain");
  return {
    connect: () => {
      network.isUp = true;
    },
  };
}

/** Off for so long, and on again. */
async function sleep(seconds: number, hasNetwork = true) {
  const records = at.zone.records();
  await at.close();
  passed += seconds;
  const network = await start(hasNetwork);
  for (const record of records) at.zone.add(record);
  return network;
}

/** On for so long. */
async function run(seconds: number): Promise<void> {
  at.advance(seconds);
  passed += seconds;
  await background(STEP_MS);
}

async function background(milliseconds: number): Promise<void> {
  await held.end((one) => one === milliseconds);
  await expect.poll(() => held.has((one) => one === milliseconds)).toBe(true);
}

async function clockOf(): Promise<unknown> {
  const response = await fetch(`${at.issuer}/readyz`);
  const body = (await response.json()) as Record<string, unknown>;
  return response.status === 200 ? body.clock : body.reason;
}

async function userinfo(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${at.issuer}/oauth/userinfo`, { headers })).status;
}

const outcomeOf = ({ status, body }: Awaited<ReturnType<TestService["token"]>>) =>
  status === 200 ? "tokens" : `${status} ${String(body.error)}`;

test("after 65 minutes off, an access token gets 401, its app refreshes, and the night is no fault", async () => {
  await start();
  const app = await at.addClient({ consent: "never" });
  const { access_token, refresh_token } = await signInForTokens(at, app);
  for (let night = 0; night < 3; night++) {
    await sleep(65 * MINUTE);
    expect([await clockOf(), await userinfo(access_token)]).toEqual(["certain", 401]);
    await run(2 * HOUR);
  }
  expect(outcomeOf(await at.token(refresh(refresh_token), app))).toBe("tokens");
});

test("while a machine has no network yet, access tokens are refused as always, and only what a jump has ended waits", async () => {
  await start();
  const app = await at.addClient({ consent: "never" });
  const { access_token, refresh_token: old } = await signInForTokens(at, app);
  await run(20 * DAY);
  const { refresh_token: young } = await signInForTokens(at, app);
  const code = await signIn(at, app, { domain: "bob.test" });
  const { connect } = await sleep(15 * DAY, false);
  expect([await clockOf(), await userinfo(access_token)]).toEqual(["unwitnessed", 401]);
  expect(outcomeOf(await at.token(redemption(app, code), app))).toBe("400 invalid_grant");
  expect(outcomeOf(await at.token(refresh(young), app))).toBe("tokens");
  const waits = await at.token(refresh(old), app);
  expect(outcomeOf(waits)).toBe("503 temporarily_unavailable");
  expect(waits.headers.get("retry-after")).toBe("60");
  // The network is there within half a minute.
  connect();
  for (const seconds of [5, 10, 20]) {
    await run(seconds);
    await background(LOOK_MS);
  }
  expect(await clockOf()).toBe("certain");
  expect(outcomeOf(await at.token(refresh(old), app))).toBe("400 invalid_grant");
});

test("90 minutes back after a night revives nothing: neither an access token nor a code", async () => {
  await start();
  const app = await at.addClient({ consent: "never" });
  await sleep(65 * MINUTE);
  const { access_token } = await signInForTokens(at, app);
  const code = await signIn(at, app, { domain: "bob.test" });
  await run(90 * MINUTE);
  expect(await userinfo(access_token)).toBe(401);
  at.setAhead(passed - 90 * MINUTE - 90 * MINUTE);
  await background(STEP_MS);
  expect(await clockOf()).toContain("s behind the newest time that is proven");
  expect(await userinfo(access_token)).toBe(503);
  expect(outcomeOf(await at.token(redemption(app, code), app))).toBe("503 temporarily_unavailable");
});

test("what strangers began before a night is removed a day of running later, whatever the clock says", async () => {
  await start();
  const app = await at.addClient({ consent: "never" });
  const begun = async () => {
    const engine = openSqlite(path());
    const [row] = await engine.execute("SELECT count(*) AS rows FROM interactions", []);
    await engine.close();
    return Number(row?.rows);
  };
  const agent = createUserAgent();
  const page = await agent.open(authorizationUrl(at, app));
  await agent.submit(page, "domain-form", { domain: "alice.test" });
  const before = await begun();
  expect(before).toBeGreaterThan(0);
  await sleep(3 * DAY);
  const clean = async () => {
    await held.end((one) => one === 60_000);
    const waiting = async () => {
      await held.end((one) => one === 250);
      return held.count((one) => one === 60_000);
    };
    await expect.poll(waiting, { timeout: 60_000 }).toBe(3);
  };
  await clean();
  expect(await begun()).toBe(before);
  await run(DAY + MINUTE);
  await clean();
  expect(await begun()).toBe(0);
});
