// A record is seen in seconds, although a caching resolver remembers absences for up to an hour.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { afterEach, describe, expect, test } from "vitest";
import { hasCode } from "../support/flow.ts";
import { type SeenWorld, startSeenWorld, type WorldOptions } from "../support/record-seen.ts";
import { leaveSessions, publish, signIn } from "../support/sign-in.ts";
import { validatorTests } from "../support/validators.ts";

const TXT = 16;
const REMEMBERED =
  /For up to 3[56]\d\d seconds, other DNS servers can still report that there is no record/;
let world: SeenWorld | undefined;
afterEach(() => world?.close());

async function start(options: WorldOptions = {}): Promise<SeenWorld> {
  world = await startSeenWorld(options);
  return world;
}

/** The questions about TXT records that unbound put to the zones. */
const textsByUnbound = ({ asked }: SeenWorld) =>
  asked.byUnbound.filter((question) => question.startsWith(`${TXT} `));
const recordOf = (page: Page) =>
  ({ name: page.text("dns-name"), type: "TXT", value: page.text("dns-value"), ttl: 300 }) as const;

validatorTests("behind unbound with aggressive NSEC", () => {
  test.each([
    [60, "alice.test"],
    [600, "alice.test"],
    [3600, "alice.test"],
    [3600, "carol.test"],
    [3600, "new.bob.test"],
    [3600, "below.carol.test"],
  ])(
    "with a negative TTL of %i s, the first check after %s publishes its record finds it",
    async (negativeTtl, domain) => {
      const { at, agent, enter, check, asked } = await start({ negativeTtl });
      let page = await enter(domain);
      for (let polls = 1; polls <= 3; polls++) {
        // More than three seconds are between polls, so that no answer is shared.
        at.advance(4);
        page = await agent.open(page.url);
        expect(page.step).toBe("dns-setup");
      }
      expect(asked.directly).toContain(`${TXT} _domain-signin.${domain}`);
      expect(asked.byUnbound).not.toContain(`${TXT} _domain-signin.${domain}`);
      publish(at, page);
      expect(hasCode(await check(page))).toBe(true);
    },
  );

  test.each([
    ["alice.test", true],
    ["ann.alice.test", true],
    ["carol.test", false],
    ["below.carol.test", false],
  ])(
    "whether %s is signed decides if its record lists keys of the service: %s",
    async (domain, isSigned) => {
      const started = await start();
      const { agent, at, enter, asked } = started;
      const page = await enter(domain);
      const keys = isSigned ? " spk=[\\w-]{43},[\\w-]{43}" : "";
      const expected = new RegExp(`^v=dsi1 sp=\\S+ acct=[\\w-]{22}${keys}$`);
      expect(recordOf(page).value).toMatch(expected);
      const again = await agent.submit(page, "start-over-form");
      expect(recordOf(again).value).toMatch(expected);
      expect(recordOf(again).value).not.toBe(recordOf(page).value);
      // Neither the name nor any other below the zone: unbound would remember that it is absent.
      const below = new RegExp(
        `^\\d+ (?:[^ ]+\\.)?(?:_domain-signin\\.${domain}|(?:ann|below)\\.)`,
      );
      expect(asked.byUnbound.filter((question) => below.test(question))).toEqual([]);
      at.advance(4);
      expect(recordOf(await agent.open(again.url)).value).toBe(recordOf(again).value);
    },
  );

  test("an alias into another zone is followed there, and no resolver is asked for its end", async () => {
    const started = await start();
    const { at, enter, check, asked } = started;
    const [name, target] = ["_domain-signin.alice.test", "_domain-signin.alice.carol.test"];
    at.zone.add({ name, type: "CNAME", value: target, ttl: 300 });
    const page = await enter("alice.test");
    expect(page.step).toBe("dns-setup");
    expect(asked.directly).toContain(`${TXT} ${target}`);
    expect(textsByUnbound(started)).toEqual([]);
    at.zone.add({ ...recordOf(page), name: target });
    expect(hasCode(await check(page))).toBe(true);
  });

  test("an alias to a web host is named on the set-up page, and the record replaces it", async () => {
    const started = await start();
    const { at, enter, check } = started;
    const name = "_domain-signin.alice.test";
    at.zone.add({ name, type: "CNAME", value: "www.alice.test", ttl: 300 });
    const page = await enter("alice.test");
    expect(page.step).toBe("dns-setup");
    expect(page.html).toMatch(/is an alias of a name that is not meant for sign-in/);
    expect(textsByUnbound(started)).toEqual([]);
    publish(at, page);
    expect(hasCode(await check(page))).toBe(true);
  });

  test.each(["alice.test", "carol.test"])("a challenge of %s is seen at once", async (domain) => {
    const { at, client, agent, enter, check, asked } = await start();
    await signIn(at, client, { agent, domain });
    leaveSessions(agent, at.issuer);
    const page = await enter(domain);
    expect(page.step).toBe("dns-challenge");
    expect(asked.byUnbound).not.toContain(`${TXT} _domain-signin-challenge.${domain}`);
    publish(at, page);
    expect(hasCode(await check(page))).toBe(true);
  });

  test("polls of one domain share the questions of three seconds", async () => {
    const { at, agent, enter, asked } = await start();
    const page = await enter("alice.test");
    asked.directly.length = 0;
    const poll = () => Promise.all([1, 2, 3].map(() => agent.open(page.url)));
    await poll();
    expect(asked.directly).toEqual([]);
    at.advance(4);
    await poll();
    const own = `${TXT} _domain-signin.alice.test`;
    expect(asked.directly.filter((question) => question === own)).toHaveLength(1);
  });

  describe("if the name servers", () => {
    test("are not used, the resolver remembers the absence", async () => {
      const { at, enter, check, asked } = await start({ zoneNameServers: "off" });
      const page = await enter("alice.test");
      publish(at, page);
      expect((await check(page)).step).toBe("dns-setup");
      expect(asked.directly).toEqual([]);
    });

    test("do not answer with authority, the page says how long the absence may be remembered", async () => {
      const change: WorldOptions["change"] = (answer) => ({ ...answer, authoritative: false });
      const { at, enter, check } = await start({ change });
      const page = await enter("carol.test");
      publish(at, page);
      const { step, html } = await check(page);
      expect(step).toBe("dns-setup");
      expect(html).toMatch(REMEMBERED);
    });

    test("lie that there is a record, nobody is signed in", async () => {
      const { at, enter, check, asked } = await start({ ownRecords: true });
      const page = await enter("alice.test");
      at.ownRecords.push(recordOf(page));
      const after = await check(page);
      expect([after.step, after.status]).toEqual(["dns-setup", 200]);
      expect(asked.byUnbound).toContain(`${TXT} _domain-signin.alice.test`);
      expect(at.events.filter((event) => event.startsWith("enrolled "))).toEqual([]);
    });

    test("lie that a challenge is there, nobody is signed in", async () => {
      const { at, client, agent, enter, check, asked } = await start({ ownRecords: true });
      publish(at, await enter("carol.test"));
      at.ownRecords.push(...at.zone.records());
      await signIn(at, client, { agent, domain: "carol.test" });
      leaveSessions(agent, at.issuer);
      const page = await enter("carol.test");
      expect(page.step).toBe("dns-challenge");
      at.ownRecords.push(recordOf(page));
      expect((await check(page)).step).toBe("dns-challenge");
      expect(asked.byUnbound).toContain(`${TXT} _domain-signin-challenge.carol.test`);
    });
  });

  test("where only signed zones may sign in, an unsigned one is refused before it publishes", async () => {
    const started = await start({ minAssurance: "secure" });
    const { enter } = started;
    const refused = await enter("carol.test");
    expect([refused.status, refused.step]).toEqual([422, "domain"]);
    expect(refused.html).toMatch(/accepts only domains whose DNS is signed/);
    expect((await enter("alice.test")).step).toBe("dns-setup");
    expect(textsByUnbound(started)).toEqual([]);
  });

  test.each([
    ["v=dsi1 sp=none", 422, /disabled|does not allow|turned off/i],
    ["v=dsi1 sp=", 422, /record/],
    ["v=dsi2; sp=https://a.example", 422, /record/],
  ])("a record %s at the zone is read by the resolvers", async (value, status, words) => {
    const { at, enter, asked } = await start();
    at.zone.add({ name: "_domain-signin.alice.test", type: "TXT", value, ttl: 300 });
    const page = await enter("alice.test");
    expect([page.status, page.step]).toEqual([status, "domain"]);
    expect(page.html).toMatch(words);
    expect(asked.byUnbound).toContain(`${TXT} _domain-signin.alice.test`);
  });
});
