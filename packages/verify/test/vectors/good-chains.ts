// Vectors of chains that prove a record set, in every form that a chain may have.

import { base64url, type Json } from "../support/jose.ts";
import {
  anchorText,
  dsRdata,
  expiration,
  inception,
  keySet,
  makeZone,
  now,
  type Octets,
  type SetToSign,
  type SignatureOptions,
  signatureRecord,
  signedSet,
  txt,
  type,
  upwards,
  wireName,
  withHead,
} from "../support/signer.ts";
import { leafName, makeWorld } from "../support/world.ts";
import { chainInput, chainOptions, good, type Kit, partsOf } from "./kit.ts";
import type { Vector } from "./vector.ts";

const recordText = "v=dsi1 sp=none";

export async function goodChainVectors(kit: Kit): Promise<Vector[]> {
  return [
    ...(await algorithmVectors()),
    ...(await zoneVectors(kit)),
    await aliasVector(kit),
    await keyVector(kit),
    ...(await formVectors(kit)),
    ...(await timeVectors(kit)),
  ];
}

function proven(more: Json = {}, values: readonly Octets[] = [txt(recordText)]): Json {
  return {
    ...{ name: leafName, aliases: [], values: values.map(base64url) },
    ...{ not_before: inception, not_after: expiration, ttl: 3600 },
    ...more,
  };
}

async function algorithmVectors(): Promise<Vector[]> {
  const vectors: Vector[] = [];
  for (const algorithm of [8, 10, 13, 14, 15, 16]) {
    const world = await makeWorld(algorithm);
    const options = chainOptions([await anchorText(world.root)]);
    const input = chainInput(await partsOf(world));
    const vector = good(`three zones of algorithm ${algorithm}`, input, options, proven());
    // Few browsers have Ed448, and RFC 8624 does not ask for it.
    const optional = { result: proven(), if_unsupported: "platform_unsupported" } as const;
    vectors.push(algorithm === 16 ? { ...vector, expected: optional } : vector);
  }
  return vectors;
}

async function zoneVectors({ scene, anchors }: Kit): Promise<Vector[]> {
  const { world } = scene;
  const { root, tld, alice, answer } = world;
  const options = chainOptions(anchors);
  const deep = await makeZone("shop.co.test", 15);
  const deepName = "_domain-signin.shop.co.test";
  const deepSet = await signedSet(deep, { ...answer, name: deepName });
  const inTld = "_domain-signin.a.b.test";
  const tldSet = await signedSet(tld, { ...answer, name: inTld });
  const bob = await makeZone("bob.test", 15);
  const bobName = "_domain-signin.bob.test";
  const [bobKeys, bobDs] = await upwards(bob, tld);
  const alias = { name: leafName, type: type.CNAME, rdatas: [wireName(bobName)] };
  const bobParts = [
    await signedSet(alice, alias),
    await signedSet(bob, { ...answer, name: bobName }),
    ...(bobKeys && bobDs ? [bobKeys, bobDs] : []),
    ...world.up,
  ];
  return [
    good(
      "a zone two labels below its parent, of another algorithm",
      chainInput([deepSet, ...(await upwards(deep, tld, root))], `${deepName}.`),
      options,
      proven({ name: deepName }),
    ),
    good(
      "a name three labels below its zone",
      chainInput([tldSet, ...(await upwards(tld, root))], `${inTld}.`),
      options,
      proven({ name: inTld }),
    ),
    good(
      "an alias into another zone",
      chainInput(bobParts),
      options,
      proven({ name: bobName, aliases: [leafName] }),
    ),
  ];
}

async function aliasVector({ scene, anchors }: Kit): Promise<Vector> {
  const { alice, answer, up } = scene.world;
  const names = Array.from({ length: 9 }, (_, index) => `a${index}._domain-signin.alice.test`);
  const aliases = await Promise.all(
    names.slice(0, 8).map((name, index) => {
      const rdatas = [wireName(names[index + 1] ?? "")];
      return signedSet(alice, { name, type: type.CNAME, rdatas });
    }),
  );
  const end = await signedSet(alice, { ...answer, name: names[8] ?? "" });
  return good(
    "eight aliases",
    chainInput([...aliases, end, ...up], `${names[0]}.`),
    chainOptions(anchors),
    proven({ name: names[8], aliases: names.slice(0, 8) }),
  );
}

/** Unsupported keys and digests beside supported ones. */
async function keyVector({ scene, anchors }: Kit): Promise<Vector> {
  const { root, tld, alice, answer } = scene.world;
  const old = withHead(alice.ksk, 257 | 128);
  const keys = [...alice.keys, old.rdata, withHead(old, 0, 7).rdata];
  const zone = { ...alice, keys };
  const rdatas = [
    await dsRdata(alice.name, alice.ksk, "SHA-1"),
    await dsRdata(alice.name, alice.ksk, "SHA-384"),
  ];
  const parts = [
    await signedSet(zone, answer),
    await signedSet(zone, keySet(zone)),
    await signedSet(tld, { name: alice.name, type: type.DS, rdatas }),
    ...(await upwards(tld, root)),
  ];
  return good(
    "a revoked key, a key of another protocol and a DS of SHA-1 beside good ones",
    chainInput(parts),
    chainOptions(anchors),
    proven(),
  );
}

async function formVectors({ scene, anchors }: Kit): Promise<Vector[]> {
  const { world } = scene;
  const { root, tld, alice, answer } = world;
  const options = chainOptions(anchors);
  const parts = await partsOf(world);
  const rdatas = [txt("b"), txt("a"), txt("bb"), txt("b")];
  const several: SetToSign = { ...answer, rdatas };
  const loud = { ...alice, name: "aLiCe.TeSt" };
  const loudSet = await signedSet(loud, { ...answer, name: "_Domain-SignIn.ALICE.test" });
  const loudAlias = {
    ...{ name: leafName, type: type.CNAME },
    rdatas: [wireName("_DOMAIN-SIGNIN.x.Alice.test")],
  };
  const loudName = "_domain-signin.x.alice.test";
  const twoParts = [
    await signedSet(alice, loudAlias),
    await signedSet(alice, { ...answer, name: loudName }),
  ];
  const loudParts = [loudSet, ...(await upwards(loud, tld, root))];
  return [
    good("every record five times", chainInput(Array(5).fill(parts).flat()), options, proven()),
    good(
      "several records of one set, in any order and one of them twice",
      chainInput([await signedSet(alice, several), ...world.up]),
      options,
      proven({}, [txt("a"), txt("b"), txt("bb")]),
    ),
    good("from the root down, the answer last", chainInput(parts.toReversed()), options, proven()),
    good("mixed case in owners and signers", chainInput(loudParts), options, proven()),
    good(
      "mixed case in the target of an alias",
      chainInput([...twoParts, ...world.up]),
      options,
      proven({ name: loudName, aliases: [leafName] }),
    ),
    good(
      "the name that is asked for in mixed case",
      chainInput(parts, "_Domain-SignIn.Alice.TEST."),
      options,
      proven(),
    ),
    await twoAlgorithms(anchors),
  ];
}

/** Every set of the leaf zone is signed with two algorithms, as in an algorithm rollover. */
async function twoAlgorithms(anchorsOfKit: readonly string[]): Promise<Vector> {
  const world = await makeWorld();
  const other = await makeZone("alice.test", 8);
  const alice = { ...world.alice, keys: [...world.alice.keys, ...other.keys] };
  const ds = {
    name: alice.name,
    type: type.DS,
    rdatas: [await dsRdata(alice.name, alice.ksk), await dsRdata(alice.name, other.ksk)],
  };
  const parts = [
    await signedSet(alice, world.answer),
    await signatureRecord(other, world.answer),
    await signedSet(alice, keySet(alice)),
    await signatureRecord(other, keySet(alice)),
    await signedSet(world.tld, ds),
    ...(await upwards(world.tld, world.root)),
  ];
  const anchors = [...anchorsOfKit, await anchorText(world.root)];
  const title = "two signatures by keys of two algorithms, and two trust anchors";
  return good(title, chainInput(parts), chainOptions(anchors), proven());
}

async function timeVectors({ scene, anchors }: Kit): Promise<Vector[]> {
  const { root, alice, answer, up } = scene.world;
  const signed = async (title: string, options: SignatureOptions, more: Json, asked: Json = {}) => {
    const parts = [await signedSet(alice, answer, options), ...up];
    return good(title, chainInput(parts), chainOptions(anchors, asked), proven(more));
  };
  const wrapped = 2 ** 32 + 1000;
  const about2106 = async (title: string, begins: number) => {
    const times = { inception: begins, expiration: wrapped + 5000 };
    const parts = [
      await signedSet(root, { ...answer, name: "x" }, times),
      await signedSet(root, keySet(root), times),
    ];
    const result = proven({ name: "x", not_before: begins, not_after: times.expiration });
    return good(title, chainInput(parts, "x."), chainOptions(anchors, { now: wrapped }), result);
  };
  const [over, early] = [now - 300, now + 300];
  return [
    await about2106("from before to after 2106, when times begin again at zero", 2 ** 32 - 5000),
    await about2106("wholly after 2106, when times begin again at zero", 2 ** 32 + 500),
    await signed("over for 300 seconds", { expiration: over }, { not_after: over, ttl: 0 }),
    await signed("to come in 300 seconds", { inception: early }, { not_before: early }),
    await signed(
      "a record signed just within max_signature_age, below zones signed earlier",
      { inception: now - 600 },
      { not_before: now - 600 },
      { max_signature_age: 600 },
    ),
    await signed("a TTL above the signed one", { ttl: 2 ** 31, originalTtl: 300 }, { ttl: 300 }),
    await signed("a TTL below the signed one", { ttl: 60, originalTtl: 300 }, { ttl: 60 }),
    await signed(
      "a TTL beyond the end of the signature",
      { expiration: now + 30 },
      { ttl: 30, not_after: now + 30 },
    ),
  ];
}
