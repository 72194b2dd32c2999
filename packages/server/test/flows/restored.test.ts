// A database that was restored from a backup: what would be valid again, and what `restored` makes of it.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { finishRestore } from "../../src/backup/restored.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { backUp, putBackInto } from "../support/database-copy.ts";
import { givePasskey, usePasskey } from "../support/passkeys.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  checkAndSave,
  copyOf,
  leaveSessions,
  openDomainPage,
  publish,
  redemption,
  refresh,
  saveCodes,
  signIn,
  signInForTokens,
} from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
let folder: string;
let path: string;
let copy: string;
let moved = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "domain-signin-"));
  path = join(folder, "domain-signin.db");
  const started = await startTestService({ database: `sqlite:${path}` });
  const advance = (seconds: number) => {
    moved += seconds;
    started.advance(seconds);
  };
  at = { ...started, advance };
});
afterAll(async () => {
  await at.close();
  await rm(folder, { recursive: true, force: true });
});

const stopAt = "https://app.example.org/";
let agent: UserAgent;
let domain: string;
let count = 0;
beforeEach(async () => {
  client = await at.addClient({ consent: "never" });
  agent = createUserAgent();
  domain = `owner-${++count}.alice.test`;
  copy = join(folder, `backup-${count}`);
});

const takeBackUp = () => backUp(path, copy);
/** Without its last step: all that was in the backup is valid again. */
const putBack = () => putBackInto(path, copy);
async function restore(): Promise<void> {
  at.advance(1);
  await putBack();
  const clock = clockFrom(() => Date.now() + moved * 1000);
  await finishRestore({ store: at.store, clock, random: systemRandom, seal: null, markPath: null });
  at.advance(1);
}

const sign = () => signIn(at, client, { agent, domain });
const isCode = (page: Page) => new URL(page.url).searchParams.has("code");
async function begin(by: UserAgent): Promise<Page> {
  const first = await openDomainPage(by, authorizationUrl(at, client), { stopAt });
  return by.submit(first, "domain-form", { domain }, { stopAt });
}
async function silently(by: UserAgent): Promise<boolean> {
  const parameters = { prompt: "none", login_hint: domain };
  return isCode(await by.open(authorizationUrl(at, client, parameters), { stopAt }));
}
const statusOf = async (parameters: Record<string, string>) =>
  (await at.token(parameters, client)).status;

test("a code that was redeemed after the backup is not redeemed again", async () => {
  const done = await sign();
  await takeBackUp();
  const redeeming = redemption(client, done);
  expect(await statusOf(redeeming)).toBe(200);
  await putBack();
  expect(await statusOf(redeeming)).toBe(200);
  await restore();
  expect(await statusOf(redeeming)).toBe(400);
});

test("a refresh token that was revoked after the backup is refused, and so is its access token", async () => {
  const tokens = await signInForTokens(at, client, { agent, domain });
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const userinfo = async () => (await fetch(`${at.issuer}/oauth/userinfo`, { headers })).status;
  await takeBackUp();
  const [account] = await at.store.accountsOf(domain);
  await at.store.revokeGrantsOf({ accountId: String(account?.id), clientId: null, now: 1 });
  expect([await statusOf(refresh(tokens.refresh_token)), await userinfo()]).toEqual([400, 401]);
  await putBack();
  expect(await statusOf(refresh(tokens.refresh_token))).toBe(200);
  await restore();
  expect([await statusOf(refresh(tokens.refresh_token)), await userinfo()]).toEqual([400, 401]);
});

test("a session that was signed out after the backup is over, and its browser is still known", async () => {
  const before = await signInForTokens(at, client, { agent, domain });
  const thief = copyOf(agent, at.issuer);
  await takeBackUp();
  const [account] = await at.store.accountsOf(domain);
  await at.store.endSessionsOf(String(account?.id), { reason: "elsewhere", now: 1 });
  expect(await silently(thief)).toBe(false);
  await putBack();
  expect(await silently(thief)).toBe(true);
  await restore();
  expect(await silently(thief)).toBe(false);
  leaveSessions(agent, at.issuer);
  const challenge = await begin(agent);
  expect(challenge.step).toBe("dns-challenge");
  // No recovery code is asked for.
  publish(at, challenge);
  const after = await agent.submit(challenge, "check-form", {}, { stopAt });
  expect(isCode(after)).toBe(true);
  const again = await signInForTokens(at, client, { agent, domain });
  const subOf = (token: string) =>
    JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sub;
  expect(subOf(again.id_token)).toBe(subOf(before.id_token));
});

test("a consent that was withdrawn after the backup is asked for again", async () => {
  client = await at.addClient({ consent: "first" });
  await sign();
  const asksAgain = async () =>
    (await openedWithSession()).step === "consent" || !(await silently(agent));
  const openedWithSession = () =>
    agent.open(authorizationUrl(at, client, { login_hint: domain }), { stopAt });
  await takeBackUp();
  const [account] = await at.store.accountsOf(domain);
  const of = { accountId: String(account?.id), clientId: client.id };
  await at.store.forgetConsents(of);
  await putBack();
  expect(await asksAgain()).toBe(false);
  await restore();
  expect(await at.store.readConsent(of.accountId, of.clientId)).toEqual(new Set());
});

test("an interaction that was authenticated before the backup gives no code", async () => {
  client = await at.addClient({ consent: "always" });
  const shown = await begin(agent);
  publish(at, shown);
  const { page: consent } = await checkAndSave(agent, shown, { stopAt });
  expect(consent.step).toBe("consent");
  await takeBackUp();
  await restore();
  const after = await agent.submit(consent, "consent-form", { decision: "allow" }, { stopAt });
  expect(isCode(after)).toBe(false);
});

describe("a set-up that began before the restore", () => {
  /** Its record is published, its account made, and both the account and its cookie from before are kept. */
  async function finishedAndEnded() {
    const shown = await begin(agent);
    await takeBackUp();
    const thief = copyOf(agent, at.issuer);
    publish(at, shown);
    await checkAndSave(agent, shown, { stopAt });
    const [account] = await at.store.accountsOf(domain);
    await at.store.endAccountNow({ accountId: String(account?.id), now: 1 });
    return { thief, accountId: account?.id };
  }

  test("does not make the account again that has ended since", async () => {
    const { thief, accountId } = await finishedAndEnded();
    const other = copyOf(thief, at.issuer);
    await putBack();
    const { page } = await saveCodes(other, await begin(other), { stopAt });
    expect(isCode(page)).toBe(true);
    await restore();
    const refused = await begin(thief);
    expect(refused.step).toBe("problem");
    expect(refused.html).toContain("was restored from a backup after you started the setup");
    expect(await at.store.readAccount(String(accountId))).toBeNull();
  });

  test("does not either if a clock dated it that was ahead", async () => {
    at.setAhead(1800);
    const { thief, accountId } = await finishedAndEnded();
    at.setAhead(0);
    await restore();
    expect((await begin(thief)).step).toBe("problem");
    expect(await at.store.readAccount(String(accountId))).toBeNull();
  });

  test("says how to go on, and a new one can be finished", async () => {
    const { thief } = await finishedAndEnded();
    await restore();
    const started = await thief.submit(await begin(thief), "start-over-form", {}, { stopAt });
    expect(started.step).toBe("dns-setup");
    publish(at, started);
    const { page } = await checkAndSave(thief, started, { stopAt });
    expect(isCode(page)).toBe(true);
  });

  test("is no longer handed on", async () => {
    const shown = await begin(agent);
    const link = shown.html.match(/href="([^"]*\/hand-on)"/)?.[1] ?? "";
    const handOn = await agent.open(new URL(link, at.issuer).href);
    const handedOn = handOn.html.match(/http:\/\/localhost:\d+\/set-up\/[\w-]+/)?.[0] ?? "";
    await takeBackUp();
    expect((await createUserAgent().open(handedOn)).status).toBe(200);
    await restore();
    expect((await createUserAgent().open(handedOn)).status).toBe(400);
  });
});

describe("a passkey of the backup", () => {
  async function withPasskey() {
    await sign();
    const passkey = await givePasskey(at, domain);
    await takeBackUp();
    return passkey;
  }
  /** The record lists the keys. */
  function list(...keys: string[]): void {
    const name = `_domain-signin.${domain}`;
    const record = at.zone.records().find((one) => one.name === name);
    if (record === undefined) throw new Error("there is a record");
    at.zone.remove(record);
    at.zone.add({ ...record, value: `${record.value}; jkt=${keys.join(",")}` });
    at.advance(301);
  }
  const use = async (by: UserAgent, passkey: Awaited<ReturnType<typeof withPasskey>>) =>
    usePasskey(by, await begin(by), passkey, { stopAt });

  test("that was removed since signs nobody in", async () => {
    const passkey = await withPasskey();
    await at.store.removePasskey(passkey);
    await putBack();
    expect(isCode(await use(createUserAgent(), passkey))).toBe(true);
    await restore();
    const thief = createUserAgent();
    const page = await use(thief, passkey);
    expect([page.step, isCode(page)]).toEqual(["dns-challenge", false]);
    const checked = await thief.submit(page, "check-form", {}, { stopAt });
    expect(checked.step).toBe("dns-challenge");
    expect(await silently(thief)).toBe(false);
    expect(await at.store.findPasskey(passkey.credentialId)).toMatchObject({ unconfirmed: 1 });
  });

  test("approves no change of the account", async () => {
    const passkey = await withPasskey();
    const account = await agent.open(`${at.issuer}/account`);
    const add = account.link("add-passkey");
    await restore();
    const asked = await agent.submit(await agent.open(add), "domain-form", { domain });
    expect(asked.step).toBe("passkey");
    const page = await usePasskey(agent, asked, passkey, { stopAt });
    expect(page.step).toBe("dns-challenge");
    const forced = page.url.replace(/dns-challenge.*$/, "new-passkey");
    expect((await agent.open(forced)).step).not.toBe("new-passkey");
    publish(at, page);
    const approved = await agent.submit(page, "check-form", {}, { stopAt });
    expect(approved.step).toBe("new-passkey");
  });

  test("on the first page signs nobody in either", async () => {
    const passkey = await withPasskey();
    await restore();
    const browser = createUserAgent();
    const first = await openDomainPage(browser, authorizationUrl(at, client), { stopAt });
    const page = await usePasskey(browser, first, passkey, { stopAt });
    expect(page.step).toBe("passkey");
    expect((await usePasskey(browser, page, passkey, { stopAt })).step).toBe("dns-challenge");
  });

  test("that the record lists now signs in, and stays confirmed", async () => {
    const passkey = await withPasskey();
    list(passkey.thumbprint);
    await restore();
    expect(isCode(await use(createUserAgent(), passkey))).toBe(true);
    expect(await at.store.findPasskey(passkey.credentialId)).toMatchObject({ unconfirmed: 0 });
  });

  test("is confirmed by a DNS challenge alone, once, in a browser that nobody knows", async () => {
    const passkey = await withPasskey();
    await restore();
    const browser = createUserAgent();
    const challenge = await use(browser, passkey);
    expect(challenge.html).not.toContain("recovery_code");
    expect(challenge.html).toContain("Your passkey was verified.");
    publish(at, challenge);
    at.events.length = 0;
    expect(isCode(await browser.submit(challenge, "check-form", {}, { stopAt }))).toBe(true);
    const signedIn = at.events.filter((event) => event.startsWith("signed in"));
    expect(signedIn).toEqual([expect.stringContaining('"amr":"pop user"')]);
    expect(isCode(await use(createUserAgent(), passkey))).toBe(true);
  });

  test("is not confirmed by the challenge if it was removed meanwhile", async () => {
    const passkey = await withPasskey();
    await restore();
    const browser = createUserAgent();
    const challenge = await use(browser, passkey);
    publish(at, challenge);
    await at.store.removePasskey(passkey);
    const page = await browser.submit(challenge, "check-form", {}, { stopAt });
    expect(isCode(page)).toBe(false);
  });

  test("that is added after the restore signs in", async () => {
    await withPasskey();
    await restore();
    const [account] = await at.store.accountsOf(domain);
    const added = await givePasskey(at, domain, { createdAt: (account?.createdAt ?? 0) + 86_400 });
    expect(isCode(await use(createUserAgent(), added))).toBe(true);
  });
});
