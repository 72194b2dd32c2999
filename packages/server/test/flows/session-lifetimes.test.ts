// How long sessions last: as the operator set it, for every page and job that decides about sessions.

import { createUserAgent, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import type { ServiceConfig } from "../../src/config/config.ts";
import { OperatorError } from "../../src/lib/errors.ts";
import { createService } from "../../src/service.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { authorizationUrl, signIn } from "../support/sign-in.ts";

const DAY = 86_400;
const config: Partial<ServiceConfig> = { sessionIdleDays: 2, sessionAbsoluteDays: 5 };

async function withService(
  task: (
    at: TestService,
    agent: UserAgent,
    silently: () => Promise<string | null>,
  ) => Promise<void>,
): Promise<void> {
  const at = await startTestService({ config });
  try {
    const client = await at.addClient({ consent: "never" });
    const agent = createUserAgent();
    await signIn(at, client, { agent });
    const silently = async () => {
      const url = authorizationUrl(at, client, { prompt: "none", login_hint: "alice.test" });
      const page = await agent.open(url, { stopAt: client.redirectUri });
      return new URL(page.url).searchParams.get("error");
    };
    await task(at, agent, silently);
  } finally {
    await at.close();
  }
}

const accountOf = async (at: TestService) => {
  const [account] = await at.store.accountsOf("alice.test");
  return account?.id ?? "";
};

test("a session ends when it was not used for session_idle_days", () =>
  withService(async (at, _, silently) => {
    at.advance(2 * DAY - 60);
    expect(await silently()).toBeNull();
    at.advance(2 * DAY - 60);
    expect(await silently()).toBeNull();
    at.advance(2 * DAY);
    expect(await silently()).toBe("login_required");
  }));

test("a session ends session_absolute_days after its authentication, however often it was used", () =>
  withService(async (at, _, silently) => {
    for (let day = 1; day < 5; day++) {
      at.advance(DAY);
      expect(await silently()).toBeNull();
    }
    at.advance(DAY);
    expect(await silently()).toBe("login_required");
  }));

test("opening the account page every day is a use of the session", () =>
  withService(async (at, agent, silently) => {
    for (let day = 0; day < 4; day++) {
      at.advance(DAY);
      const page = await agent.open(`${at.issuer}/account`);
      expect(page.has("sign-out-form")).toBe(true);
    }
    expect(await silently()).toBeNull();
  }));

test("an idle session is not listed or counted, and an authentication does not continue it", () =>
  withService(async (at, agent) => {
    const accountId = await accountOf(at);
    const now = () => Math.floor(Date.now() / 1000);
    const [first] = await at.store.sessionsOf(accountId, now());
    expect(first).toBeDefined();
    at.advance(3 * DAY);
    const later = now() + 3 * DAY;
    expect(await at.store.sessionsOf(accountId, later)).toEqual([]);
    expect(await at.store.countSessionsOf(accountId, later)).toBe(0);
    const client = await at.addClient({ consent: "never" });
    await signIn(at, client, { agent, parameters: { prompt: "login" } });
    const [next, ...others] = await at.store.sessionsOf(accountId, later);
    expect(others).toEqual([]);
    expect(next?.sid).not.toBe(first?.sid);
  }));

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
