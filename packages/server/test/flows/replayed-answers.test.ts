// One resolver of three replays older answers that are still validly signed, or says that all is bogus.

import { createUserAgent, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { describe, expect, test } from "vitest";
import { accountsOf, silently, zoneBecomes } from "../support/assured-accounts.ts";
import { startAssuredService } from "../support/assured-service.ts";
import { flow, hasCode } from "../support/flow.ts";
import { type Lie, noSuchName, says, servfail, textOf } from "../support/lying-resolvers.ts";
import { withoutTimeouts } from "../support/moving-time.ts";
import { redeemed, refresh } from "../support/sign-in.ts";

const DAY = 86_400;
const DOMAIN = "alice.test";
const RECORD = `_domain-signin.${DOMAIN}`;
const each = [0, 1, 2] as const;

const world = flow({
  ...{ start: () => startAssuredService("corroborated"), service: "test", domain: DOMAIN },
});
withoutTimeouts();

type Person = Awaited<ReturnType<typeof person>>;

/** Somebody who has an account and tokens, made with the record that the zone now contains. */
async function person(domain = DOMAIN) {
  const agent = createUserAgent();
  return { agent, ...(await world.tokens({ agent, domain })) };
}

/** What the zone says to whom nobody lies is noticed: a session is used, and the account follows. */
async function isNoticed({ agent }: Person): Promise<void> {
  world.advance(301);
  await silently(world, agent);
}

/** From now on this resolver alone tells lies. */
function lieAt(index: number | null, ...lies: readonly Lie[]): void {
  for (const [at, one] of world.resolvers.entries()) one.lie(...(at === index ? lies : []));
}

function saysText(acct: string): Lie {
  const name = "_domain-signin.carol.test";
  return says(name, textOf(name, `v=dsi1 sp=https://sp.example.org acct=${acct.repeat(22)}`));
}

/** Types the domain, in a browser that may be signed in; publishes nothing. */
async function typed(agent: UserAgent): Promise<string> {
  const page = await world.begin({ agent });
  if (!hasCode(page)) return String(page.step);
  const { body } = await redeemed(world, world.client, page);
  const attested = body.validation_data === undefined ? "no attestation" : "an attestation";
  return `a code, ${await subOf(String(body.access_token))}, ${attested}`;
}

/** The status of the tokens' use: 200, or 401 for tokens of an account that sleeps. */
async function subOf(access_token: string): Promise<string> {
  const response = await world.userinfo(access_token);
  if (response.status !== 200) return String(response.status);
  return ((await response.json()) as { sub: string }).sub;
}

const refreshed = async ({ refresh_token }: Person) =>
  (await world.token(refresh(refresh_token), world.client)).status;

/** What the zone contains after the former owner, the accounts then, and what a stranger sees who types it. */
const HANDOVERS: readonly {
  how: string;
  record?: string;
  isResold?: boolean;
  settled?: readonly string[];
  stranger: string;
}[] = [
  { how: "sold", isResold: true, settled: ["asleep", "awake"], stranger: "dns-challenge" },
  { how: "disabled with sp=none", record: "v=dsi1 sp=none", stranger: "domain" },
  { how: "without its record", stranger: "dns-setup" },
];

describe.each(HANDOVERS)(
  "a domain that is $how",
  ({ record = null, isResold = false, settled = ["asleep"], stranger }) => {
    async function handOver(sharesInception: boolean) {
      // Some signers sign once a week, with the same inception for all that changes in between.
      if (sharesInception) world.signAt(Math.floor(Date.now() / 1000));
      const former = await person();
      const past = world.replay();
      world.advance(2 * DAY);
      zoneBecomes(world, RECORD, record);
      const owner = isResold ? await person() : null;
      await isNoticed(former);
      expect(await accountsOf(world)).toEqual(settled);
      return { former, owner, past };
    }

    test.each([
      [0, false],
      [1, false],
      [2, false],
      [0, true],
      [1, true],
      [2, true],
    ])(
      "is not given back by what resolver %i replays (same inception: %s)",
      async (index, shares) => {
        const { former, owner, past } = await handOver(shares);
        const ownersSub = owner && (await subOf(owner.access_token));
        lieAt(index, past);
        world.advance(61);
        // A stranger types the domain, and that alone may change nothing.
        const entered = await world.enter(createUserAgent(), DOMAIN);
        const found = {
          stranger: entered.step,
          former: [await silently(world, former.agent), await typed(former.agent)],
          formersToken: await subOf(former.access_token),
          formersRefresh: (await refreshed(former)) === 200,
          owner: owner && (await subOf(owner.access_token)),
          accounts: await accountsOf(world),
        };
        expect(found).toEqual({
          stranger,
          former: ["login_required", stranger],
          formersToken: "401",
          formersRefresh: false,
          owner: ownersSub,
          accounts: settled,
        });
      },
    );

    test("stays so at the weekly check, and at the refresh of a token, while resolver 0 replays", async () => {
      const { former, owner, past } = await handOver(false);
      lieAt(0, past);
      world.advance(7 * DAY);
      await world.walk();
      expect(await accountsOf(world)).toEqual(settled);
      expect((await refreshed(former)) === 200).toBe(false);
      if (owner) expect(await refreshed(owner)).toBe(200);
      expect(await accountsOf(world)).toEqual(settled);
    });
  },
);

describe("an owner whose account is in use", () => {
  const external = `v=dsi1 sp=https://sp.example.org acct=${"x".repeat(22)}`;

  test.each([
    ["a proven absence", null],
    ["sp=none", "v=dsi1 sp=none"],
    ["another SP", external],
  ])("goes on though resolver 0 replays %s", async (_, before) => {
    zoneBecomes(world, RECORD, before);
    const past = world.replay();
    world.advance(DAY);
    zoneBecomes(world, RECORD, null);
    const owner = await person();
    lieAt(0, past);
    world.advance(301);
    const stranger = await world.enter(createUserAgent(), DOMAIN);
    expect(stranger.step).toBe("dns-challenge");
    expect(await silently(world, owner.agent)).toBe("code");
    expect(await accountsOf(world)).toEqual(["awake"]);
    world.advance(7 * DAY);
    await world.walk();
    expect(await refreshed(owner)).toBe(200);
    expect(await accountsOf(world)).toEqual(["awake"]);
  });

  test("is not authenticated by a challenge record that resolver 0 replays", async () => {
    const { agent } = await person();
    const challenge = await world.enter(agent, DOMAIN);
    expect(challenge.step).toBe("dns-challenge");
    const before = [...world.zone.records()];
    world.publish(challenge);
    const past = world.replay();
    for (const record of world.zone.records()) {
      if (!before.includes(record)) world.zone.remove(record);
    }
    lieAt(0, past);
    world.advance(10);
    expect((await world.check(agent, challenge)).step).toBe("dns-challenge");
  });

  test.each([
    ["an unsigned zone", "carol.test"],
    ["a signed zone", DOMAIN],
  ])("of %s goes on though one resolver says bogus", async (_, domain) => {
    const owner = await person(domain);
    for (const index of each) {
      lieAt(index, servfail(6));
      world.advance(301);
      expect(await silently(world, owner.agent)).toBe("code");
    }
    expect(await accountsOf(world)).toEqual(["awake"]);
  });

  test("keeps it while two resolvers say NXDOMAIN without proof, and no stranger sees a set-up", async () => {
    const owner = await person();
    for (const proves of each) {
      for (const [index, one] of world.resolvers.entries()) {
        one.lie(...(index === proves ? [] : [noSuchName(RECORD)]));
      }
      world.advance(301);
      expect((await world.enter(createUserAgent(), DOMAIN)).step).toBe("domain");
      expect(await silently(world, owner.agent)).toBe("temporarily_unavailable");
      await world.walk();
      expect(await accountsOf(world)).toEqual(["awake"]);
    }
    lieAt(null);
    expect(await silently(world, owner.agent)).toBe("code");
  });

  test.each<[string, readonly [readonly Lie[], readonly Lie[], readonly Lie[]]]>([
    ["contradictory", [[saysText("b")], [saysText("c")], [saysText("d")]]],
    ["bogus", [[servfail(6)], [servfail(6)], [servfail(6)]]],
    ["unavailable", [[servfail()], [servfail()], [servfail()]]],
    ["unconfirmed", [[servfail()], [servfail()], []]],
  ])("gets temporarily_unavailable with prompt=none if DNS is %s", async (outcome, lies) => {
    const owner = await person("carol.test");
    world.advance(301);
    for (const [index, one] of world.resolvers.entries()) one.lie(...(lies[index] ?? []));
    world.events.length = 0;
    expect(await silently(world, owner.agent)).toBe("temporarily_unavailable");
    expect(await accountsOf(world)).toEqual(["awake"]);
    const bogus = world.events.filter((event) => event.startsWith("bogus "));
    expect(bogus.length > 0).toBe(outcome === "bogus");
  });
});
