// Tests of chains that are too large, too costly or malformed.

import { describe, expect, it } from "vitest";
import {
  anchorText,
  collidingKey,
  join,
  keySet,
  makeKey,
  now,
  type Octets,
  octets,
  record,
  signatureRecord,
  signedSet,
  type,
  upwards,
} from "../../test/support/signer.ts";
import { goodChain, leafName, makeWorld, outcomeOf, verify } from "../../test/support/world.ts";
import { parseTrustAnchor } from "./trust-anchors.ts";

const world = await makeWorld();

describe("a chain is refused", () => {
  async function withRecords(...records: Octets[]) {
    return outcomeOf(verify(world, [await goodChain(world), ...records]));
  }

  it("when it holds what nothing in it needs", async () => {
    expect(await withRecords(record("x.test", 1, octets(1, 2, 3, 4)))).toBe("unneeded_record");
    expect(await withRecords(record(leafName, 99, octets(1)))).toBe("unneeded_record");
    expect(await withRecords(record("bob.test", type.DS, octets(0, 1, 13, 2, 1)))).toBe(
      "unneeded_record",
    );
    const name = "_domain-signin.bob.test";
    expect(await withRecords(await signedSet(world.alice, { ...world.answer, name }))).toBe(
      "unneeded_record",
    );
    expect(await withRecords(await signatureRecord(world.alice, { ...world.answer, name }))).toBe(
      "unneeded_record",
    );
  });

  it("when it is longer than 65,535 octets or has more than 128 records", async () => {
    const filler = record("x", 99, new Uint8Array(60_000));
    expect(await withRecords(filler)).toBe("unneeded_record");
    expect(await withRecords(filler, filler)).toBe("chain_too_long");
    const records = (count: number) => Array<Octets>(count).fill(record("x", 99, octets(1)));
    // The good chain has 15: the answer, three sets of two keys, two delegations, six signatures.
    expect(await withRecords(...records(113))).toBe("unneeded_record");
    expect(await withRecords(...records(114))).toBe("too_many_records");
  });

  it("when a zone has more than twelve keys", async () => {
    const spare = async (count: number) =>
      Promise.all(Array.from({ length: count }, () => makeKey(13).then(({ rdata }) => rdata)));
    const withKeys = async (keys: readonly Octets[]) => {
      const alice = { ...world.alice, keys };
      const parts = [
        await signedSet(alice, world.answer),
        ...(await upwards(alice, world.tld, world.root)),
      ];
      return outcomeOf(verify(world, parts));
    };
    const twelve = [...world.alice.keys, ...(await spare(10))];
    expect(await withKeys(twelve)).toBe("good");
    expect(await withKeys([...twelve, ...(await spare(1))])).toBe("too_many_keys");
  });

  it("when it needs more than 24 checks, because key tags collide (KeyTrap)", async () => {
    const key = await makeKey(15);
    const keys = [key.rdata, ...Array.from({ length: 11 }, (_, index) => collidingKey(key, index))];
    const root = { name: "", ksk: key, zsk: key, keys };
    const trustAnchors = [parseTrustAnchor(await anchorText(root))];
    const keysOfRoot = await signedSet(root, keySet(root));
    const answer = await signedSet(root, world.answer);
    // For each signature, eleven false keys come before the one that signed.
    expect(await outcomeOf(verify(world, [answer, keysOfRoot], { trustAnchors }))).toBe("good");
    const another = await signatureRecord(root, world.answer, { expiration: now + 1000 });
    const parts = [answer, keysOfRoot, another];
    expect(await outcomeOf(verify(world, parts, { trustAnchors }))).toBe("too_many_signatures");
  });

  it("when it has more than 24 signatures, before any is checked", async () => {
    const signatures = await Promise.all(
      Array.from({ length: 19 }, (_, index) =>
        signatureRecord(world.alice, world.answer, { expiration: now + 1000 + index }),
      ),
    );
    expect(await withRecords(...signatures.slice(0, 18))).toBe("good");
    expect(await withRecords(...signatures)).toBe("too_many_signatures");
    const first = { signedName: "lie", expiration: now + 1 };
    const lie = await signatureRecord(world.alice, world.answer, first);
    expect(await withRecords(lie)).toBe("bad_signature");
    expect(await withRecords(lie, ...signatures.slice(0, 18))).toBe("too_many_signatures");
  });

  it("when a name in it is compressed, points forwards or around", async () => {
    const chain = await goodChain(world);
    const tail = record("", 99, octets(1)).slice(1);
    for (const name of [
      octets(0xc0, 0),
      octets(0xc0, chain.length),
      octets(1, 97, 0xc0, 0),
      octets(0x40),
    ]) {
      expect(await withRecords(join(name, tail))).toBe("malformed_chain");
    }
    expect(await outcomeOf(verify(world, [join(octets(0xc0, 0), tail)]))).toBe("malformed_chain");
    const target = record(leafName, type.CNAME, octets(1, 97, 0xc0, 0));
    expect(await outcomeOf(verify(world, [target]))).toBe("malformed_chain");
  });

  it("when a record is of another class, or its rdata is misshapen", async () => {
    const chaos = record("x", 99, octets(1));
    chaos[6] = 3;
    expect(await withRecords(chaos)).toBe("malformed_chain");
    const misshapen: [number, Octets][] = [
      [type.TXT, octets(2, 97)],
      [type.TXT, octets()],
      [type.CNAME, octets(0, 0)],
      [type.RRSIG, new Uint8Array(18)],
    ];
    for (const [recordType, rdata] of misshapen) {
      const parts = [record(leafName, recordType, rdata), ...world.up];
      expect(await outcomeOf(verify(world, parts))).toBe("malformed_chain");
    }
  });
});
