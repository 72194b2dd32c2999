// Tests of proofs whose answer is found through aliases that a caller accepts or not.

import { describe, expect, it } from "vitest";
import { nsecRdata } from "../../test/support/denials.ts";
import {
  join,
  makeZone,
  now,
  type Octets,
  record,
  type SignatureOptions,
  signedSet,
  txt,
  upwards,
  wireName,
} from "../../test/support/signer.ts";
import { makeSource } from "../../test/support/source.ts";
import { makeWorld, outcomeOf } from "../../test/support/world.ts";
import { recordType } from "../dns/records.ts";
import { insecurity } from "./insecurity.ts";
import { type ProofRequest, proveRrset } from "./prove.ts";
import { readRrsets } from "./rrsets.ts";

const { TXT, CNAME } = recordType;
const MAX_ALIASES = 8;

const world = await makeWorld();

function request(
  name: string,
  parts: readonly Octets[],
  accepts?: (name: string) => boolean,
): ProofRequest {
  const { trustAnchors = [] } = world.request;
  const { source } = makeSource(...parts, ...world.up);
  const common = { source, name, type: TXT, now, trustAnchors, insecurity } as const;
  return { ...common, signatures: "any", ...(accepts && { accepts }) };
}

const alias = (from: string, to: string, options?: SignatureOptions) =>
  signedSet(world.alice, { name: from, type: CNAME, rdatas: [wireName(to)] }, options);
const text = (name: string, options?: SignatureOptions) =>
  signedSet(world.alice, { name, type: TXT, rdatas: [txt("v")] }, options);
const named = (names: readonly string[]) => names.map((label) => `${label}.alice.test`);

/** `count` aliases in a row, then the answer. */
async function chainOf(count: number): Promise<Octets[]> {
  const names = named(Array.from({ length: count + 1 }, (_, index) => `n${index}`));
  const aliases = names.slice(1).map((target, index) => alias(names[index] ?? "", target));
  return Promise.all([...aliases, text(names.at(-1) ?? "")]);
}

describe("an answer through aliases", () => {
  it("is secure, with the aliases in order and all their sets", async () => {
    const parts = await chainOf(2);
    const proof = await proveRrset(request("n0.alice.test", parts));
    expect(proof).toMatchObject({
      name: "n2.alice.test",
      aliases: ["n0.alice.test", "n1.alice.test"],
      answer: { name: "n2.alice.test", type: TXT },
      isAccepted: true,
      isWildcard: false,
      insecure: null,
    });
    const names = named(["n0", "n1", "n2"]);
    expect(proof.sets.map(({ name }) => name)).toEqual(names);
    expect(proof.received.map(({ name }) => name)).toEqual(names);
    // Each set of the zones is there once, though three answers need it.
    expect(proof.zoneSets).toHaveLength(5);
    expect(proof.zoneSets.every(({ signatures }) => signatures.length === 1)).toBe(true);
  });

  it("may need eight aliases and no more", async () => {
    const most = request("n0.alice.test", await chainOf(MAX_ALIASES));
    expect((await proveRrset(most)).aliases).toHaveLength(MAX_ALIASES);
    const more = request("n0.alice.test", await chainOf(MAX_ALIASES + 1));
    expect(await outcomeOf(proveRrset(more))).toBe("too_many_aliases");
  });

  it("is not searched in a loop", async () => {
    const loop = [await alias("a.alice.test", "b.alice.test")];
    loop.push(await alias("b.alice.test", "a.alice.test"));
    expect(await outcomeOf(proveRrset(request("a.alice.test", loop)))).toBe("alias_loop");
  });

  it("is not found through a name with two aliases", async () => {
    const rdatas = ["b.alice.test", "c.alice.test"].map(wireName);
    const two = await signedSet(world.alice, { name: "a.alice.test", type: CNAME, rdatas });
    expect(await outcomeOf(proveRrset(request("a.alice.test", [two])))).toBe("malformed_chain");
  });

  it("does not come from an alias if the name has the answer itself", async () => {
    const both = [await alias("a.alice.test", "b.alice.test"), await text("a.alice.test")];
    const proof = await proveRrset(request("a.alice.test", both));
    expect(proof).toMatchObject({ aliases: [], answer: { name: "a.alice.test", type: TXT } });
  });

  it("is insecure at the first name on the way that is insecure", async () => {
    // Without trust anchors everything is.
    const insecure = { ...request("n0.alice.test", await chainOf(2)), trustAnchors: [] };
    expect(await proveRrset(insecure)).toMatchObject({
      answer: { name: "n2.alice.test" },
      insecure: { insecure: "", at: "n0.alice.test" },
      sets: [],
      zoneSets: [],
    });
  });

  it("is from a wildcard if one of the sets is, and has the proof for it", async () => {
    const made = { labels: 2, signedName: "*.alice.test" };
    const noCloser = await signedSet(world.alice, {
      name: "a.alice.test",
      type: recordType.NSEC,
      rdatas: [nsecRdata("z.alice.test", ["A"])],
    });
    const { source } = makeSource(
      await alias("a.alice.test", "w.alice.test"),
      await text("w.alice.test", made),
      noCloser,
      ...world.up,
    );
    // Like a name server, which adds the denial to the answer.
    const [denial] = readRrsets(noCloser);
    const rrsets: typeof source.rrsets = async (name, type) => {
      const sets = await source.rrsets(name, type);
      return denial && name === "w.alice.test" ? [...sets, denial] : sets;
    };
    const wildcard = { ...request("a.alice.test", []), source: { rrsets } };
    const proof = await proveRrset(wildcard);
    expect(proof).toMatchObject({ answer: { name: "w.alice.test" }, isWildcard: true });
    const kinds = proof.sets.map(({ name, type }) => [name, type]);
    expect(kinds).toEqual([
      ["a.alice.test", CNAME],
      ["w.alice.test", TXT],
      ["a.alice.test", recordType.NSEC],
    ]);
  });

  it("that is absent is from no wildcard", async () => {
    const parts = [await alias("n0.alice.test", "n1.alice.test")];
    const rdatas = [nsecRdata("z.alice.test", ["A"])];
    parts.push(
      await signedSet(world.alice, { name: "n1.alice.test", type: recordType.NSEC, rdatas }),
    );
    const proof = await proveRrset(request("n0.alice.test", parts));
    expect(proof).toMatchObject({ answer: null, isAccepted: true, isWildcard: false });
  });

  it("is bogus if a signature on the way does not hold", async () => {
    for (const bad of [0, 1, 2]) {
      const lie = { signedName: "lie.test" };
      const parts = await Promise.all([
        alias("n0.alice.test", "n1.alice.test", bad === 0 ? lie : {}),
        alias("n1.alice.test", "n2.alice.test", bad === 1 ? lie : {}),
        text("n2.alice.test", bad === 2 ? lie : {}),
      ]);
      const proof = proveRrset(request("n0.alice.test", parts));
      expect(await outcomeOf(proof)).toBe("bad_signature");
    }
  });
});

describe("an alias to a name that is not accepted", () => {
  const isOurs = (name: string) => name !== "n1.alice.test" && !name.endsWith("elsewhere.test");

  it("is proven itself, and nothing after it", async () => {
    const parts = [await alias("n0.alice.test", "elsewhere.test")];
    // Nobody knows anything about the target: it does not matter.
    const proof = await proveRrset(request("n0.alice.test", parts, isOurs));
    expect(proof).toMatchObject({
      name: "elsewhere.test",
      aliases: ["n0.alice.test"],
      answer: null,
      isAccepted: false,
      insecure: null,
    });
    expect(proof.sets.map(({ name }) => name)).toEqual(["n0.alice.test"]);
  });

  it("does not matter on the way to one that is accepted", async () => {
    const proof = await proveRrset(request("n0.alice.test", await chainOf(2), isOurs));
    expect(proof).toMatchObject({ answer: { name: "n2.alice.test" }, isAccepted: true });
    expect(proof.sets).toHaveLength(3);
  });

  it("is proven up to the last name that is accepted", async () => {
    const parts = await Promise.all([
      alias("n0.alice.test", "n2.alice.test"),
      alias("n2.alice.test", "n1.alice.test"),
      text("n1.alice.test", { signedName: "lie.test" }),
    ]);
    const proof = await proveRrset(request("n0.alice.test", parts, isOurs));
    expect(proof).toMatchObject({ name: "n1.alice.test", answer: null, isAccepted: false });
    expect(proof.sets.map(({ name }) => name)).toEqual(named(["n0", "n2"]));
  });

  it("is not accepted either at the end of a loop, or after eight aliases", async () => {
    const loop = [await alias("a.alice.test", "b.alice.test")];
    loop.push(await alias("b.alice.test", "a.alice.test"));
    const looped = await proveRrset(request("a.alice.test", loop, isOurs));
    expect(looped).toMatchObject({ name: "a.alice.test", answer: null, isAccepted: false });
    expect(looped.aliases).toEqual(named(["a", "b"]));
    const long = await chainOf(MAX_ALIASES + 1);
    const tooLong = await proveRrset(request("n0.alice.test", long, () => true));
    expect(tooLong).toMatchObject({ name: "n8.alice.test", answer: null, isAccepted: false });
    expect(tooLong.sets).toHaveLength(MAX_ALIASES);
  });

  it("proves nothing if the requested name is not accepted", async () => {
    const parts = [await text("n1.alice.test", { signedName: "lie.test" })];
    const proof = await proveRrset(request("n1.alice.test", parts, isOurs));
    expect(proof).toMatchObject({ answer: null, isAccepted: false, sets: [], zoneSets: [] });
  });
});

describe("an alias made from DNAME", () => {
  const made = record("x.d.alice.test", CNAME, wireName("x.alice.test"));
  const dname = (name: string, options?: SignatureOptions) =>
    signedSet(
      world.alice,
      { name, type: recordType.DNAME, rdatas: [wireName("alice.test")] },
      options,
    );
  async function outcome(...parts: readonly Octets[]) {
    const given = readRrsets(join(...parts));
    const up = request("", [await text("x.alice.test")]);
    const source = {
      rrsets: async (name: string, type: number) =>
        type === TXT && name === "x.d.alice.test" ? given : up.source.rrsets(name, type),
    };
    return outcomeOf(proveRrset({ ...up, source, name: "x.d.alice.test" }));
  }

  it("is refused as such if the DNAME above it is signed", async () => {
    expect(await outcome(made, await dname("d.alice.test"))).toBe("dname");
    const lie = { signedName: "lie.test" };
    expect(await outcome(made, await dname("d.alice.test", lie))).toBe("bad_signature");
  });

  it("is an alias without a signature if the DNAME is elsewhere", async () => {
    expect(await outcome(made, await dname("e.alice.test"))).toBe("not_signed");
    // A DNAME redirects names below it, not its own (RFC 6672 §2.3).
    expect(await outcome(made, await dname("x.d.alice.test"))).toBe("not_signed");
  });

  it("is no reason to call other records without a signature so", async () => {
    const bare = record("x.d.alice.test", TXT, txt("v"));
    expect(await outcome(bare, await dname("d.alice.test"))).toBe("not_signed");
  });

  it("is no reason to refuse an alias with a signature of its own", async () => {
    const own = await alias("x.d.alice.test", "x.alice.test");
    expect(await outcome(own, await dname("d.alice.test"))).toBe("good");
  });
});

describe("aliases into an insecure zone", () => {
  it("may be made from DNAME there", async () => {
    const bob = await makeZone("bob.test", 13);
    const rdatas = [wireName("c.test")];
    const dname = await signedSet(bob, { name: "bob.test", type: recordType.DNAME, rdatas });
    const made = record("x.bob.test", CNAME, wireName("x.c.test"));
    const cut = { name: "bob.test", type: recordType.NSEC, rdatas: [nsecRdata("z.test", ["NS"])] };
    const { source } = makeSource(
      await signedSet(world.tld, cut),
      ...(await upwards(world.tld, world.root)),
    );
    const given = readRrsets(join(made, dname));
    const answers = {
      rrsets: async (name: string, type: number) => {
        if (type !== TXT) return source.rrsets(name, type);
        return name === "x.bob.test" ? given : readRrsets(record("x.c.test", TXT, txt("v")));
      },
    };
    const asked = { ...request("x.bob.test", []), source: answers };
    const accepts = (name: string) => name === "x.bob.test";
    const proof = await proveRrset({ ...asked, accepts });
    expect(proof).toMatchObject({ insecure: { insecure: "bob.test", at: "x.bob.test" } });
  });

  it("name the end as insecure, and keep what is secure before it", async () => {
    const parts = await Promise.all([
      alias("a.alice.test", "b.bob.test"),
      alias("b.bob.test", "c.bob.test", { signer: "bob.test" }),
      record("c.bob.test", TXT, txt("v")),
    ]);
    const { trustAnchors = [] } = world.request;
    const up = await upwards(world.tld, world.root);
    const denied = await signedSet(world.tld, {
      name: "bob.test",
      type: recordType.NSEC,
      rdatas: [nsecRdata("z.test", ["NS"])],
    });
    const { source } = makeSource(...parts, ...up, ...world.up.slice(0, 2), denied);
    const common = { source, name: "a.alice.test", type: TXT, now, trustAnchors, insecurity };
    const proof = await proveRrset({ ...common, signatures: "any" });
    expect(proof).toMatchObject({
      answer: { name: "c.bob.test" },
      insecure: { insecure: "bob.test", at: "b.bob.test" },
    });
    expect(proof.sets.map(({ name }) => name)).toEqual(["a.alice.test"]);
  });
});
