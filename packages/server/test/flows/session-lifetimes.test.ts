// How long sessions last: as the operator set it, for every page and job that decides about sessions.

import { beforeEach, expect, test } from "vitest";
import { OperatorError } from "../../src/lib/errors.ts";
import { createService } from "../../src/service.ts";
import { flow } from "../support/flow.ts";
import { startTestService } from "../support/service.ts";

const DAY = 86_400;
const config = { sessionIdleDays: 2, sessionAbsoluteDays: 5 };
const at = flow({ start: () => startTestService({ config }), service: "test" });
beforeEach(async () => {
  await at.signIn();
});

test("a session ends when it was not used for session_idle_days", async () => {
  at.advance(2 * DAY - 60);
  expect(await at.silently()).toBeNull();
  at.advance(2 * DAY - 60);
  expect(await at.silently()).toBeNull();
  at.advance(2 * DAY);
  expect(await at.silently()).toBe("login_required");
});

test("a session ends session_absolute_days after its authentication, however often it was used", async () => {
  for (let day = 1; day < 5; day++) {
    at.advance(DAY);
    expect(await at.silently()).toBeNull();
  }
  at.advance(DAY);
  expect(await at.silently()).toBe("login_required");
});

test("opening the account page every day is a use of the session", async () => {
  for (let day = 0; day < 4; day++) {
    at.advance(DAY);
    const page = await at.agent.open(`${at.issuer}/account`);
    expect(page.has("sign-out-form")).toBe(true);
  }
  expect(await at.silently()).toBeNull();
});

test("an idle session is not listed or counted, and an authentication does not continue it", async () => {
  const accountId = await at.accountId();
  const now = Math.floor(Date.now() / 1000);
  const [first] = await at.store.sessions.sessionsOf(accountId, now);
  expect(first).toBeDefined();
  at.advance(3 * DAY);
  const later = now + 3 * DAY;
  expect(await at.store.sessions.sessionsOf(accountId, later)).toEqual([]);
  expect(await at.store.sessions.countSessionsOf(accountId, later)).toBe(0);
  await at.signIn({ parameters: { prompt: "login" } });
  const [next, ...others] = await at.store.sessions.sessionsOf(accountId, later);
  expect(others).toEqual([]);
  expect(next?.sid).not.toBe(first?.sid);
});

test("a service whose idle time is longer than the absolute one does not start", async () => {
  const service = createService({
    ...{ issuer: "http://localhost:8080", database: "sqlite::memory:", secret: "x".repeat(32) },
    ...{ dnsServers: ["127.0.0.1:53"], minAssurance: "single", allowedSpecialNames: [] },
    ...{ sessionIdleDays: 6, sessionAbsoluteDays: 5 },
  });
  const failure = await service.ready().catch((error: unknown) => error);
  await service.close();
  expect(failure).toBeInstanceOf(OperatorError);
  expect(String(failure)).toContain(
    "session_idle_days is 6, which is more than session_absolute_days (5)",
  );
});
