// External SPs whose person is not the account that the record names, and records that change meanwhile.

import type { Page, UserAgent } from "domain-signin-demo/browser/user-agent";
import { describe, expect, test } from "vitest";
import {
  type BentSp,
  isSaltedAcct,
  type Json,
  provingDomains,
  SP_SUB,
} from "../../support/bent-sp.ts";
import { codeOf, federation, recordOf, textOf } from "../../support/federated.ts";
import { claimsOf } from "../../support/flow.ts";

const world = federation();

const ACCT = "k".repeat(22);

/** A domain whose record names this acct at the SP. */
function domainWith(sp: BentSp, acct: (domain: string) => string = () => ACCT): string {
  const domain = world.newDomain();
  world.publish(domain, recordOf(sp.issuer, acct(domain)));
  return domain;
}

/** An SP that proves domains and makes these claims of the right ones, and a domain whose record names it. */
async function provingSp(claims: (right: Json) => Json) {
  const sp = await world.sp({ metadata: provingDomains });
  const domain = domainWith(sp);
  sp.bends.claims = (right) => claims({ ...right, domain, acct: ACCT });
  return { sp, domain };
}

/** The acct that a refusal tells, by which its reader could publish a record. */
const toldAcct = (page: Page) => /acct=([\w-]{64}),/.exec(textOf(page))?.[1] ?? "";

const subOf = async (domain: string) =>
  claimsOf((await world.tokensOf(await world.visit(domain))).id_token).sub;

describe("whoever signs in at the SP as another account is refused, and told which account it was:", () => {
  test.each<[string, (sub: string) => string]>([
    ["somebody else", () => "mallory"],
    ["a sub in capital letters", (sub) => sub.toUpperCase()],
    ["a sub with a space at its end", (sub) => `${sub} `],
    ["a sub that is written with other code points", (sub) => sub.replace("a", "\u0430")],
    ["a sub that reaches into the domain", (sub) => `${sub}\n`],
    ["the domain as sub", () => "alice.test"],
  ])("%s", async (_, change) => {
    const sub = change(SP_SUB);
    const { sp, domain, page } = await world.expectRefused(
      { claims: (right) => ({ ...right, sub }) },
      /acct=/,
    );
    expect(isSaltedAcct(toldAcct(page), sp.issuer, sub, domain)).toBe(true);
  });

  test("who publishes the acct that the page tells gets in, and nobody else does", async () => {
    const { sp, domain, page } = await world.expectRefused(
      { claims: (right) => ({ ...right, sub: "1001" }) },
      /acct=/,
    );
    world.publish(domain, recordOf(sp.issuer, toldAcct(page)));
    world.advance(600);
    expect(codeOf(await world.visit(domain))).toMatch(/^dsc_/);
    sp.bends.claims = (right) => ({ ...right, sub: "1002" });
    world.expectRefusal(await world.visit(domain), { sp, says: /acct=/ });
  });

  test.each<[string, (sp: BentSp, domain: string) => string]>([
    ["of another domain", (sp) => sp.acct("bob.test")],
    ["of another issuer", ({ acct }, domain) => acct(`${domain}x`)],
    ["as the sub itself", () => "alice-at-the-sp-0123456789"],
  ])("a record with the acct %s", async (_, acct) => {
    const sp = await world.sp();
    const domain = domainWith(sp, (of) => acct(sp, of));
    world.expectRefusal(await world.visit(domain), { sp, says: /acct=/ });
  });
});

describe("claims about a domain count only from an SP that declares to prove domains:", () => {
  test("with domain_signin_version 1 they do", async () => {
    const { domain } = await provingSp((right) => right);
    expect(codeOf(await world.visit(domain))).toMatch(/^dsc_/);
  });

  test.each<[string, unknown]>([
    ["no version", undefined],
    ["version 0", 0],
    ["version 2", 2],
    ["version -1", -1],
  ])("with %s they are nothing, and the account is told by its hash", async (_, version) => {
    const metadata = (right: Json) => ({
      ...right,
      ...(version !== undefined && { domain_signin_version: version }),
    });
    const sp = await world.sp({ metadata });
    const domain = domainWith(sp);
    sp.bends.claims = (right) => ({ ...right, domain, acct: ACCT });
    world.expectRefusal(await world.visit(domain), { sp, says: /acct=/ });
  });

  test.each<[string, (right: Json) => Json]>([
    ["another domain", (right) => ({ ...right, domain: "bob.test" })],
    [
      "the domain in capital letters",
      (right) => ({ ...right, domain: String(right.domain).toUpperCase() }),
    ],
    ["the domain with a dot at its end", (right) => ({ ...right, domain: `${right.domain}.` })],
    ["a domain above it", (right) => ({ ...right, domain: "alice.test" })],
    ["a domain in a list", (right) => ({ ...right, domain: [right.domain] })],
    ["no domain", ({ domain: _, ...rest }) => rest],
    ["another acct", (right) => ({ ...right, acct: "m".repeat(22) })],
    ["an acct that only begins like it", (right) => ({ ...right, acct: `${right.acct}k` })],
    ["an acct in capital letters", (right) => ({ ...right, acct: ACCT.toUpperCase() })],
    ["no acct", ({ acct: _, ...rest }) => rest],
    ["an acct that is null", (right) => ({ ...right, acct: null })],
    ["an acct in a list", (right) => ({ ...right, acct: [right.acct] })],
  ])("of an SP that declares it, %s is refused", async (_, change) => {
    const { sp, domain } = await provingSp(change);
    world.expectRefusal(await world.visit(domain), { sp, says: /ID token/ });
  });

  test("whoever signed in there as another domain is told to sign in as this one", async () => {
    const { sp, domain } = await provingSp((right) => ({ ...right, domain: "bob.test" }));
    const done = await world.visit(domain);
    world.expectRefusal(done, { sp, says: /as a different domain, not as/ });
    expect(textOf(done.page)).toContain(`Sign in there as ${domain}, then try again.`);
    expect(textOf(done.page)).not.toMatch(/name the account that you used/);
  });

  test("of an SP that declares it, the hash of issuer and sub is nothing", async () => {
    const sp = await world.sp({ metadata: provingDomains });
    const domain = world.domainAt(sp);
    world.expectRefusal(await world.visit(domain), { sp, says: /ID token/ });
  });
});

test("the same acct at another SP is another account, and the former one sleeps", async () => {
  const [one, two] = [
    await world.sp({ metadata: provingDomains }),
    await world.sp({ metadata: provingDomains }),
  ];
  const domain = domainWith(one);
  for (const { bends } of [one, two]) bends.claims = (right) => ({ ...right, domain, acct: ACCT });
  const former = await subOf(domain);
  world.publish(domain, recordOf(two.issuer, ACCT));
  world.advance(600);
  const later = await subOf(domain);
  expect(later).not.toBe(former);
  const account = await world.test.store.accounts.findAccount(domain, {
    sp: one.issuer,
    acct: ACCT,
  });
  expect(account).toMatchObject({ id: former, asleepSince: expect.any(Number) });
  // Who has the former record back has the former account back.
  world.publish(domain, recordOf(one.issuer, ACCT));
  world.advance(600);
  expect(await subOf(domain)).toBe(former);
});

describe("a record that changes while its owner is at the SP signs nobody in:", () => {
  const ownRecord = (sp: BentSp, domain: string) => recordOf(sp.issuer, sp.acct(domain));
  test.each<[string, (sp: BentSp, domain: string) => string[]]>([
    ["to another SP", (sp, domain) => [recordOf("https://sp.example", sp.acct(domain))]],
    ["to another acct", (sp) => [recordOf(sp.issuer, "m".repeat(22))]],
    ["to nothing", () => []],
    ["to sp=none", () => ["v=dsi1 sp=none"]],
    ["to our own issuer", () => [recordOf(world.test.issuer, ACCT)]],
    ["to two records", (...of) => [ownRecord(...of), recordOf(of[0].issuer, ACCT)]],
    ["to a record that cannot be read", () => ["v=dsi1 sp=?"]],
    ["to another version", (...of) => [ownRecord(...of).replace("dsi1", "dsi2")]],
  ])("%s", async (_, records) => {
    const sp = await world.sp();
    const domain = world.domainAt(sp);
    sp.bends.callback = (to) => {
      world.publish(domain, ...records(sp, domain));
      return to;
    };
    const before = await world.traces();
    const done = await world.visit(domain);
    world.expectRefusal(done, { sp });
    expect(await world.traces()).toEqual(before);
    // From the start: what the record says now is what counts.
    expect(done.page.link("try-again")).toContain("/oauth/authorize?");
  });

  test("unless it is put back before its owner is", async () => {
    const sp = await world.sp();
    const domain = world.domainAt(sp);
    sp.bends.callback = (to) => {
      world.publish(domain);
      world.publish(domain, ownRecord(sp, domain));
      return to;
    };
    expect(codeOf(await world.visit(domain))).toMatch(/^dsc_/);
  });
});

describe("an SP that sends its people back to our own sign-in, with what it was asked, gets nobody in", () => {
  async function sentBack(agent: UserAgent) {
    const sp = await world.sp();
    const { issuer } = world.test;
    sp.bends.reply = {
      authorize({ url }) {
        url.searchParams.delete("prompt");
        const location = `${issuer}/oauth/authorize${url.search}`;
        return { status: 303, headers: { location } };
      },
    };
    // Whoever is signed in is to be asked for the domain nevertheless.
    const parameters = { prompt: "login" };
    return { sp, ...(await world.visit(world.domainAt(sp), { agent, parameters })) };
  }

  test("and no circle begins: we are no client of our own", async () => {
    const { sp, agent, page } = await sentBack(world.person());
    expect([page.stopped, page.step, page.status]).toEqual([false, "problem", 400]);
    expect(sp.asked("authorize")).toHaveLength(1);
    world.expectNoSession(agent);
  });

  test("though somebody else is signed in here: our answer is not the SP's", async () => {
    const agent = world.person();
    const other = await world.sp();
    codeOf(await world.visit(world.domainAt(other), { agent }));
    const { sp, domain, page } = await sentBack(agent);
    const stopAt = world.client.redirectUri;
    const account = { sp: sp.issuer, acct: sp.acct(domain) };
    const done = await world.goOn({ agent, domain, stopAt }, page);
    expect(done.page.stopped).toBe(false);
    expect(await world.test.store.accounts.findAccount(domain, account)).toBeNull();
    expect(sp.asked("token")).toEqual([]);
  });
});

test("a domain whose record names us as an external SP would, by another spelling, is not sent in a circle", async () => {
  const domain = world.newDomain();
  world.publish(domain, recordOf(`${world.test.issuer}/tenant`, ACCT));
  const { page } = await world.visit(domain);
  expect(page.stopped).toBe(false);
  expect(page.status).toBeGreaterThanOrEqual(400);
});
