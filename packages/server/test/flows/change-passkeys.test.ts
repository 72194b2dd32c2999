// Passkeys are renamed by a session while DNS names the account, and removed by an authentication that was made for that passkey.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import type { SoftPasskey } from "../support/authenticator.ts";
import { eventually } from "../support/eventually.ts";
import { flow } from "../support/flow.ts";
import { givePasskey, registrationFor, usePasskey } from "../support/passkeys.ts";
import { startTestService } from "../support/service.ts";

type OwnPasskey = Awaited<ReturnType<typeof givePasskey>>;

/** The foreground statement, counted from here, that fails; with 0 none does. */
let failsAfter = 0;
let beforeRemoval: (() => Promise<void>) | null = null;
const at = flow({
  start: () =>
    startTestService({
      config: { recordSpk: "always" },
      beforeStatement: async (sql) => {
        const waitsFor = sql.includes("DELETE FROM passkeys") ? beforeRemoval : null;
        if (waitsFor !== null) {
          beforeRemoval = null;
          await waitsFor();
        }
        if (failsAfter === 0 || sql.includes("INTO history")) return;
        if (--failsAfter === 0) throw new Error("the database failed here");
      },
    }),
});
let first: OwnPasskey;
let second: OwnPasskey;
beforeEach(async () => {
  await at.signIn();
  first = await givePasskey(at, at.domain);
  second = await givePasskey(at, at.domain);
});

const thumbprints = async () =>
  (await at.store.passkeys.passkeysOf(first.accountId)).map(({ thumbprint }) => thumbprint).sort();
const both = () => [first.thumbprint, second.thumbprint].sort();
const kinds = async () =>
  (await at.store.histories.historyOf(first.accountId, { since: 0, limit: 200 })).map(
    ({ kind }) => kind,
  );
const ofKind = async (wanted: string) => (await kinds()).filter((kind) => kind === wanted);

/** The link of the account page that removes this passkey. */
async function removalOf({ thumbprint }: OwnPasskey): Promise<string> {
  const { html } = await at.account();
  const links = [...html.matchAll(/id="remove-passkey-\d+"[^>]* href="([^"]*)"/g)];
  const found = links.map(([, href = ""]) => href.replaceAll("&amp;", "&"));
  return new URL(found.find((href) => href.includes(thumbprint)) ?? "none:", at.issuer).href;
}

/** Follows a link of the account page, and answers with the passkey. */
async function authenticate(url: string, by = second, agent = at.agent): Promise<Page> {
  const page = await at.agent.open(url, { stopAt: at.client.redirectUri });
  const asked = await at.submit(page, "domain-form", { domain: at.domain }, { agent });
  expect(asked.step).toBe("passkey");
  return use(asked, by, agent);
}

const use = (page: Page, passkey: SoftPasskey, agent: UserAgent) =>
  usePasskey(agent, page, passkey, { stopAt: at.client.redirectUri });

const ask = async (passkey: OwnPasskey) => authenticate(await removalOf(passkey));

/** Registers the passkey that the page asks for. */
const register = (page: Page, agent: UserAgent) =>
  at.submit(page, "passkey-form", { credential: registrationFor(page).json }, { agent });

async function post(agent: UserAgent, url: string, form: Record<string, string>, origin?: string) {
  const response = await at.post(url, form, { agent, ...(origin !== undefined && { origin }) });
  return `${response.status} ${response.headers.get("location")?.split("?")[0] ?? ""}`.trim();
}

test("a removed passkey no longer signs in, and the record to publish does not list its key", async () => {
  const page = await ask(first);
  expect([page.status, page.step]).toEqual([200, "account-change"]);
  expect(page.html).not.toContain("the last passkey");
  expect(await thumbprints()).toEqual(both());
  const done = await at.submit(page, "remove-passkey-form");
  expect([done.status, done.step]).toEqual([200, "account-change"]);
  expect(await thumbprints()).toEqual([second.thumbprint]);
  const value = done.text("dns-value");
  expect(value).toContain(`jkt=${second.thumbprint}`);
  expect(value).not.toContain(first.thumbprint);
  expect(done.html).toContain("Until DNS caches and signatures expire");
  await eventually(async () => expect((await kinds())[0]).toBe("passkey_removed"));

  const other = createUserAgent();
  const refused = await use(await at.begin({ agent: other }), first, other);
  expect([refused.status, refused.step]).toEqual([400, "passkey"]);
});

test("the record keeps the owner's own keys, and lists no key of the service as one of theirs", async () => {
  const name = `_domain-signin.${at.domain}`;
  const [record] = at.zone.records().filter((one) => one.name === name);
  if (record === undefined) throw new Error("no record");
  const ownKey = "k".repeat(43);
  const [, spk = ""] = /spk=([^ ,]+)/.exec(record.value) ?? [];
  expect(spk).toHaveLength(43);
  at.zone.remove(record);
  at.zone.add({ ...record, value: `${record.value} jkt=${ownKey},${first.thumbprint}` });
  at.advance(301);
  const done = await at.submit(await ask(first), "remove-passkey-form");
  const [, jkt = ""] = /jkt=([^ ]*)/.exec(done.text("dns-value")) ?? [];
  expect(jkt.split(",").sort()).toEqual([ownKey, second.thumbprint].sort());
  expect(done.text("dns-value")).toContain(`spk=${spk}`);
});

test("the last passkey may be removed, by itself, and the page says what a sign-in needs then", async () => {
  await at.submit(await ask(first), "remove-passkey-form");
  const page = await ask(second);
  expect(page.html).toContain("This is the last passkey of this account.");
  const done = await at.submit(page, "remove-passkey-form");
  expect(await thumbprints()).toEqual([]);
  expect(done.text("dns-value")).not.toContain("jkt");
});

test("two tabs and a reload remove one passkey; the page says so each time", async () => {
  const page = await ask(first);
  const ends = await Promise.all([1, 2, 3].map(() => at.submit(page, "remove-passkey-form")));
  for (const end of ends) expect(end.step).toBe("account-change");
  expect(await thumbprints()).toEqual([second.thumbprint]);
  expect((await at.submit(page, "remove-passkey-form")).has("dns-value")).toBe(true);
  await eventually(async () => expect(await kinds()).toContain("passkey_removed"));
  expect(await ofKind("passkey_removed")).toHaveLength(1);
});

test("after an error at any statement, the same form removes the passkey and ends what a thief was authenticated for", async () => {
  const adding = (await at.account()).link("add-passkey");
  const url = new URL(adding, at.issuer).href;
  let isComplete = false;
  let statements = 0;
  let removed = 0;
  while (!isComplete) {
    const lost = await givePasskey(at, at.domain);
    const thief = createUserAgent();
    const stolen = await authenticate(url, lost, thief);
    const steal = () => register(stolen, thief);
    const page = await at.until("account-change", await ask(lost));
    failsAfter = ++statements;
    const { status } = await at.submit(page, "remove-passkey-form");
    isComplete = failsAfter > 0;
    failsAfter = 0;
    expect([statements, status]).toEqual([statements, isComplete ? 200 : 500]);
    // Nor does the thief gain anything if the owner gives up here.
    const isGone = !(await thumbprints()).includes(lost.thumbprint);
    if (isGone) expect([statements, (await steal()).status]).toEqual([statements, 400]);
    const again = await at.submit(page, "remove-passkey-form");
    expect([statements, again.step, again.has("dns-value")]).toEqual([
      ...[statements, "account-change", true],
    ]);
    expect([statements, (await steal()).status]).toEqual([statements, 400]);
    expect(await thumbprints()).toEqual(both());
    removed++;
    await eventually(async () => expect(await ofKind("passkey_removed")).toHaveLength(removed));
  }
  expect(statements).toBeGreaterThan(6);
});

test("what a thief authenticates for just before the removal adds no passkey after it", async () => {
  const url = new URL((await at.account()).link("add-passkey"), at.issuer).href;
  const page = await ask(first);
  const thief = createUserAgent();
  let stolen = page;
  beforeRemoval = async () => {
    stolen = await authenticate(url, first, thief);
  };
  expect((await at.submit(page, "remove-passkey-form")).step).toBe("account-change");
  expect(stolen.step).toBe("new-passkey");
  const late = await register(stolen, thief);
  expect([late.status, await thumbprints()]).toEqual([400, [second.thumbprint]]);
});

test("an authentication for one passkey, or for another change, or five minutes old, removes none", async () => {
  const page = await ask(first);
  // The interaction decides which passkey, not the form.
  await post(at.agent, page.url, { passkey: second.thumbprint, nonce: second.thumbprint });
  expect(await thumbprints()).toEqual([second.thumbprint]);
  const adding = (await at.account()).link("add-passkey");
  const forAdding = await authenticate(new URL(adding, at.issuer).href);
  expect(forAdding.step).toBe("new-passkey");
  const instead = forAdding.url.replace("new-passkey", "remove-passkey");
  expect((await at.agent.open(instead)).status).toBe(400);
  expect(await post(at.agent, instead, {})).toBe("400");
  const late = await ask(second);
  at.advance(301);
  expect((await at.submit(late, "remove-passkey-form")).status).toBe(400);
  expect(await thumbprints()).toEqual([second.thumbprint]);
});

test("a copied cookie jar removes nothing without an authentication, whatever the request says", async () => {
  const url = await removalOf(first);
  for (const changed of [
    url.replace("prompt=login", "prompt=none"),
    url.replace("&prompt=login", ""),
    `${url.replace("&prompt=login", "")}&max_age=300`,
  ]) {
    let page = await at.agent.open(changed);
    if (page.step === "continue") page = await at.submit(page, "continue-form");
    expect(page.has("remove-passkey-form")).toBe(false);
  }
  expect((await at.agent.open(url)).step).toBe("domain");
  expect(await thumbprints()).toEqual(both());
});

test.each([
  { when: "DNS does not name", isAsleep: false },
  { when: "has been put to sleep", isAsleep: true },
])("a passkey of an account that $when is not renamed", async ({ isAsleep }) => {
  const form = { domain: at.domain, passkey: first.thumbprint, name: "mine" };
  at.replaceRecord(null);
  at.advance(301);
  if (isAsleep) await at.account();
  expect(await post(at.agent, "/account/rename-passkey", form)).toBe("303 /account");
  const names = (await at.store.passkeys.passkeysOf(first.accountId)).map(({ name }) => name);
  expect(names).not.toContain("mine");
  const { html } = await at.account();
  // Neither is listed. The record that would wake the account names their keys, as DNS did.
  for (const passkey of [first, second]) {
    expect(html.replace(/<code id="dns-value">.*?<\/code>/, "")).not.toContain(passkey.thumbprint);
  }
  expect(html).not.toContain("Account created");
  expect(html).not.toContain("recovery codes are left");
  expect(html).not.toContain("/account/delete-account");
});

test("a passkey of another account is neither removed nor renamed", async () => {
  const own = `mallory-${at.domain}`;
  const mallory = await at.owner({ domain: own });
  const malloryKey = await givePasskey(at, own);
  const page = await mallory.open((await removalOf(first)).replaceAll(at.domain, own));
  const asked = await at.submit(page, "domain-form", { domain: own }, { agent: mallory });
  const refused = await use(asked, malloryKey, mallory);
  expect([refused.status, refused.step]).toEqual([400, "problem"]);
  // Mallory's account has no such passkey any more, which is all that this says.
  expect(await post(mallory, refused.url, {})).toMatch(/^303 .*\/remove-passkey$/);
  const renamed = { domain: own, passkey: first.thumbprint, name: "mine" };
  expect(await post(mallory, "/account/rename-passkey", renamed)).toBe("303 /account");
  const nameless = { domain: own, name: "mine" };
  expect(await post(mallory, "/account/rename-passkey", nameless)).toBe("400");
  const others = { ...renamed, domain: at.domain };
  expect(await post(mallory, "/account/rename-passkey", others)).toBe("303 /oauth/authorize");
  expect(await thumbprints()).toEqual(both());
  const names = (await at.store.passkeys.passkeysOf(first.accountId)).map(({ name }) => name);
  expect(names).toEqual(["Test", "Test"]);
});

test("another site, and another browser, post in vain", async () => {
  const page = await ask(first);
  const evil = "https://evil.example";
  expect(await post(at.agent, page.url, {}, evil)).toBe("403");
  expect(await post(createUserAgent(), page.url, {})).toBe("403");
  const form = { domain: at.domain, passkey: first.thumbprint, name: "x" };
  expect(await post(at.agent, "/account/rename-passkey", form, evil)).toBe("403");
  expect(await thumbprints()).toEqual(both());
});

test("a session renames a passkey; the name is shown as text, without invisible characters", async () => {
  const page = await at.account();
  const rename = async (name: string) => {
    const form = { domain: at.domain, passkey: first.thumbprint, name };
    const answer = await post(at.agent, "/account/rename-passkey", form);
    const all = await at.store.passkeys.passkeysOf(first.accountId);
    return [answer, all.find(({ thumbprint }) => thumbprint === first.thumbprint)?.name];
  };
  const after = await at.submit(page, "rename-passkey-1-form", { name: "Phone" });
  expect(after.html).toContain("<bdi>Phone</bdi>");
  expect(await rename("<b>\u202e evil\n\tname </b>")).toEqual([
    "303 /account",
    "<b> evil name </b>",
  ]);
  expect((await at.account()).html).toContain("<bdi>&lt;b&gt; evil name &lt;/b&gt;</bdi>");
  expect(await rename("x".repeat(5000))).toEqual(["303 /account", "x".repeat(60)]);
  expect(await rename(" \u200b ")).toEqual(["303 /account", "x".repeat(60)]);
  await eventually(async () => expect(await ofKind("passkey_renamed")).toHaveLength(3));
});
