// `Continue` with a session whose consent is known: the code at once, once, and only for what the page offered.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { beforeEach, describe, expect, test } from "vitest";
import { createAccountAccess } from "../../src/account/account-access.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { flow } from "../support/flow.ts";
import { heldStatements } from "../support/held-statements.ts";
import { startTestService } from "../support/service.ts";
import { copyOf, redeemed } from "../support/sign-in.ts";

const statements = heldStatements();
const at = flow({
  start: () => startTestService(statements),
  registration: { consent: "first", scope: "openid profile" },
});
beforeEach(() => at.signIn());

const codeOf = ({ url }: Page) => new URL(url).searchParams.get("code");
const go = (page: Page, choice = {}) => at.submit(page, "continue-form", {}, choice);
const rows = (table: "grants" | "interactions") => at.rowsOf(table);

/** Signs in with one more domain in this browser. */
async function beginWith(domain: string): Promise<void> {
  const page = await at.submit(await at.open(), "other-domain-form");
  const waiting = await at.submit(page, "domain-form", { domain });
  const { page: asked } = await at.finish(await at.until("dns-setup", waiting), { domain });
  await at.submit(asked, "consent-form", {}, { button: "allow" });
}

test("a click leads to the app, with one commit and no row of a pending sign-in", async () => {
  const page = await at.open();
  const before = await rows("interactions");
  at.commits.length = 0;
  const done = await go(page);
  expect(done.url).toContain(at.client.redirectUri);
  expect(at.commits).toHaveLength(1);
  expect(await rows("interactions")).toBe(before);
  expect((await redeemed(at, at.client, done)).status).toBe(200);
});

test("two clicks at once, from two tabs, are one grant and one code", async () => {
  const page = await at.open();
  const grants = await rows("grants");
  const [one, other] = await Promise.all([
    go(page),
    go(page, { agent: copyOf(at.agent, at.issuer) }),
  ]);
  expect(codeOf(one)).toBe(codeOf(other));
  expect(await rows("grants")).toBe(grants + 1);
});

test("two pages of one browser are two grants", async () => {
  const [one, other] = [await at.open(), await at.open()];
  at.advance(1);
  expect(codeOf(await go(one))).not.toBe(codeOf(await go(other)));
});

test("Continue as one domain, Back, and as another one, are two grants of two accounts", async () => {
  const [alice, shop] = [at.domain, "bob.test"];
  await beginWith(shop);
  const page = await at.open();
  const as = (domain: string) => {
    const form = page.forms.find(({ controls }) => controls.some(({ value }) => value === domain));
    return at.submit(page, String(form?.id));
  };
  const done = [await as(alice), await as(shop)];
  const answers = await Promise.all(done.map((one) => redeemed(at, at.client, one)));
  expect(answers.map(({ body }) => body.validation_data)).toMatchObject([
    { domain: alice },
    { domain: shop },
  ]);
});

test("Back and Continue after the app has redeemed the code is a grant of its own", async () => {
  const page = await at.open();
  const first = await go(page);
  const tokens = await redeemed(at, at.client, first);
  const second = await go(page);
  expect(codeOf(second)).not.toBe(codeOf(first));
  expect((await redeemed(at, at.client, second)).status).toBe(200);
  // The first one still stands.
  expect((await at.userinfo(String(tokens.body.access_token))).status).toBe(200);
});

test("a page that is eleven minutes old leads to the app, by a row; one that is older than a day shows itself again", async () => {
  const page = await at.open();
  at.advance(660);
  const before = await rows("interactions");
  expect(codeOf(await go(page))).toMatch(/^dsc_/);
  expect(await rows("interactions")).toBe(before + 1);
  at.advance(86_400);
  expect((await go(page)).step).toBe("continue");
});

describe("nothing but the page that this browser got leads on:", () => {
  test.each([
    ["no proof", ""],
    ["another text", "x".repeat(31)],
    ["a proof that was cut", null],
  ])("%s", async (_, proof) => {
    const page = await at.open();
    const own = /name="proof" value="([^"]*)"/.exec(page.html)?.[1] ?? "";
    expect(own.length).toBeGreaterThan(20);
    const sent = proof ?? own.slice(0, -1);
    const grants = await rows("grants");
    const answer = await at.submit(page, "continue-form", { proof: sent });
    expect([answer.step, await rows("grants")]).toEqual(["continue", grants]);
  });

  test("a proof for another request, another browser or another account", async () => {
    const proofIn = ({ html }: Page) => /name="proof" value="([^"]*)"/.exec(html)?.[1] ?? "";
    const ofScope = await at.open({ scope: "openid profile" });
    const other = copyOf(at.agent, at.issuer);
    other.cookies.forget((name) => name.includes("_browser_"));
    const ofBrowser = await at.open({}, { agent: other });
    const own = await at.open();
    const grants = await rows("grants");
    for (const foreign of [ofScope, ofBrowser]) {
      expect(proofIn(foreign)).not.toBe("");
      const answer = await at.submit(own, "continue-form", { proof: proofIn(foreign) });
      expect(answer.step).toBe("continue");
    }
    await beginWith("carol.test");
    const page = await at.open();
    const both = [...page.html.matchAll(/name="proof" value="([^"]*)"/g)].map(([, proof]) => proof);
    expect(new Set(both).size).toBe(2);
    const before = await rows("grants");
    expect(before).toBe(grants + 1);
    const answer = await at.submit(page, "continue-form", { proof: both[1] ?? "" });
    expect([answer.step, await rows("grants")]).toEqual(["continue", before]);
  });

  test("a session that was signed out and begun again since", async () => {
    const page = await at.open();
    await at.submit(page, "sign-out-form");
    await at.signIn();
    expect((await go(page)).step).toBe("continue");
  });
});

describe("between the click and the commit,", () => {
  async function whileHeld(other: () => Promise<unknown>) {
    const page = await at.open();
    const { reached, release } = statements.hold("AS usable FROM sessions");
    const done = go(page);
    await reached;
    await other();
    release();
    return done;
  }
  const grantsOfOwner = async () =>
    at.store.grants.grantsOf(await at.accountId(), systemClock.seconds());
  const access = () => createAccountAccess({ ...at.store, clock: systemClock });

  test("the session is ended elsewhere: no code, and nothing is left", async () => {
    const before = (await grantsOfOwner()).length;
    const done = await whileHeld(async () =>
      access().signOutEverywhere(await at.accountId(), "elsewhere"),
    );
    expect(codeOf(done)).toBeNull();
    expect((await grantsOfOwner()).length).toBeLessThanOrEqual(before);
  });

  test("the consent is revoked: the person is asked again", async () => {
    const done = await whileHeld(async () =>
      access().revokeApps(await at.accountId(), at.client.id),
    );
    expect(done.step).toBe("consent");
    expect(await grantsOfOwner()).toEqual([]);
  });

  test("the account is put to sleep: no code that is worth anything", async () => {
    const later = systemClock.seconds() + 10;
    const id = await at.accountId();
    const done = await whileHeld(() => at.store.accounts.putToSleep(id, later, later));
    expect((await redeemed(at, at.client, done)).status).toBe(400);
  });
});

test.each([
  ["prompt=consent", { prompt: "consent" }, "consent"],
  ["prompt=login", { prompt: "login" }, "domain"],
  ["a scope that is new", { scope: "openid profile" }, "consent"],
] as const)("%s still has its page", async (_, parameters, step) => {
  const page = await at.open(parameters);
  const answer = page.step === "continue" ? await go(page) : page;
  expect(answer.step).toBe(step);
});

test("the ids of two grants tell nothing of a third", async () => {
  const ids = new Set<string>();
  for (let count = 0; count < 4; count++) {
    await go(await at.open());
    at.advance(1);
    for (const { id } of await at.store.grants.grantsOf(
      await at.accountId(),
      systemClock.seconds(),
    ))
      ids.add(id);
  }
  const tails = Array.from(ids, (id) => id.slice(12));
  expect(new Set(tails).size).toBe(tails.length);
  for (const tail of tails) expect(tail).toMatch(/^[0-9a-f]{20}$/);
});
