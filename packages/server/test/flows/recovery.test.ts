// Recovery: a recovery code and a DNS challenge in the place of a lost passkey. It lets its owner add another one.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, describe, expect, test } from "vitest";
import { recoveryCodeHash } from "../../src/sign-in/recovery-code-entry.ts";
import { flow } from "../support/flow.ts";
import { gate } from "../support/held-statements.ts";
import { givePasskey, registrationFor, usePasskey } from "../support/passkeys.ts";
import { startTestService } from "../support/service.ts";
import { accountChangeUrl, authorizationUrl, leaveSessions } from "../support/sign-in.ts";
import { NOW } from "../support/store-rows.ts";

const stopAt = "https://app.example.org/";
let accountId: string;
let lost: Awaited<ReturnType<typeof givePasskey>>;
/** Of the account, in the order in which the tests use them. */
let codes: string[];
let agent: UserAgent;
let crashAt: RegExp | null = null;
/** Each of this many requests waits before it stores a passkey until all have come so far. */
const meeting = { expected: 0, met: gate() };
async function beforeStatement(sql: string): Promise<void> {
  if (meeting.expected > 0 && sql.includes("INSERT INTO passkeys")) {
    if (--meeting.expected === 0) meeting.met.open();
    await meeting.met.opened;
  }
  if (!crashAt?.test(sql)) return;
  crashAt = null;
  throw new Error("the process ended here");
}
const at = flow({ start: () => startTestService({ beforeStatement }) });
beforeEach(async () => {
  codes = [...(await at.setUp({ agent: createUserAgent() })).codes];
  lost = await givePasskey(at, at.domain);
  accountId = lost.accountId;
  agent = at.agent;
});

async function enter(from = agent, url = authorizationUrl(at, at.client)): Promise<Page> {
  const first = await from.open(url, { stopAt });
  return from.submit(first, "domain-form", { domain: at.domain }, { stopAt });
}
const check = (page: Page, from = agent, recovery_code?: string) =>
  from.submit(page, "check-form", recovery_code === undefined ? {} : { recovery_code }, { stopAt });

/** As far as the record of the challenge, with a code. */
async function challenged(from = agent, url?: string, code = codes.shift() ?? ""): Promise<Page> {
  const asked = await enter(from, url);
  expect(asked.step).toBe("passkey");
  return check(await skip(asked, from), from, code);
}

/** The page after code and challenge. */
async function recover(from = agent, url?: string, code?: string): Promise<Page> {
  const page = await challenged(from, url, code);
  at.publish(page);
  return check(page, from);
}

/** The authorization request of the account page, for one of its changes. */
const changeOf = (change: string, nonce?: string) =>
  accountChangeUrl(at, change, { login_hint: at.domain, nonce });

const add = (page: Page, json: string, from = agent) =>
  from.submit(page, "passkey-form", { credential: json }, { stopAt });
const skip = (page: Page, from = agent) =>
  from.submit(page, "without-passkey-form", {}, { stopAt });
const goOn = (page: Page) => agent.submit(page, "continue-form", {}, { stopAt });
const passkeys = async () =>
  (await at.store.passkeys.passkeysOf(accountId)).map(({ credentialId }) => credentialId);
const isUnused = (code: string) =>
  at.store.recoveryCodes.hasRecoveryCode(accountId, recoveryCodeHash(code));

async function post(page: Pick<Page, "url">, form: Record<string, string>, from = agent) {
  const headers = { ...at.cookies({ agent: from }), origin: at.issuer };
  const body = new URLSearchParams(form);
  return (await fetch(page.url, { method: "POST", headers, body, redirect: "manual" })).status;
}

describe("a sign-in by recovery", () => {
  test("asks for a new passkey, shows the record with it, and goes on to the app", async () => {
    const page = await recover();
    expect([page.status, page.step]).toEqual([200, "new-passkey"]);
    const { passkey, json } = registrationFor(page);
    const added = await add(page, json);
    expect([added.status, added.step]).toEqual([200, "account-change"]);
    const own = (await at.store.passkeys.passkeysOf(accountId)).map(({ thumbprint }) => thumbprint);
    expect(own).toHaveLength(2);
    for (const thumbprint of own) expect(added.text("dns-value")).toContain(thumbprint);
    // A reload shows the same.
    expect((await agent.open(page.url)).text("dns-value")).toBe(added.text("dns-value"));
    const done = await goOn(added);
    expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);

    agent = createUserAgent();
    const again = await usePasskey(agent, await enter(), passkey, { stopAt });
    expect(new URL(again.url).searchParams.get("code")).toMatch(/^dsc_/);
  });

  test("goes on without a passkey by the second form of the page", async () => {
    const done = await skip(await recover());
    expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
    expect(await passkeys()).toEqual([lost.credentialId]);
  });

  test("gives no code before the person has answered", async () => {
    const page = await recover();
    const complete = page.url.replace("new-passkey", "complete");
    expect((await agent.open(complete, { stopAt })).step).toBe("new-passkey");
    const consent = page.url.replace("new-passkey", "consent");
    expect(await post({ url: consent }, { decision: "allow" })).toBe(303);
    expect((await agent.open(complete, { stopAt })).step).toBe("new-passkey");
  });

  test("adds one passkey, also if four tabs post at once, and none after the answer", async () => {
    const page = await recover();
    Object.assign(meeting, { expected: 4, met: gate() });
    const ends = await Promise.all([1, 2, 3, 4].map(() => add(page, registrationFor(page).json)));
    expect(ends.filter(({ step }) => step === "account-change")).toHaveLength(1);
    expect(await passkeys()).toHaveLength(2);
    expect(await post(page, { credential: registrationFor(page).json })).toBe(400);
    await goOn(await agent.open(page.url));
    const late = await add(page, registrationFor(page).json);
    expect(late.stopped || late.status === 400).toBe(true);
    expect(await passkeys()).toHaveLength(2);
  });

  test("adds none once the person went on without", async () => {
    const page = await recover();
    const { json } = registrationFor(page);
    await skip(page);
    await add(page, json);
    expect(await passkeys()).toEqual([lost.credentialId]);
  });

  test("adds none for another browser, another site, or an hour later", async () => {
    const page = await recover();
    const { json } = registrationFor(page);
    expect(await post(page, { credential: json }, createUserAgent())).toBe(403);
    const headers = { ...at.cookies(), origin: "https://evil.test" };
    const body = new URLSearchParams({ credential: json });
    expect((await fetch(page.url, { method: "POST", headers, body })).status).toBe(403);
    at.advance(3601);
    expect((await add(page, json)).status).toBe(400);
    expect(await post(page, { continue: "1" })).toBe(400);
    expect(await passkeys()).toEqual([lost.credentialId]);
  });

  test("adds none once another browser has removed a passkey or renewed the codes", async () => {
    for (const change of ["new-codes", "remove-passkey"]) {
      const page = await recover();
      const { json } = registrationFor(page);
      const owner = createUserAgent();
      const about = change === "remove-passkey" ? lost.thumbprint : undefined;
      const asked = await enter(owner, changeOf(change, about));
      const confirmed = await usePasskey(owner, asked, lost, { stopAt });
      const [form] = confirmed.forms;
      await owner.submit(confirmed, form?.id ?? "");
      const before = await passkeys();
      expect((await add(page, json)).status).toBe(400);
      expect(await passkeys()).toEqual(before);
      // Of the set that the owner has now.
      const from = await at.store.recoveryCodes.recoveryCodeSet(accountId);
      codes = ["one more code"];
      const codeHashes = codes.map(recoveryCodeHash);
      await at.store.recoveryCodes.renewRecoveryCodes({
        accountId,
        from,
        to: `set ${at.domain}`,
        codeHashes,
      });
      agent = createUserAgent();
    }
    expect(await passkeys()).toEqual([]);
  });

  test("adds none while the record does not name the account any more", async () => {
    const page = await recover();
    const { json } = registrationFor(page);
    await at.store.accounts.putToSleep(accountId, Math.floor(Date.now() / 1000) + 10 * 86_400);
    expect((await add(page, json)).status).toBe(400);
    expect(await passkeys()).toEqual([lost.credentialId]);
  });

  test("that left the account without a passkey before offers none: it was not asked for one", async () => {
    await at.store.passkeys.removePasskey(lost, NOW);
    const asked = await enter();
    expect(asked.step).toBe("dns-challenge");
    const page = await check(asked, agent, codes.shift() ?? "");
    at.publish(page);
    expect((await check(page)).stopped).toBe(true);
  });
});

describe("on the account page, recovery", () => {
  const page = (change: string, about?: string) => recover(agent, changeOf(change, about));

  test("adds a passkey, which then confirms a change that recovery could not", async () => {
    const asked = await page("new-passkey");
    expect(asked.step).toBe("new-passkey");
    const { passkey, json } = registrationFor(asked);
    const added = await add(asked, json);
    expect(added.text("dns-value")).toContain("jkt=");
    // The owner removes the lost one.
    const removal = await enter(agent, changeOf("remove-passkey", lost.thumbprint));
    const confirmed = await usePasskey(agent, removal, passkey, { stopAt });
    await agent.submit(confirmed, "remove-passkey-form");
    expect(await passkeys()).toEqual([passkey.credentialId]);
  });

  test.each(["remove-passkey", "new-codes", "delete-account"])(
    "is not enough for %s: the page asks for a passkey first",
    async (change) => {
      const about = change === "remove-passkey" ? lost.thumbprint : undefined;
      const asked = await page(change, about);
      expect(asked.step).toBe("new-passkey");
      // Nobody who cannot confirm the change later goes on.
      expect(asked.has("without-passkey-form")).toBe(false);
      const url = asked.url.replace("new-passkey", change);
      const attack = async () => {
        const { status } = await agent.open(url);
        expect([status, await post({ url }, { domain: at.domain })]).toEqual([403, 403]);
      };
      await attack();
      const added = await add(asked, registrationFor(asked).json);
      await attack();
      const refused = await goOn(added);
      expect([refused.status, refused.step]).toEqual([403, "problem"]);
      expect(refused.html).toContain("confirm it with your passkey");
      expect(refused.link("account")).toBe(`${at.issuer}/account`);
      expect((await at.store.accounts.readAccount(accountId))?.endedAt).toBeNull();
      expect(await passkeys()).toHaveLength(2);
      expect(await at.store.recoveryCodes.recoveryCodeSet(accountId)).toBeNull();
    },
  );

  test("is not enough for a change after its answer was skipped by hand either", async () => {
    const asked = await page("delete-account");
    expect(await post(asked, { continue: "1" })).toBe(303);
    const url = asked.url.replace("new-passkey", "delete-account");
    const posted = await post({ url }, { domain: at.domain });
    expect([posted, (await agent.open(url)).status]).toEqual([403, 403]);
    expect((await at.store.accounts.readAccount(accountId))?.endedAt).toBeNull();
  });

  test("signs in to the page itself, with or without a new passkey", async () => {
    const account = `${at.issuer}/account`;
    const query = { client_id: account, redirect_uri: account, response_type: "code" };
    const url = `${at.issuer}/oauth/authorize?${new URLSearchParams({ ...query, scope: "openid" })}`;
    expect((await skip(await recover(agent, url))).step).toBe("account");
    agent = createUserAgent();
    const asked = await recover(agent, url);
    const added = await add(asked, registrationFor(asked).json);
    expect((await agent.submit(added, "continue-form")).step).toBe("account");
  });

  test("of an account without a passkey is a code and a challenge, which are enough for a change", async () => {
    await at.store.passkeys.removePasskey(lost, NOW);
    const asked = await enter(agent, changeOf("delete-account"));
    const shown = await check(asked, agent, codes.shift() ?? "");
    at.publish(shown);
    const deletion = await check(shown);
    await agent.submit(deletion, "delete-account-form", { domain: at.domain });
    expect((await at.store.accounts.readAccount(accountId))?.endedAt).not.toBeNull();
  });
});

describe("a crash", () => {
  test.each([
    /UPDATE interactions SET account_id/,
    /UPDATE recovery_codes SET used_at/,
    /INSERT INTO sessions/,
  ])("at %s leaves the code usable, in this interaction and in another", async (statement) => {
    const [code = ""] = codes;
    const page = await challenged(agent, undefined, code);
    at.publish(page);
    crashAt = statement;
    expect((await check(page)).status).toBe(500);
    expect(await isUnused(code)).toBe(true);
    const other = createUserAgent();
    expect((await recover(other, undefined, code)).step).toBe("new-passkey");
    expect(await isUnused(code)).toBe(false);
    // The first one needs another code now.
    const again = await agent.open(page.url);
    expect([again.step, again.has("recovery_code")]).toEqual(["dns-challenge", true]);
  });

  const crashes: readonly (readonly [string, RegExp, number])[] = [
    ["before a passkey is added leaves the page that asks for it", /INSERT INTO passkeys/, 1],
    [
      "after a passkey was added leaves the page that says so",
      /UPDATE interactions SET recovery =/,
      2,
    ],
  ];
  describe.each(["by recovery", "on the account page, by another passkey"])("%s", (way) => {
    test.each(crashes)("%s", async (_, statement, expected) => {
      const page = way === "by recovery" ? await recover() : await byPasskey();
      expect(page.step).toBe("new-passkey");
      const { json } = registrationFor(page);
      crashAt = statement;
      expect((await add(page, json)).status).toBe(500);
      const reloaded = await agent.open(page.url);
      const step = expected === 1 ? "new-passkey" : "account-change";
      expect([reloaded.step, (await passkeys()).length]).toEqual([step, expected]);
      // The same one is added once, and no other after it.
      const again = await post(page, { credential: json });
      expect([again, (await passkeys()).length]).toEqual([303, 2]);
      expect(await post(page, { credential: registrationFor(page).json })).toBe(400);
      expect(await passkeys()).toHaveLength(2);
      const added = at.events.filter((line) => line.startsWith("passkey added"));
      expect(added.filter((line) => line.includes(at.domain))).toHaveLength(1);
    });

    async function byPasskey(): Promise<Page> {
      const asked = await enter(agent, changeOf("new-passkey"));
      return usePasskey(agent, asked, lost, { stopAt });
    }
  });
});

test("the challenge lasts a day from leaving the passkey's page, and so does the browser's cookie", async () => {
  const asked = await enter();
  at.advance(1700);
  const left = await agent.open(asked.url);
  const headers = { ...at.cookies(), origin: at.issuer };
  const url = left.url.replace(/passkey$/, "without-passkey");
  const answer = await fetch(url, { method: "POST", headers, redirect: "manual" });
  const set = answer.headers.getSetCookie();
  agent.cookies.store(at.issuer, set);
  const [cookie = ""] = set.filter((one) => one.includes("_browser_"));
  expect(cookie).toContain("Max-Age=86400");
  // The same value: other interactions of this browser stay its own.
  expect(headers.cookie).toContain(cookie.split(";")[0]);
  const page = await agent.open(left.url);
  const shown = await check(page, agent, codes[0] ?? "");
  at.advance(86_000);
  at.publish(shown);
  expect((await check(shown)).step).toBe("new-passkey");
});

test("a known browser does not use up the code that was entered in it", async () => {
  await at.store.passkeys.removePasskey(lost, NOW);
  const [code = ""] = codes;
  const asked = await enter();
  const page = await check(asked, agent, code);
  // Another tab signs in, so the account knows this browser when the record is there.
  const otherRequest = authorizationUrl(at, at.client, { nonce: "of another request" });
  const other = await check(await enter(agent, otherRequest), agent, codes[1] ?? "");
  at.publish(other);
  expect((await check(other)).stopped).toBe(true);
  leaveSessions(agent, at.issuer);
  at.publish(page);
  expect((await check(page)).stopped).toBe(true);
  expect([await isUnused(code), await isUnused(codes[1] ?? "")]).toEqual([true, false]);
});
