// A passkey that is made within a set-up: who can finish it, and what copies and retries are worth.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { parseTrustAnchor, type ValidationData } from "domain-signin-verify";
import { beforeEach, describe, expect, test } from "vitest";
import { startAssuredService } from "../support/assured-service.ts";
import type { SoftPasskey } from "../support/authenticator.ts";
import { flow, hasCode, recordIn } from "../support/flow.ts";
import { assertionFor, registrationFor, usePasskey } from "../support/passkeys.ts";
import {
  copyOf,
  type Pkce,
  pkce,
  pkceParameters,
  recoveryCodesIn,
  redeemed,
  replaceRecord,
  saveCodes,
} from "../support/sign-in.ts";
import { judged } from "../support/validation-data.ts";

const at = flow({ start: () => startAssuredService("secure") });
const stopAt = "https://app.example.org/";
let proof: Pkce;
let owner: UserAgent;
beforeEach(() => {
  owner = createUserAgent({ hasScript: true });
  at.agent = owner;
  proof = pkce();
});

const begin = (agent = owner) => at.begin({ agent, parameters: pkceParameters(proof) });
const check = (page: Page, agent = owner) => at.submit(page, "check-form", {}, { agent });
const post = (page: Page, credential: string, agent = owner) =>
  at.submit(page, "passkey-form", { credential }, { agent });
const LISTED = expect.stringMatching(/ jkt=[\w-]{43}(?: |$)/);

/** From the page about a passkey: the record of a set-up with a passkey, and the passkey. */
async function made(page: Page, agent = owner): Promise<{ page: Page; passkey: SoftPasskey }> {
  const { passkey, json } = registrationFor(page);
  const next = await post(page, json, agent);
  expect([next.step, recordIn(next)]).toEqual(["dns-setup", LISTED]);
  return { page: next, passkey };
}

/** A set-up with a passkey whose record is published, and the page that asks for the passkey. */
async function askedFor() {
  const { page, passkey } = await made(await begin());
  at.publish(page);
  return { page, passkey, asked: await check(page) };
}

test("a record that was published before the passkey was made is named as this browser's own", async () => {
  const asked = await begin();
  const first = await at.submit(asked, "without-passkey-form");
  at.publish(first);
  at.advance(5);
  const { page } = await made(asked);
  expect(recordIn(page)).not.toBe(recordIn(first));
  expect(page.html).toContain("This is the record of an earlier setup in this browser.");
});

test("one DNS edit: the record names the passkey, which finishes the set-up, with an owner proof at once", async () => {
  const { page, passkey } = await made(await begin());
  expect(recordIn(page)).toMatch(/ acct=[\w-]{22} jkt=[\w-]{43} spk=[\w-]{43},[\w-]{43}$/);
  at.publish(page);
  const asked = await check(page);
  expect([asked.status, asked.step]).toEqual([200, "passkey"]);
  expect(await at.store.accounts.accountsOf(at.domain)).toEqual([]);
  const codes = await usePasskey(owner, asked, passkey, { stopAt });
  expect([codes.step, recoveryCodesIn(codes).length]).toEqual(["recovery-codes", 10]);
  const { page: done } = await saveCodes(owner, codes, { stopAt });
  expect(hasCode(done)).toBe(true);
  const { credentialId, userHandle } = passkey;
  const passkeys = await at.store.passkeys.passkeysOf(await at.accountId());
  expect(passkeys).toMatchObject([{ credentialId, userHandle }]);

  const { id: clientId, redirectUri } = at.client;
  const { body } = await redeemed(at, at.client, done, proof.verifier);
  const options = {
    ...{ clientId, redirectUri, issuer: at.issuer },
    ...{ codeVerifier: proof.verifier, require: "owner_proof" as const },
    trustAnchors: at.zones.trustAnchors.map(parseTrustAnchor),
    now: Math.floor(Date.now() / 1000),
  };
  const data = body.validation_data as ValidationData;
  expect(await judged(data, options)).toBe("good");

  // The next sign-in, in any browser, is by the passkey alone.
  const next = await begin(createUserAgent());
  expect(next.step).toBe("passkey");
});

describe("the record", () => {
  test("is not shown before the person has answered about a passkey, wherever they look", async () => {
    const asked = await begin();
    expect(asked.step).toBe("set-up-passkey");
    const at = (name: string) => owner.open(asked.url.replace("set-up-passkey", name));
    for (const page of [asked, await at("dns-setup"), await at("set-up-passkey")]) {
      expect([page.step, page.html.includes("acct=")]).toEqual(["set-up-passkey", false]);
    }
  });

  test("is not handed on before that, because a passkey would change it", async () => {
    const asked = await begin();
    const early = await owner.open(asked.url.replace("set-up-passkey", "hand-on"));
    expect([early.step, early.html.includes("set-up-link")]).toEqual(["set-up-passkey", false]);
    const page = await at.submit(asked, "without-passkey-form");
    expect((await owner.open(page.link("hand-on"))).step).toBe("hand-on");
  });

  test("has no key if the person wants no passkey, and is not changed by an answer that comes later", async () => {
    const asked = await begin();
    const page = await at.submit(asked, "without-passkey-form");
    expect([page.step, recordIn(page).includes("jkt")]).toEqual(["dns-setup", false]);
    const again = await at.submit(asked, "without-passkey-form");
    expect([again.step, recordIn(again)]).toEqual(["dns-setup", recordIn(page)]);
    const back = await owner.open(asked.url);
    expect([back.step, recordIn(back)]).toEqual(["dns-setup", recordIn(page)]);
  });

  test("of a passkey stays when another tab says that it wants none", async () => {
    const asked = await begin();
    const { page } = await made(asked);
    const other = await at.submit(asked, "without-passkey-form");
    expect([other.step, recordIn(other)]).toEqual(["dns-setup", recordIn(page)]);
    // As a link from elsewhere may, too.
    const link = await owner.open(page.url.replace("?", "?passkey=none&"));
    expect([link.step, recordIn(link)]).toEqual(["dns-setup", recordIn(page)]);
  });

  test("is shown at once to a browser without script, which cannot make a passkey", async () => {
    const page = await begin(createUserAgent());
    expect([page.step, recordIn(page).includes("jkt")]).toEqual(["dns-setup", false]);
  });

  test("is found by the page itself, which then asks for the passkey in one press, and stores nothing before", async () => {
    const { page, passkey } = await made(await begin());
    at.publish(page);
    // What the servers said is remembered for three seconds.
    at.advance(5);
    const url = page.url.replace(/\?.*/, "?by-itself=yes");
    const waiting = await owner.open(url);
    expect([waiting.status, waiting.step, waiting.html.includes("<main data-found>")]).toEqual([
      ...[200, "dns-setup", true],
    ]);
    const id = new URL(page.url).pathname.split("/")[2] ?? "";
    expect((await at.store.interactions.readInteraction(id))?.progress.step).toBe("dns-setup");
    const [, optionsAt = ""] = /data-options-at="([^"]+)"/.exec(waiting.html) ?? [];
    const asked = await owner.open(new URL(optionsAt.replaceAll("&amp;", "&"), at.issuer).href);
    expect(asked.step).toBe("passkey");
    const codes = await usePasskey(owner, asked, passkey, { stopAt });
    expect(codes.step).toBe("recovery-codes");
  });
});

test("of four tabs that finish it at once, one tells of the new account and of its passkey", async () => {
  const { passkey, asked } = await askedFor();
  const tabs = [1, 2, 3, 4].map(() => copyOf(owner, at.issuer));
  const json = assertionFor(asked, passkey);
  const ends = await Promise.all(tabs.map((tab) => post(asked, json, tab)));
  expect(ends.map(({ step }) => step)).toEqual(ends.map(() => "recovery-codes"));
  const accountId = await at.accountId();
  const told = at.events
    .filter((event) => event.includes(accountId || "none"))
    .map((event) => event.slice(0, event.indexOf(" {")));
  expect(told.sort()).toEqual(["enrolled", "passkey added", "signed in"]);
});

test("without a passkey the set-up is as before", async () => {
  const page = await at.submit(await begin(), "without-passkey-form");
  at.publish(page);
  expect((await check(page)).step).toBe("recovery-codes");
});

describe("a thief with a copy of the cookies", () => {
  test("from before the set-up began learns nothing at any of its addresses, and takes nothing away", async () => {
    const before = createUserAgent();
    await at.signIn({ agent: before, domain: "bob.test" });
    const cookies = at.cookies({ agent: before }).cookie.split("; ");
    owner.cookies.store(
      at.issuer,
      cookies.map((pair) => `${pair}; Path=/`),
    );
    const copies = () => copyOf(before, at.issuer);
    const first = await begin();
    const { page, passkey } = await made(first);
    const [, acct = "none"] = /acct=([\w-]+)/.exec(recordIn(page)) ?? [];
    const seen: string[] = [];
    const look = async () => {
      for (const name of ["set-up-passkey", "dns-setup", "hand-on", "passkey", "recovery-codes"]) {
        const thief = copies();
        const address = page.url.replace("dns-setup", name);
        for (const url of [address, address.replace("?", "?passkey=none&")]) {
          const theirs = await thief.open(url, { stopAt });
          seen.push(theirs.html, theirs.url);
        }
        const polled = address.replace(/\?.*/, "?by-itself=yes");
        seen.push((await thief.open(polled, { stopAt })).html);
        expect(await at.silently({ agent: thief })).toBe("login_required");
      }
    };
    await look();
    at.publish(page);
    at.advance(5);
    await look();
    const asked = await check(page);
    await look();
    const codes = await usePasskey(owner, asked, passkey, { stopAt });
    await look();
    expect([codes.step, recoveryCodesIn(codes).length]).toEqual(["recovery-codes", 10]);
    // To the service, it is the browser that began.
    expect(seen.some((text) => text.includes("We cannot show the codes"))).toBe(true);
    expect(seen.filter((text) => text.includes("code=dsc_"))).toEqual([]);
    for (const secret of [acct, passkey.credentialId, ...recoveryCodesIn(codes)]) {
      expect(seen.filter((text) => text.includes(secret))).toEqual([]);
    }
    expect(hasCode((await saveCodes(owner, codes, { stopAt })).page)).toBe(true);
  });

  test("from before the passkey was made learns nothing of the new record, and finishes nothing", async () => {
    const first = await begin();
    const thief = copyOf(owner, at.issuer);
    const { page } = await made(first);
    at.publish(page);
    // What the servers said is remembered for three seconds.
    at.advance(5);
    const theirs = await thief.open(page.url, { stopAt });
    expect(["passkey", "recovery-codes"]).not.toContain(theirs.step);
    expect(theirs.html).not.toContain("recovery-code");
    expect(await at.store.accounts.accountsOf(at.domain)).toEqual([]);
  });

  test("from after that is asked for the passkey, and cannot put another in its place", async () => {
    const asked = await begin();
    const { page, passkey } = await made(asked);
    const thief = copyOf(owner, at.issuer);
    const shown = await thief.open(page.url, { stopAt });
    expect(recordIn(shown)).toBe(recordIn(page));
    const replaced = await made(asked, thief);
    expect(recordIn(replaced.page)).not.toBe(recordIn(page));
    at.publish(page);
    const stopped = await check(replaced.page, thief);
    expect([stopped.step, recoveryCodesIn(stopped)]).not.toContain("passkey");

    const second = copyOf(owner, at.issuer);
    const inVain = await check(page, second);
    expect(inVain.step).toBe("passkey");
    const refused = await usePasskey(second, inVain, replaced.passkey, { stopAt });
    expect([refused.status, refused.step]).toEqual([400, "passkey"]);
    expect(await at.store.accounts.accountsOf(at.domain)).toEqual([]);
    // The owner is not kept from it.
    const own = await owner.open(page.url, { stopAt });
    expect(own.step).toBe("passkey");
    const codes = await usePasskey(owner, own, passkey, { stopAt });
    expect(codes.step).toBe("recovery-codes");
  });
});

describe("a registration", () => {
  const problem = (page: Page) => [page.step, page.text("passkey-problem").trim()];
  const FAILED = ["set-up-passkey", "The passkey could not be verified. Try again."];

  test("of somebody else's interaction is refused, and the same one a second time changes nothing", async () => {
    const page = await begin();
    const other = await begin(createUserAgent({ hasScript: true }));
    expect(problem(await post(page, registrationFor(other).json))).toEqual(FAILED);
    const { json } = registrationFor(page);
    const next = await post(page, json);
    const again = await post(page, json);
    expect([again.step, recordIn(again)]).toEqual(["dns-setup", recordIn(next)]);
  });

  test.each([
    ["without user verification", { flags: 0x41 }],
    ["of another origin", { origin: "https://evil.example" }],
    ["for another RP ID", { rpId: "evil.example" }],
    ["of another type", { type: "webauthn.get" }],
    ["of malformed CBOR", { attestationObject: Buffer.from("a1", "hex") }],
  ])("%s is refused, and the page asks again", async (_, spoiled) => {
    const page = await begin();
    const refused = await post(page, registrationFor(page, spoiled).json);
    expect(problem(refused)).toEqual(FAILED);
    expect(problem(await post(page, "x".repeat(9000)))).toEqual(FAILED);
    expect(problem(await post(page, ""))[1]).toContain("Turn on JavaScript");
  });

  test("of a passkey that another account has is refused", async () => {
    const { passkey, asked } = await askedFor();
    await usePasskey(owner, asked, passkey, { stopAt });
    at.domain = `later.${at.domain}`;
    const later = await begin();
    // A browser cannot make such a credential; a program can.
    const id = Buffer.from(passkey.credentialId, "base64url");
    expect(problem(await post(later, registrationFor(later, { id }).json))).toEqual(FAILED);
  });

  test("of a second passkey replaces the first, for the same user of the authenticator", async () => {
    const asked = await begin();
    const first = await made(asked);
    // The authenticator has only the last one left.
    const second = await made(asked);
    expect(second.passkey.userHandle).toBe(first.passkey.userHandle);
    expect(recordIn(second.page)).not.toBe(recordIn(first.page));
    at.publish(second.page);
    const found = await check(second.page);
    const refused = await usePasskey(owner, found, first.passkey, { stopAt });
    expect([refused.status, refused.step]).toEqual([400, "passkey"]);
    const done = await usePasskey(owner, refused, second.passkey, { stopAt });
    expect(done.step).toBe("recovery-codes");
  });

  test("of an RSA key fits beside a domain of 228 octets, but not one with a very long id, which the page says", async () => {
    const label = "l".repeat(63);
    at.domain = `${label}.${label}.${label}.${"x".repeat(25)}.alice.test`;
    const page = await begin();
    const refused = await post(page, registrationFor(page, { id: new Uint8Array(900) }).json);
    expect(problem(refused)[1]).toContain("too large");
    const { json } = registrationFor(page, { kind: "rsa" });
    const fits = await post(page, json);
    expect(recordIn(fits)).toEqual(LISTED);
  });
});

test("a second tab, a lost answer and the back button end at the same account", async () => {
  const { page, passkey, asked } = await askedFor();
  const beside = await begin();
  expect([asked.step, beside.step]).toEqual(["passkey", "passkey"]);
  const codes = await usePasskey(owner, asked, passkey, { stopAt });
  const shown = recoveryCodesIn(codes);
  // The answer was lost: the same interaction gets it again.
  expect(recoveryCodesIn(await owner.open(asked.url, { stopAt }))).toEqual(shown);
  expect(recoveryCodesIn(await owner.open(page.url, { stopAt }))).toEqual(shown);
  // The other tab goes on with the session, or says that the set-up is finished.
  const late = await usePasskey(owner, beside, passkey, { stopAt });
  expect([late.step, late.status]).toEqual(["continue", 200]);
  expect(await at.store.accounts.accountsOf(at.domain)).toHaveLength(1);
});

test("the record is gone again when the passkey is used: nothing is made, and the page waits for the record again", async () => {
  const { page, passkey, asked } = await askedFor();
  replaceRecord(at.zone, page.text("dns-name"), null);
  at.advance(5);
  const waiting = await usePasskey(owner, asked, passkey, { stopAt });
  expect([waiting.status, waiting.step, recordIn(waiting)]).toEqual([
    ...[200, "dns-setup", recordIn(page)],
  ]);
  expect(waiting.html).toContain("Not there yet.");
  expect(await at.store.accounts.accountsOf(at.domain)).toEqual([]);
  at.publish(page);
  at.advance(5);
  const again = await check(waiting);
  expect((await usePasskey(owner, again, passkey, { stopAt })).step).toBe("recovery-codes");
});

test("who cannot use the passkey starts over with a new record, also when the set-up began in another tab", async () => {
  const { page, asked } = await askedFor();
  const later = await begin();
  expect(later.step).toBe("passkey");
  for (const one of [later, asked]) {
    const fresh = await owner.submit(one, "start-over-form", {}, { stopAt });
    expect(fresh.step).toBe("set-up-passkey");
    const without = await at.submit(fresh, "without-passkey-form");
    expect([without.step, recordIn(without) === recordIn(page)]).toEqual(["dns-setup", false]);
  }
});

test("a set-up whose account has ended says so: before its passkey is asked for, and after it was used", async () => {
  const { passkey, asked } = await askedFor();
  const copy = copyOf(owner, at.issuer);
  const theirs = await begin(copy);
  expect(theirs.step).toBe("passkey");
  await usePasskey(owner, asked, passkey, { stopAt });
  await at.store.accountAdmin.endAccountNow({ accountId: await at.accountId(), now: 1 });
  at.advance(5);
  const used = await usePasskey(copy, theirs, passkey, { stopAt });
  expect([used.status, used.html.includes("was used before")]).toEqual([200, true]);
  const told = await begin(copy);
  expect([told.status, told.step]).toEqual([200, "problem"]);
  expect(told.html).toContain("was used before");
  const fresh = await copy.submit(told, "start-over-form", {}, { stopAt });
  expect([fresh.step, recordIn(fresh).includes("jkt")]).toEqual(["dns-setup", false]);
});
