// What a recovery code lets in: one browser, which the account does not know yet.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { describe, expect, test } from "vitest";
import { recoveryCodeHash } from "../../src/sign-in/recovery-code-entry.ts";
import { flow } from "../support/flow.ts";
import { gate } from "../support/held-statements.ts";
import { startTestService } from "../support/service.ts";
import { recoveryCodesIn, saveCodes } from "../support/sign-in.ts";

const stopAt = "https://app.example.org/";

/** Runs before each statement. */
let beforeStatement = async (_sql: string): Promise<void> => {};
const at = flow({
  start: () => startTestService({ beforeStatement: (sql) => beforeStatement(sql) }),
});

/** Makes an account in a browser, which is signed out again. Gives back its recovery codes. */
async function setUp(agent = createUserAgent(), domain = at.domain): Promise<readonly string[]> {
  const { codes } = await at.setUp({ agent, domain });
  agent.cookies.forget((name) => name.includes("_session_"));
  return codes;
}

test("of two browsers that bring one recovery code at once, one is let in", async () => {
  const [code = ""] = await setUp();
  const agents = [createUserAgent(), createUserAgent()];
  const browsers = await Promise.all(
    agents.map(async (agent) => ({ agent, page: await at.begin({ agent }) })),
  );
  // Both challenges side by side, as `publish` would take the first one away.
  for (const { page } of browsers) {
    const [name, value] = [page.text("dns-name"), page.text("dns-value")];
    at.zone.add({ name, type: "TXT", value, ttl: 60 });
  }
  // Both have seen that the code is unused before one of them uses it up.
  let arrived = 0;
  const met = gate();
  beforeStatement = async (sql) => {
    if (!sql.includes("UPDATE interactions SET account_id")) return;
    if (++arrived === browsers.length) met.open();
    await met.opened;
  };
  const ends = await Promise.all(
    browsers.map(({ agent, page }) =>
      at.submit(page, "check-form", { recovery_code: code }, { agent }),
    ),
  );
  expect(arrived).toBe(2);
  expect(ends.filter(({ url }) => url.includes("code=dsc_"))).toHaveLength(1);
});

test("a browser that another account knows needs a recovery code for this one", async () => {
  await setUp();
  await setUp(at.agent, "carol.test");
  const challenge = await at.begin();
  expect(challenge.step).toBe("dns-challenge");
  at.publish(challenge);
  const refused = await at.submit(challenge, "check-form", { recovery_code: "" });
  expect([refused.status, refused.step]).toEqual([400, "dns-challenge"]);
});

test.each([
  // The first change after the answer keeps the code that was entered.
  ["recovery_hash", "UPDATE interactions SET method = "],
  ["account_id", "UPDATE interactions SET account_id = "],
])(
  "starting over in another tab just before %s is set goes on with the set-up, and uses up no code",
  async (_, statement) => {
    const [code = ""] = await setUp();
    const page = await at.begin();
    at.publish(page);
    let isReached = false;
    beforeStatement = async (sql) => {
      if (isReached || !sql.includes(statement)) return;
      isReached = true;
      const fresh = await at.submit(page, "lost-access-form");
      expect(fresh.step).toBe("dns-setup");
    };
    const end = await at.submit(page, "check-form", { recovery_code: code });
    beforeStatement = async () => {};
    expect([isReached, end.step]).toEqual([true, "dns-setup"]);
    const isUnused = at.store.recoveryCodes.hasRecoveryCode(
      await at.accountId(),
      recoveryCodeHash(code),
    );
    expect(await isUnused).toBe(true);
  },
);

describe("a sign-in that ends where its session should begin", () => {
  /** Checks the record of the page, in a request that ends there. */
  async function crash(page: Page, form = {}): Promise<void> {
    at.publish(page);
    beforeStatement = async (sql) => {
      if (sql.includes("INSERT INTO sessions")) throw new Error("the process ended here");
    };
    const failed = await at.submit(page, "check-form", form);
    beforeStatement = async () => {};
    expect(failed.status).toBe(500);
  }

  test("has used up no code, and goes on with it", async () => {
    const [code = "", other = ""] = await setUp();
    const page = await at.begin();
    await crash(page, { recovery_code: code });
    const accountId = await at.accountId();
    for (const unused of [code, other]) {
      const hash = recoveryCodeHash(unused);
      expect(await at.store.recoveryCodes.hasRecoveryCode(accountId, hash)).toBe(true);
    }
    const done = await at.submit(page, "check-form", { recovery_code: code });
    expect(done.url).toContain("code=dsc_");
  });

  test("has made no account, and makes it when it is repeated", async () => {
    const page = await at.begin();
    await crash(page);
    expect(await at.store.accounts.accountsOf(at.domain)).toEqual([]);
    const shown = await at.submit(page, "check-form");
    expect(recoveryCodesIn(shown)).toHaveLength(10);
    expect((await saveCodes(at.agent, shown, { stopAt })).page.url).toContain("code=dsc_");
  });
});
