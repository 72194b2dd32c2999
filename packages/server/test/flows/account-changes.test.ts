// What an authentication for one change of an account is not good for: another change, another account, a second time.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { beforeEach, describe, expect, test } from "vitest";
import { recoveryCodeHash } from "../../src/sign-in/recovery-code-entry.ts";
import { flow } from "../support/flow.ts";
import { givePasskey, registrationFor, usePasskey } from "../support/passkeys.ts";
import { openDomainPage } from "../support/sign-in.ts";
import { NOW } from "../support/store-rows.ts";

const CHANGES = ["new-passkey", "remove-passkey", "new-codes", "delete-account"] as const;
type Change = (typeof CHANGES)[number];
type Owner = Awaited<ReturnType<typeof owner>>;

// It always asks, so an interaction of the app waits at a page.
const at = flow({ registration: { consent: "always" } });
let alice: Owner;
beforeEach(async () => {
  alice = await owner();
});

/** An account with a passkey, set up in the browser of the test, and ten recovery codes. */
async function owner(domain = at.domain) {
  const { codes } = await at.finish(await at.begin({ domain }));
  const passkey = await givePasskey(at, domain);
  return { domain, codes, passkey, accountId: passkey.accountId };
}

const use = (page: Page, { passkey }: Owner) =>
  usePasskey(at.agent, page, passkey, { stopAt: at.client.redirectUri });

/** The page of a change, after an authentication for it by the passkey. */
async function authenticate(change: Change, by: Owner): Promise<Page> {
  const account = `${at.issuer}/account`;
  const query = new URLSearchParams({
    ...{ client_id: account, redirect_uri: `${account}/${change}`, response_type: "code" },
    ...{ scope: "openid", prompt: "login", login_hint: by.domain },
    ...(change === "remove-passkey" && { nonce: by.passkey.thumbprint }),
  });
  const first = await openDomainPage(at.agent, `${at.issuer}/oauth/authorize?${query}`);
  const asked = await at.submit(first, "domain-form", { domain: by.domain });
  expect(asked.step).toBe("passkey");
  const page = await use(asked, by);
  expect([page.status, new URL(page.url).pathname.split("/").at(-1)]).toEqual([200, change]);
  return page;
}

/** Sends what each of the pages would: the right form for whichever change is asked for. */
async function post(url: string, credential: string, { domain }: Owner): Promise<number> {
  return (await at.post(url, { domain, credential })).status;
}

/** What a change could have changed. */
async function stateOf({ accountId, domain, codes }: Owner) {
  const code = recoveryCodeHash(codes[0] ?? "");
  return {
    passkeys: (await at.store.passkeys.passkeysOf(accountId)).map(({ thumbprint }) => thumbprint),
    hasCode: await at.store.recoveryCodes.hasRecoveryCode(accountId, code),
    isLive: (await at.store.accounts.accountsOf(domain)).some(({ id }) => id === accountId),
  };
}

function urlOf({ url }: Page, change: Change): string {
  return url.replace(/[^/]+$/, change);
}

/** A passkey that the page of the change itself would accept. */
async function freshPasskey(page: Page): Promise<string> {
  const asked = await at.agent.open(urlOf(page, "new-passkey"));
  return asked.status === 200 ? registrationFor(asked).json : "{}";
}

const others = CHANGES.flatMap((made) =>
  CHANGES.filter((tried) => tried !== made).map((tried) => [made, tried] as const),
);
test.each(others)("an authentication for %s is refused at %s", async (made, tried) => {
  const before = await stateOf(alice);
  const page = await authenticate(made, alice);
  expect((await at.agent.open(urlOf(page, tried))).status).toBe(400);
  expect(await post(urlOf(page, tried), await freshPasskey(page), alice)).toBe(400);
  expect(await stateOf(alice)).toEqual(before);
});

test.each(CHANGES)("an authentication of an app is refused at %s", async (change) => {
  const before = await stateOf(alice);
  const page = await use(await at.begin({ parameters: { prompt: "login" } }), alice);
  expect(page.step).toBe("consent");
  for (const from of [page, await at.agent.open(page.url)]) {
    expect((await at.agent.open(urlOf(from, change))).status).toBe(400);
    expect(await post(urlOf(from, change), "{}", alice)).toBe(400);
  }
  // A consent that is no answer of the account page makes it none.
  await at.submit(page, "consent-form", {}, { button: "allow" });
  expect(await post(urlOf(page, change), "{}", alice)).toBe(400);
  expect(await stateOf(alice)).toEqual(before);
});

test.each(CHANGES)("one for %s changes no other account of the same browser", async (change) => {
  const bob = await owner(`other-${alice.domain}`);
  const before = await stateOf(alice);
  const page = await authenticate(change, bob);
  const credential = await freshPasskey(page);
  for (const query of ["", `?domain=${alice.domain}`, `?account=${alice.accountId}`]) {
    const status = await post(`${page.url}${query}`, credential, alice);
    // The page takes the account from the interaction alone; to delete one, its own domain is typed.
    if (change === "delete-account") expect(status).toBe(400);
  }
  expect(await stateOf(alice)).toEqual(before);
});

test.each(CHANGES)("one for %s is too old after five minutes", async (change) => {
  const before = await stateOf(alice);
  const page = await authenticate(change, alice);
  const credential = await freshPasskey(page);
  at.advance(301);
  expect((await at.agent.open(page.url)).status).toBe(400);
  expect(await post(page.url, credential, alice)).toBe(400);
  expect(await stateOf(alice)).toEqual(before);
});

describe("once its change was made, an authentication changes nothing more", () => {
  test("by adding a passkey: not even after that was removed", async () => {
    const page = await authenticate("new-passkey", alice);
    const [first, second] = [registrationFor(page).json, registrationFor(page).json];
    expect(await post(page.url, first, alice)).toBe(303);
    const all = await at.store.passkeys.passkeysOf(alice.accountId);
    const added = all.find(({ thumbprint }) => thumbprint !== alice.passkey.thumbprint);
    if (added === undefined) throw new Error("no passkey was added");
    await at.store.passkeys.removePasskey(added, NOW);
    for (const json of [first, second]) expect(await post(page.url, json, alice)).toBe(400);
    expect(await at.store.passkeys.passkeysOf(alice.accountId)).toHaveLength(1);
  });

  test("by removing one: not the next one", async () => {
    const second = await givePasskey(at, alice.domain);
    const page = await authenticate("remove-passkey", alice);
    expect(await post(page.url, "", alice)).toBe(303);
    expect(await post(page.url, "", alice)).toBe(303);
    const left = (await at.store.passkeys.passkeysOf(alice.accountId)).map(
      ({ thumbprint }) => thumbprint,
    );
    expect(left).toEqual([second.thumbprint]);
  });

  test("by new codes: a reload neither shows them nor renews those that replaced them", async () => {
    const page = await authenticate("new-codes", alice);
    expect(await post(page.url, "", alice)).toBe(303);
    const from = await at.store.recoveryCodes.recoveryCodeSet(alice.accountId);
    const later = { accountId: alice.accountId, from, to: "later", codeHashes: ["hash"] };
    expect(await at.store.recoveryCodes.renewRecoveryCodes(later)).toBe("renewed");
    expect(await post(page.url, "", alice)).toBe(303);
    expect((await at.agent.open(page.url)).html).not.toContain("recovery-code");
    expect(await at.store.recoveryCodes.recoveryCodeSet(alice.accountId)).toBe("later");
  });

  test("by deleting the account: not the account that the domain has next", async () => {
    const page = await authenticate("delete-account", alice);
    expect(await post(page.url, "", alice)).toBe(303);
    at.replaceRecord(null);
    at.advance(301);
    const next = await owner();
    expect(next.accountId).not.toBe(alice.accountId);
    expect(await post(page.url, "", alice)).toBe(303);
    expect((await stateOf(next)).isLive).toBe(true);
  });
});
