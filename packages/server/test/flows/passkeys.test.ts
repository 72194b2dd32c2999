// Sign-ins with a passkey, and what a thief, another owner or a second tab can do with its parts.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SoftPasskey, Spoiled } from "../support/authenticator.ts";
import { flow, hasCode } from "../support/flow.ts";
import { assertionFor, givePasskey, usePasskey } from "../support/passkeys.ts";
import { leaveSessions, replaceRecord } from "../support/sign-in.ts";

const at = flow({ client: "file" });
let alice: SoftPasskey & { readonly accountId: string };
let bob: SoftPasskey;
/** Alice's, from the set-up of the domain. */
let recoveryCodes: readonly string[];
beforeAll(async () => {
  recoveryCodes = (await at.setUp({ domain: "alice.test" })).codes;
  await at.owner({ domain: "bob.test" });
  [alice, bob] = [await givePasskey(at, "alice.test"), await givePasskey(at, "bob.test")];
});
beforeEach(() => {
  at.agent = createUserAgent();
  at.domain = "alice.test";
});

/** The page after that of the domain. */
async function entered(agent = at.agent, domain = at.domain): Promise<Page> {
  agent.cookies.forget((name) => name.includes("_session_"));
  return at.begin({ agent, domain });
}

const use = (page: Page, passkey: SoftPasskey = alice, spoiled: Spoiled = {}) =>
  usePasskey(at.agent, page, passkey, { spoiled, stopAt: at.client.redirectUri });
const post = (page: Page, credential: string) => at.submit(page, "passkey-form", { credential });

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
  expect(hasCode(done)).toBe(true);
  const signedIn = at.events.find((event) => event.startsWith("signed in"));
  expect(signedIn).toContain('"amr":"pop user"');
  expect((await at.store.passkeys.findPasskey(alice.credentialId))?.lastUsedAt).not.toBeNull();
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
    const again = await at.agent.open(page.url);
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
    at.domain = "bob.test";
    expect((await use(await entered(), counting)).stopped).toBe(true);
    at.agent = createUserAgent();
    expect(refusal(await use(await entered(), copy))).toBe(FAILED);
  });

  test("in a browser that did not begin the interaction", async () => {
    const page = await entered();
    const credential = assertionFor(page, alice);
    at.agent = createUserAgent();
    const stolen = await post(page, credential);
    expect([stolen.status, stolen.step]).toEqual([403, "problem"]);
  });
});

test("two tabs of one interaction show one challenge; the second continues where the first ended", async () => {
  const page = await entered();
  const tab = await at.agent.open(page.url);
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
    const left = await leave();
    expect(left.step).toBe("dns-challenge");
    expect(left.html).toContain("signing in without your passkey");
    at.publish(left);
    const recovery_code = recoveryCodes[0] ?? "";
    expect((await at.submit(left, "check-form", { recovery_code: "x" })).status).toBe(400);
    const done = await at.submit(left, "check-form", { recovery_code });
    // The next step is a new passkey. Without one, the sign-in goes on, and the next one is the same.
    expect(done.step).toBe("new-passkey");
    expect((await at.submit(done, "without-passkey-form")).stopped).toBe(true);

    // The browser is known now, and the code is used up.
    leaveSessions(at.agent, at.issuer);
    const again = await leave();
    at.publish(again);
    const shown = await at.agent.open(again.url, { stopAt: at.client.redirectUri });
    expect([shown.step, shown.has("recovery_code")]).toEqual(["dns-challenge", true]);
    expect((await at.submit(again, "check-form", { recovery_code })).status).toBe(400);
  });

  test("a code is not used up while the record is not there", async () => {
    const left = await leave();
    for (const record of at.zone.records()) {
      if (record.name.startsWith("_domain-signin-challenge.")) at.zone.remove(record);
    }
    at.advance(1);
    const fields = { recovery_code: recoveryCodes[1] ?? "" };
    const tooEarly = await at.submit(left, "check-form", fields);
    expect([tooEarly.status, tooEarly.step]).toEqual([200, "dns-challenge"]);
    at.publish(left);
    expect((await at.submit(left, "check-form", fields)).step).toBe("new-passkey");
  });

  test("the passkey's page of that interaction takes no assertion any more", async () => {
    const page = await entered();
    const credential = assertionFor(page, alice);
    const left = await at.submit(page, "without-passkey-form");
    const late = await post(page, credential);
    const placeOf = ({ step, url }: Page) => [step, new URL(url).pathname];
    expect(placeOf(late)).toEqual(placeOf(left));
  });

  async function leave(): Promise<Page> {
    const page = await entered();
    expect(page.step).toBe("passkey");
    return at.submit(page, "without-passkey-form");
  }
});

test("after a sale, neither passkey opens the other's account, and the seller's opens nothing", async () => {
  at.domain = "carol.test";
  await at.owner();
  const sellers = await givePasskey(at, at.domain);
  const sellersPage = await entered();
  expect(sellersPage.step).toBe("passkey");
  replaceRecord(at.zone, `_domain-signin.${at.domain}`, null);
  at.advance(400);
  await at.owner();
  const buyers = await givePasskey(at, at.domain);
  expect(buyers.accountId).not.toBe(sellers.accountId);

  // A page that the seller opened before the sale.
  const late = await use(await at.agent.open(sellersPage.url), sellers);
  expect([late.status, late.step]).toEqual([503, "passkey"]);
  const asleep = async ({ accountId }: { accountId: string }) =>
    (await at.store.accounts.readAccount(accountId))?.asleepSince !== null;
  expect([await asleep(sellers), await asleep(buyers)]).toEqual([true, false]);
  expect(refusal(await use(await entered(), sellers))).toBe(UNKNOWN);
  expect((await use(await entered(), buyers)).stopped).toBe(true);
  const session = at.events.filter((event) => event.startsWith("signed in")).at(-1);
  expect(session).toContain(buyers.accountId);
});
