// Sign-ins with a passkey, and what a thief, another owner or a second tab can do with its parts.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SoftPasskey, Spoiled } from "../support/authenticator.ts";
import { assertionFor, givePasskey, usePasskey } from "../support/passkeys.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  checkAndSave,
  leaveSessions,
  publish,
  signIn,
} from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
let alice: SoftPasskey & { readonly accountId: string };
let bob: SoftPasskey;
/** Alice's, from the set-up of the domain. */
let recoveryCodes: string[];
let agent: UserAgent;

beforeAll(async () => {
  at = await startTestService();
  client = await at.addClient({ consent: "never" });
  recoveryCodes = await setUpKeepingCodes("alice.test");
  await signIn(at, client, { agent: createUserAgent(), domain: "bob.test" });
  [alice, bob] = [await givePasskey(at, "alice.test"), await givePasskey(at, "bob.test")];
});
afterAll(() => at.close());
beforeEach(() => {
  agent = createUserAgent();
});

async function setUpKeepingCodes(domain: string): Promise<string[]> {
  const browser = createUserAgent();
  const page = await entered(browser, domain);
  publish(at, page);
  const { codes } = await checkAndSave(browser, page, { stopAt: client.redirectUri });
  return [...codes];
}

/** The page after that of the domain. */
async function entered(browser = agent, domain = "alice.test"): Promise<Page> {
  const stopAt = client.redirectUri;
  browser.cookies.forget((name) => name.includes("_session_"));
  const first = await browser.open(authorizationUrl(at, client), { stopAt });
  return browser.submit(first, "domain-form", { domain }, { stopAt });
}

const use = (page: Page, passkey: SoftPasskey = alice, spoiled: Spoiled = {}) =>
  usePasskey(agent, page, passkey, { spoiled, stopAt: client.redirectUri });

const post = (page: Page, credential: string) =>
  agent.submit(page, "passkey-form", { credential }, { stopAt: client.redirectUri });

/** The problem that the page shows, without what differs between any two pages. */
function refusal(page: Page): string {
  expect([page.status, page.step]).toEqual([400, "passkey"]);
  return page.text("passkey-problem").trim();
}

const EXPIRED = "The request for your passkey is no longer valid. Try again.";
const UNKNOWN = "This passkey cannot be used for this domain. Choose another one.";
const FAILED = "The passkey could not be verified. Try again, or choose another one.";
const NOT_VERIFIED = /^Your device did not verify that it was you/;

test("a domain with a passkey signs in with it, in a browser that nobody knows", async () => {
  const page = await entered();
  expect([page.status, page.step]).toEqual([200, "passkey"]);
  at.events.length = 0;
  const done = await use(page);
  expect(new URL(done.url).searchParams.get("code")).toBeTruthy();
  const signedIn = at.events.find((event) => event.startsWith("signed in"));
  expect(signedIn).toContain('"amr":"pop user"');
  expect((await at.store.findPasskey(alice.credentialId))?.lastUsedAt).not.toBeNull();
});

test("the page names no credential, and its challenge lasts five minutes", async () => {
  const { html } = await entered();
  expect(html).toContain("&quot;allowCredentials&quot;:[]");
  expect(html).toContain("&quot;timeout&quot;:300000");
  expect(html).not.toContain(alice.credentialId);
});

describe("an assertion does not sign in", () => {
  test("a second time, in its own interaction or in another", async () => {
    const page = await entered();
    const credential = assertionFor(page, alice, { flags: 0x01 });
    expect(refusal(await post(page, credential))).toMatch(NOT_VERIFIED);

    const second = await entered();
    const good = assertionFor(second, alice);
    expect((await post(second, good)).stopped).toBe(true);
    // Its own interaction continues where it stands; in another, it is for the wrong challenge.
    expect((await post(second, good)).stopped).toBe(true);
    const replayed = await entered();
    expect(refusal(await post(replayed, good))).toBe(EXPIRED);
  });

  test("that was made for another interaction", async () => {
    const [page, other] = [await entered(), await entered()];
    expect(refusal(await post(page, assertionFor(other, alice)))).toBe(EXPIRED);
    expect((await use(other)).stopped).toBe(true);
  });

  test("after five minutes", async () => {
    const page = await entered();
    at.advance(300);
    expect(refusal(await use(page))).toBe(EXPIRED);
    // The page with the problem asks anew.
    const again = await agent.open(page.url);
    // Not 299: the machine may take seconds for the requests.
    at.advance(270);
    expect((await use(again)).stopped).toBe(true);
  });

  test("with a passkey of another domain, which gets the answer of one that nobody knows", async () => {
    const stranger = { ...alice, credentialId: "A".repeat(43) };
    const pages = [await use(await entered(), bob), await use(await entered(), stranger)];
    for (const page of pages) expect(refusal(page)).toBe(UNKNOWN);
    const [ofBob, ofNobody] = pages.map(({ html }) =>
      html.replaceAll(/interaction\/[\w-]{22}|[\w-]{43}/g, "…"),
    );
    expect(ofBob).toBe(ofNobody);
  });

  test.each<[string, Spoiled, string | RegExp]>([
    ["of somebody else at the device", { flags: 0x01 }, NOT_VERIFIED],
    ["of nobody", { flags: 0x00 }, NOT_VERIFIED],
    ["from another site", { origin: "https://evil.test" }, FAILED],
    ["for another RP ID", { rpId: "evil.test" }, FAILED],
    ["of a registration", { type: "webauthn.create" }, FAILED],
    ["in a foreign frame", { clientData: { crossOrigin: true } }, FAILED],
    ["for another user", { userHandle: "AAAA" }, FAILED],
    ["signed by nobody", { signature: Buffer.from("3006020101020101", "hex") }, FAILED],
  ])("%s", async (_, spoiled, text) => {
    expect(refusal(await use(await entered(), alice, spoiled))).toMatch(text);
  });

  test.each(["x", "{}", "x".repeat(9000), "x".repeat(16_000)])("that is %.3s…", async (text) => {
    expect(refusal(await post(await entered(), text))).toBe(FAILED);
  });

  test("that was not sent at all, and the page says what to do", async () => {
    expect(refusal(await post(await entered(), ""))).toMatch(/JavaScript/);
  });

  test("of a copy, whose counter is behind", async () => {
    const counting = await givePasskey(at, "bob.test", { counter: 5 });
    const copy = { ...counting };
    expect((await use(await entered(agent, "bob.test"), counting)).stopped).toBe(true);
    agent = createUserAgent();
    expect(refusal(await use(await entered(agent, "bob.test"), copy))).toBe(FAILED);
  });

  test("in a browser that did not begin the interaction", async () => {
    const page = await entered();
    const credential = assertionFor(page, alice);
    agent = createUserAgent();
    const stolen = await post(page, credential);
    expect([stolen.status, stolen.step]).toEqual([403, "problem"]);
  });
});

test("two tabs of one interaction show one challenge; the second continues where the first ended", async () => {
  const page = await entered();
  const tab = await agent.open(page.url);
  expect(assertionFor(tab, alice).length).toBeGreaterThan(0);
  const challengeOf = ({ html }: Page) => /challenge&quot;:&quot;([\w-]{43})/.exec(html)?.[1];
  expect(challengeOf(tab)).toBe(challengeOf(page));
  expect((await use(page)).stopped).toBe(true);
  const late = await use(tab);
  expect(late.stopped).toBe(true);
  const codes = at.events.filter((event) => event.startsWith("signed in"));
  expect(codes.filter((event) => event.includes("pop user")).length).toBeGreaterThan(0);
});

describe("without the passkey", () => {
  test("a known browser and the DNS challenge are not enough; a recovery code is needed too, and only success uses it up", async () => {
    const browser = createUserAgent();
    const left = await leave(browser);
    expect(left.step).toBe("dns-challenge");
    expect(left.html).toContain("signing in without your passkey");
    publish(at, left);
    const stopAt = client.redirectUri;
    const [code = ""] = recoveryCodes;
    const refused = await browser.submit(left, "check-form", { recovery_code: "x" }, { stopAt });
    expect(refused.status).toBe(400);
    const done = await browser.submit(left, "check-form", { recovery_code: code }, { stopAt });
    // The next step is a new passkey. Without one, the sign-in goes on, and the next one is the same.
    expect(done.step).toBe("new-passkey");
    const goneOn = await browser.submit(done, "without-passkey-form", {}, { stopAt });
    expect(goneOn.stopped).toBe(true);

    // The browser is known now, and the code is used up.
    leaveSessions(browser, at.issuer);
    const again = await leave(browser);
    publish(at, again);
    const shown = await browser.open(again.url, { stopAt });
    expect([shown.step, shown.has("recovery_code")]).toEqual(["dns-challenge", true]);
    const used = await browser.submit(again, "check-form", { recovery_code: code }, { stopAt });
    expect(used.status).toBe(400);
  });

  test("a code is not used up while the record is not there", async () => {
    const browser = createUserAgent();
    const left = await leave(browser);
    const stopAt = client.redirectUri;
    const [, code = ""] = recoveryCodes;
    for (const record of at.zone.records()) {
      if (record.name.startsWith("_domain-signin-challenge.")) at.zone.remove(record);
    }
    at.advance(1);
    const fields = { recovery_code: code };
    const tooEarly = await browser.submit(left, "check-form", fields, { stopAt });
    expect([tooEarly.status, tooEarly.step]).toEqual([200, "dns-challenge"]);
    publish(at, left);
    const done = await browser.submit(left, "check-form", fields, { stopAt });
    expect(done.step).toBe("new-passkey");
  });

  test("the passkey's page of that interaction takes no assertion any more", async () => {
    const page = await entered();
    const credential = assertionFor(page, alice);
    const left = await agent.submit(page, "without-passkey-form");
    const late = await post(page, credential);
    expect([late.step, new URL(late.url).pathname]).toEqual([
      left.step,
      new URL(left.url).pathname,
    ]);
  });

  async function leave(browser: UserAgent): Promise<Page> {
    const page = await entered(browser);
    expect(page.step).toBe("passkey");
    return browser.submit(page, "without-passkey-form");
  }
});

test("after a sale, neither passkey opens the other's account, and the seller's opens nothing", async () => {
  const domain = "carol.test";
  await signIn(at, client, { agent: createUserAgent(), domain });
  const sellers = await givePasskey(at, domain);
  const sellersPage = await entered(agent, domain);
  expect(sellersPage.step).toBe("passkey");
  for (const record of at.zone.records()) {
    if (record.name === `_domain-signin.${domain}`) at.zone.remove(record);
  }
  at.advance(400);
  await signIn(at, client, { agent: createUserAgent(), domain });
  const buyers = await givePasskey(at, domain);
  expect(buyers.accountId).not.toBe(sellers.accountId);

  // A page that the seller opened before the sale.
  const late = await use(await agent.open(sellersPage.url), sellers);
  expect([late.status, late.step]).toEqual([503, "passkey"]);
  const asleep = async ({ accountId }: { accountId: string }) =>
    (await at.store.readAccount(accountId))?.asleepSince !== null;
  expect([await asleep(sellers), await asleep(buyers)]).toEqual([true, false]);
  expect(refusal(await use(await entered(agent, domain), sellers))).toBe(UNKNOWN);
  expect((await use(await entered(agent, domain), buyers)).stopped).toBe(true);
  const session = at.events.filter((event) => event.startsWith("signed in")).at(-1);
  expect(session).toContain(buyers.accountId);
});
