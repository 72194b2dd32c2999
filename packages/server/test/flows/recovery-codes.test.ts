// What a recovery code lets in: one browser, which the account does not know yet.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { authorizationUrl, checkAndSave, publish } from "../support/sign-in.ts";

const stopAt = "https://app.example.org/";

let at: TestService;
let client: TestClient;
/** Runs before each statement. */
let beforeStatement = async (_sql: string): Promise<void> => {};
beforeAll(async () => {
  at = await startTestService({ beforeStatement: (sql) => beforeStatement(sql) });
  client = await at.addClient({ consent: "never" });
});
afterAll(() => at.close());

async function begin(agent: UserAgent, domain: string): Promise<Page> {
  const first = await agent.open(authorizationUrl(at, client), { stopAt });
  return agent.submit(first, "domain-form", { domain }, { stopAt });
}

/** Makes an account in a browser, which is signed out again. Gives back its recovery codes. */
async function setUp(agent: UserAgent, domain: string): Promise<string[]> {
  const page = await begin(agent, domain);
  publish(at, page);
  const { codes } = await checkAndSave(agent, page, { stopAt });
  agent.cookies.forget((name) => name.includes("_session_"));
  return [...codes];
}

test("of two browsers that bring one recovery code at once, one is let in", async () => {
  const [code = ""] = await setUp(createUserAgent(), "alice.test");
  const browsers = await Promise.all(
    [createUserAgent(), createUserAgent()].map(async (agent) => ({
      agent,
      page: await begin(agent, "alice.test"),
    })),
  );
  // Both challenges side by side, as `publish` would take the first one away.
  for (const { page } of browsers) {
    const [name, value] = [page.text("dns-name"), page.text("dns-value")];
    at.zone.add({ name, type: "TXT", value, ttl: 60 });
  }
  // Both have seen that the code is unused before one of them uses it up.
  let arrived = 0;
  let meet = () => {};
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  beforeStatement = async (sql) => {
    if (!sql.includes("UPDATE interactions SET account_id")) return;
    if (++arrived === browsers.length) meet();
    await met;
  };
  const ends = await Promise.all(
    browsers.map(({ agent, page }) =>
      agent.submit(page, "check-form", { recovery_code: code }, { stopAt }),
    ),
  );
  expect(arrived).toBe(2);
  expect(ends.filter(({ url }) => url.includes("code=dsc_"))).toHaveLength(1);
});

test("a browser that another account knows needs a recovery code for this one", async () => {
  await setUp(createUserAgent(), "bob.test");
  const stranger = createUserAgent();
  await setUp(stranger, "carol.test");
  const challenge = await begin(stranger, "bob.test");
  expect(challenge.step).toBe("dns-challenge");
  publish(at, challenge);
  const refused = await stranger.submit(challenge, "check-form", { recovery_code: "" }, { stopAt });
  expect([refused.status, refused.step]).toEqual([400, "dns-challenge"]);
});
