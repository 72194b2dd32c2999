// Which passkeys a browser is told of, so that password managers drop them: never one that may still sign somebody in.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { beforeEach, describe, expect, test } from "vitest";
import type { SoftPasskey } from "../support/authenticator.ts";
import { flow } from "../support/flow.ts";
import { assertionFor, givePasskey, registrationFor, usePasskey } from "../support/passkeys.ts";
import { authorizationUrl, openDomainPage } from "../support/sign-in.ts";

type OwnPasskey = Awaited<ReturnType<typeof givePasskey>>;

const at = flow();
let first: OwnPasskey;
let second: OwnPasskey;
beforeEach(async () => {
  await at.signIn();
  first = await givePasskey(at, at.domain);
  second = await givePasskey(at, at.domain);
});

const nowSeconds = () => Math.floor(Date.now() / 1000);
const rpId = "localhost";
const NOTHING = { unknown: [], users: [], accepted: [] };

/** What the page would have its script tell the browser. */
function signalsOf({ html }: Page) {
  const [element = ""] = /<div id="passkey-signals"[^>]*>/.exec(html) ?? [];
  const words = (name: string) =>
    (new RegExp(` data-${name}="([^"]*)"`).exec(element)?.[1] ?? "").split(" ").filter(Boolean);
  if (element !== "") {
    expect(element).toContain(` hidden data-rp-id="${rpId}"`);
    expect(html).toMatch(/<script src="\/assets\/passkey-[^"]*" defer>/);
  }
  const [unknown, users] = [words("unknown-credentials"), words("users")];
  return { unknown, users, accepted: words("accepted-credentials") };
}

const accepted = (...passkeys: SoftPasskey[]) => ({
  users: passkeys.map(({ userHandle }) => userHandle),
  accepted: passkeys.map(({ credentialId }) => credentialId),
});

/** Sorted, because passkeys of one second have no order. */
const sorted = ({ unknown, users, accepted: all }: ReturnType<typeof signalsOf>) => {
  return { unknown: [...unknown].sort(), users: [...users].sort(), accepted: [...all].sort() };
};
const both = () => sorted({ unknown: [], ...accepted(first, second) });

const use = (page: Page, passkey: SoftPasskey, agent = at.agent) =>
  usePasskey(agent, page, passkey, { stopAt: at.client.redirectUri });

/** The answer of the page that asks for the domain to this passkey, in a new browser. */
async function atDomainPage(passkey: SoftPasskey): Promise<Page> {
  const agent = createUserAgent();
  const page = await openDomainPage(agent, authorizationUrl(at, at.client));
  return use(page, passkey, agent);
}

/** The answer of the page that asks for the passkey of the domain, in a new browser. */
async function atPasskeyPage(passkey: SoftPasskey): Promise<Page> {
  const agent = createUserAgent();
  return use(await at.begin({ agent }), passkey, agent);
}

const answers = async (passkey: SoftPasskey) => {
  const pages = [await atDomainPage(passkey), await atPasskeyPage(passkey)];
  expect(pages.map(({ status, step }) => [status, step])).toEqual([
    [400, "domain"],
    [400, "passkey"],
  ]);
  return pages.map(signalsOf);
};

/** The page of a change of the account, after an authentication for it. */
async function changePage(id: RegExp): Promise<Page> {
  const { html } = await at.account();
  const [, href = ""] = new RegExp(`id="${id.source}"[^>]* href="([^"]*)"`).exec(html) ?? [];
  const url = new URL(href.replaceAll("&amp;", "&"), at.issuer).href;
  const asked = await at.submit(await at.agent.open(url), "domain-form", { domain: at.domain });
  return use(asked, second);
}

async function removeFirst(): Promise<Page> {
  const { html } = await at.account();
  const links = [...html.matchAll(/id="(remove-passkey-\d+)"[^>]* href="([^"]*)"/g)];
  const [, id = ""] = links.find(([, , href = ""]) => href.includes(first.thumbprint)) ?? [];
  return at.submit(await changePage(new RegExp(id)), "remove-passkey-form");
}

describe("a passkey that was removed", () => {
  test("is named on the page that says so, also after a reload, beside those that are left", async () => {
    const done = await removeFirst();
    const told = { unknown: [first.credentialId], ...accepted(second) };
    expect(signalsOf(done)).toEqual(told);
    expect(signalsOf(await at.agent.open(done.url))).toEqual(told);
    // Only to the browser that removed it, and nothing of it is in the address.
    expect(done.url).not.toContain(first.credentialId);
    const elsewhere = await createUserAgent().open(done.url);
    expect([elsewhere.status, signalsOf(elsewhere)]).toEqual([403, NOTHING]);
  });

  test("is named to who presents it, at the page for the domain and at that for the passkey", async () => {
    await removeFirst();
    const told = { ...NOTHING, unknown: [first.credentialId] };
    expect(await answers(first)).toEqual([told, told]);
    // The page before and the page after say nothing.
    const agent = createUserAgent();
    const page = await at.begin({ agent });
    expect(signalsOf(page)).toEqual(NOTHING);
    await use(page, first, agent);
    expect(signalsOf(await agent.open(page.url))).toEqual(NOTHING);
  });

  test("is not named while a removal that failed half-way has left it", async () => {
    await removeFirst();
    const { accountId } = first;
    const kept = { ...first, publicKey: "", backedUp: 0 as const, name: "Kept", createdAt: 1 };
    expect(await at.store.passkeys.addPasskey({ ...kept, accountId })).toBe("added");
    expect(await at.store.removedPasskeys.removedOf(accountId, null)).toEqual([]);
    expect(await answers({ ...first, userHandle: "AAAA" })).toEqual([NOTHING, NOTHING]);
  });
});

describe("a passkey of an account that has ended", () => {
  test("is named, with all others, where the owner has deleted the account", async () => {
    const page = await changePage(/delete-account/);
    expect(signalsOf(page)).toEqual(NOTHING);
    const done = await at.submit(page, "delete-account-form", { domain: at.domain });
    const ids = [first.credentialId, second.credentialId].sort();
    const told = { ...NOTHING, unknown: ids };
    expect(sorted(signalsOf(done))).toEqual(told);
    expect(sorted(signalsOf(await at.agent.open(done.url)))).toEqual(told);
    expect(signalsOf(await createUserAgent().open(done.url))).toEqual(NOTHING);
    expect(signalsOf(await atDomainPage(second)).unknown).toEqual([second.credentialId]);
  });

  test("is named to who presents it after the operator has ended the account", async () => {
    const of = { accountId: first.accountId, now: nowSeconds() };
    await at.store.accountAdmin.endAccountNow(of);
    expect(signalsOf(await atDomainPage(first)).unknown).toEqual([first.credentialId]);
  });
});

describe("no browser is told of a passkey that can still sign somebody in", () => {
  test("of another domain", async () => {
    const domain = `other-${at.domain}`;
    await at.owner({ domain });
    const others = await givePasskey(at, domain);
    const page = await atPasskeyPage(others);
    expect([page.status, signalsOf(page)]).toEqual([400, NOTHING]);
    expect((await atDomainPage(others)).stopped).toBe(true);
  });

  test("of an account that sleeps, and so wakes when its record returns", async () => {
    at.replaceRecord(null);
    at.advance(301);
    const page = await atDomainPage(first);
    expect([page.status, page.step]).toEqual([422, "former-record"]);
    expect(signalsOf(page)).toEqual(NOTHING);
    // Another owner of the domain, to whose account it does not belong.
    await at.owner();
    await givePasskey(at, at.domain);
    const refused = await atPasskeyPage(first);
    expect([refused.status, signalsOf(refused)]).toEqual([400, NOTHING]);
  });

  test("of a set-up that is not finished, which is stored nowhere", async () => {
    const agent = createUserAgent({ hasScript: true });
    const setUp = await at.begin({ agent, domain: `new-${at.domain}` });
    const { passkey, json } = registrationFor(setUp);
    await at.submit(setUp, "passkey-form", { credential: json }, { agent });
    expect(await answers(passkey)).toEqual([NOTHING, NOTHING]);
    // Also in the browser of the set-up.
    const page = await openDomainPage(agent, authorizationUrl(at, at.client));
    expect(signalsOf(await use(page, passkey, agent))).toEqual(NOTHING);
  });

  test("because its assertion is not valid", async () => {
    const page = await openDomainPage(at.agent, authorizationUrl(at, at.client));
    const credential = assertionFor(page, first, { signature: new Uint8Array(70) });
    const refused = await at.submit(page, "passkey-form", { credential });
    expect([refused.status, signalsOf(refused)]).toEqual([400, NOTHING]);
  });

  test("that an address or a field of a form names", async () => {
    const { credentialId } = first;
    const named = {
      credentialId,
      unknown: credentialId,
      removed: credentialId,
      problem: "unknown",
    };
    const query = `&${new URLSearchParams(named)}`;
    const page = await openDomainPage(at.agent, authorizationUrl(at, at.client));
    for (const url of [`${page.url}${query}`, `${at.issuer}/account?domain=${at.domain}${query}`]) {
      expect(signalsOf(await at.agent.open(url)).unknown).toEqual([]);
    }
    for (const credential of [credentialId, JSON.stringify({ id: credentialId })]) {
      const action = page.forms.find(({ id }) => id === "passkey-form")?.action ?? "";
      const refused = await at.post(new URL(action, page.url).href, { ...named, credential });
      expect(refused.status).toBe(400);
      expect(await refused.text()).not.toContain("passkey-signals");
    }
    const other = new URLSearchParams({ nonce: second.thumbprint, unknown: second.credentialId });
    const removed = await removeFirst();
    const again = await at.agent.open(`${removed.url}?${other}`);
    expect(signalsOf(again).unknown).toEqual([credentialId]);
  });
});

describe("all passkeys of an account", () => {
  test("are named on its page, also those of the next part of the list", async () => {
    expect(sorted(signalsOf(await at.account()))).toEqual(both());
    const more = [];
    for (let index = 0; index < 9; index++) more.push(await givePasskey(at, at.domain));
    const page = await at.account();
    expect(page.has("more-passkeys")).toBe(true);
    const all = accepted(first, second, ...more);
    expect(sorted(signalsOf(page))).toEqual(sorted({ unknown: [], ...all }));
  });

  test("are named once one was added", async () => {
    const page = await changePage(/add-passkey/);
    const { passkey, json } = registrationFor(page);
    const done = await at.submit(page, "passkey-form", { credential: json });
    expect(sorted(signalsOf(done))).toEqual(
      sorted({ unknown: [], ...accepted(first, second, passkey) }),
    );
  });

  test("or none: not if one has an id that is too long for a page", async () => {
    const long = { ...second, credentialId: "A".repeat(1364), thumbprint: "x", publicKey: "" };
    const more = { backedUp: 0 as const, name: "Long", createdAt: 1 };
    for (const id of ["B", "C"]) {
      const passkey = { ...long, ...more, credentialId: id + long.credentialId.slice(1) };
      await at.store.passkeys.addPasskey(passkey);
    }
    expect(signalsOf(await at.account())).toEqual(NOTHING);
  });

  test("are not named to a session whose record is lost", async () => {
    at.replaceRecord(null);
    at.advance(301);
    expect(signalsOf(await at.account())).toEqual(NOTHING);
  });

  // The last test of the file: set-ups from before the restore are void.
  test("or none: not after a restore, which has lost those that are newer than the backup", async () => {
    const now = (await at.accountOf()).createdAt + 1;
    await at.store.installation.claimInstallation("id");
    await at.store.installation.recordRestore({ counter: 1, now });
    expect(signalsOf(await at.account())).toEqual(NOTHING);
    for (const passkey of [first, second]) await at.store.passkeys.confirmPasskey(passkey, now + 1);
    expect(sorted(signalsOf(await at.account()))).toEqual(both());
  });
});
