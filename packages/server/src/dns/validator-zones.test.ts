// Tests of the zones on the way to a record: how long they are remembered, and when they are asked for again.

import { recordType } from "domain-signin-verify/dns/records";
import { verifyChain } from "domain-signin-verify/dnssec/chain";
import { writeRrsets } from "domain-signin-verify/dnssec/rrsets";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  dsSet,
  keySet,
  now,
  type Octets,
  type SignatureOptions,
  signedSet,
} from "../../../verify/test/support/signer.ts";
import { leafName, makeWorld } from "../../../verify/test/support/world.ts";
import { fixture } from "../../test/support/fixture.ts";
import {
  answering,
  createScriptedDns,
  recordsOf,
  startValidatorWorld,
  txtAt,
  verdictOf,
} from "../../test/support/validator-world.ts";
import { clockFrom } from "../lib/clock.ts";
import { createValidator, type Validator } from "./validator.ts";

const { TXT, DS, DNSKEY } = recordType;

const world = fixture(() =>
  startValidatorWorld([
    ...["alice", "bob", "carol"].map((owner) => txtAt(`_x.${owner}.test`)),
    { name: "_x.www.alice.test", type: "CNAME", value: "_x.bob.test" },
  ]),
);
let validator: Validator;
beforeEach(() => {
  world.reset();
  validator = world.newValidator();
});

/** The verdict, and the questions about zones that it took. */
async function validate(name: string) {
  const verdict = verdictOf(await validator.validate(name, TXT));
  return { verdict, asked: askedAboutZones() };
}

async function isInsecure(name: string) {
  const verdict = verdictOf(await validator.isInsecure(name));
  return { verdict, asked: askedAboutZones() };
}

function askedAboutZones(): string[] {
  const asked = world.asked.splice(0).filter((question) => !question.startsWith(`${TXT} `));
  return asked.sort();
}

/** Until then, looks share what they asked about zones. */
const SHARED_S = 3;

const ofRoot = [`${DNSKEY} `];
const of = (...zones: string[]) => zones.flatMap((zone) => [`${DS} ${zone}`, `${DNSKEY} ${zone}`]);
const secure = (...asked: string[]) => ({ verdict: "secure", asked: asked.sort() });
const everything = [...ofRoot, ...of("test", "alice.test")];

describe("questions", () => {
  it("are two for each zone, and none for zones that are remembered", async () => {
    expect(await validate("_x.alice.test")).toEqual(secure(...everything));
    world.clock.ahead = SHARED_S;
    expect(await validate("_x.alice.test")).toEqual(secure());
    expect(await validate("_x.www.alice.test")).toEqual(secure(...of("bob.test")));
    expect(await validate("_x.bob.test")).toEqual(secure());
    expect(await isInsecure("bob.test")).toEqual(secure());
  });

  it("are one for a delegation below a zone that is remembered", async () => {
    await validate("_x.alice.test");
    expect(await isInsecure("bob.test")).toEqual(secure(`${DS} bob.test`));
    expect(await validate("_x.bob.test")).toEqual(secure(`${DNSKEY} bob.test`));
  });

  it("are none for the proof of an absence below a zone that is remembered", async () => {
    await validate("_x.alice.test");
    world.clock.ahead = SHARED_S;
    expect(await validate("nothing.alice.test")).toEqual({ verdict: "secure, absent", asked: [] });
  });

  it("about an insecure zone are not asked below it", async () => {
    const asked = [...ofRoot, ...of("test"), `${DS} carol.test`].sort();
    expect(await validate("_x.a.b.carol.test")).toEqual({ verdict: "insecure carol.test", asked });
  });

  it("are shared by 50 looks at the same time, and so is that for the record", async () => {
    const all = Array.from({ length: 50 }, () => validator.validate("_x.alice.test", TXT));
    expect((await Promise.all(all)).map(verdictOf)).toEqual(Array(50).fill("secure"));
    expect(world.asked.sort()).toEqual([`${TXT} _x.alice.test`, ...everything].sort());
  });

  it("are shared by a look that begins while a zone is being verified", async () => {
    let second: Promise<string> | null = null;
    const validate = async () => verdictOf(await validator.validate("_x.alice.test", TXT));
    validator = world.newValidator(async (name, type) => {
      const answer = await world.query(name, type);
      // The keys of alice.test arrive long before those of the zones above it.
      if (name !== "alice.test") await new Promise((resolve) => setTimeout(resolve, 30));
      if (name === "") second ??= validate();
      return answer;
    });
    expect(await validate()).toBe("secure");
    expect(await second).toBe("secure");
    expect(askedAboutZones()).toEqual(everything.toSorted());
  });

  it("about zones are shared for three seconds, also if the zone is bogus", async () => {
    world.zones.misbehave({ how: "expired", zone: "alice.test", type: DNSKEY });
    const expired = { verdict: "bogus expired", asked: everything.toSorted() };
    expect(await validate("_x.alice.test")).toEqual(expired);
    world.clock.ahead = SHARED_S - 1;
    expect(await validate("_x.alice.test")).toEqual({ ...expired, asked: [] });
    world.clock.ahead = SHARED_S;
    const again = await validate("_x.alice.test");
    expect(again).toEqual(expired);
  });

  it("for a record are asked again by each look that begins later", async () => {
    await validator.validate("_x.alice.test", TXT);
    world.asked.length = 0;
    await validator.validate("_x.alice.test", TXT);
    expect(world.asked).toEqual([`${TXT} _x.alice.test`]);
  });

  it("that failed are asked again at once", async () => {
    for (const type of [DS, DNSKEY, TXT]) {
      validator = world.newValidator();
      world.zones.misbehave({ how: "servfail", type });
      expect((await validate("_x.alice.test")).verdict).toBe("indeterminate servfail");
      world.zones.misbehave(null);
      expect((await validate("_x.alice.test")).verdict).toBe("secure");
    }
  });
});

describe("what is remembered", () => {
  it("is asked for again after an hour", async () => {
    await validate("_x.alice.test");
    world.clock.ahead = 3590;
    expect(await validate("_x.alice.test")).toEqual(secure());
    world.clock.ahead = 3600;
    expect(await validate("_x.alice.test")).toEqual(secure(...everything));
  });

  it("of an insecure zone is asked for again after a minute", async () => {
    // The zone above has to be verified, because it says that there is no delegation.
    const asked = [`${DS} carol.test`, ...ofRoot, ...of("test")].sort();
    expect(await isInsecure("carol.test")).toEqual({ verdict: "insecure", asked });
    world.clock.ahead = 59;
    expect(await isInsecure("carol.test")).toEqual({ verdict: "insecure", asked: [] });
    const verdict = "insecure carol.test";
    expect(await validate("_x.carol.test")).toEqual({ verdict, asked: [] });
    world.clock.ahead = 60;
    const again = [`${DS} carol.test`];
    expect(await isInsecure("carol.test")).toEqual({ verdict: "insecure", asked: again });
  });

  it.each(["servfail", "strip", "expired", "swap_keys"] as const)(
    "is never a failure: %s",
    async (how) => {
      for (const zone of ["", "test", "alice.test"]) {
        validator = world.newValidator();
        world.zones.misbehave({ how, zone, type: zone === "test" ? DS : DNSKEY });
        expect((await validate("_x.alice.test")).verdict).toMatch(/^(bogus|indeterminate)/);
        world.zones.misbehave(null);
        world.clock.ahead += SHARED_S;
        expect((await validate("_x.alice.test")).verdict).toBe("secure");
      }
    },
  );
});

describe("keys that are rolled while they are remembered", () => {
  /** So that looks from now on ask again. */
  function roll(...zones: readonly string[]): void {
    for (const zone of zones) world.zones.rollKeys(zone);
    world.clock.ahead += SHARED_S;
  }

  /** As an app verifies it. */
  async function expectChainThatFits(name: string): Promise<void> {
    const validated = await validator.validate(name, TXT);
    if (validated.security !== "secure") throw new Error(verdictOf(validated));
    const { sets, zoneSets, validatedAt } = validated;
    const chain = writeRrsets([...sets, ...zoneSets]);
    const { trustAnchors } = world;
    const request = { name, type: TXT, now: validatedAt, trustAnchors };
    expect(await verifyChain(chain, request)).toMatchObject({ name: validated.name });
  }

  it("are asked for again, with all keys up to the root, once", async () => {
    await validate("_x.alice.test");
    roll("alice.test");
    expect(await validate("_x.alice.test")).toEqual(secure(...everything));
    expect(await validate("_x.alice.test")).toEqual(secure());
  });

  it("are bogus only as long as looks share what was asked just before", async () => {
    await validate("_x.alice.test");
    world.zones.rollKeys("alice.test");
    world.clock.ahead += SHARED_S - 1;
    expect(await validate("_x.alice.test")).toEqual({ verdict: "bogus no_such_key", asked: [] });
    world.clock.ahead += 1;
    expect(await validate("_x.alice.test")).toEqual(secure(...everything));
  });

  it("of the zone above are asked for when they have signed what is below", async () => {
    await validate("_x.alice.test");
    roll("test");
    // What the old keys signed is remembered with them, and still valid.
    expect(await validate("_x.alice.test")).toEqual(secure());
    expect((await validate("_x.bob.test")).verdict).toBe("secure");
    roll("alice.test");
    expect((await validate("_x.alice.test")).verdict).toBe("secure");
    expect((await validate("_x.bob.test")).asked).toEqual([]);
  });

  it("of two zones on the way, and of the one above both, give one chain that fits", async () => {
    await validate("_x.www.alice.test");
    roll("test", "bob.test");
    expect((await validate("_x.www.alice.test")).verdict).toBe("secure");
    roll("test", "bob.test", "alice.test");
    await expectChainThatFits("_x.www.alice.test");
    world.asked.length = 0;
    expect(await validate("_x.www.alice.test")).toEqual(secure());
  });

  it("of the zone above are the same for two zones that were remembered at different times", async () => {
    await validate("_x.alice.test");
    roll("test");
    await validate("_x.bob.test");
    await expectChainThatFits("_x.www.alice.test");
  });

  it("are found by a zone whose delegation was asked for earlier", async () => {
    await isInsecure("alice.test");
    roll("alice.test");
    expect(await validate("_x.alice.test")).toEqual(secure(...of("alice.test")));
  });

  it("prove the absence of a record as well", async () => {
    await validate("nothing.alice.test");
    roll("alice.test");
    const asked = everything.toSorted();
    expect(await validate("nothing.alice.test")).toEqual({ verdict: "secure, absent", asked });
  });

  it("prove that a zone is insecure as well", async () => {
    await validate("_x.alice.test");
    roll("test");
    expect((await isInsecure("carol.test")).verdict).toBe("insecure");
  });

  it("make no difference to a forged answer, which costs the questions once more", async () => {
    await validate("_x.alice.test");
    world.clock.ahead = SHARED_S;
    world.zones.misbehave({ how: "forge", value: "v=dsi1 acct=mallory" });
    const forged = { verdict: "bogus bad_signature", asked: everything.toSorted() };
    expect(await validate("_x.alice.test")).toEqual(forged);
    expect(await validate("_x.alice.test")).toEqual({ ...forged, asked: [] });
    world.zones.misbehave(null);
    expect(await validate("_x.alice.test")).toEqual(secure());
    expect(await validate("_x.www.alice.test")).toEqual(secure(...of("bob.test")));
  });

  it("leave what is below them remembered if they were not rolled after all", async () => {
    await validate("_x.alice.test");
    world.clock.ahead = SHARED_S;
    world.zones.misbehave({ how: "expired", zone: "test", type: DS });
    const again = [...ofRoot, ...of("test", "bob.test")].sort();
    expect(await validate("_x.bob.test")).toEqual({ verdict: "bogus expired", asked: again });
    world.zones.misbehave(null);
    expect(await validate("_x.alice.test")).toEqual(secure());
  });
});

describe("a zone is remembered", () => {
  const root = `${DNSKEY} `;
  const tldKeys = `${DNSKEY} test`;
  const tldDs = `${DS} test`;
  const keys = `${DNSKEY} alice.test`;
  const ds = `${DS} alice.test`;

  const signed = fixture(makeWorld);
  let answer: Octets;
  beforeAll(async () => {
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
    const { trustAnchors } = signed.request;
    const leaf = { name: leafName, type: TXT };
    const query = answering(dns.query, leaf, recordsOf(answer));
    const validator = createValidator({
      query,
      clock: clockFrom(() => clock.time * 1000),
      trustAnchors,
    });
    return async (seconds: number) => {
      clock.time = now;
      await validator.validate(leafName, TXT);
      clock.time = now + seconds;
      dns.asked.length = 0;
      const verdict = verdictOf(await validator.validate(leafName, TXT));
      return { verdict, asked: dns.asked.toSorted() };
    };
  }

  const kept = { verdict: "secure", asked: [] };

  it("as long as the TTL of its keys, of their signature and the signed TTL allow", async () => {
    for (const options of [{ ttl: 60 }, { originalTtl: 60 }]) {
      const after = await askedAgainAfter({ [keys]: options });
      expect(await after(59)).toEqual(kept);
      expect(await after(60)).toEqual({ verdict: "secure", asked: [ds, keys].sort() });
    }
  });

  it("as long as the TTL of its delegation allows", async () => {
    const after = await askedAgainAfter({ [ds]: { ttl: 60 } });
    expect(await after(59)).toEqual(kept);
    expect(await after(60)).toEqual({ verdict: "secure", asked: [ds, keys].sort() });
  });

  it("no longer than the zones above it", async () => {
    const after = await askedAgainAfter({ [tldKeys]: { ttl: 60 } });
    expect(await after(59)).toEqual(kept);
    const asked = [ds, keys, tldDs, tldKeys].sort();
    expect(await after(60)).toEqual({ verdict: "secure", asked });
  });

  it("no longer than its signatures, and with a TTL of zero not at all", async () => {
    const after = await askedAgainAfter({ [keys]: { expiration: now + 100 } });
    expect(await after(99)).toEqual(kept);
    // Clocks may differ: such a signature is valid for a while longer, but never remembered.
    expect(await after(100)).toEqual({ verdict: "secure", asked: [ds, keys].sort() });
    const all = [root, tldDs, tldKeys, ds, keys].sort();
    expect(await after(500)).toEqual({ verdict: "bogus expired", asked: all });
    const never = await askedAgainAfter({ [root]: { ttl: 0 } });
    expect((await never(SHARED_S)).asked).toEqual(all);
  });
});
