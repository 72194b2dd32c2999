// Domains with signatures: two resolvers must agree, and neither lies nor faults let anybody in.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import type { Misbehaviour } from "domain-signin-demo/zones/zone-misbehaviour";
import { afterEach, describe, expect, test } from "vitest";
import type { Assurance } from "../../src/dns/assurance.ts";
import { type AssuredService, startAssuredService } from "../support/assured-service.ts";
import { recordIn } from "../support/flow.ts";
import {
  aliasOf,
  cut,
  goneUnsigned,
  type Lie,
  madeUpSignature,
  says,
  textOf,
  withoutDs,
  withoutSignatures,
} from "../support/lying-resolvers.ts";
import { withoutTimeouts } from "../support/moving-time.ts";
import { authorizationUrl, publish, refresh, signInForTokens } from "../support/sign-in.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const DOMAIN = "alice.test";
const RECORD = `_domain-signin.${DOMAIN}`;
const ELSEWHERE = "_domain-signin.carol.test";
const BOGUS = /DNSSEC validation failed for alice\.test/;
const TOO_LARGE = /The DNS answers for alice\.test are too large to check/;
const WAS_SIGNED = /alice\.test is no longer signed with DNSSEC/;
const CONTRADICTORY = /DNS servers disagree about alice\.test/;
const UNSIGNED = /accepts only domains whose DNS is signed/;
const types = { TXT: 16, DS: 43, DNSKEY: 48 } as const;

let world: AssuredService;
afterEach(() => world.close());
withoutTimeouts();

async function start(minAssurance: Assurance): Promise<AssuredService> {
  world = await startAssuredService(minAssurance);
  return world;
}

function everybody(...lies: readonly Lie[]): void {
  for (const one of world.resolvers) one.lie(...lies);
}

function reachesApp(page: Page): boolean {
  return page.stopped && page.url.includes("code=dsc_");
}

/** Somebody who enters the domain at a new service, and what they would have it say. */
async function wanted(minAssurance: Assurance) {
  await start(minAssurance);
  const agent = createUserAgent();
  const page = await world.enter(agent, DOMAIN);
  expect(page.step).toBe("dns-setup");
  return { agent, page, value: recordIn(page) };
}

describe("a signed zone", () => {
  test("is believed by the word of two resolvers, and the third is not even asked", async () => {
    await start("secure");
    const agent = await world.enrolled(DOMAIN);
    expect(world.enrolments()).toEqual(["secure"]);
    world.advance(301);
    for (const { asked } of world.resolvers) asked.length = 0;
    world.resolvers[2].silence(true);
    const first = await agent.open(authorizationUrl(world, world.client));
    const stopAt = world.client.redirectUri;
    expect(reachesApp(await agent.submit(first, "continue-form", {}, { stopAt }))).toBe(true);
    expect(world.resolvers.map(({ asked }) => asked.length > 0)).toEqual([true, true, false]);
  });

  test("is not believed by the word of one resolver, and is by two though the third says something else", async () => {
    const { agent: owner, page } = await wanted("corroborated");
    publish(world, page);
    const forged = says(RECORD, textOf(RECORD, "v=dsi1 sp=none"));
    for (const one of world.resolvers.slice(0, 2)) one.lie(forged, withoutDs(DOMAIN));
    // The two that agree come first, and prove nothing.
    expect((await world.check(owner, page)).html).toMatch(CONTRADICTORY);
    expect(world.enrolments()).toEqual([]);
    world.resolvers[0].lie();
    expect(reachesApp(await world.check(owner, page))).toBe(true);
    expect(world.enrolments()).toEqual(["secure"]);
  });

  test.each([0, 1, 2])("counts as such though resolver %i hides its delegation", async (index) => {
    await start("secure");
    world.resolvers[index]?.lie(withoutDs(DOMAIN));
    await world.enrolled(DOMAIN);
    expect(world.enrolments()).toEqual(["secure"]);
  });
});

test("a wildcard TXT record against spoofing is no mistake: the owner sees the set-up page and finishes", async () => {
  await start("secure");
  world.zone.add({ name: "*.alice.test", type: "TXT", value: "v=spf1 -all", ttl: 60 });
  const owner = createUserAgent();
  const page = await world.enter(owner, DOMAIN);
  expect(page.step).toBe("dns-setup");
  expect((await world.check(owner, page)).step).toBe("dns-setup");
  publish(world, page);
  world.advance(4);
  expect(reachesApp(await world.check(owner, page))).toBe(true);
  expect(world.enrolments()).toEqual(["secure"]);
});

describe("where only signed zones may sign in", () => {
  test("an unsigned one is refused in these words before it is asked for a record, and never enrolled", async () => {
    await start("secure");
    const agent = createUserAgent();
    const record = { type: "TXT" as const, ttl: 60, name: "_domain-signin.carol.test" };
    for (const value of [null, `v=dsi1 sp=${world.issuer} acct=${"a".repeat(22)}`]) {
      if (value !== null) world.zone.add({ ...record, value });
      const entered = await world.enter(agent, "carol.test");
      expect([entered.status, entered.step]).toEqual([422, "domain"]);
      expect(entered.html).toMatch(UNSIGNED);
      expect(entered.link("back-to-app")).toContain("error=access_denied");
    }
    expect(world.enrolments()).toEqual([]);
  });
});

describe("a zone whose signatures do not hold is bogus, and nobody is enrolled until they do", () => {
  test.each<Misbehaviour>([
    { how: "strip" },
    { how: "strip", zone: DOMAIN, type: types.TXT },
    { how: "strip", zone: "test", type: types.DS },
    { how: "strip", zone: DOMAIN, type: types.DNSKEY },
    { how: "expired" },
    { how: "not_yet_valid" },
    { how: "swap_keys", zone: DOMAIN },
    { how: "wildcard", type: types.TXT },
    { how: "oversized" },
    { how: "forge", value: "v=dsi1 sp=none" },
  ])("%j", async (misbehaviour) => {
    const { agent, page } = await wanted("corroborated");
    publish(world, page);
    // What the service remembers of the zone is of no use.
    world.zones.rollKeys(DOMAIN);
    world.advance(4);
    world.zones.misbehave(misbehaviour);
    const words = misbehaviour.how === "oversized" ? TOO_LARGE : BOGUS;
    const checked = await world.check(agent, page);
    expect([checked.status, checked.step]).toEqual([200, "dns-setup"]);
    expect(checked.html).toMatch(words);
    if (misbehaviour.how === "expired") expect(checked.html).toContain("Reason: expired");
    const entered = await world.enter(agent, DOMAIN);
    expect([entered.status, entered.step]).toEqual([503, "domain"]);
    expect(entered.html).toMatch(words);
    expect(entered.link("back-to-app")).toContain("error=access_denied");
    expect(world.enrolments()).toEqual([]);
    world.zones.misbehave(null);
    world.advance(4);
    expect(reachesApp(await world.check(agent, page))).toBe(true);
    expect(world.enrolments()).toEqual(["secure"]);
  });
});

/** What all resolvers are told by somebody who stands before the zone's own servers, but not the registry's. */
const text = (value: string) => textOf(RECORD, value);
const signature = (type: number, zone: string) =>
  madeUpSignature({ name: RECORD, type }, zone, Math.floor(Date.now() / 1000));
const atRecord = [cut(DOMAIN, RECORD), withoutDs(RECORD)];
const attacks: [string, (value: string) => readonly Lie[]][] = [
  ["text alone", (value) => [says(RECORD, text(value))]],
  ["a zone that begins at the record", (value) => [says(RECORD, text(value)), ...atRecord]],
  [
    "such a zone that signs",
    (value) => [says(RECORD, text(value), signature(types.TXT, RECORD)), ...atRecord],
  ],
  [
    "a zone that begins at a sibling",
    (value) => [says(RECORD, text(value)), cut(DOMAIN, "carol.test")],
  ],
  ["no zone at all", (value) => [says(RECORD, text(value)), cut(DOMAIN, null)]],
  [
    "an alias with a made up signature beside other text",
    (value) => {
      const alias = [aliasOf(RECORD, ELSEWHERE), signature(5, DOMAIN), textOf(ELSEWHERE, value)];
      return [says(RECORD, text("beside"), ...alias)];
    },
  ],
];

describe("forged on the way from the zone's own servers, so that all resolvers say it, nobody gets in by", () => {
  test.each(attacks)("%s", async (_, lies) => {
    const { agent: mallory, page, value } = await wanted("corroborated");
    for (const one of world.resolvers) one.lie(...lies(value));
    expect((await world.check(mallory, page)).step).toBe("dns-setup");
    expect((await mallory.open(page.url)).step).toBe("dns-setup");
    expect(world.enrolments()).toEqual([]);
  });
});

describe("one resolver that hides a delegation", () => {
  const lies = (value: string) => [says(RECORD, textOf(RECORD, value)), withoutDs(DOMAIN)];

  test("cannot forge where its word is enough, nor can all of them: the zone above must say so", async () => {
    const { agent: mallory, page, value } = await wanted("single");
    world.resolvers[0].lie(...lies(value));
    expect((await world.check(mallory, page)).step).toBe("dns-setup");
    for (const one of world.resolvers) one.lie(...lies(value));
    expect((await world.check(mallory, page)).html).toMatch(BOGUS);
    expect(world.enrolments()).toEqual([]);
  });

  test("cannot with all others either once the zone was seen signed", async () => {
    const { agent: mallory, page, value } = await wanted("single");
    await world.enrolled(DOMAIN);
    for (const one of world.resolvers) one.lie(...lies(value));
    expect((await world.check(mallory, page)).html).toMatch(BOGUS);
    for (const wait of [2 * HOUR, DAY, DAY]) {
      world.advance(wait);
      expect((await world.enter(mallory, DOMAIN)).html).toMatch(BOGUS);
    }
    expect(world.enrolments()).toEqual(["secure"]);
  });

  test.each([0, 1, 2])("cannot where two must agree (%i)", async (index) => {
    const { agent: mallory, page, value } = await wanted("corroborated");
    world.resolvers[index]?.lie(...lies(value));
    expect((await world.check(mallory, page)).step).toBe("dns-setup");
    expect(world.enrolments()).toEqual([]);
  });
});

describe("a zone that was signed and no longer is", () => {
  test("is bogus for a day, loses nobody, and is believed once all resolvers proved it twice", async () => {
    await start("corroborated");
    const owner = createUserAgent();
    const by = { agent: owner, domain: DOMAIN };
    const { refresh_token } = await signInForTokens(world, world.client, by);
    everybody(goneUnsigned(world.zones, DOMAIN));
    // What is remembered of the zone's keys holds for an hour at most.
    world.advance(2 * HOUR);
    const bogusAt = async (page: Page) => {
      expect([page.status, page.step]).toEqual([503, "domain"]);
      expect(page.html).toMatch(WAS_SIGNED);
      expect(page.html).toMatch(/The first check has confirmed it\. We make .* after \d{4}-/);
    };
    const seconds = Math.floor(Date.now() / 1000) + 2 * HOUR + DAY;
    const first = await world.enter(owner, DOMAIN);
    await bogusAt(first);
    const [, day, time] = /after ([-\d]+) ([:\d]+) UTC/.exec(first.html) ?? [];
    // The page shows minutes.
    expect(Math.abs(Date.parse(`${day}T${time}Z`) / 1000 - seconds)).toBeLessThan(120);
    world.advance(DAY - 10);
    await bogusAt(await world.enter(owner, DOMAIN));
    // An insecure delegation is remembered for a minute.
    world.advance(71);
    const [keeper] = world.resolvers;
    keeper.lie(withoutSignatures(types.TXT));
    await bogusAt(await world.enter(owner, DOMAIN));
    const { status, body } = await world.token(refresh(refresh_token), world.client);
    expect(status).toBe(200);
    expect(await world.sleeping()).toEqual({ [DOMAIN]: false });
    keeper.lie(goneUnsigned(world.zones, DOMAIN));
    world.advance(HOUR);
    expect((await world.enter(owner, DOMAIN)).step).toBe("dns-challenge");
    world.advance(DAY);
    const again = await world.token(refresh(String(body.refresh_token)), world.client);
    expect(again.status).toBe(200);
  });

  test("begins its day anew when it is seen signed in between", async () => {
    await start("corroborated");
    const owner = await world.enrolled(DOMAIN);
    everybody(goneUnsigned(world.zones, DOMAIN));
    world.advance(2 * HOUR);
    expect((await world.enter(owner, DOMAIN)).html).toMatch(WAS_SIGNED);
    everybody();
    world.advance(2 * HOUR);
    expect((await world.enter(owner, DOMAIN)).step).toBe("dns-challenge");
    everybody(goneUnsigned(world.zones, DOMAIN));
    for (const wait of [DAY - 2 * HOUR, 2 * HOUR, DAY - 2 * HOUR - 10]) {
      world.advance(wait);
      expect((await world.enter(owner, DOMAIN)).html).toMatch(WAS_SIGNED);
    }
    // The time that is proven may be a second or two behind.
    world.advance(2 * HOUR + 20);
    expect((await world.enter(owner, DOMAIN)).step).toBe("dns-challenge");
  });
});
