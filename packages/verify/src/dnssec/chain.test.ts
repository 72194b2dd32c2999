// Tests of valid chains and their results.

import { describe, expect, it } from "vitest";
import {
  dsRdata,
  expiration,
  inception,
  keySet,
  makeZone,
  now,
  type Octets,
  record,
  type SetToSign,
  signatureRecord,
  signedSet,
  txt,
  type,
  upwards,
  wireName,
  withHead,
} from "../../test/support/signer.ts";
import { goodChain, leafName, makeWorld, outcomeOf, verify } from "../../test/support/world.ts";
import { verifyChain } from "./chain.ts";
import { parseTrustAnchor, rootTrustAnchors } from "./trust-anchors.ts";

const sp = txt("v=dsi1 sp=none");
const world = await makeWorld();

function leaf(more: Partial<SetToSign> = {}): SetToSign {
  return { ...world.answer, ...more };
}

describe("a chain", () => {
  it.each([8, 10, 13, 14, 15])("signed with algorithm %i proves the record", async (algorithm) => {
    const own = algorithm === 13 ? world : await makeWorld(algorithm);
    expect(await verify(own, [await goodChain(own)])).toEqual({
      name: leafName,
      aliases: [],
      values: [sp],
      notBefore: inception,
      notAfter: expiration,
      ttl: 3600,
    });
  });

  it("of Ed448 proves the record where the platform has it, else says so", async () => {
    const own = await makeWorld(16).catch(() => undefined);
    if (!own) return;
    expect(await outcomeOf(verify(own, [await goodChain(own)]))).toBe("good");
  });

  it("may change its algorithm from zone to zone, and have its parts in any order", async () => {
    const alice = await makeWorld(15).then((other) => other.alice);
    const parts = [
      ...(await upwards(alice, world.tld, world.root)),
      await signedSet(alice, leaf()),
    ];
    expect(await outcomeOf(verify(world, parts.reverse()))).toBe("good");
  });

  it("may end in a zone that is two labels below its parent", async () => {
    const deep = await makeZone("shop.co.test", 13);
    const name = "_domain-signin.shop.co.test";
    const parts = [
      await signedSet(deep, leaf({ name })),
      ...(await upwards(deep, world.tld, world.root)),
    ];
    expect(await verify(world, parts, { name })).toMatchObject({ name, values: [sp] });
  });

  it("may end in a zone that holds many labels itself, and in the root", async () => {
    const name = "_domain-signin.a.b.c.test";
    const up = await upwards(world.tld, world.root);
    expect(
      await outcomeOf(verify(world, [await signedSet(world.tld, leaf({ name })), ...up], { name })),
    ).toBe("good");
    const atRoot = [await signedSet(world.root, leaf({ name })), ...(await upwards(world.root))];
    expect(await outcomeOf(verify(world, atRoot, { name }))).toBe("good");
  });

  it("proves a set of several records, which come in canonical order, each once", async () => {
    const rdatas = [txt("b"), txt("a"), txt("bb"), txt("b")];
    const parts = [await signedSet(world.alice, leaf({ rdatas })), ...world.up];
    const { values } = await verify(world, parts);
    expect(values).toEqual([txt("a"), txt("b"), txt("bb")]);
  });

  it("is good with each of its records five times, whose signatures are checked once", async () => {
    const chains = Array<Octets>(5).fill(await goodChain(world));
    expect(await outcomeOf(verify(world, chains))).toBe("good");
  });

  it("is good in any case of letters, and for a name with a final dot", async () => {
    const alice = { ...world.alice, name: "aLiCe.TeSt" };
    const name = "_Domain-SignIn.ALICE.test";
    const parts = [
      await signedSet(alice, leaf({ name })),
      ...(await upwards(alice, world.tld, world.root)),
    ];
    const verified = await verify(world, parts, { name: "_domain-signin.Alice.TEST." });
    expect(verified.name).toBe(leafName);
  });

  it("holds what was verified, when the caller uses its buffer again", async () => {
    const chain = await goodChain(world);
    const verifying = verifyChain(chain, world.request);
    chain.fill(0);
    expect((await verifying).values).toEqual([sp]);
  });

  it("may have two signatures of a set, if both are good", async () => {
    const second = await signatureRecord(world.alice, leaf(), { key: world.alice.ksk });
    const chain = await goodChain(world);
    expect(await outcomeOf(verify(world, [chain, second]))).toBe("good");
    second[second.length - 1] = (second.at(-1) ?? 0) ^ 1;
    expect(await outcomeOf(verify(world, [chain, second]))).toBe("bad_signature");
  });

  it("may have keys and DS records that are not read, beside those that prove it", async () => {
    const old = withHead(world.alice.ksk, 257 | 128);
    const alice = {
      ...world.alice,
      keys: [...world.alice.keys, old.rdata, withHead(old, 0, 7).rdata],
    };
    const ds = {
      name: alice.name,
      type: type.DS,
      rdatas: [
        await dsRdata(alice.name, alice.ksk, "SHA-1"),
        await dsRdata(alice.name, alice.ksk, "SHA-384"),
      ],
    };
    const parts = [
      await signedSet(alice, leaf()),
      await signedSet(alice, keySet(alice)),
      await signedSet(world.tld, ds),
      ...(await upwards(world.tld, world.root)),
    ];
    expect(await outcomeOf(verify(world, parts))).toBe("good");
  });

  it("is checked against the root keys of IANA by default", async () => {
    const { trustAnchors: _, ...request } = world.request;
    expect(await outcomeOf(verifyChain(await goodChain(world), request))).toBe("untrusted_root");
    const anchors = [...rootTrustAnchors, ...(world.request.trustAnchors ?? [])];
    expect(
      await outcomeOf(verify(world, [await goodChain(world)], { trustAnchors: anchors })),
    ).toBe("good");
    expect(await outcomeOf(verify(world, [await goodChain(world)], { trustAnchors: [] }))).toBe(
      "untrusted_root",
    );
  });
});

describe("an alias", () => {
  const target = "_domain-signin.bob.test";

  function alias(from: string, to: string): SetToSign {
    return { name: from, type: type.CNAME, rdatas: [wireName(to)] };
  }

  it("leads across zones, and returns all names on the way", async () => {
    const bob = await makeZone("bob.test", 15);
    const [bobKeys, bobDs] = await upwards(bob, world.tld);
    const parts = [
      await signedSet(world.alice, alias(leafName, "_Domain-SignIn.BOB.test")),
      await signedSet(bob, leaf({ name: target })),
      ...(bobKeys && bobDs ? [bobKeys, bobDs] : []),
      ...world.up,
    ];
    expect(await verify(world, parts)).toMatchObject({
      name: target,
      aliases: [leafName],
      values: [sp],
    });
  });

  it("is one of at most eight, and none leads back", async () => {
    const names = Array.from({ length: 10 }, (_, index) => `a${index}.alice.test`);
    const aliases = await Promise.all(
      names
        .slice(0, 9)
        .map((from, index) => signedSet(world.alice, alias(from, names[index + 1] ?? ""))),
    );
    const end = await signedSet(world.alice, leaf({ name: "a9.alice.test" }));
    const from = (name: string, first: number) =>
      verify(world, [...aliases.slice(first), end, ...world.up], { name });
    expect((await from("a1.alice.test", 1)).aliases).toEqual(names.slice(1, 9));
    expect(await outcomeOf(from("a0.alice.test", 0))).toBe("too_many_aliases");
    const loop = await signedSet(world.alice, alias("a2.alice.test", "a1.alice.test"));
    const looping = [...aliases.slice(1, 2), loop, ...world.up];
    expect(await outcomeOf(verify(world, looping, { name: "a1.alice.test" }))).toBe("alias_loop");
  });

  it("must be signed, must be the only one, and must not stand beside the answer", async () => {
    const end = await signedSet(world.alice, leaf({ name: "x.alice.test" }));
    const set = alias(leafName, "x.alice.test");
    const bare = record(leafName, type.CNAME, wireName("x.alice.test"));
    expect(await outcomeOf(verify(world, [bare, end, ...world.up]))).toBe("not_signed");
    const two = { ...set, rdatas: [...set.rdatas, wireName("y.alice.test")] };
    const ambiguous = [await signedSet(world.alice, two), end, ...world.up];
    expect(await outcomeOf(verify(world, ambiguous))).toBe("malformed_chain");
    const beside = [await signedSet(world.alice, set), end, await goodChain(world)];
    expect(await outcomeOf(verify(world, beside))).toBe("unneeded_record");
  });
});

describe("times", () => {
  async function at(options: Parameters<typeof signedSet>[2], when = now, more = {}) {
    const parts = [await signedSet(world.alice, leaf(), options), ...world.up];
    return outcomeOf(verify(world, parts, { now: when, ...more }));
  }

  it("may be missed by 300 seconds and no more", async () => {
    expect(await at({ expiration: now - 300 })).toBe("good");
    expect(await at({ expiration: now - 301 })).toBe("expired");
    expect(await at({ inception: now + 300 })).toBe("good");
    expect(await at({ inception: now + 301 })).toBe("not_yet_valid");
    expect(await at({ inception: now + 200, expiration: now - 200 })).toBe("expired");
  });

  it("are read with serial arithmetic, past the year 2106 too (RFC 1982)", async () => {
    const own = await makeWorld();
    const wrapped = 2 ** 32 + 1000;
    const times = { inception: 2 ** 32 - 5000, expiration: wrapped + 5000 };
    const parts = await Promise.all([
      signedSet(own.root, leaf({ name: "x" }), times),
      signedSet(own.root, keySet(own.root), times),
    ]);
    const verified = await verify(own, parts, { name: "x", now: wrapped });
    expect(verified).toMatchObject({ notBefore: times.inception, notAfter: times.expiration });
    expect(await outcomeOf(verify(own, parts, { name: "x", now }))).toBe("expired");
  });

  it("are those of all signatures together", async () => {
    const parts = [
      await signedSet(world.alice, leaf(), { inception: now - 50, expiration: now + 90_000_000 }),
      ...world.up,
    ];
    expect(await verify(world, parts)).toMatchObject({ notBefore: now - 50, notAfter: expiration });
  });

  it("may have fractions, and a time that is none is refused", async () => {
    const whole = await verify(world, [await goodChain(world)], { now: now + 0.9 });
    expect(whole).toMatchObject({ notBefore: inception, notAfter: expiration });
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, -1, now * 1000]) {
      expect(await at({}, time)).toBe("malformed_time");
    }
  });

  it("are old for an app that says so, by the signature of the record and not of the zones above", async () => {
    const fresh = { inception: now - 600 };
    expect(await at(fresh, now, { maxSignatureAge: 600 })).toBe("good");
    expect(await at(fresh, now, { maxSignatureAge: 599 })).toBe("signature_too_old");
    expect(await at(fresh, now, { maxSignatureAge: Number.NaN })).toBe("signature_too_old");
  });
});

describe("the TTL", () => {
  async function ttl(options: Parameters<typeof signedSet>[2], when = now) {
    const parts = [await signedSet(world.alice, leaf(), options), ...world.up];
    return (await verify(world, parts, { now: when })).ttl;
  }

  it("is never more than what was signed, nor than the signatures live (RFC 4035 §5.3.3)", async () => {
    expect(await ttl({ ttl: 2 ** 31, originalTtl: 300 })).toBe(300);
    expect(await ttl({ ttl: 60, originalTtl: 300 })).toBe(60);
    expect(await ttl({ expiration: now + 30 })).toBe(30);
    expect(await ttl({ expiration: now - 30 })).toBe(0);
    const [{ name, rdatas }, signature] = [leaf(), await signatureRecord(world.alice, leaf())];
    const low = rdatas.map((rdata, index) => record(name, type.TXT, rdata, 60 + index));
    expect((await verify(world, [...low, signature, ...world.up])).ttl).toBe(60);
  });
});

describe("a trust anchor", () => {
  it("names the root's key by digests of SHA-384, too", async () => {
    const ds = Buffer.from(await dsRdata("", world.root.ksk, "SHA-384"));
    const { tag, algorithm } = world.root.ksk;
    const text = `. IN DS ${tag} ${algorithm} 4 ${ds.subarray(4).toString("hex")}`;
    const trustAnchors = [parseTrustAnchor(text)];
    expect(await outcomeOf(verify(world, [await goodChain(world)], { trustAnchors }))).toBe("good");
  });

  it("means a key that signs: a signature by another key of the root is not enough", async () => {
    const byZsk = await signedSet(world.root, keySet(world.root), { key: world.root.zsk });
    const answer = await signedSet(world.root, leaf({ name: "x" }));
    expect(await outcomeOf(verify(world, [answer, byZsk], { name: "x" }))).toBe("untrusted_root");
  });
});
