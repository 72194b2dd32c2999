// Tests of invalid chains, each with a single fault.

import { describe, expect, it } from "vitest";
import { makeLargeRsaKey } from "../../test/support/large-rsa.ts";
import {
  dsRdata,
  dsSet,
  join,
  type Key,
  keySet,
  makeKey,
  makeZone,
  now,
  type Octets,
  octets,
  record,
  type SignatureOptions,
  signatureRecord,
  signedSet,
  txt,
  type,
  upwards,
  wireName,
  withHead,
  type Zone,
} from "../../test/support/signer.ts";
import { goodChain, leafName, makeWorld, outcomeOf, verify } from "../../test/support/world.ts";

const world = await makeWorld();

/** The outcome of a chain whose answer is signed with these options. */
async function answered(options: SignatureOptions, zone: Zone = world.alice) {
  return outcomeOf(verify(world, [await signedSet(zone, world.answer, options), ...world.up]));
}

/** The outcome of a chain with another leaf zone. */
async function withLeafZone(alice: Zone, delegation = dsSet(alice), keys: SignatureOptions = {}) {
  const parts = [
    await signedSet(alice, world.answer),
    await signedSet(alice, keySet(alice), keys),
    await signedSet(world.tld, await delegation),
    ...(await upwards(world.tld, world.root)),
  ];
  return outcomeOf(verify(world, parts));
}

async function withKsk(ksk: Key) {
  return withLeafZone({ ...world.alice, ksk, keys: [ksk.rdata, world.alice.zsk.rdata] });
}

describe("an answer is refused", () => {
  it("when it is empty, or for another name or type", async () => {
    expect(await outcomeOf(verify(world, []))).toBe("no_answer");
    const chain = await goodChain(world);
    expect(await outcomeOf(verify(world, [chain], { name: "_domain-signin.bob.test" }))).toBe(
      "no_answer",
    );
    expect(await outcomeOf(verify(world, [chain], { name: "alice.test" }))).toBe("no_answer");
    expect(await outcomeOf(verify(world, [chain], { type: 28 }))).toBe("no_answer");
    expect(await outcomeOf(verify(world, [chain], { name: "a..b" }))).toBe("malformed_name");
  });

  it("when its text is not what was signed", async () => {
    const other = { ...world.answer, rdatas: [txt("v=dsi1 sp=nine")] };
    const parts = [
      record(leafName, type.TXT, txt("v=dsi1 sp=nine")),
      await signatureRecord(world.alice, world.answer),
    ];
    expect(await outcomeOf(verify(world, [...parts, ...world.up]))).toBe("bad_signature");
    const added = [await signedSet(world.alice, other), record(leafName, type.TXT, txt("more"))];
    expect(await outcomeOf(verify(world, [...added, ...world.up]))).toBe("bad_signature");
  });

  it("when it has no signature", async () => {
    const bare = record(leafName, type.TXT, txt("v=dsi1 sp=none"));
    expect(await outcomeOf(verify(world, [bare, ...world.up]))).toBe("not_signed");
  });

  it("when it comes from a wildcard", async () => {
    const wildcard = { labels: 2, signedName: "*.alice.test" };
    expect(await answered(wildcard)).toBe("wildcard");
    expect(await answered({ labels: 4 })).toBe("wildcard");
    const name = "*.alice.test";
    for (const labels of [2, 3]) {
      const set = await signedSet(world.alice, { ...world.answer, name }, { labels });
      expect(await outcomeOf(verify(world, [set, ...world.up], { name }))).toBe("wildcard");
    }
  });

  it("when its signature is over, or not yet there", async () => {
    expect(await answered({ expiration: now - 1000 })).toBe("expired");
    expect(await answered({ inception: now + 1000 })).toBe("not_yet_valid");
  });

  it("when an alias was signed too long ago for the app, though the record was not", async () => {
    const name = `x.${leafName}`;
    const alias = { name: leafName, type: type.CNAME, rdatas: [wireName(name)] };
    const parts = [
      await signedSet(world.alice, alias, { inception: now - 600 }),
      await signedSet(world.alice, { ...world.answer, name }, { inception: now - 500 }),
      ...world.up,
    ];
    const allowing = (maxSignatureAge: number) =>
      outcomeOf(verify(world, parts, { maxSignatureAge }));
    expect([await allowing(600), await allowing(599)]).toEqual(["good", "signature_too_old"]);
  });

  it("when a zone signed it that only looks as if it lay above", async () => {
    const name = "_domain-signin.evilalice.test";
    const set = await signedSet(world.alice, { ...world.answer, name });
    expect(await outcomeOf(verify(world, [set, ...world.up], { name }))).toBe("foreign_signer");
    const dotted = { ...world.answer, name: "alice.test" };
    const evil = { ...world.alice, name: "evil.alice.test" };
    const below = [await signedSet(evil, dotted), ...world.up];
    expect(await outcomeOf(verify(world, below, { name: "alice.test" }))).toBe("foreign_signer");
  });

  it("when a label with a dot inside makes the name look like another's", async () => {
    // One label `x.alice`, not two, in front of `test`.
    const owner = join(octets(7), new Uint8Array(Buffer.from("x.alice")), wireName("test"));
    const rdata = txt("v=dsi1 sp=none");
    const tail = record("", type.TXT, rdata).slice(1);
    const signature = await signatureRecord(world.alice, { ...world.answer, name: "x.alice.test" });
    const parts = [join(owner, tail), signature, ...world.up];
    expect(await outcomeOf(verify(world, parts, { name: "x.alice.test" }))).toBe("unneeded_record");
  });

  it("when the parent zone signed it for the child", async () => {
    expect(await answered({}, world.tld)).toBe("foreign_signer");
    expect(await answered({}, world.root)).toBe("foreign_signer");
    expect(await answered({ signer: "alice.test" }, world.tld)).toBe("no_such_key");
    const keyTag = world.alice.zsk.tag;
    expect(await answered({ signer: "alice.test", keyTag }, world.tld)).toBe("bad_signature");
  });

  it("when two zones signed it", async () => {
    const parts = [await goodChain(world), await signatureRecord(world.tld, world.answer)];
    expect(await outcomeOf(verify(world, parts))).toBe("foreign_signer");
  });

  it("when the algorithm rests on SHA-1, or is none that is known", async () => {
    for (const algorithm of [1, 3, 5, 6, 7, 12, 17, 253]) {
      expect(await answered({ algorithm })).toBe("unsupported_algorithm");
    }
    expect(await answered({ algorithm: 14 })).toBe("no_such_key");
  });

  it("when an alias was made from a DNAME", async () => {
    const dname = { name: "alice.test", type: type.DNAME, rdatas: [wireName("bob.test")] };
    const parts = [await goodChain(world), await signedSet(world.alice, dname)];
    expect(await outcomeOf(verify(world, parts))).toBe("dname");
  });
});

describe("a key set is refused", () => {
  it("when it is missing, at any height", async () => {
    for (const [index, part] of world.up.entries()) {
      const rest = world.up.filter((other) => other !== part);
      const parts = [await signedSet(world.alice, world.answer), ...rest];
      expect([index, await outcomeOf(verify(world, parts))]).toEqual([index, "incomplete_chain"]);
    }
  });

  it("when no DS record names a key that signed it", async () => {
    expect(
      await withLeafZone(
        world.alice,
        dsSet(world.tld).then((set) => ({ ...set, name: "alice.test" })),
      ),
    ).toBe("key_not_delegated");
    expect(await withLeafZone(world.alice, dsSet(world.alice), { key: world.alice.zsk })).toBe(
      "key_not_delegated",
    );
    const other = await makeKey(13);
    expect(await withLeafZone(world.alice, dsSet(world.alice, { key: other }))).toBe(
      "key_not_delegated",
    );
  });

  it("when a DS record was made for another zone's name", async () => {
    const rdatas = [await dsRdata("bob.test", world.alice.ksk)];
    const delegation = Promise.resolve({ name: "alice.test", type: type.DS, rdatas });
    expect(await withLeafZone(world.alice, delegation)).toBe("key_not_delegated");
  });

  it("when a DS record has another key tag or only a part of the digest", async () => {
    for (const change of [
      (rdata: Octets) => rdata.map((octet, index) => (index === 0 ? octet ^ 1 : octet)),
      (rdata: Octets) => rdata.slice(0, 6),
      (rdata: Octets) => join(rdata, octets(0)),
    ]) {
      const rdatas = [change(await dsRdata("alice.test", world.alice.ksk))];
      const delegation = Promise.resolve({ name: "alice.test", type: type.DS, rdatas });
      expect(await withLeafZone(world.alice, delegation)).toBe("key_not_delegated");
    }
  });

  it("when the DS digest is SHA-1, or its algorithm is none that is known", async () => {
    expect(await withLeafZone(world.alice, dsSet(world.alice, { hash: "SHA-1" }))).toBe(
      "unsupported_digest",
    );
    const rdata = await dsRdata("alice.test", world.alice.ksk);
    rdata[2] = 5;
    const delegation = Promise.resolve({ name: "alice.test", type: type.DS, rdatas: [rdata] });
    expect(await withLeafZone(world.alice, delegation)).toBe("unsupported_algorithm");
  });

  it("when its key is revoked, no zone key, or of another protocol", async () => {
    expect(await withKsk(withHead(world.alice.ksk, 257))).toBe("good");
    expect(await withKsk(withHead(world.alice.ksk, 257 | 128))).toBe("key_not_delegated");
    expect(await withKsk(withHead(world.alice.ksk, 1))).toBe("key_not_delegated");
    expect(await withKsk(withHead(world.alice.ksk, 257, 2))).toBe("key_not_delegated");
  });

  it("when the key of the answer is revoked or no zone key", async () => {
    for (const zsk of [withHead(world.alice.zsk, 256 | 128), withHead(world.alice.zsk, 0)]) {
      const { ksk } = world.alice;
      expect(await withLeafZone({ ...world.alice, zsk, keys: [ksk.rdata, zsk.rdata] })).toBe(
        "no_such_key",
      );
    }
  });

  it("when another zone signed it", async () => {
    expect(await withLeafZone(world.alice, dsSet(world.alice), { signer: "test" })).toBe(
      "foreign_signer",
    );
  });

  it("when the root's is signed by a key that no anchor names", async () => {
    const root = await makeZone("", 13);
    const parts = [
      await signedSet(world.alice, world.answer),
      ...(await upwards(world.alice, world.tld, root)),
    ];
    expect(await outcomeOf(verify(world, parts))).toBe("untrusted_root");
  });

  it("when an RSA key is too small or too large", async () => {
    expect(await withKsk(await makeKey(8, { rsaBits: 1016 }))).toBe("unsuitable_key");
    expect(await withKsk(await makeKey(8, { rsaBits: 1024 }))).toBe("good");
    expect(await withKsk(makeLargeRsaKey(4096))).toBe("good");
    expect(await withKsk(makeLargeRsaKey(4104))).toBe("unsuitable_key");
  });

  it("when its signature is over, a wildcard's or of an algorithm that is not read", async () => {
    const { alice } = world;
    expect(await withLeafZone(alice, dsSet(alice), { expiration: now - 1000 })).toBe("expired");
    expect(await withLeafZone(alice, dsSet(alice), { labels: 1 })).toBe("wildcard");
    const old = { algorithm: 5 };
    expect(await withLeafZone(alice, dsSet(alice), old)).toBe("unsupported_algorithm");
  });
});

describe("a delegation is refused", () => {
  async function signedBy(zone: Zone, options: SignatureOptions = {}) {
    const parts = [
      await signedSet(world.alice, world.answer),
      await signedSet(world.alice, keySet(world.alice)),
      await signedSet(zone, await dsSet(world.alice), options),
      ...(await upwards(world.tld, world.root)),
    ];
    return outcomeOf(verify(world, parts));
  }

  it("when the child signed it, or a zone that is no ancestor", async () => {
    expect(await signedBy(world.alice)).toBe("foreign_signer");
    expect(await signedBy(world.tld, { signer: "est" })).toBe("foreign_signer");
  });

  it("when a zone above the parent signed it", async () => {
    expect(await signedBy(world.root)).toBe("foreign_signer");
  });

  it("when it is over", async () => {
    expect(await signedBy(world.tld, { expiration: now - 1000 })).toBe("expired");
  });
});
