// Tests of what chains cost in queries: what is remembered, shared, asked for afresh and never kept.

import { recordType } from "domain-signin-verify/dns/records";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startChainWorld, told } from "../../test/support/chain-world.ts";
import type { Chains } from "./chain.ts";

const { TXT, DS, DNSKEY } = recordType;

let world: Awaited<ReturnType<typeof startChainWorld>>;
let chains: Chains;

beforeAll(async () => {
  const txtAt = (name: string) => ({ name, type: "TXT", value: "v=dsi1" }) as const;
  world = await startChainWorld([
    ...["alice", "bob", "carol"].map((owner) => txtAt(`_x.${owner}.test`)),
    { name: "_x.www.alice.test", type: "CNAME", value: "_x.bob.test" },
  ]);
});
beforeEach(() => {
  world.zones.misbehave(null);
  world.clock.ahead = 0;
  chains = world.newChains();
  world.asked.length = 0;
});
afterAll(() => world.dns.close());

/** The outcome, and the questions that it took. */
async function prove(name: string) {
  const answers = await world.answersFor(name);
  const outcome = told(await chains.prove(name, TXT, answers));
  return { outcome, asked: world.asked.splice(0).sort() };
}

async function delegation(apex: string) {
  const outcome = told(await chains.delegation(apex));
  return { outcome, asked: world.asked.splice(0).sort() };
}

const ofRoot = [`${DNSKEY} `];
const of = (...zones: string[]) => zones.flatMap((zone) => [`${DS} ${zone}`, `${DNSKEY} ${zone}`]);
const secure = (...asked: string[]) => ({ outcome: "secure", asked: asked.sort() });

describe("queries", () => {
  it("are two for each zone, and none for zones that are remembered", async () => {
    expect(await prove("_x.alice.test")).toEqual(secure(...ofRoot, ...of("test", "alice.test")));
    expect(await prove("_x.alice.test")).toEqual(secure());
    expect(await prove("_x.www.alice.test")).toEqual(secure(...of("bob.test")));
    expect(await prove("_x.bob.test")).toEqual(secure());
    expect(await delegation("bob.test")).toEqual({ outcome: "signed", asked: [] });
  });

  it("are one for a delegation below a zone that is remembered", async () => {
    await prove("_x.alice.test");
    const asked = [`${DS} bob.test`];
    expect(await delegation("bob.test")).toEqual({ outcome: "signed", asked });
    expect(await prove("_x.bob.test")).toEqual(secure(`${DNSKEY} bob.test`));
  });

  it("are none for an answer without signatures", async () => {
    expect(await prove("_x.carol.test")).toEqual({ outcome: "unsigned null", asked: [] });
  });

  it("are shared by all who ask meanwhile", async () => {
    const answers = await world.answersFor("_x.alice.test");
    const all = Array.from({ length: 50 }, () => chains.prove("_x.alice.test", TXT, answers));
    expect((await Promise.all(all)).map(told)).toEqual(Array(50).fill("secure"));
    expect(world.asked.sort()).toEqual(secure(...ofRoot, ...of("test", "alice.test")).asked);
  });

  it("are shared by who comes while a zone is still being proven", async () => {
    const answers = await world.answersFor("_x.alice.test");
    let proving: Promise<unknown> | null = null;
    chains = world.newChains(async (name, type) => {
      const answer = await world.query(name, type);
      // The keys of alice.test are there for long, those above them are not.
      if (name !== "alice.test") await new Promise((resolve) => setTimeout(resolve, 30));
      if (name === "") proving ??= chains.prove("_x.alice.test", TXT, answers);
      return answer;
    });
    expect(told(await chains.prove("_x.alice.test", TXT, answers))).toBe("secure");
    expect(await proving).toMatchObject({ outcome: "secure" });
    expect(world.asked.sort()).toEqual(secure(...ofRoot, ...of("test", "alice.test")).asked);
  });
});

describe("what is remembered", () => {
  it("is asked for again after an hour", async () => {
    await prove("_x.alice.test");
    world.clock.ahead = 3590;
    expect(await prove("_x.alice.test")).toEqual(secure());
    world.clock.ahead = 3600;
    expect(await prove("_x.alice.test")).toEqual(secure(...ofRoot, ...of("test", "alice.test")));
  });

  it("of a delegation that is missing is asked for again after a minute", async () => {
    // The zone above has to be proven, as it says that there is none.
    const asked = [`${DS} carol.test`, ...ofRoot, ...of("test")].sort();
    expect(await delegation("carol.test")).toEqual({ outcome: "unsigned", asked });
    world.clock.ahead = 59;
    expect(await delegation("carol.test")).toEqual({ outcome: "unsigned", asked: [] });
    world.clock.ahead = 60;
    const again = [`${DS} carol.test`];
    expect(await delegation("carol.test")).toEqual({ outcome: "unsigned", asked: again });
  });

  it.each(["servfail", "strip", "expired", "swap_keys"] as const)(
    "is never a failure: %s",
    async (how) => {
      for (const zone of ["", "test", "alice.test"]) {
        chains = world.newChains();
        world.zones.misbehave({ how, zone, type: zone === "test" ? DS : DNSKEY });
        expect((await prove("_x.alice.test")).outcome).toMatch(/^(bogus|unavailable)/);
        world.zones.misbehave(null);
        expect((await prove("_x.alice.test")).outcome).toBe("secure");
      }
    },
  );
});

describe("keys that are rolled while they are remembered", () => {
  it("are asked for afresh, and only those", async () => {
    await prove("_x.alice.test");
    world.zones.rollKeys("alice.test");
    expect(await prove("_x.alice.test")).toEqual(secure(...of("alice.test")));
    expect(await prove("_x.alice.test")).toEqual(secure());
  });

  it("of the zone above are asked for when they have signed what is below", async () => {
    await prove("_x.alice.test");
    world.zones.rollKeys("test");
    // What the old keys have signed is remembered with them, and still good.
    expect(await prove("_x.alice.test")).toEqual(secure());
    expect((await prove("_x.bob.test")).outcome).toBe("secure");
    world.zones.rollKeys("alice.test");
    expect((await prove("_x.alice.test")).outcome).toBe("secure");
    expect((await prove("_x.bob.test")).asked).toEqual([]);
  });

  it("of two zones on the way, and of the one above both, give one chain that fits", async () => {
    await prove("_x.www.alice.test");
    world.zones.rollKeys("test");
    world.zones.rollKeys("bob.test");
    expect((await prove("_x.www.alice.test")).outcome).toBe("secure");
    world.zones.rollKeys("test");
    world.zones.rollKeys("bob.test");
    world.zones.rollKeys("alice.test");
    expect((await prove("_x.www.alice.test")).outcome).toBe("secure");
    expect(await prove("_x.www.alice.test")).toEqual(secure());
  });

  it("are met by a zone whose delegation alone was remembered", async () => {
    await delegation("alice.test");
    world.zones.rollKeys("alice.test");
    expect(await prove("_x.alice.test")).toEqual(secure(...of("alice.test")));
  });

  it("make no difference to a forged answer, which costs one more look at its zone", async () => {
    await prove("_x.alice.test");
    world.zones.misbehave({ how: "forge", value: "v=dsi1; acct=mallory" });
    const forged = { outcome: "bogus bad_signature", asked: of("alice.test").sort() };
    expect(await prove("_x.alice.test")).toEqual(forged);
    world.zones.misbehave(null);
    expect(await prove("_x.alice.test")).toEqual(secure());
    expect(await prove("_x.www.alice.test")).toEqual(secure(...of("bob.test")));
  });

  it("and were not, leave what is below them remembered", async () => {
    await prove("_x.alice.test");
    world.zones.misbehave({ how: "expired", zone: "test", type: DS });
    const again = [`${DS} bob.test`, `${DNSKEY} bob.test`, ...of("test")].sort();
    expect(await prove("_x.bob.test")).toEqual({ outcome: "bogus expired", asked: again });
    world.zones.misbehave(null);
    expect(await prove("_x.alice.test")).toEqual(secure());
  });
});
