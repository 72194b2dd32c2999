// What a recovery code lets in: one browser, which the account does not know yet.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recoveryCodeHash } from "../../src/sign-in/recovery-codes.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  checkAndSave,
  leaveSessions,
  publish,
  recoveryCodesIn,
  saveCodes,
} from "../support/sign-in.ts";

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

async function begin(
  agent: UserAgent,
  domain: string,
  url = authorizationUrl(at, client),
): Promise<Page> {
  const first = await agent.open(url, { stopAt });
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

test.each(["recovery_hash", "account_id"])(
  "starting over in another tab just before %s is set goes on with the set-up, and uses up no code",
  async (column) => {
    const name = `tabs-${column.replace("_", "-")}.alice.test`;
    const [code = ""] = await setUp(createUserAgent(), name);
    const agent = createUserAgent();
    const page = await begin(agent, name);
    publish(at, page);
    let isReached = false;
    beforeStatement = async (sql) => {
      if (isReached || !sql.includes(`UPDATE interactions SET ${column}`)) return;
      isReached = true;
      const fresh = await agent.submit(page, "lost-access-form", {}, { stopAt });
      expect(fresh.step).toBe("dns-setup");
    };
    const end = await agent.submit(page, "check-form", { recovery_code: code }, { stopAt });
    beforeStatement = async () => {};
    expect([isReached, end.step]).toEqual([true, "dns-setup"]);
    const [account] = await at.store.accountsOf(name);
    const isUnused = at.store.hasRecoveryCode(account?.id ?? "", recoveryCodeHash(code));
    expect(await isUnused).toBe(true);
  },
);

describe("a sign-in whose session could not be stored", () => {
  /** Checks the record of the page, in a request that ends where its session should begin. */
  async function crash(agent: UserAgent, page: Page, form = {}): Promise<Page> {
    publish(at, page);
    let crashed = 0;
    beforeStatement = async (sql) => {
      if (!sql.includes("INSERT INTO sessions") || crashed++ > 0) return;
      throw new Error("the process ended here");
    };
    const failed = await agent.submit(page, "check-form", form, { stopAt });
    beforeStatement = async () => {};
    expect([failed.status, crashed]).toEqual([500, 1]);
    return failed;
  }

  test("goes no further, and can be begun again with another code", async () => {
    const codes = await setUp(createUserAgent(), "dora.alice.test");
    const stranger = createUserAgent();
    const page = await begin(stranger, "dora.alice.test");
    await crash(stranger, page, { recovery_code: codes[0] });
    const again = await stranger.open(page.url, { stopAt });
    expect([again.status, again.step, again.stopped]).toEqual([400, "problem", false]);
    const next = await begin(stranger, "dora.alice.test");
    publish(at, next);
    const by = (recovery_code = "") =>
      stranger.submit(next, "check-form", { recovery_code }, { stopAt });
    expect((await by(codes[0])).status).toBe(400);
    expect((await by(codes[1])).url).toContain("code=dsc_");
  });

  test("changes nothing of the account", async () => {
    const agent = createUserAgent();
    const first = await begin(agent, "erna.alice.test");
    publish(at, first);
    await checkAndSave(agent, first, { stopAt });
    const account = `${at.issuer}/account`;
    const query = new URLSearchParams({
      ...{ client_id: account, redirect_uri: `${account}/new-codes`, response_type: "code" },
      ...{ scope: "openid", prompt: "login", login_hint: "erna.alice.test" },
    });
    const url = `${at.issuer}/oauth/authorize?${query}`;
    leaveSessions(agent, at.issuer);
    const [{ id } = { id: "" }] = await at.store.accountsOf("erna.alice.test");
    await at.store.endSessionsOf(id, { reason: "signed_out", now: 1 });
    const page = await begin(agent, "erna.alice.test", url);
    expect(page.step).toBe("dns-challenge");
    await crash(agent, page);
    const change = page.url.replace("dns-challenge", "new-codes");
    expect([(await agent.open(change)).status, (await agent.open(page.url)).status]).toEqual([
      400, 400,
    ]);
  });
  test("shows the codes of a set-up, and is over after that", async () => {
    const agent = createUserAgent();
    const page = await begin(agent, "gerd.alice.test");
    await crash(agent, page);
    const shown = await agent.open(page.url);
    const [code = "", ...others] = recoveryCodesIn(shown);
    expect(others).toHaveLength(9);
    const { page: end } = await saveCodes(agent, shown, { stopAt });
    expect([end.status, end.step, end.stopped]).toEqual([400, "problem", false]);
    const next = await begin(agent, "gerd.alice.test");
    publish(at, next);
    const done = await agent.submit(next, "check-form", { recovery_code: code }, { stopAt });
    expect(done.url).toContain("code=dsc_");
  });
});
