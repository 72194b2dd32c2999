// A database that was restored from a backup: what would be valid again, and what `restored` makes of it.

import { createUserAgent, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, describe, expect, test } from "vitest";
import { finishRestore } from "../../src/backup/restored.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { backUp, putBackInto } from "../support/database-copy.ts";
import { claimsOf, flow, hasCode } from "../support/flow.ts";
import { temporaryFolder } from "../support/folder.ts";
import { givePasskey, usePasskey } from "../support/passkeys.ts";
import { startTestService } from "../support/service.ts";
import {
  authorizationUrl,
  copyOf,
  leaveSessions,
  openDomainPage,
  redemption,
  refresh,
  replaceRecord,
  saveCodes,
} from "../support/sign-in.ts";
import { NOW } from "../support/store-rows.ts";

const folder = temporaryFolder();
let moved = 0;
async function start() {
  const started = await startTestService({ database: `sqlite:${folder.file("domain-signin.db")}` });
  const advance = (seconds: number) => {
    moved += seconds;
    started.advance(seconds);
  };
  return { ...started, advance };
}
const at = flow({ start });

const stopAt = "https://app.example.org/";
let agent: UserAgent;
let accountId: () => Promise<string>;
beforeEach(() => {
  ({ agent, accountId } = at);
});

const takeBackUp = () => backUp(folder.file("domain-signin.db"), folder.file(at.domain));
/** Without its last step: all that was in the backup is valid again. */
const putBack = () => putBackInto(folder.file("domain-signin.db"), folder.file(at.domain));
async function restore(): Promise<void> {
  at.advance(1);
  await putBack();
  const clock = clockFrom(() => Date.now() + moved * 1000);
  await finishRestore({ store: at.store, clock, random: systemRandom, seal: null, markPath: null });
  at.advance(1);
}

const begin = (by: UserAgent) => at.begin({ agent: by });
const isSignedIn = async (by: UserAgent) => (await at.silently({ agent: by })) === null;
const statusOf = async (parameters: Record<string, string>) =>
  (await at.token(parameters, at.client)).status;

test("a code that was redeemed after the backup is not redeemed again", async () => {
  const done = await at.signIn();
  await takeBackUp();
  const redeeming = redemption(at.client, done);
  expect(await statusOf(redeeming)).toBe(200);
  await putBack();
  expect(await statusOf(redeeming)).toBe(200);
  await restore();
  expect(await statusOf(redeeming)).toBe(400);
});

test("a refresh token that was revoked after the backup is refused, and so is its access token", async () => {
  const tokens = await at.tokens();
  const userinfo = async () => (await at.userinfo(tokens.access_token)).status;
  await takeBackUp();
  await at.store.grants.revokeGrantsOf({ accountId: await accountId(), clientId: null, now: 1 });
  expect([await statusOf(refresh(tokens.refresh_token)), await userinfo()]).toEqual([400, 401]);
  await putBack();
  expect(await statusOf(refresh(tokens.refresh_token))).toBe(200);
  await restore();
  expect([await statusOf(refresh(tokens.refresh_token)), await userinfo()]).toEqual([400, 401]);
});

test("a session that was signed out after the backup is over, and its browser is still known", async () => {
  const before = await at.tokens();
  const thief = copyOf(agent, at.issuer);
  await takeBackUp();
  await at.store.sessions.endSessionsOf(await accountId(), { reason: "elsewhere", now: 1 });
  expect(await isSignedIn(thief)).toBe(false);
  await putBack();
  expect(await isSignedIn(thief)).toBe(true);
  await restore();
  expect(await isSignedIn(thief)).toBe(false);
  leaveSessions(agent, at.issuer);
  const challenge = await begin(agent);
  expect(challenge.step).toBe("dns-challenge");
  // No recovery code is asked for.
  at.publish(challenge);
  const after = await agent.submit(challenge, "check-form", {}, { stopAt });
  expect(hasCode(after)).toBe(true);
  const again = await at.tokens();
  expect(claimsOf(again.id_token).sub).toBe(claimsOf(before.id_token).sub);
});

test("a consent that was withdrawn after the backup is asked for again", async () => {
  at.client = await at.addClient({ consent: "first" });
  await at.signIn();
  const asksAgain = async () =>
    (await at.open({ login_hint: at.domain })).step === "consent" || !(await isSignedIn(agent));
  await takeBackUp();
  const of = { accountId: await accountId(), clientId: at.client.id };
  await at.store.consents.forgetConsents(of);
  await putBack();
  expect(await asksAgain()).toBe(false);
  await restore();
  expect(await at.store.consents.readConsent(of.accountId, of.clientId)).toEqual(new Set());
});

test("an interaction that was authenticated before the backup gives no code", async () => {
  at.client = await at.addClient({ consent: "always" });
  const { page: consent } = await at.setUp();
  expect(consent.step).toBe("consent");
  await takeBackUp();
  await restore();
  const after = await agent.submit(consent, "consent-form", { decision: "allow" }, { stopAt });
  expect(hasCode(after)).toBe(false);
});

describe("a set-up that began before the restore", () => {
  /** Its record is published, its account made, and both the account and its cookie from before are kept. */
  async function finishedAndEnded() {
    const shown = await begin(agent);
    await takeBackUp();
    const thief = copyOf(agent, at.issuer);
    await at.finish(shown);
    const ended = await accountId();
    await at.store.accountAdmin.endAccountNow({ accountId: ended, now: 1 });
    return { thief, ended };
  }

  test("does not make the account again that has ended since", async () => {
    const { thief, ended } = await finishedAndEnded();
    const other = copyOf(thief, at.issuer);
    await putBack();
    const { page } = await saveCodes(other, await begin(other), { stopAt });
    expect(hasCode(page)).toBe(true);
    await restore();
    const refused = await begin(thief);
    expect(refused.step).toBe("problem");
    expect(refused.html).toContain("was restored from a backup after you started the setup");
    expect(await at.store.accounts.readAccount(ended)).toBeNull();
  });

  test("does not either if a clock dated it that was ahead", async () => {
    at.setAhead(1800);
    const { thief, ended } = await finishedAndEnded();
    at.setAhead(0);
    await restore();
    expect((await begin(thief)).step).toBe("problem");
    expect(await at.store.accounts.readAccount(ended)).toBeNull();
  });

  test("says how to go on, and a new one can be finished", async () => {
    const { thief } = await finishedAndEnded();
    await restore();
    const started = await thief.submit(await begin(thief), "start-over-form", {}, { stopAt });
    expect(started.step).toBe("dns-setup");
    const { page } = await at.finish(started, { agent: thief });
    expect(hasCode(page)).toBe(true);
  });

  test("is no longer handed on", async () => {
    const shown = await begin(agent);
    const handOn = await agent.open(shown.link("hand-on"));
    const handedOn = handOn.text("set-up-link");
    await takeBackUp();
    expect((await createUserAgent().open(handedOn)).status).toBe(200);
    await restore();
    expect((await createUserAgent().open(handedOn)).status).toBe(400);
  });
});

describe("a DNS challenge that began before the restore", () => {
  test("signs nobody in, and its page says why; a new one does", async () => {
    await at.signIn();
    leaveSessions(agent, at.issuer);
    const challenge = await begin(agent);
    at.publish(challenge);
    await takeBackUp();
    await restore();
    const refused = await agent.submit(challenge, "check-form", {}, { stopAt });
    expect([refused.status, refused.step]).toEqual([400, "problem"]);
    expect(refused.html).toContain("only if this service has not been restored from a backup");
    const again = await begin(agent);
    expect(again.text("dns-value")).not.toBe(challenge.text("dns-value"));
    at.publish(again);
    expect(hasCode(await agent.submit(again, "check-form", {}, { stopAt }))).toBe(true);
  });

  test("and whose row was in the backup does not either, without its cookie", async () => {
    await at.signIn();
    leaveSessions(agent, at.issuer);
    const challenge = await begin(agent);
    at.publish(challenge);
    await takeBackUp();
    await restore();
    agent.cookies.forget((name) => name.includes("_challenge_"));
    const refused = await agent.submit(challenge, "check-form", {}, { stopAt });
    expect([refused.status, refused.step]).toEqual([400, "problem"]);
    expect(await isSignedIn(agent)).toBe(false);
  });
});

describe("a passkey of the backup", () => {
  async function withPasskey() {
    await at.signIn();
    const passkey = await givePasskey(at, at.domain);
    await takeBackUp();
    return passkey;
  }
  /** The record lists the keys. */
  function list(...keys: string[]): void {
    const name = `_domain-signin.${at.domain}`;
    const record = at.zone.records().find((one) => one.name === name);
    if (record === undefined) throw new Error("there is a record");
    replaceRecord(at.zone, name, `${record.value} jkt=${keys.join(",")}`);
    at.advance(301);
  }
  const use = async (by: UserAgent, passkey: Awaited<ReturnType<typeof withPasskey>>) =>
    usePasskey(by, await begin(by), passkey, { stopAt });

  test("that was removed since signs nobody in", async () => {
    const passkey = await withPasskey();
    await at.store.passkeys.removePasskey(passkey, NOW);
    await putBack();
    expect(hasCode(await use(createUserAgent(), passkey))).toBe(true);
    await restore();
    const thief = createUserAgent();
    const page = await use(thief, passkey);
    expect([page.step, hasCode(page)]).toEqual(["dns-challenge", false]);
    const checked = await thief.submit(page, "check-form", {}, { stopAt });
    expect(checked.step).toBe("dns-challenge");
    expect(await isSignedIn(thief)).toBe(false);
    expect(await at.store.passkeys.findPasskey(passkey.credentialId)).toMatchObject({
      unconfirmed: 1,
    });
  });

  test("approves no change of the account", async () => {
    const passkey = await withPasskey();
    const account = await agent.open(`${at.issuer}/account`);
    const add = account.link("add-passkey");
    await restore();
    const asked = await agent.submit(await agent.open(add), "domain-form", { domain: at.domain });
    expect(asked.step).toBe("passkey");
    const page = await usePasskey(agent, asked, passkey, { stopAt });
    expect(page.step).toBe("dns-challenge");
    const forced = page.url.replace(/dns-challenge.*$/, "new-passkey");
    expect((await agent.open(forced)).step).not.toBe("new-passkey");
    at.publish(page);
    const approved = await agent.submit(page, "check-form", {}, { stopAt });
    expect(approved.step).toBe("new-passkey");
  });

  test("on the first page signs nobody in either", async () => {
    const passkey = await withPasskey();
    await restore();
    const browser = createUserAgent();
    const first = await openDomainPage(browser, authorizationUrl(at, at.client), { stopAt });
    const page = await usePasskey(browser, first, passkey, { stopAt });
    expect(page.step).toBe("passkey");
    expect((await usePasskey(browser, page, passkey, { stopAt })).step).toBe("dns-challenge");
  });

  test("that the record lists now signs in, and stays confirmed", async () => {
    const passkey = await withPasskey();
    list(passkey.thumbprint);
    await restore();
    expect(hasCode(await use(createUserAgent(), passkey))).toBe(true);
    expect(await at.store.passkeys.findPasskey(passkey.credentialId)).toMatchObject({
      unconfirmed: 0,
    });
  });

  test("is confirmed by a DNS challenge alone, once, in a browser that nobody knows", async () => {
    const passkey = await withPasskey();
    await restore();
    const browser = createUserAgent();
    const challenge = await use(browser, passkey);
    expect(challenge.html).not.toContain("recovery_code");
    expect(challenge.html).toContain("Your passkey was verified.");
    at.publish(challenge);
    at.events.length = 0;
    expect(hasCode(await browser.submit(challenge, "check-form", {}, { stopAt }))).toBe(true);
    const signedIn = at.events.filter((event) => event.startsWith("signed in"));
    expect(signedIn).toEqual([expect.stringContaining('"amr":"pop user"')]);
    expect(hasCode(await use(createUserAgent(), passkey))).toBe(true);
  });

  test("is not confirmed by the challenge if it was removed meanwhile", async () => {
    const passkey = await withPasskey();
    await restore();
    const browser = createUserAgent();
    const challenge = await use(browser, passkey);
    at.publish(challenge);
    await at.store.passkeys.removePasskey(passkey, NOW);
    const page = await browser.submit(challenge, "check-form", {}, { stopAt });
    expect(hasCode(page)).toBe(false);
  });

  test("that is added after the restore signs in", async () => {
    await withPasskey();
    await restore();
    const [account] = await at.store.accounts.accountsOf(at.domain);
    const createdAt = (account?.createdAt ?? 0) + 86_400;
    const added = await givePasskey(at, at.domain, { createdAt });
    expect(hasCode(await use(createUserAgent(), added))).toBe(true);
  });
});
