// Tests of what hostile answers cost: queries and signature checks, both bounded. The time is in
// `test/timed/hostile-input.test.ts`.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  anchorText,
  collidingKey,
  join,
  keySet,
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
import { createScriptedDns, type Query, recordsOf, told } from "../../test/support/chain-world.ts";
import { createChains } from "./chain.ts";
import { createResolver } from "./resolver.ts";

const { TXT, CNAME, DNSKEY } = recordType;

/** The verifier's own bound, and once more for what the builder chose from. */
const maxChecks = 24;

let world: Awaited<ReturnType<typeof makeWorld>>;

beforeAll(async () => {
  world = await makeWorld();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function chainsOf(query: Query, trustAnchors = world.request.trustAnchors ?? []) {
  return createChains({ query, now: () => now, trustAnchors });
}

/** The outcome of a look at the leaf, with what it cost. */
async function look(
  answer: Octets,
  zones: readonly Octets[],
  { name = leafName, root = world.root } = {},
) {
  const dns = createScriptedDns(zones);
  const verify = vi.spyOn(crypto.subtle, "verify");
  const trustAnchors = [parseTrustAnchor(await anchorText(root))];
  const outcome = await chainsOf(dns.query, trustAnchors).prove(name, TXT, recordsOf(answer));
  const checks = verify.mock.calls.length;
  verify.mockRestore();
  return { outcome: told(outcome), queries: dns.asked.length, checks };
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
    const name = `_x.${leaf.name}`;
    const answer = await signedSet(leaf, { name, type: TXT, rdatas: [txt("v")] });
    return look(answer, await upwards(...zones.reverse()), { name, root });
  }

  it("of eleven is climbed, up to the verifier's bound", async () => {
    expect(await ladder(11)).toMatchObject({ outcome: "secure", queries: 21 });
  });

  it("is given up after 32 queries, before anything is checked", async () => {
    const given = { outcome: "bogus too_many_queries", queries: 32, checks: 0 };
    expect(await ladder(17)).toEqual(given);
    expect(await ladder(100)).toEqual(given);
  });

  it("with more signatures than the verifier checks is refused", async () => {
    const refused = await ladder(14);
    expect(refused).toMatchObject({ outcome: "bogus too_many_signatures", queries: 27 });
    expect(refused.checks).toBeLessThanOrEqual(2 * maxChecks);
  });

  it("whose delegations were remembered step by step is refused all the same", async () => {
    const zones = await zonesOf(14);
    const [root = world.root, half = root, leaf = root] = [zones[0], zones[7], zones[13]];
    const { query } = createScriptedDns(await upwards(...zones.toReversed()));
    const chains = chainsOf(query, [parseTrustAnchor(await anchorText(root))]);
    expect(told(await chains.delegation(half.name))).toBe("signed");
    expect(told(await chains.delegation(leaf.name))).toBe("bogus too_many_signatures");
  });
});

describe("too much", () => {
  it("in signatures: 200 of them are not looked at", async () => {
    const many = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        signatureRecord(world.alice, world.answer, { expiration: now + 1000 + index }),
      ),
    );
    const answer = join(await signedSet(world.alice, world.answer), ...many);
    const refused = { outcome: "bogus too_many_signatures", queries: 0, checks: 0 };
    expect(await look(answer, world.up)).toEqual(refused);
    const of = keySet(world.alice);
    const ofKeys = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        signatureRecord(world.alice, of, { expiration: now + 1000 + index }),
      ),
    );
    const good = await signedSet(world.alice, world.answer);
    expect(await look(good, [...world.up, ...ofKeys])).toMatchObject({
      outcome: "bogus too_many_signatures",
    });
  });

  it("in keys: 100 with one tag are not looked at", async () => {
    const fill = Array.from({ length: 100 }, (_, index) => collidingKey(world.alice.zsk, index));
    const alice = { ...world.alice, keys: [...world.alice.keys, ...fill] };
    const zones = await upwards(alice, world.tld, world.root);
    const refused = await look(await signedSet(alice, world.answer), zones);
    expect(refused).toMatchObject({ outcome: "bogus too_many_keys", queries: 5 });
    expect(refused.checks).toBeLessThanOrEqual(4);
  });

  it("in delegations: 129 for one zone are not followed", async () => {
    const many = Array.from({ length: 129 }, (_, index) =>
      record("alice.test", recordType.DS, octets(0, index, 13, 2, 1)),
    );
    const answer = await signedSet(world.alice, world.answer);
    const refused = { outcome: "bogus too_many_records", queries: 2, checks: 0 };
    expect(await look(answer, [...world.up, ...many])).toEqual(refused);
  });

  it("in checks: twelve keys with one tag, and 24 signatures by none of them", async () => {
    const zsk = world.alice.zsk;
    const fill = Array.from({ length: 10 }, (_, index) => collidingKey(zsk, index));
    const alice = { ...world.alice, keys: [...world.alice.keys, ...fill] };
    const zones = await upwards(alice, world.tld, world.root);
    const lies = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        signatureRecord(alice, world.answer, {
          ...{ signedName: "lie", expiration: now + 1000 + index },
        }),
      ),
    );
    const records = world.answer.rdatas.map((rdata) => record(leafName, TXT, rdata));
    const refused = await look(join(...records, ...lies), zones);
    expect(refused).toMatchObject({ outcome: "bogus too_many_signatures", queries: 5 });
    expect(refused.checks).toBe(maxChecks);
    // With few enough the good one is found among them.
    const good = await signedSet(alice, world.answer, { expiration: now + 900 });
    expect(await look(join(good, ...lies.slice(0, 1)), zones)).toMatchObject({
      outcome: "secure",
    });
  });

  it("in octets: keys, delegations and answers that are too long", async () => {
    const long = new Uint8Array(60_000);
    const answer = await signedSet(world.alice, world.answer);
    const key = record("alice.test", DNSKEY, join(octets(1, 0, 3, 13), long));
    expect(await look(answer, [...world.up, key])).toMatchObject({
      outcome: "bogus chain_too_long",
    });
    const ds = record("alice.test", recordType.DS, join(octets(0, 1, 13, 2), long));
    expect(await look(answer, [...world.up, ds])).toMatchObject({
      outcome: "bogus chain_too_long",
    });
    const texts = [1, 2].map((first) => record(leafName, TXT, join(octets(first), txtOf(40_000))));
    expect(await look(join(answer, ...texts), world.up)).toEqual({
      ...{ outcome: "bogus chain_too_long", queries: 0, checks: 0 },
    });
    const many = Array.from({ length: 127 }, (_, index) => record(leafName, TXT, txt(`${index}`)));
    expect(await look(join(answer, ...many), world.up)).toEqual({
      ...{ outcome: "bogus too_many_records", queries: 0, checks: 0 },
    });
  });

  it("in aliases: thousands of them, and one that leads to itself", async () => {
    const names = Array.from({ length: 4000 }, (_, index) => `_x.a${index}.test`);
    const aliases = names.map((name, index) =>
      record(name, CNAME, wireName(names[index + 1] ?? leafName)),
    );
    const refused = { queries: 0, checks: 0 };
    expect(await look(join(...aliases), [], { name: "_x.a0.test" })).toEqual({
      ...{ outcome: "bogus too_many_aliases", ...refused },
    });
    const loop = record(leafName, CNAME, wireName(leafName));
    expect(await look(loop, [])).toEqual({ outcome: "bogus alias_loop", ...refused });
    const two = join(loop, record(leafName, CNAME, wireName("a.test")));
    expect(await look(two, [])).toEqual({ outcome: "bogus malformed_chain", ...refused });
  });

  it("in malformed records: they are refused with the one error", async () => {
    const short = record(leafName, recordType.RRSIG, octets(0, 16, 13));
    const answer = join(await signedSet(world.alice, world.answer), short);
    expect(await look(answer, world.up)).toMatchObject({ outcome: "bogus malformed_chain" });
    const key = record("alice.test", DNSKEY, octets(1));
    const good = await signedSet(world.alice, world.answer);
    expect(await look(good, [...world.up, key])).toMatchObject({
      outcome: "bogus malformed_chain",
    });
  });
});

describe("a resolver", () => {
  it("that hangs is unavailable, and not waited for by the next look", async () => {
    const silent = createSocket("udp4").bind(0, "127.0.0.1");
    await once(silent, "listening");
    try {
      const servers = [`127.0.0.1:${silent.address().port}`];
      const { query } = createResolver({ servers, timeoutMs: 50 });
      const well = createScriptedDns(world.up);
      let isWell = false;
      const chains = chainsOf((name, type) => (isWell ? well : { query }).query(name, type));
      const answer = recordsOf(await signedSet(world.alice, world.answer));
      const prove = async () => told(await chains.prove(leafName, TXT, answer));
      expect(await prove()).toBe("unavailable timeout");
      expect(told(await chains.delegation("alice.test"))).toBe("unavailable timeout");
      isWell = true;
      expect(await prove()).toBe("secure");
    } finally {
      silent.close();
    }
  });

  it("that never settles is given up, and so is one that says bogus", async () => {
    const never = chainsOf(() => new Promise(() => {}));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const delegation = never.delegation("alice.test");
    await vi.advanceTimersByTimeAsync(3000);
    expect(told(await delegation)).toBe("unavailable timeout");
    const bogus = chainsOf(async () => ({ outcome: "bogus", reason: "DNSSEC Bogus" }));
    expect(await bogus.delegation("alice.test")).toEqual({
      ...{ outcome: "bogus", reason: "DNSSEC Bogus" },
    });
  });

  it("that breaks is told to who asked, and asked again", async () => {
    const well = createScriptedDns(world.up);
    let isBroken = true;
    const chains = chainsOf((name, type) =>
      isBroken ? Promise.reject(new Error("broken")) : well.query(name, type),
    );
    const answer = recordsOf(await signedSet(world.alice, world.answer));
    await expect(chains.prove(leafName, TXT, answer)).rejects.toThrow("broken");
    isBroken = false;
    expect(told(await chains.prove(leafName, TXT, answer))).toBe("secure");
  });
});

/** Rdata of TXT behind its first octet, which may be 1 or 2: strings of no octets. */
function txtOf(length: number): Octets {
  return new Uint8Array(length);
}
