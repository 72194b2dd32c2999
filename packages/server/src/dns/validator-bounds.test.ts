// Tests of what hostile answers cost: queries and signature checks, both bounded. The time is in
// `test/timed/hostile-input.test.ts`.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  anchorText,
  collidingKey,
  join,
  keySet,
  makeKey,
  makeZone,
  now,
  type Octets,
  octets,
  record,
  signatureRecord,
  signedSet,
  txt,
  upwards,
  wireName,
  type Zone,
} from "../../../verify/test/support/signer.ts";
import { leafName, makeWorld } from "../../../verify/test/support/world.ts";
import { serverAt } from "../../test/support/dns-server.ts";
import { fixture } from "../../test/support/fixture.ts";
import { passingTime } from "../../test/support/moving-time.ts";
import {
  answering,
  createScriptedDns,
  type Query,
  recordsOf,
  verdictOf,
} from "../../test/support/validator-world.ts";
import { clockFrom } from "../lib/clock.ts";
import { createResolver } from "./resolver.ts";
import { createValidator } from "./validator.ts";

const { TXT, CNAME, DNSKEY } = recordType;

/** For one proof. A second proof is attempted if the first one used what was remembered. */
const maxChecks = 24;

const world = fixture(makeWorld);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function validatorOf(query: Query, trustAnchors = world.request.trustAnchors ?? []) {
  return createValidator({ query, clock: clockFrom(() => now * 1000), trustAnchors });
}

/** So many signatures by the zone, each with another end. */
const signatures = (count: number, ...[zone, set, options]: Parameters<typeof signatureRecord>) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      signatureRecord(zone, set, { expiration: now + 1000 + index, ...options }),
    ),
  );
const goodAnswer = () => signedSet(world.alice, world.answer);

/** The verdict on an answer for the leaf, and what it cost besides that answer. */
async function validate(
  answer: Octets,
  zones: readonly Octets[],
  { name = leafName, root = world.root } = {},
) {
  const dns = createScriptedDns(zones);
  const verify = vi.spyOn(crypto.subtle, "verify");
  const trustAnchors = [parseTrustAnchor(await anchorText(root))];
  const query = answering(dns.query, { name, type: TXT }, recordsOf(answer));
  const verdict = verdictOf(await validatorOf(query, trustAnchors).validate(name, TXT));
  const checks = verify.mock.calls.length;
  verify.mockRestore();
  return { verdict, queries: dns.asked.length, checks };
}

describe("a ladder of zones", () => {
  async function zonesOf(depth: number): Promise<Zone[]> {
    const spare = await makeZone("", 15);
    const names = Array.from({ length: depth }, (_, labels) => Array(labels).fill("l").join("."));
    return names.map((name) => ({ ...spare, name }));
  }

  async function ladder(depth: number) {
    const zones = await zonesOf(depth);
    const [root = world.root, leaf = root] = [zones[0], zones.at(-1)];
    const answer = await textIn(leaf);
    return validate(answer, await upwards(...zones.reverse()), { name: `_x.${leaf.name}`, root });
  }

  it("of eleven is climbed, up to the verifier's bound", async () => {
    expect(await ladder(11)).toMatchObject({ verdict: "secure", queries: 21 });
  });

  it("is given up after 32 questions with the first one, before anything is checked", async () => {
    const given = { verdict: "bogus too_many_queries", queries: 31, checks: 0 };
    expect(await ladder(17)).toEqual(given);
    expect(await ladder(100)).toEqual(given);
  });

  it("with more signatures than the verifier checks is refused", async () => {
    const refused = await ladder(14);
    expect(refused).toMatchObject({ verdict: "bogus too_many_signatures", queries: 27 });
    expect(refused.checks).toBeLessThanOrEqual(2 * maxChecks);
  });

  it("whose upper half was remembered has too many signatures for a chain all the same", async () => {
    const zones = await zonesOf(14);
    const [root = world.root, half = root, leaf = root] = [zones[0], zones[7], zones[13]];
    const texts = [await textIn(half), await textIn(leaf)];
    const { query } = createScriptedDns([...(await upwards(...zones.toReversed())), ...texts]);
    const validator = validatorOf(query, [parseTrustAnchor(await anchorText(root))]);
    expect(verdictOf(await validator.validate(`_x.${half.name}`, TXT))).toBe("secure");
    const refused = await validator.validate(`_x.${leaf.name}`, TXT);
    expect(verdictOf(refused)).toBe("bogus too_many_signatures");
    expect(verdictOf(await validator.isInsecure(leaf.name))).toBe("secure");
  });

  const textIn = (zone: Zone) =>
    signedSet(zone, { name: `_x.${zone.name}`, type: TXT, rdatas: [txt("v")] });
});

describe("too much", () => {
  it("in signatures: 200 of them are not looked at", async () => {
    const verdict = "bogus too_many_signatures";
    const good = await goodAnswer();
    const answer = join(good, ...(await signatures(200, world.alice, world.answer)));
    expect(await validate(answer, world.up)).toEqual({ verdict, queries: 0, checks: 0 });
    const ofKeys = await signatures(200, world.alice, keySet(world.alice));
    expect(await validate(good, [...world.up, ...ofKeys])).toMatchObject({ verdict });
  });

  it("in keys: 100 with one tag are not looked at", async () => {
    const fill = Array.from({ length: 100 }, (_, index) => collidingKey(world.alice.zsk, index));
    const alice = { ...world.alice, keys: [...world.alice.keys, ...fill] };
    const zones = await upwards(alice, world.tld, world.root);
    const refused = await validate(await signedSet(alice, world.answer), zones);
    expect(refused).toMatchObject({ verdict: "bogus too_many_keys", queries: 5 });
    expect(refused.checks).toBeLessThanOrEqual(4);
  });

  it("in delegations: 129 for one zone are not followed", async () => {
    const many = Array.from({ length: 129 }, (_, index) =>
      record("alice.test", recordType.DS, octets(0, index, 13, 2, 1)),
    );
    const refused = { verdict: "bogus too_many_records", queries: 2, checks: 0 };
    expect(await validate(await goodAnswer(), [...world.up, ...many])).toEqual(refused);
  });

  it("in checks: twelve keys with one tag, and 24 signatures by none of them", async () => {
    // The false keys come before the true one, and are zone keys like it.
    const zsk = await makeKey(15);
    const colliding = (count: number) => {
      const fill = Array.from({ length: count }, (_, index) => collidingKey(zsk, index));
      return { ...world.alice, zsk, keys: [world.alice.ksk.rdata, zsk.rdata, ...fill] };
    };
    const alice = colliding(10);
    const zones = await upwards(alice, world.tld, world.root);
    const lies = await signatures(24, alice, world.answer, { signedName: "lie" });
    const records = world.answer.rdatas.map((rdata) => record(leafName, TXT, rdata));
    for (const count of [2, 24]) {
      const refused = await validate(join(...records, ...lies.slice(0, count)), zones);
      expect(refused).toMatchObject({ verdict: "bogus too_many_signatures", queries: 5 });
      expect(refused.checks).toBe(maxChecks);
    }
    // With fewer keys, the good signature is found behind a bad one.
    const few = colliding(4);
    const good = await signedSet(few, world.answer, { expiration: now + 900 });
    const lie = await signatureRecord(few, world.answer, { signedName: "lie" });
    const up = await upwards(few, world.tld, world.root);
    expect(await validate(join(good, lie), up)).toMatchObject({ verdict: "secure" });
  });

  it("in octets: keys, delegations and answers that are too long", async () => {
    const verdict = "bogus chain_too_long";
    const long = new Uint8Array(60_000);
    const answer = await goodAnswer();
    const key = record("alice.test", DNSKEY, join(octets(1, 0, 3, 13), long));
    expect(await validate(answer, [...world.up, key])).toMatchObject({ verdict });
    const ds = record("alice.test", recordType.DS, join(octets(0, 1, 13, 2), long));
    expect(await validate(answer, [...world.up, ds])).toMatchObject({ verdict });
    const free = { queries: 0, checks: 0 };
    const texts = [1, 2].map((first) => record(leafName, TXT, join(octets(first), txtOf(40_000))));
    expect(await validate(join(answer, ...texts), world.up)).toEqual({ verdict, ...free });
    const many = Array.from({ length: 127 }, (_, index) => record(leafName, TXT, txt(`${index}`)));
    const tooMany = { verdict: "bogus too_many_records", ...free };
    expect(await validate(join(answer, ...many), world.up)).toEqual(tooMany);
  });

  it("for one chain, though every signature is good", async () => {
    const many = Array.from({ length: 121 }, (_, index) => txt(`${index}`));
    const long = Array.from({ length: 100 }, (_, index) => txt(`${index}`.padStart(255, "x")));
    const wide = long.map((one) => join(one, one, one));
    const signed = (rdatas: readonly Octets[]) =>
      signedSet(world.alice, { ...world.answer, rdatas: [...rdatas] });
    const verdictOn = async (rdatas: readonly Octets[]) =>
      (await validate(await signed(rdatas), world.up)).verdict;
    // Eight records and five signatures prove the zones above.
    expect(await verdictOn(many.slice(0, 114))).toBe("secure");
    expect(await verdictOn(many.slice(0, 115))).toBe("bogus too_many_records");
    expect(await verdictOn(many)).toBe("bogus too_many_records");
    expect(await verdictOn(wide)).toBe("bogus chain_too_long");
    expect(await verdictOn(long)).toBe("secure");
  });

  it("in aliases: thousands of them, and one that leads to itself", async () => {
    const names = Array.from({ length: 4000 }, (_, index) => `_x.a${index}.test`);
    const aliases = names.map((name, index) =>
      record(name, CNAME, wireName(names[index + 1] ?? leafName)),
    );
    const refused = { queries: 0, checks: 0 };
    const tooMany = { verdict: "bogus too_many_aliases", ...refused };
    expect(await validate(join(...aliases), [], { name: "_x.a0.test" })).toEqual(tooMany);
    const loop = record(leafName, CNAME, wireName(leafName));
    expect(await validate(loop, [])).toEqual({ verdict: "bogus alias_loop", ...refused });
    const two = join(loop, record(leafName, CNAME, wireName("a.test")));
    expect(await validate(two, [])).toEqual({ verdict: "bogus malformed_chain", ...refused });
  });

  it("in malformed records: they are refused with the one error", async () => {
    const verdict = "bogus malformed_chain";
    const short = record(leafName, recordType.RRSIG, octets(0, 16, 13));
    const good = await goodAnswer();
    expect(await validate(join(good, short), world.up)).toMatchObject({ verdict });
    const key = record("alice.test", DNSKEY, octets(1));
    expect(await validate(good, [...world.up, key])).toMatchObject({ verdict });
  });
});

describe("a resolver", () => {
  it("that does not answer is indeterminate, and the next look does not wait for it", async () => {
    const silent = createSocket("udp4").bind(0, "127.0.0.1");
    await once(silent, "listening");
    try {
      const servers = [serverAt(`127.0.0.1:${silent.address().port}`)];
      const { query } = createResolver({ servers, timeoutMs: 50 });
      const answer = await signedSet(world.alice, world.answer);
      const well = createScriptedDns([answer, ...world.up]);
      let isWell = false;
      const validator = validatorOf((name, type) => (isWell ? well : { query }).query(name, type));
      const validate = async () => verdictOf(await validator.validate(leafName, TXT));
      expect(await validate()).toBe("indeterminate timeout");
      expect(verdictOf(await validator.isInsecure("alice.test"))).toBe("indeterminate timeout");
      isWell = true;
      expect(await validate()).toBe("secure");
    } finally {
      silent.close();
    }
  });

  it("whose query never settles is indeterminate after three seconds", async () => {
    const never = validatorOf(() => new Promise(() => {}));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const results = [never.isInsecure("alice.test"), never.validate(leafName, TXT)];
    await vi.advanceTimersByTimeAsync(3000);
    const verdicts = (await Promise.all(results)).map(verdictOf);
    expect(verdicts).toEqual(["indeterminate timeout", "indeterminate timeout"]);
  });

  it("that answers late ends the look after ten seconds", async () => {
    const dns = createScriptedDns(world.up);
    const validator = validatorOf(async (name, type) => {
      const answer = dns.query(name, type);
      await new Promise((resolve) => setTimeout(resolve, 2900));
      return answer;
    });
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    const deep = validator.validate(`_x.${"l.".repeat(12)}alice.test`, TXT);
    expect(verdictOf(await passingTime(deep))).toBe("indeterminate timeout");
    expect(dns.asked.length).toBeLessThan(6);
  });

  it("that says bogus is bogus, for its own reason", async () => {
    const bogus = validatorOf(async () => ({ outcome: "bogus", reason: "DNSSEC Bogus" }));
    const cause = "validation_failed";
    const expected = { security: "bogus", cause, reason: "DNSSEC Bogus" };
    expect(await bogus.isInsecure("alice.test")).toEqual(expected);
    expect(await bogus.validate(leafName, TXT)).toEqual(expected);
  });

  it("that throws rejects the look, and is asked again by the next one", async () => {
    const answer = await signedSet(world.alice, world.answer);
    const well = createScriptedDns([answer, ...world.up]);
    let isBroken = true;
    const validator = validatorOf((name, type) =>
      isBroken ? Promise.reject(new Error("broken")) : well.query(name, type),
    );
    await expect(validator.validate(leafName, TXT)).rejects.toThrow("broken");
    isBroken = false;
    expect(verdictOf(await validator.validate(leafName, TXT))).toBe("secure");
  });
});

/** Rdata of TXT behind its first octet, which may be 1 or 2: strings of no octets. */
function txtOf(length: number): Octets {
  return new Uint8Array(length);
}
