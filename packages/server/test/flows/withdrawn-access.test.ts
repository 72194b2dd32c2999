// Requests in flight and pages left open in one browser while access is withdrawn in another.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { createAccountAccess } from "../../src/account/account-access.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { recoveryCodeHash } from "../../src/sign-in/recovery-code-entry.ts";
import { eventually } from "../support/eventually.ts";
import { flow } from "../support/flow.ts";
import { heldStatements } from "../support/held-statements.ts";
import { givePasskey, registrationFor, usePasskey } from "../support/passkeys.ts";
import { startTestService } from "../support/service.ts";
import {
  accountChangeUrl,
  answerPage,
  copyOf,
  openDomainPage,
  recoveryCodesIn,
} from "../support/sign-in.ts";
import { signInByCode } from "../support/store-rows.ts";

const statements = heldStatements();
const at = flow({ start: () => startTestService(statements) });

const stopAt = "none:";
const clock = systemClock;

const openChange = (change: string, about: Record<string, string>, agent: UserAgent) =>
  agent.open(accountChangeUrl(at, change, about));

const passkeys = async () => (await at.store.passkeys.passkeysOf(await at.accountId())).length;
const areValid = async (codes: readonly string[]) => {
  const id = await at.accountId();
  const found = codes.map((code) =>
    at.store.recoveryCodes.hasRecoveryCode(id, recoveryCodeHash(code)),
  );
  return [...new Set(await Promise.all(found))];
};

/** A browser of somebody else who has authenticated with a passkey to add another one, and waits. */
async function waitingToAdd(key: Parameters<typeof usePasskey>[2]) {
  const thief = createUserAgent();
  const page = await usePasskey(thief, await openChange("new-passkey", {}, thief), key, { stopAt });
  expect(page.step).toBe("new-passkey");
  return {
    add: () => thief.submit(page, "passkey-form", { credential: registrationFor(page).json }),
  };
}

test("a browser that was signed out elsewhere makes no change that it authenticated for before", async () => {
  await at.signIn();
  const key = await givePasskey(at, at.domain);
  const { add } = await waitingToAdd(key);
  const owner = createUserAgent();
  const account = `${at.issuer}/account?domain=${at.domain}`;
  await usePasskey(owner, await openDomainPage(owner, account), key, { stopAt });
  let page = await owner.open(account);
  const signOuts = (of: Page) => of.forms.filter(({ id }) => /^sign-out-\d+-form$/.test(id ?? ""));
  expect(signOuts(page)).toHaveLength(2);
  while (signOuts(page).length > 0) page = await owner.submit(page, signOuts(page)[0]?.id ?? "");
  const done = await add();
  expect([done.status, done.step, await passkeys()]).toEqual([400, "problem", 1]);
});

test("a passkey that was removed adds no other passkey by an authentication from before", async () => {
  const { agent: owner } = await at.signIn();
  const [stolen, good] = [await givePasskey(at, at.domain), await givePasskey(at, at.domain)];
  const { add } = await waitingToAdd(stolen);
  const asked = await openChange("remove-passkey", { nonce: stolen.thumbprint }, owner);
  const news = await usePasskey(owner, asked, good, { stopAt });
  // The thief's browser is new.
  const page = await owner.submit(news, "news-form");
  await owner.submit(page, "remove-passkey-form");
  const done = await add();
  expect([done.status, done.step, await passkeys()]).toEqual([400, "problem", 1]);
});

test("offered recovery codes are not saved in a browser that was signed out in the meantime", async () => {
  const { codes } = await at.setUp();
  const id = await at.accountId();
  for (const code of codes.slice(3)) {
    await signInByCode(at.store, { accountId: id, codeHash: recoveryCodeHash(code) });
  }
  const thief = { agent: createUserAgent() };
  const code = { recovery_code: codes[0] ?? "" };
  const shown = await at.submit(await at.begin(thief), "check-form", code, thief);
  at.publish(shown);
  const offered = await at.submit(shown, "check-form", {}, thief);
  expect(offered.step).toBe("recovery-codes");
  await at.store.sessions.endSessionsOf(id, { reason: "elsewhere", now: clock.seconds() });
  const done = await at.submit(offered, "recovery-codes-form", {}, thief);
  expect([done.status, done.step]).toEqual([400, "problem"]);
  expect(await areValid(codes.slice(1, 3))).toEqual([true]);
  expect(await areValid(recoveryCodesIn(offered))).toEqual([false]);
});

test("a change of the account has no consent: a decision posted there hides nothing", async () => {
  const { agent } = await at.signIn();
  let page: Page = await openChange("new-codes", {}, agent);
  for (let turn = 0; page.step !== "recovery-codes" && turn < 4; turn++) {
    page = await answerPage(at, agent, page, { domain: at.domain, stopAt });
  }
  const decided = await fetch(page.url.replace("new-codes", "consent"), {
    ...{ method: "POST", redirect: "manual" },
    headers: { ...at.cookies(), origin: at.issuer },
    body: new URLSearchParams({ decision: "deny" }),
  });
  expect(decided.status).toBe(400);
  await agent.submit(page, "recovery-codes-form");
  await eventually(async () => {
    const history = await at.store.histories.historyOf(await at.accountId(), {
      since: 0,
      limit: 50,
    });
    expect(history.map(({ kind }) => kind)).toContain("recovery_codes_renewed");
  });
  // Not shown again.
  expect((await agent.open(page.url)).step).toBe("account");
});

test.each([/INSERT INTO consents/, /UPDATE interactions SET recovery/])(
  "a consent in flight is not remembered after the app was revoked: %s",
  async (statement) => {
    const asking = await at.addClient({ name: "Notes", consent: "first" });
    await at.signIn();
    at.client = asking;
    const consent = await at.submit(await at.open(), "continue-form");
    expect(consent.step).toBe("consent");
    const { reached, release } = statements.hold(statement.source);
    const pending = at.submit(consent, "consent-form", {}, { button: "allow" });
    await reached;
    const access = createAccountAccess({ ...at.store, clock });
    await access.revokeApps(await at.accountId(), asking.id);
    release();
    expect((await pending).step).toBe("problem");
    expect(await at.silently()).toBe("login_required");
  },
);

test.each([/UPDATE interactions SET account_id/, /INSERT INTO sessions/])(
  "a sign-in by DNS in a known browser, in flight while the operator signs out everywhere, starts no session: %s",
  async (statement) => {
    await at.signIn();
    const enter = () => at.begin({ parameters: { prompt: "login" } });
    const page = await enter();
    expect([page.step, page.has("recovery_code")]).toEqual(["dns-challenge", false]);
    at.publish(page);
    const { reached, release } = statements.hold(statement.source);
    const pending = at.submit(page, "check-form");
    await reached;
    const access = createAccountAccess({ ...at.store, clock });
    await access.signOutEverywhere(await at.accountId(), "operator");
    release();
    expect((await pending).step).toBe("problem");
    expect(await at.silently()).toBe("login_required");
    expect((await enter()).has("recovery_code")).toBe(true);
  },
);

test("a sign-in that a copied session began gets no code once the copy is refused", async () => {
  const asking = await at.addClient({ name: "Mallory's", consent: "always" });
  await at.signIn();
  const thief = { client: asking, agent: copyOf(at.agent, at.issuer) };
  const consent = await at.submit(await at.open({}, thief), "continue-form", {}, thief);
  expect(consent.step).toBe("consent");
  await at.signIn({ parameters: { prompt: "login" } });
  at.advance(3000);
  const done = await at.submit(consent, "consent-form", {}, { ...thief, button: "allow" });
  expect([done.status, done.step]).toEqual([400, "problem"]);
});

test("a session that is started while a sign-out everywhere is in progress ends with it", async () => {
  await at.signIn();
  // The account still knows the browser, which has no session that could end.
  await at.submit(await at.open(), "sign-out-form");
  const page = await at.begin();
  at.publish(page);
  const { store } = at;
  const forgetBrowsersOf: typeof store.sessions.forgetBrowsersOf = async (...of) => {
    await at.submit(page, "check-form");
    return store.sessions.forgetBrowsersOf(...of);
  };
  const sessions = { ...store.sessions, forgetBrowsersOf };
  const access = createAccountAccess({ ...store, sessions, clock });
  await access.signOutEverywhere(await at.accountId(), "operator");
  expect(await at.silently()).toBe("login_required");
});
