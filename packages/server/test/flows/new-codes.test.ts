// New recovery codes: by an authentication that was made for them, and only once they are saved.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { recoveryCodeHash } from "../../src/sign-in/recovery-code-entry.ts";
import { eventually } from "../support/eventually.ts";
import { flow } from "../support/flow.ts";
import { answerPage, recoveryCodesIn } from "../support/sign-in.ts";
import { signInByCode } from "../support/store-rows.ts";

const at = flow();
let agent: UserAgent;
let accountId: string;
let former: readonly string[];
beforeEach(async () => {
  agent = at.agent;
  former = (await at.setUp()).codes;
  accountId = await at.accountId();
});

const stopAt = "none:";
const areValid = async (codes: readonly string[]) => {
  expect(codes).toHaveLength(10);
  const found = codes.map((code) =>
    at.store.recoveryCodes.hasRecoveryCode(accountId, recoveryCodeHash(code)),
  );
  return [...new Set(await Promise.all(found))];
};
const renewals = async () =>
  (await at.store.histories.historyOf(accountId, { since: 0, limit: 20 })).filter(
    ({ kind }) => kind === "recovery_codes_renewed",
  ).length;

/** From the account page, with a DNS challenge, to the new codes. */
async function authenticate(url?: string): Promise<Page> {
  const link = url ?? (await at.account()).link("new-codes");
  let page = await agent.open(new URL(link, at.issuer).href);
  for (let turn = 0; page.step !== "recovery-codes" && turn < 4; turn++) {
    page = await answerPage(at, agent, page, { domain: at.domain, stopAt });
  }
  return page;
}

test("the new codes replace the former ones when they are saved, not before, and are not shown again", async () => {
  const page = await authenticate();
  const codes = recoveryCodesIn(page);
  expect(codes.filter((code) => former.includes(code))).toEqual([]);
  expect(page.html).toContain("Until then, the old codes stay valid.");
  expect([await areValid(former), await areValid(codes)]).toEqual([[true], [false]]);
  // An answer that is lost, and the same page in another tab.
  expect(recoveryCodesIn(await agent.open(page.url))).toEqual(codes);
  const saved = await agent.submit(page, "recovery-codes-form");
  expect([saved.status, saved.step]).toEqual([200, "account"]);
  expect([await areValid(former), await areValid(codes)]).toEqual([[false], [true]]);
  expect((await agent.open(page.url)).step).toBe("account");
  expect((await agent.submit(page, "recovery-codes-form")).step).toBe("account");
  await eventually(async () => expect(await renewals()).toBe(1));
  for (const code of codes) expect(await at.dump()).not.toContain(code);
});

test("codes that the page did not show are not saved: their key was ended in between", async () => {
  const page = await authenticate();
  const codes = recoveryCodesIn(page);
  const others = await agent.submit(page, "recovery-codes-form", { shown: "of an ended key" });
  expect([others.status, others.step]).toEqual([400, "problem"]);
  expect([await areValid(former), await areValid(codes)]).toEqual([[true], [false]]);
  await agent.submit(page, "recovery-codes-form");
  expect([await areValid(former), await areValid(codes)]).toEqual([[false], [true]]);
});

test("a new code signs another browser in; a former one does not", async () => {
  const page = await authenticate();
  const [code = ""] = recoveryCodesIn(page);
  await agent.submit(page, "recovery-codes-form");
  const other = { agent: createUserAgent() };
  const challenge = await at.begin(other);
  at.publish(challenge);
  const wrong = { recovery_code: former[0] ?? "" };
  expect((await at.submit(challenge, "check-form", wrong, other)).status).toBe(400);
  const done = await at.submit(challenge, "check-form", { recovery_code: code }, other);
  expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
  expect((await at.account()).html).toContain("9 of your ten recovery codes are left.");
});

test("of two pages the one that is saved first counts; the other one says that it is too late", async () => {
  const link = (await at.account()).link("new-codes");
  const [one, two] = [await authenticate(link), await authenticate(link)];
  const [saved, lost] = [recoveryCodesIn(one), recoveryCodesIn(two)];
  expect(saved.filter((code) => lost.includes(code))).toEqual([]);
  await agent.submit(one, "recovery-codes-form");
  const refused = await agent.submit(two, "recovery-codes-form");
  expect([refused.status, refused.step]).toEqual([400, "problem"]);
  expect([await areValid(saved), await areValid(lost)]).toEqual([[true], [false]]);
  // From the page as it is now, they are renewed once more.
  const again = await authenticate();
  await agent.submit(again, "recovery-codes-form");
  expect(await areValid(recoveryCodesIn(again))).toEqual([true]);
});

test("posts at once save one set, whole, and are one entry of the history", async () => {
  const page = await authenticate();
  const ends = await Promise.all([1, 2, 3, 4].map(() => agent.submit(page, "recovery-codes-form")));
  expect(ends.map(({ step }) => step)).toEqual(["account", "account", "account", "account"]);
  expect(await areValid(recoveryCodesIn(page))).toEqual([true]);
  await eventually(async () => expect(await renewals()).toBe(1));
});

test("a copied cookie jar gets no codes without an authentication, and changes none", async () => {
  const link = (await at.account()).link("new-codes");
  expect((await agent.open(new URL(link, at.issuer).href)).step).toBe("domain");
  for (const prompt of ["&prompt=none", ""]) {
    const changed = link.replace("&prompt=login", prompt);
    let page = await agent.open(new URL(changed, at.issuer).href, { stopAt });
    if (page.step === "continue") page = await agent.submit(page, "continue-form", {}, { stopAt });
    expect(recoveryCodesIn(page)).toEqual([]);
  }
  expect(await areValid(former)).toEqual([true]);
});

test("another site, another browser, another change and five minutes later save nothing", async () => {
  const page = await authenticate();
  const post = async (from: UserAgent, origin: string, url = page.url) => {
    const headers = { ...at.cookies({ agent: from }), origin };
    return (await fetch(url, { method: "POST", headers, redirect: "manual" })).status;
  };
  expect(await post(agent, "https://evil.example")).toBe(403);
  expect(await post(createUserAgent(), at.issuer)).toBe(403);
  expect((await createUserAgent().open(page.url)).status).toBe(403);
  const other = page.url.replace("new-codes", "remove-passkey");
  expect(await post(agent, at.issuer, other)).toBe(400);
  at.advance(301);
  expect(await post(agent, at.issuer)).toBe(400);
  expect((await agent.open(page.url)).status).toBe(400);
  expect(await areValid(former)).toEqual([true]);
});

test("the account page warns when fewer than three codes are left", async () => {
  const warning = "You have fewer than three recovery codes left.";
  const use = async (code = "") => {
    const codeHash = recoveryCodeHash(code);
    await signInByCode(at.store, { accountId, codeHash });
  };
  for (const code of former.slice(0, 7)) await use(code);
  expect((await at.account()).html).not.toContain(warning);
  await use(former[7]);
  expect((await at.account()).html).toContain(warning);
});

test("a set-up page that was left open does not show the codes that new ones have replaced", async () => {
  const other = { agent: createUserAgent(), domain: "left-open.alice.test" };
  const setUp = await at.begin(other);
  at.publish(setUp);
  const page = await at.submit(setUp, "check-form", {}, other);
  expect(recoveryCodesIn(page)).toHaveLength(10);
  const renewal = { from: null, to: "new", codeHashes: ["hash"] };
  const renewed = at.store.recoveryCodes.renewRecoveryCodes({
    accountId: await at.accountId(other),
    ...renewal,
  });
  expect(await renewed).toBe("renewed");
  const again = await other.agent.open(page.url);
  expect([again.step, recoveryCodesIn(again)]).toEqual(["recovery-codes", []]);
});
