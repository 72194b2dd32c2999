// A sign-in by a recovery code that leaves fewer than three offers ten new ones, which replace the former ones.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { recoveryCodeHash } from "../../src/sign-in/recovery-code-entry.ts";
import { flow } from "../support/flow.ts";
import { givePasskey, registrationFor, usePasskey } from "../support/passkeys.ts";
import { copyOf, recoveryCodesIn } from "../support/sign-in.ts";
import { signInByCode } from "../support/store-rows.ts";

const at = flow();

/** An account with this many codes left. */
async function ownerWith(left: number) {
  const { codes } = await at.finish(await at.begin());
  const { id: accountId } = await at.accountOf();
  for (const code of codes.slice(left)) {
    await signInByCode(at.store, { accountId, codeHash: recoveryCodeHash(code) });
  }
  return { accountId, codes: codes.slice(0, left) };
}

/** In a browser that the account does not know, by a recovery code. */
async function signInBy(code = ""): Promise<{ agent: UserAgent; page: Page }> {
  const agent = createUserAgent();
  return { agent, page: await enter(agent, await at.begin({ agent }), code) };
}

/** The same in the place of a passkey. */
async function recoverBy(code = "") {
  const agent = createUserAgent();
  const asked = await at.submit(await at.begin({ agent }), "without-passkey-form", {}, { agent });
  return { agent, page: await enter(agent, asked, code) };
}

/** Enters the code, then publishes the record of the challenge. */
async function enter(agent: UserAgent, asked: Page, code: string): Promise<Page> {
  const shown = await at.submit(asked, "check-form", { recovery_code: code }, { agent });
  at.publish(shown);
  return at.submit(shown, "check-form", {}, { agent });
}

const areValid = async (accountId: string, codes: readonly string[]) =>
  Promise.all(
    codes.map((code) => at.store.recoveryCodes.hasRecoveryCode(accountId, recoveryCodeHash(code))),
  );

test("three left are enough", async () => {
  const owner = await ownerWith(4);
  expect((await signInBy(owner.codes[0])).page.stopped).toBe(true);
  const { page } = await signInBy(owner.codes[1]);
  expect([page.stopped, page.step]).toEqual([false, "recovery-codes"]);
});

test("the new ones replace the former ones when they are saved, and the sign-in goes on", async () => {
  const owner = await ownerWith(3);
  const { agent, page } = await signInBy(owner.codes[0]);
  expect(page.step).toBe("recovery-codes");
  const codes = recoveryCodesIn(page);
  expect(codes).toHaveLength(10);
  expect(recoveryCodesIn(await agent.open(page.url))).toEqual(codes);
  expect(await areValid(owner.accountId, owner.codes.slice(1))).toEqual([true, true]);
  expect(new Set(await areValid(owner.accountId, codes))).toEqual(new Set([false]));

  // Two tabs, or a lost answer: the same codes are saved once.
  const [done, again] = await Promise.all([
    at.submit(page, "recovery-codes-form", {}, { agent }),
    at.submit(page, "recovery-codes-form", {}, { agent }),
  ]);
  expect([done.stopped, again.stopped]).toEqual([true, true]);
  expect(new Set(await areValid(owner.accountId, codes))).toEqual(new Set([true]));
  expect(await areValid(owner.accountId, owner.codes)).toEqual([false, false, false]);
  const entries = async () =>
    (await at.store.histories.historyOf(owner.accountId, { since: 0, limit: 50 })).filter(
      ({ kind }) => kind === "recovery_codes_renewed",
    ).length;
  await expect.poll(entries).toBe(1);
  // They are not shown again.
  const late = await agent.open(page.url, { stopAt: at.client.redirectUri });
  expect(late.stopped).toBe(true);
});

test("who keeps the former ones changes nothing", async () => {
  const owner = await ownerWith(2);
  const { agent, page } = await signInBy(owner.codes[0]);
  const codes = recoveryCodesIn(page);
  expect((await at.submit(page, "keep-codes-form", {}, { agent })).stopped).toBe(true);
  expect(await areValid(owner.accountId, owner.codes)).toEqual([false, true]);
  expect(new Set(await areValid(owner.accountId, codes))).toEqual(new Set([false]));
});

test("codes that were renewed elsewhere in the meantime stay valid", async () => {
  const owner = await ownerWith(2);
  const { agent, page } = await signInBy(owner.codes[0]);
  const renewal = { accountId: owner.accountId, from: null, to: "other", codeHashes: ["hash"] };
  expect(await at.store.recoveryCodes.renewRecoveryCodes(renewal)).toBe("renewed");
  const late = await agent.submit(page, "recovery-codes-form");
  expect([late.status, late.step]).toEqual([400, "problem"]);
  expect(await at.store.recoveryCodes.hasRecoveryCode(owner.accountId, "hash")).toBe(true);
});

test("codes other than the page showed are not saved", async () => {
  const owner = await ownerWith(2);
  const { agent, page } = await signInBy(owner.codes[0]);
  const codes = recoveryCodesIn(page);
  const form = { shown: "those of a key that was ended since" };
  const refused = await agent.submit(page, "recovery-codes-form", form);
  expect([refused.status, refused.step]).toEqual([400, "problem"]);
  expect(await areValid(owner.accountId, owner.codes)).toEqual([false, true]);
  expect(new Set(await areValid(owner.accountId, codes))).toEqual(new Set([false]));
});

test("a browser that copied the cookies before sees none of them", async () => {
  const owner = await ownerWith(2);
  const browser = createUserAgent();
  await at.begin({ agent: browser });
  const copy = copyOf(browser, at.issuer);
  const { page } = await signInBy(owner.codes[0]);
  const stolen = await copy.open(page.url);
  expect([stolen.status, recoveryCodesIn(stolen)]).toEqual([403, []]);
});

test("once they are saved, no recovery by a former code and no change of the account adds a passkey", async () => {
  const owner = await ownerWith(4);
  const passkey = await givePasskey(at, at.domain);
  const thief = await recoverBy(owner.codes[0]);
  expect(thief.page.step).toBe("new-passkey");
  const changing = createUserAgent();
  const account = `${at.issuer}/account`;
  const query = new URLSearchParams({
    ...{ client_id: account, redirect_uri: `${account}/new-passkey`, response_type: "code" },
    ...{ scope: "openid", prompt: "login", login_hint: at.domain },
  });
  const first = await changing.open(`${at.issuer}/oauth/authorize?${query}`);
  const asked = await changing.submit(first, "domain-form", { domain: at.domain });
  const change = await usePasskey(changing, asked, passkey, { stopAt: at.client.redirectUri });
  expect(change.step).toBe("new-passkey");

  const { agent, page } = await recoverBy(owner.codes[1]);
  const { json } = registrationFor(page);
  const added = await at.submit(page, "passkey-form", { credential: json }, { agent });
  const offered = await at.submit(added, "continue-form", {}, { agent });
  expect(offered.step).toBe("recovery-codes");
  const done = await at.submit(offered, "recovery-codes-form", {}, { agent });
  // The owner's own sign-in is not one of those.
  expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
  const before = await at.store.passkeys.passkeysOf(owner.accountId);
  for (const other of [thief, { agent: changing, page: change }]) {
    const form = { credential: registrationFor(other.page).json };
    expect((await at.submit(other.page, "passkey-form", form, other)).status).toBe(400);
  }
  expect(await at.store.passkeys.passkeysOf(owner.accountId)).toEqual(before);
});
