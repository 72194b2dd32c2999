// Signing in with a passkey on the page that asks for a domain, and what a thief can do with its parts.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { beforeAll, describe, expect, test } from "vitest";
import { CLEAN_UP_TABLES } from "../../src/store/clean-up.ts";
import { createAuthenticator, type SoftPasskey, type Spoiled } from "../support/authenticator.ts";
import { flow } from "../support/flow.ts";
import { assertionFor, givePasskey, usePasskey } from "../support/passkeys.ts";
import { authorizationUrl, copyOf, openDomainPage, signIn } from "../support/sign-in.ts";
import { NOW } from "../support/store-rows.ts";

const at = flow();
let alice: Awaited<ReturnType<typeof givePasskey>>;
beforeAll(async () => {
  alice = await ownerWithPasskey("alice.test");
});

/** The passkey of the domain's owner, who has signed in in another browser. */
async function ownerWithPasskey(domain: string) {
  await signIn(at, await at.addClient({ consent: "never" }), { agent: createUserAgent(), domain });
  return givePasskey(at, domain);
}

const opened = (agent = at.agent, client = at.client) =>
  openDomainPage(agent, authorizationUrl(at, client));

const use = (page: Page, passkey: SoftPasskey = alice, spoiled: Spoiled = {}) =>
  usePasskey(at.agent, page, passkey, { spoiled, stopAt: at.client.redirectUri });

const post = (page: Page, credential: string, agent = at.agent) =>
  at.submit(page, "passkey-form", { credential }, { agent });

/** The problem that the page shows. It still takes a domain and a passkey. */
function refusal(page: Page): string {
  expect([page.status, page.step]).toEqual([400, "domain"]);
  expect(page.forms.map(({ id }) => id)).toEqual(["domain-form", "passkey-form"]);
  return page.text("domain-problem").trim();
}

const EXPIRED = "The request for your passkey is no longer valid. Try again.";
const NOT_USABLE = "This passkey could not be used. Choose another one, or type your domain.";

test("nobody types a domain, and the app gets a code", async () => {
  at.events.length = 0;
  const done = await use(await opened());
  expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
  const signedIn = at.events.filter((event) => event.startsWith("signed in"));
  expect(signedIn).toEqual([expect.stringContaining('"amr":"pop user"')]);
  expect(at.events.some((event) => event.startsWith("browser added"))).toBe(true);
  // The browser is signed in from then on.
  expect(await at.silently({ parameters: { login_hint: undefined } })).toBeNull();
});

test("opening the page stores nothing, and shows no credential", async () => {
  const every = { status: null, after: null, limit: 100 };
  const before = await at.store.accountAdmin.listAccounts(every);
  const { html } = await opened();
  expect(html).toContain("&quot;allowCredentials&quot;:[]");
  expect(html).not.toContain(alice.credentialId);
  expect(await at.store.accountAdmin.listAccounts(every)).toEqual(before);
});

test("a page that a mistake in the domain led to takes a passkey as well", async () => {
  const first = await opened();
  const mistaken = await at.submit(first, "domain-form", { domain: "no domain" });
  expect(refusal(mistaken)).toBeTruthy();
  expect((await use(mistaken)).stopped).toBe(true);
});

test("a client that insists on an owner proof also gets the step with the statement", async () => {
  const strict = await at.addClient({ consent: "never", owner_proof: "required" });
  const page = await use(await opened(at.agent, strict));
  expect(page.step).toBe("passkey");
  expect(page.html).toContain("alice.test");
});

describe("an assertion does not sign in", () => {
  test("a second time, also not at the same moment", async () => {
    const page = await opened();
    const credential = assertionFor(page, alice);
    const copy = copyOf(at.agent, at.issuer);
    const [one, other] = await Promise.all([post(page, credential), post(page, credential, copy)]);
    expect([one.stopped, other.stopped].filter(Boolean)).toHaveLength(1);
    expect(refusal(one.stopped ? other : one)).toBe(EXPIRED);
    expect(refusal(await post(page, credential, copy))).toBe(EXPIRED);
  });

  test("a second time after all sessions were ended, nor after the rows of the past were removed", async () => {
    const page = await opened();
    const credential = assertionFor(page, alice);
    expect((await post(page, credential)).stopped).toBe(true);
    const now = Math.floor(Date.now() / 1000) + 10;
    const { accountId } = alice;
    await at.store.sessions.endSessionsOf(accountId, { reason: "elsewhere", now });
    await at.store.sessions.forgetBrowsersOf(accountId, "elsewhere");
    for (const table of CLEAN_UP_TABLES)
      await at.store.cleanUp.removeEnded(table, null, { before: now + 299, ran: 299 });
    expect(refusal(await post(page, credential))).toBe(EXPIRED);
  });

  test("once it has led to nothing, also when the record is back", async () => {
    const domain = "dana.alice.test";
    const passkey = await ownerWithPasskey(domain);
    const records = at.zone.records();
    at.replaceRecord(null, domain);
    const page = await opened();
    const credential = assertionFor(page, passkey);
    expect((await post(page, credential)).step).toBe("former-record");
    expect(refusal(await post(page, credential))).toBe(EXPIRED);
    for (const record of records) at.zone.add(record);
    at.advance(10);
    expect(refusal(await post(page, credential))).toBe(EXPIRED);
    expect((await use(await opened(), passkey)).stopped).toBe(true);
  });

  test("a second time for a client that insists on an owner proof", async () => {
    const strict = await at.addClient({ consent: "never", owner_proof: "required" });
    const page = await opened(at.agent, strict);
    const credential = assertionFor(page, alice);
    const copy = copyOf(at.agent, at.issuer);
    const answers = await Promise.all([post(page, credential), post(page, credential, copy)]);
    const [asked, refused] = answers.sort((one, other) => one.status - other.status);
    expect(asked?.step).toBe("passkey");
    expect(refused && refusal(refused)).toBe(EXPIRED);
    expect(refusal(await post(page, credential))).toBe(EXPIRED);
  });

  test("in another browser, or for another request", async () => {
    const page = await opened();
    const credential = assertionFor(page, alice);
    const thief = createUserAgent();
    await opened(thief);
    expect(refusal(await post(page, credential, thief))).toBe(EXPIRED);
    const other = await openDomainPage(
      at.agent,
      authorizationUrl(at, at.client, { state: "other" }),
    );
    expect(refusal(await post(other, credential))).toBe(EXPIRED);
    expect((await post(page, credential)).stopped).toBe(true);
  });

  test("after five minutes; a renewed page does", async () => {
    const page = await opened();
    at.advance(300);
    expect(refusal(await use(page))).toBe(EXPIRED);
    const [, renewal = ""] = /data-renewal="([^"]*)"/.exec(page.html) ?? [];
    const renewed = await at.agent.open(at.issuer + renewal.replaceAll("&amp;", "&"));
    // Not 299: the machine may take seconds for the requests.
    at.advance(270);
    expect((await use(renewed)).stopped).toBe(true);
  });

  test("for a challenge of a clock that was ahead", async () => {
    at.setAhead(600);
    const page = await opened();
    at.setAhead(0);
    expect(refusal(await use(page))).toBe(EXPIRED);
    expect((await use(await opened())).stopped).toBe(true);
  });

  test("for a challenge of another page or of nobody", async () => {
    const asked = await at.agent.submit(await opened(), "domain-form", { domain: "alice.test" });
    expect(asked.step).toBe("passkey");
    const [ofStep, page] = [assertionFor(asked, alice), await opened()];
    expect(refusal(await post(page, ofStep))).toBe(EXPIRED);
    for (const challenge of ["", "AAAA", "A".repeat(70)]) {
      expect(refusal(await use(page, alice, { challenge }))).toBe(EXPIRED);
    }
    // Nor does one of this page at the step, which asks for a statement.
    const step = await at.agent.open(asked.url);
    const late = await post(step, assertionFor(page, alice));
    expect([late.status, late.step]).toEqual([400, "passkey"]);
  });

  test.each<[string, Spoiled]>([
    ["of somebody else at the device", { flags: 0x01 }],
    ["of nobody", { flags: 0x00 }],
    ["from another site", { origin: "https://evil.test" }],
    ["for another RP ID", { rpId: "evil.test" }],
    ["of a registration", { type: "webauthn.create" }],
    ["in a foreign frame", { clientData: { crossOrigin: true } }],
    ["for another user", { userHandle: "AAAA" }],
    ["signed by nobody", { signature: Buffer.from("3006020101020101", "hex") }],
  ])("%s", async (_, spoiled) => {
    expect(refusal(await use(await opened(), alice, spoiled))).toBe(NOT_USABLE);
  });

  test.each([
    ["nothing", ""],
    ["no JSON", "x"],
    ["an empty object", "{}"],
    ["too large", "x".repeat(9000)],
  ])("that is %s", async (_, text) => {
    expect(refusal(await post(await opened(), text))).toBe(NOT_USABLE);
  });

  test("of a passkey that nobody knows, with the answer of one that cannot be verified", async () => {
    const { origin } = new URL(at.issuer);
    const { passkey } = createAuthenticator(origin).create({
      rp: { id: "localhost" },
      user: { id: "AAAA" },
      challenge: "AAAA",
    });
    expect(refusal(await use(await opened(), passkey))).toBe(NOT_USABLE);
  });

  test("of a passkey that was removed", async () => {
    const removed = await givePasskey(at, "alice.test");
    const page = await opened();
    await at.store.passkeys.removePasskey(removed, NOW);
    expect(refusal(await use(page, removed))).toBe(NOT_USABLE);
  });

  test("of a copy, whose counter is behind", async () => {
    const counting = await givePasskey(at, "alice.test", { counter: 5 });
    const copy = { ...counting };
    expect((await use(await opened(), counting)).stopped).toBe(true);
    at.agent = createUserAgent();
    expect(refusal(await use(await opened(), copy))).toBe(NOT_USABLE);
  });
});

test("after a sale the seller's passkey opens nothing, and the page shows the record that would", async () => {
  const domain = "bob.test";
  const sellers = await ownerWithPasskey(domain);
  at.replaceRecord(null, domain);
  at.advance(400);
  await at.owner({ domain });
  const page = await use(await opened(), sellers);
  // Publishing it again is all that could help, and the zone is no longer the seller's.
  expect([page.status, page.step]).toEqual([422, "former-record"]);
  expect((await at.store.accounts.readAccount(sellers.accountId))?.asleepSince).not.toBeNull();
});

test("a passkey whose record returned wakes the account", async () => {
  const passkey = await ownerWithPasskey("carol.test");
  const account = await at.store.accounts.readAccount(passkey.accountId);
  await at.store.accounts.putToSleep(passkey.accountId, (account?.createdAt ?? 0) + 1);
  at.advance(2);
  expect((await use(await opened(), passkey)).stopped).toBe(true);
  expect((await at.store.accounts.readAccount(passkey.accountId))?.asleepSince).toBeNull();
});
