// Domains without signatures: what one lying resolver of three can do, which is nothing, and what two can.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { describe, expect, test } from "vitest";
import { startAssuredService } from "../support/assured-service.ts";
import { flow, hasCode } from "../support/flow.ts";
import { type Lie, says, textOf } from "../support/lying-resolvers.ts";
import { withoutTimeouts } from "../support/moving-time.ts";
import { publish, refresh, replaceRecord, saveCodes } from "../support/sign-in.ts";

const DAY = 86_400;
const DOMAIN = "carol.test";
const RECORD = `_domain-signin.${DOMAIN}`;
const DISAGREE = /DNS servers disagree about carol\.test/;
const UNCONFIRMED = /We could not confirm the DNS answer for carol\.test/;
const each = [0, 1, 2] as const;

const world = flow({
  ...{ start: () => startAssuredService("corroborated"), service: "test", domain: DOMAIN },
});
/** What the client gets for a refresh token. */
const refreshed = (token: unknown) => world.token(refresh(String(token)), world.client);
withoutTimeouts();

/** Only these resolvers lie. */
function lieAt(indexes: readonly number[], ...lies: readonly Lie[]): void {
  for (const [index, resolver] of world.resolvers.entries()) {
    resolver.lie(...(indexes.includes(index) ? lies : []));
  }
}

/** The record that a page asks for, as a lie: the zone itself has never heard of it. */
function asPublished(page: Page): Lie {
  const name = page.text("dns-name");
  return says(name, textOf(name, page.text("dns-value")));
}

const nothing = says(RECORD);

const zoneIsEmptied = () => replaceRecord(world.zone, RECORD, null);
const reachesApp = (page: Page) => page.stopped && hasCode(page);

describe("an enrolment", () => {
  test("by the word of one resolver of three never is, by that of two it is", async () => {
    const mallory = createUserAgent();
    const page = await world.enter(mallory, DOMAIN);
    expect(page.step).toBe("dns-setup");
    for (const index of each) {
      lieAt([index], asPublished(page));
      const checked = await world.check(mallory, page);
      expect([checked.status, checked.step]).toEqual([200, "dns-setup"]);
      expect((await mallory.open(page.url)).step).toBe("dns-setup");
    }
    expect(world.enrolments()).toEqual([]);
    lieAt([0, 2], asPublished(page));
    expect(reachesApp(await world.check(mallory, page))).toBe(true);
    expect(world.enrolments()).toEqual(["corroborated"]);
  });

  test("by the word of one never is while the others are silent either, and goes on afterwards", async () => {
    const owner = createUserAgent();
    const page = await world.enter(owner, DOMAIN);
    publish(world, page);
    for (const resolver of world.resolvers.slice(1)) resolver.silence(true);
    const checked = await world.check(owner, page);
    expect([checked.status, checked.step]).toEqual([200, "dns-setup"]);
    expect(world.enrolments()).toEqual([]);
    world.resolvers[1].silence(false);
    expect(reachesApp(await world.check(owner, checked))).toBe(true);
  });
});

describe("resolvers that all say something else", () => {
  test("are told as such, with a way back, and nothing is lost", async () => {
    const owner = createUserAgent();
    const setUp = await world.enter(owner, DOMAIN);
    publish(world, setUp);
    const other = `v=dsi1 sp=https://other.example acct=${"o".repeat(22)}`;
    lieAt([1], says(RECORD, textOf(RECORD, other)));
    world.resolvers[2].lie(nothing);
    const page = await world.enter(owner, DOMAIN);
    expect([page.status, page.step]).toEqual([503, "domain"]);
    expect(page.html).toMatch(DISAGREE);
    expect(page.link("back-to-app")).toContain("error=access_denied");
    expect((await world.check(owner, setUp)).step).toBe("dns-setup");
    expect(world.enrolments()).toEqual([]);
    lieAt([]);
    // From the very page that told of it, by the record that was shown before.
    const options = { stopAt: world.client.redirectUri };
    const seen = await owner.submit(page, "domain-form", {}, options);
    expect(reachesApp((await saveCodes(owner, seen, options)).page)).toBe(true);
    expect(world.enrolments()).toEqual(["corroborated"]);
  });

  test("keep a session waiting, and a silent request, and end neither", async () => {
    const owner = await world.enrolled(DOMAIN);
    world.advance(301);
    lieAt([1], nothing);
    world.resolvers[2].silence(true);
    const by = { agent: owner };
    const page = await world.submit(await world.open({}, by), "continue-form", {}, by);
    expect([page.status, page.step]).toEqual([503, "problem"]);
    expect(page.html).toMatch(DISAGREE);
    expect(page.link("back-to-app")).toContain("error=access_denied");
    expect(await world.silently(by)).toBe("temporarily_unavailable");
    lieAt([]);
    world.resolvers[2].silence(false);
    const { agent, steps } = await world.signIn(by);
    expect([agent, steps]).toEqual([owner, ["continue"]]);
  });
});

describe("a challenge", () => {
  async function challenged(owner: UserAgent): Promise<Page> {
    const page = await world.enter(owner, DOMAIN);
    expect(page.step).toBe("dns-challenge");
    return page;
  }

  test("that one resolver of three shows signs nobody in, and one that two show does", async () => {
    const owner = await world.enrolled(DOMAIN);
    const page = await challenged(owner);
    for (const index of each) {
      lieAt([index], asPublished(page));
      const checked = await world.check(owner, page);
      expect([checked.status, checked.step]).toEqual([200, "dns-challenge"]);
    }
    lieAt([1, 2], asPublished(page));
    expect(reachesApp(await world.check(owner, page))).toBe(true);
  });

  test("is no use where only one resolver has the account's record", async () => {
    const owner = await world.enrolled(DOMAIN);
    const page = await challenged(owner);
    publish(world, page);
    lieAt([0, 1], nothing);
    expect((await world.check(owner, page)).step).toBe("dns-challenge");
    lieAt([0], nothing);
    expect(reachesApp(await world.check(owner, page))).toBe(true);
  });
});

describe("an account", () => {
  test("is not put to sleep by one resolver, and is by two", async () => {
    const { refresh_token } = await world.tokens();
    let token = refresh_token;
    for (const index of each) {
      world.advance(DAY + 1);
      lieAt([index], nothing);
      const { status, body } = await refreshed(token);
      expect(status).toBe(200);
      token = String(body.refresh_token);
      const noted = (sql: string) => sql.includes("SET control_checked_at");
      await expect.poll(() => world.statements.splice(0).some(noted)).toBe(true);
      expect(await world.sleeping()).toEqual({ [DOMAIN]: false });
    }
    world.advance(DAY + 1);
    lieAt([0, 1], nothing);
    const last = await refreshed(token);
    expect(last.status).toBe(200);
    await expect.poll(world.sleeping).toEqual({ [DOMAIN]: true });
    const refused = await refreshed(last.body.refresh_token);
    expect([refused.status, refused.body.error]).toEqual([503, "temporarily_unavailable"]);
  });

  test("is not woken by one resolver, and is by two", async () => {
    const { agent } = world;
    const { refresh_token } = await world.tokens();
    const value = world.zone.records().find(({ name }) => name === RECORD)?.value ?? "";
    const old = says(RECORD, textOf(RECORD, value));
    zoneIsEmptied();
    world.advance(3 * DAY + 1);
    expect((await refreshed(refresh_token)).status).toBe(503);
    expect(await world.sleeping()).toEqual({ [DOMAIN]: true });
    world.advance(DAY);
    await world.walk();
    for (const index of each) {
      world.advance(301);
      lieAt([index], old);
      expect((await refreshed(refresh_token)).status).toBe(400);
      expect((await world.enter(agent, DOMAIN)).step).toBe("dns-setup");
      // The others do not even contradict.
      for (const other of world.resolvers) other.silence(!other.text.includes(at(index)));
      const page = await world.enter(agent, DOMAIN);
      expect([page.status, page.step]).toEqual([503, "domain"]);
      expect(page.html).toMatch(UNCONFIRMED);
      for (const other of world.resolvers) other.silence(false);
      expect(await world.sleeping()).toEqual({ [DOMAIN]: true });
    }
    lieAt([0, 2], old);
    world.advance(301);
    expect((await world.enter(agent, DOMAIN)).step).toBe("dns-challenge");
    expect(await world.sleeping()).toEqual({ [DOMAIN]: false });
    expect((await refreshed(refresh_token)).status).toBe(200);
  });

  const at = (index: number) => world.resolvers[index]?.text ?? "";

  test("is refreshed for 72 hours while only one resolver answers, and then waits for a second one", async () => {
    const { refresh_token } = await world.tokens();
    let token = refresh_token;
    for (const resolver of world.resolvers.slice(0, 2)) resolver.silence(true);
    const statuses: number[] = [];
    for (let days = 0; days < 4; days++) {
      world.advance(DAY + 1);
      const { status, body } = await refreshed(token);
      statuses.push(status);
      if (status === 200) token = String(body.refresh_token);
    }
    expect(statuses).toEqual([200, 200, 503, 503]);
    world.resolvers[0].silence(false);
    world.advance(301);
    expect((await refreshed(token)).status).toBe(200);
  });

  test("ends after two corroborated looks a month apart, and not by one resolver's", async () => {
    await world.enrolled(DOMAIN);
    const ended = () => world.events.filter((event) => event.startsWith("ended"));
    const [lying, , silent] = world.resolvers;
    lying.lie(nothing);
    for (const isSilent of [false, true]) {
      silent.silence(isSilent);
      world.advance(31 * DAY);
      await world.walk();
      expect(await world.sleeping()).toEqual({ [DOMAIN]: false });
    }
    silent.silence(false);
    zoneIsEmptied();
    world.advance(7 * DAY);
    await world.walk();
    expect(await world.sleeping()).toEqual({ [DOMAIN]: true });
    world.resolvers[1].silence(true);
    silent.silence(true);
    world.advance(31 * DAY);
    await world.walk();
    expect(ended()).toEqual([]);
    silent.silence(false);
    world.advance(DAY);
    await world.walk();
    expect(ended()).toHaveLength(1);
  });
});
