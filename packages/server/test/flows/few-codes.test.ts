// A sign-in by a recovery code that leaves fewer than three offers ten new ones, which replace the former ones.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recoveryCodeHash } from "../../src/sign-in/recovery-codes.ts";
import { givePasskey, registrationFor, usePasskey } from "../support/passkeys.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  checkAndSave,
  copyOf,
  openDomainPage,
  publish,
  recoveryCodesIn,
} from "../support/sign-in.ts";
import { signInByCode } from "../support/store-rows.ts";

let at: TestService;
let client: TestClient;

beforeAll(async () => {
  at = await startTestService();
  client = await at.addClient({ consent: "never" });
});
afterAll(() => at.close());

async function begin(agent: UserAgent, domain: string): Promise<Page> {
  const first = await openDomainPage(agent, authorizationUrl(at, client));
  return agent.submit(first, "domain-form", { domain }, { stopAt: client.redirectUri });
}

/** An account with this many codes left. */
async function ownerWith(left: number, domain: string) {
  const agent = createUserAgent();
  const page = await begin(agent, domain);
  publish(at, page);
  const { codes } = await checkAndSave(agent, page, { stopAt: client.redirectUri });
  const [account] = await at.store.accountsOf(domain);
  const accountId = account?.id ?? "";
  for (const code of codes.slice(left)) {
    await signInByCode(at.store, { accountId, codeHash: recoveryCodeHash(code) });
  }
  return { domain, accountId, codes: codes.slice(0, left) };
}

/** In a browser that the account does not know, with the first of the codes. */
async function signInBy(
  code = "",
  { domain }: { domain: string },
): Promise<{ agent: UserAgent; page: Page }> {
  const agent = createUserAgent();
  const asked = await begin(agent, domain);
  const fields = { recovery_code: code };
  const options = { stopAt: client.redirectUri };
  const shown = await agent.submit(asked, "check-form", fields, options);
  publish(at, shown);
  return { agent, page: await agent.submit(shown, "check-form", {}, options) };
}

const areValid = async (accountId: string, codes: readonly string[]) =>
  Promise.all(codes.map((code) => at.store.hasRecoveryCode(accountId, recoveryCodeHash(code))));

test("three left are enough", async () => {
  const owner = await ownerWith(4, "alice.test");
  expect((await signInBy(owner.codes[0], owner)).page.stopped).toBe(true);
  const { page } = await signInBy(owner.codes[1], owner);
  expect([page.stopped, page.step]).toEqual([false, "recovery-codes"]);
});

test("the new ones replace the former ones when they are saved, and the sign-in goes on", async () => {
  const owner = await ownerWith(3, "bob.test");
  const { agent, page } = await signInBy(owner.codes[0], owner);
  expect(page.step).toBe("recovery-codes");
  const codes = recoveryCodesIn(page);
  expect(codes).toHaveLength(10);
  expect(recoveryCodesIn(await agent.open(page.url))).toEqual(codes);
  expect(await areValid(owner.accountId, owner.codes.slice(1))).toEqual([true, true]);
  expect(new Set(await areValid(owner.accountId, codes))).toEqual(new Set([false]));

  const options = { stopAt: client.redirectUri };
  // Two tabs, or a lost answer: the same codes are saved once.
  const [done, again] = await Promise.all([
    agent.submit(page, "recovery-codes-form", {}, options),
    agent.submit(page, "recovery-codes-form", {}, options),
  ]);
  expect([done.stopped, again.stopped]).toEqual([true, true]);
  expect(new Set(await areValid(owner.accountId, codes))).toEqual(new Set([true]));
  expect(await areValid(owner.accountId, owner.codes)).toEqual([false, false, false]);
  const entries = async () =>
    (await at.store.historyOf(owner.accountId, { since: 0, limit: 50 })).filter(
      ({ kind }) => kind === "recovery_codes_renewed",
    ).length;
  await expect.poll(entries).toBe(1);
  // They are not shown again.
  const late = await agent.open(page.url, options);
  expect(late.stopped).toBe(true);
});

test("who keeps the former ones changes nothing", async () => {
  const owner = await ownerWith(2, "carol.test");
  const { agent, page } = await signInBy(owner.codes[0], owner);
  const codes = recoveryCodesIn(page);
  const options = { stopAt: client.redirectUri };
  expect((await agent.submit(page, "keep-codes-form", {}, options)).stopped).toBe(true);
  expect(await areValid(owner.accountId, owner.codes)).toEqual([false, true]);
  expect(new Set(await areValid(owner.accountId, codes))).toEqual(new Set([false]));
});

test("codes that were renewed elsewhere in the meantime stay valid", async () => {
  const owner = await ownerWith(2, "late.alice.test");
  const { agent, page } = await signInBy(owner.codes[0], owner);
  const renewal = { accountId: owner.accountId, from: null, to: "other", codeHashes: ["hash"] };
  expect(await at.store.renewRecoveryCodes(renewal)).toBe("renewed");
  const late = await agent.submit(page, "recovery-codes-form");
  expect([late.status, late.step]).toEqual([400, "problem"]);
  expect(await at.store.hasRecoveryCode(owner.accountId, "hash")).toBe(true);
});

test("codes other than the page showed are not saved", async () => {
  const owner = await ownerWith(2, "other.alice.test");
  const { agent, page } = await signInBy(owner.codes[0], owner);
  const codes = recoveryCodesIn(page);
  const form = { shown: "those of a key that was ended since" };
  const refused = await agent.submit(page, "recovery-codes-form", form);
  expect([refused.status, refused.step]).toEqual([400, "problem"]);
  expect(await areValid(owner.accountId, owner.codes)).toEqual([false, true]);
  expect(new Set(await areValid(owner.accountId, codes))).toEqual(new Set([false]));
});

test("a browser that copied the cookies before sees none of them", async () => {
  const owner = await ownerWith(2, "copied.alice.test");
  const agent = createUserAgent();
  await begin(agent, owner.domain);
  const copy = copyOf(agent, at.issuer);
  const { page } = await signInBy(owner.codes[0], owner);
  const stolen = await copy.open(page.url);
  expect([stolen.status, recoveryCodesIn(stolen)]).toEqual([403, []]);
});

/** The same in the place of a passkey. */
async function recoverBy(code = "", { domain }: { domain: string }) {
  const agent = createUserAgent();
  const options = { stopAt: client.redirectUri };
  const asked = await agent.submit(await begin(agent, domain), "without-passkey-form", {}, options);
  const shown = await agent.submit(asked, "check-form", { recovery_code: code }, options);
  publish(at, shown);
  return { agent, page: await agent.submit(shown, "check-form", {}, options) };
}

test("once they are saved, no recovery by a former code and no change of the account adds a passkey", async () => {
  const owner = await ownerWith(4, "recovered.alice.test");
  const passkey = await givePasskey(at, owner.domain);
  const options = { stopAt: client.redirectUri };
  const thief = await recoverBy(owner.codes[0], owner);
  expect(thief.page.step).toBe("new-passkey");
  const changing = createUserAgent();
  const account = `${at.issuer}/account`;
  const query = new URLSearchParams({
    ...{ client_id: account, redirect_uri: `${account}/new-passkey`, response_type: "code" },
    ...{ scope: "openid", prompt: "login", login_hint: owner.domain },
  });
  const first = await changing.open(`${at.issuer}/oauth/authorize?${query}`);
  const asked = await changing.submit(first, "domain-form", { domain: owner.domain });
  const change = await usePasskey(changing, asked, passkey, options);
  expect(change.step).toBe("new-passkey");

  const { agent, page } = await recoverBy(owner.codes[1], owner);
  const { json } = registrationFor(page);
  const added = await agent.submit(page, "passkey-form", { credential: json }, options);
  const offered = await agent.submit(added, "continue-form", {}, options);
  expect(offered.step).toBe("recovery-codes");
  const done = await agent.submit(offered, "recovery-codes-form", {}, options);
  // The owner's own sign-in is not one of those.
  expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
  const before = await at.store.passkeysOf(owner.accountId);
  for (const other of [thief, { agent: changing, page: change }]) {
    const form = { credential: registrationFor(other.page).json };
    expect((await other.agent.submit(other.page, "passkey-form", form, options)).status).toBe(400);
  }
  expect(await at.store.passkeysOf(owner.accountId)).toEqual(before);
});
