// Requests in flight and pages left open in one browser while access is withdrawn in another.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { revokeApps, signOutEverywhere } from "../../src/interaction/account-access.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { recoveryCodeHash } from "../../src/sign-in/recovery-codes.ts";
import { aggregatesOf } from "../../src/store/store.ts";
import { eventually } from "../support/eventually.ts";
import { givePasskey, registrationFor, usePasskey } from "../support/passkeys.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  answerPage,
  authorizationUrl,
  checkAndSave,
  copyOf,
  openDomainPage,
  publish,
  recoveryCodesIn,
  signIn,
} from "../support/sign-in.ts";
import { signInByCode } from "../support/store-rows.ts";

let at: TestService;
let client: TestClient;
let domain: string;
let count = 0;
/** Called before each statement. */
let beforeStatement: (sql: string) => Promise<void> = async () => undefined;
beforeAll(async () => {
  at = await startTestService({ beforeStatement: (sql) => beforeStatement(sql) });
});
afterAll(() => at.close());
beforeEach(async () => {
  beforeStatement = async () => undefined;
  client = await at.addClient({ consent: "never" });
  domain = `withdrawn-${++count}.alice.test`;
});

const stopAt = "none:";
const app = () => ({ stopAt: client.redirectUri });
const clock = systemClock;

async function accountId(): Promise<string> {
  const [account] = await at.store.accountsOf(domain);
  return account?.id ?? "";
}

async function openChange(change: string, about: Record<string, string> = {}, agent: UserAgent) {
  const query = new URLSearchParams({
    client_id: `${at.issuer}/account`,
    redirect_uri: `${at.issuer}/account/${change}`,
    response_type: "code",
    scope: "openid",
    prompt: "login",
    ...about,
  });
  return agent.open(`${at.issuer}/oauth/authorize?${query}`);
}

/** Holds the next statement that matches until `release` is called. */
function hold(pattern: RegExp) {
  let [reached, release] = [() => {}, () => {}];
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  beforeStatement = async (sql) => {
    if (!pattern.test(sql)) return;
    beforeStatement = async () => undefined;
    reached();
    await isReleased;
  };
  return { isReached, release };
}

const passkeys = async () => (await at.store.passkeysOf(await accountId())).length;
const areValid = async (codes: readonly string[]) => {
  const id = await accountId();
  const found = codes.map((code) => at.store.hasRecoveryCode(id, recoveryCodeHash(code)));
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
  await signIn(at, client, { agent: createUserAgent(), domain });
  const key = await givePasskey(at, domain);
  const { add } = await waitingToAdd(key);
  const owner = createUserAgent();
  await usePasskey(
    owner,
    await openDomainPage(owner, `${at.issuer}/account?domain=${domain}`),
    key,
    {
      stopAt,
    },
  );
  let page = await owner.open(`${at.issuer}/account?domain=${domain}`);
  const signOuts = (of: Page) => of.forms.filter(({ id }) => /^sign-out-\d+-form$/.test(id ?? ""));
  expect(signOuts(page)).toHaveLength(2);
  while (signOuts(page).length > 0) page = await owner.submit(page, signOuts(page)[0]?.id ?? "");
  const done = await add();
  expect([done.status, done.step, await passkeys()]).toEqual([400, "problem", 1]);
});

test("a passkey that was removed adds no other passkey by an authentication from before", async () => {
  const owner = createUserAgent();
  await signIn(at, client, { agent: owner, domain });
  const [stolen, good] = [await givePasskey(at, domain), await givePasskey(at, domain)];
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
  const owner = createUserAgent();
  const first = await openDomainPage(owner, authorizationUrl(at, client));
  const setUp = await owner.submit(first, "domain-form", { domain }, app());
  publish(at, setUp);
  const { codes } = await checkAndSave(owner, setUp, app());
  const id = await accountId();
  for (const code of codes.slice(3)) {
    await signInByCode(at.store, { accountId: id, codeHash: recoveryCodeHash(code) });
  }
  const thief = createUserAgent();
  const asked = await openDomainPage(thief, authorizationUrl(at, client));
  const challenge = await thief.submit(asked, "domain-form", { domain }, app());
  const code = { recovery_code: codes[0] ?? "" };
  const shown = await thief.submit(challenge, "check-form", code, app());
  publish(at, shown);
  const offered = await thief.submit(shown, "check-form", {}, app());
  expect(offered.step).toBe("recovery-codes");
  await at.store.endSessionsOf(id, { reason: "elsewhere", now: clock.seconds() });
  const done = await thief.submit(offered, "recovery-codes-form", {}, app());
  expect([done.status, done.step]).toEqual([400, "problem"]);
  expect([await areValid(codes.slice(1, 3)), await areValid(recoveryCodesIn(offered))]).toEqual([
    [true],
    [false],
  ]);
});

test("a change of the account has no consent: a decision posted there hides nothing", async () => {
  const agent = createUserAgent();
  await signIn(at, client, { agent, domain });
  let page: Page = await openChange("new-codes", {}, agent);
  for (let turn = 0; page.step !== "recovery-codes" && turn < 4; turn++) {
    page = await answerPage(at, agent, page, { domain, stopAt });
  }
  const decided = await fetch(page.url.replace("new-codes", "consent"), {
    method: "POST",
    headers: {
      cookie: agent.cookies.header(at.issuer) ?? "",
      origin: at.issuer,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: "decision=deny",
    redirect: "manual",
  });
  expect(decided.status).toBe(400);
  await agent.submit(page, "recovery-codes-form");
  await eventually(async () => {
    const history = await at.store.historyOf(await accountId(), { since: 0, limit: 50 });
    expect(history.map(({ kind }) => kind)).toContain("recovery_codes_renewed");
  });
  // Not shown again.
  expect((await agent.open(page.url)).step).toBe("account");
});

test.each([/INSERT INTO consents/, /UPDATE interactions SET decision/])(
  "a consent in flight is not remembered after the app was revoked: %s",
  async (statement) => {
    const agent = createUserAgent();
    const asking = await at.addClient({ name: "Notes", consent: "first" });
    await signIn(at, client, { agent, domain });
    const open = (parameters = {}) =>
      agent.open(authorizationUrl(at, asking, parameters), { stopAt: asking.redirectUri });
    const consent = await agent.submit(await open(), "continue-form", {}, app());
    expect(consent.step).toBe("consent");
    const { isReached, release } = hold(statement);
    const pending = agent.submit(
      consent,
      "consent-form",
      {},
      { stopAt: asking.redirectUri, button: "allow" },
    );
    await isReached;
    const revoked = { accountId: await accountId(), clientId: asking.id };
    await revokeApps(revoked, { ...aggregatesOf(at.store), clock });
    release();
    expect((await pending).step).toBe("problem");
    const silent = await open({ prompt: "none", login_hint: domain });
    expect(new URL(silent.url).searchParams.get("error")).toBe("consent_required");
  },
);

test.each([/UPDATE interactions SET account_id/, /INSERT INTO sessions/])(
  "a sign-in by DNS in a known browser, in flight while the operator signs out everywhere, starts no session: %s",
  async (statement) => {
    const agent = createUserAgent();
    await signIn(at, client, { agent, domain });
    const enter = async () => {
      const first = await agent.open(authorizationUrl(at, client, { prompt: "login" }), app());
      return agent.submit(first, "domain-form", { domain }, app());
    };
    const page = await enter();
    expect([page.step, page.has("recovery_code")]).toEqual(["dns-challenge", false]);
    publish(at, page);
    const { isReached, release } = hold(statement);
    const pending = agent.submit(page, "check-form", {}, app());
    await isReached;
    const deps = { ...aggregatesOf(at.store), clock };
    await signOutEverywhere({ accountId: await accountId(), by: "operator" }, deps);
    release();
    expect((await pending).step).toBe("problem");
    const silent = authorizationUrl(at, client, { prompt: "none", login_hint: domain });
    const { url } = await agent.open(silent, app());
    expect(new URL(url).searchParams.get("error")).toBe("login_required");
    expect((await enter()).has("recovery_code")).toBe(true);
  },
);

test("a sign-in that a copied session began gets no code once the copy is refused", async () => {
  const asking = await at.addClient({ name: "Mallory's", consent: "always" });
  const [owner, stop] = [createUserAgent(), { stopAt: asking.redirectUri }];
  await signIn(at, client, { agent: owner, domain });
  const thief = copyOf(owner, at.issuer);
  const first = await thief.open(authorizationUrl(at, asking), stop);
  const consent = await thief.submit(first, "continue-form", {}, stop);
  expect(consent.step).toBe("consent");
  await signIn(at, client, { agent: owner, domain, parameters: { prompt: "login" } });
  at.advance(3000);
  const done = await thief.submit(consent, "consent-form", {}, { ...stop, button: "allow" });
  expect([done.status, done.step]).toEqual([400, "problem"]);
});

test("a session that is started while a sign-out everywhere is in progress ends with it", async () => {
  const agent = createUserAgent();
  await signIn(at, client, { agent, domain });
  // The account still knows the browser, which has no session that could end.
  await agent.submit(
    await agent.open(authorizationUrl(at, client), app()),
    "sign-out-form",
    {},
    app(),
  );
  const first = await agent.open(authorizationUrl(at, client), app());
  const page = await agent.submit(first, "domain-form", { domain }, app());
  publish(at, page);
  const aggregates = aggregatesOf(at.store);
  const forgetBrowsersOf: typeof aggregates.sessions.forgetBrowsersOf = async (...of) => {
    await agent.submit(page, "check-form", {}, app());
    return aggregates.sessions.forgetBrowsersOf(...of);
  };
  const sessions = { ...aggregates.sessions, forgetBrowsersOf };
  const signedOut = { accountId: await accountId(), by: "operator" } as const;
  await signOutEverywhere(signedOut, { ...aggregates, sessions, clock });
  const silent = authorizationUrl(at, client, { prompt: "none", login_hint: domain });
  const { url } = await agent.open(silent, app());
  expect(new URL(url).searchParams.get("error")).toBe("login_required");
});
