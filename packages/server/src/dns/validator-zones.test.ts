// Tests of the zones on the way to a record: for how long they are remembered, and when they are asked for afresh.

import { recordType } from "domain-signin-verify/dns/records";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  dsSet,
  keySet,
  now,
  type Octets,
  type SignatureOptions,
  signedSet,
} from "../../../verify/test/support/signer.ts";
import { leafName, makeWorld } from "../../../verify/test/support/world.ts";
import {
  createScriptedDns,
  recordsOf,
  startChainWorld,
  told,
} from "../../test/support/chain-world.ts";
import { type Chains, createChains } from "./chain.ts";

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

describe("a zone is remembered", () => {
  const root = `${DNSKEY} `;
  const tldKeys = `${DNSKEY} test`;
  const tldDs = `${DS} test`;
  const keys = `${DNSKEY} alice.test`;
  const ds = `${DS} alice.test`;

  let signed: Awaited<ReturnType<typeof makeWorld>>;
  let answer: Octets;
  beforeAll(async () => {
    signed = await makeWorld();
    answer = await signedSet(signed.alice, signed.answer);
  });

  /** What is asked for again so many seconds after the first look, with sets signed like that. */
  async function askedAgainAfter(options: Partial<Record<string, SignatureOptions>>) {
    const dns = createScriptedDns([
      await signedSet(signed.alice, keySet(signed.alice), options[keys]),
      await signedSet(signed.tld, await dsSet(signed.alice), options[ds]),
      await signedSet(signed.tld, keySet(signed.tld), options[tldKeys]),
      await signedSet(signed.root, await dsSet(signed.tld), options[tldDs]),
      await signedSet(signed.root, keySet(signed.root), options[root]),
    ]);
    const clock = { time: now };
    const trustAnchors = signed.request.trustAnchors ?? [];
    const chains = createChains({ query: dns.query, now: () => clock.time, trustAnchors });
    return async (seconds: number) => {
      clock.time = now;
      await chains.prove(leafName, TXT, recordsOf(answer));
      clock.time = now + seconds;
      dns.asked.length = 0;
      const outcome = told(await chains.prove(leafName, TXT, recordsOf(answer)));
      return { outcome, asked: dns.asked.toSorted() };
    };
  }

  const kept = { outcome: "secure", asked: [] };

  it("as long as the TTL of its keys says, of its signature's too, and of what was signed", async () => {
    for (const options of [{ ttl: 60 }, { originalTtl: 60 }]) {
      const after = await askedAgainAfter({ [keys]: options });
      expect(await after(59)).toEqual(kept);
      expect(await after(60)).toEqual({ outcome: "secure", asked: [keys] });
    }
  });

  it("as long as its delegation, whose TTL says", async () => {
    const after = await askedAgainAfter({ [ds]: { ttl: 60 } });
    expect(await after(59)).toEqual(kept);
    expect(await after(60)).toEqual({ outcome: "secure", asked: [ds, keys].sort() });
  });

  it("no longer than the zones above it", async () => {
    const after = await askedAgainAfter({ [tldKeys]: { ttl: 60 } });
    expect(await after(59)).toEqual(kept);
    expect(await after(60)).toEqual({ outcome: "secure", asked: [ds, keys, tldKeys].sort() });
  });

  it("no longer than its signatures, and with a TTL of zero not at all", async () => {
    const after = await askedAgainAfter({ [keys]: { expiration: now + 100 } });
    expect(await after(99)).toEqual(kept);
    // The clocks of others may be slow: such a signature is good for a while, but never remembered.
    expect(await after(100)).toEqual({ outcome: "secure", asked: [keys] });
    expect(await after(500)).toEqual({ outcome: "bogus expired", asked: [ds, keys].sort() });
    const never = await askedAgainAfter({ [root]: { ttl: 0 } });
    expect((await never(0)).asked).toEqual([root, tldDs, tldKeys, ds, keys].sort());
  });
});
