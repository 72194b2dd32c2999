// Tests of the memory of verified zones: what is remembered, for how long, and when it does not count.

import { beforeEach, describe, expect, it } from "vitest";
import { nsecRdata } from "../../test/support/denials.ts";
import {
  dsRdata,
  dsSet,
  keySet,
  makeKey,
  makeZone,
  now,
  type SignatureOptions,
  type Zone as SignedZone,
  signedSet,
  txt,
  upwards,
} from "../../test/support/signer.ts";
import { makeSource } from "../../test/support/source.ts";
import { makeWorld, outcomeOf, type World } from "../../test/support/world.ts";
import { recordType } from "../dns/records.ts";
import { insecurity, proveInsecure } from "./insecurity.ts";
import { type ProofRequest, proveRrset } from "./prove.ts";
import type { Insecure, Zone } from "./run.ts";
import { createZoneMemory } from "./zone-memory.ts";

const { TXT, NSEC, DS, DNSKEY } = recordType;

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});

/** Never forgets, and shows the lifetimes that it was given, in seconds. */
function makeMemory() {
  const kept = new Map<string, Zone | Insecure>();
  const lifetimes: Record<string, number> = {};
  const memory = createZoneMemory({
    get: (name) => kept.get(name),
    set(name, value, lifetime) {
      kept.set(name, value);
      lifetimes[name] = lifetime;
    },
  });
  return { kept, lifetimes, memory };
}

function requestOf(name: string, request: Pick<ProofRequest, "source" | "memory">): ProofRequest {
  const { trustAnchors = [] } = world.request;
  return { name, type: TXT, now, trustAnchors, signatures: "any", insecurity, ...request };
}

const text = (name: string, by: SignedZone) =>
  signedSet(by, { name, type: TXT, rdatas: [txt("v")] });

const withNewKey = async (zone: SignedZone): Promise<SignedZone> => {
  const zsk = await makeKey(13, { flags: 256 });
  return { ...zone, zsk, keys: [zone.ksk.rdata, zsk.rdata] };
};

describe("a verified zone is remembered", () => {
  async function lifetimes(change: {
    readonly keys?: SignatureOptions;
    readonly ds?: SignatureOptions;
    readonly above?: SignatureOptions;
  }) {
    const { alice, tld, root } = world;
    const { source } = makeSource(
      await text("alice.test", alice),
      await signedSet(alice, keySet(alice), change.keys),
      await signedSet(tld, await dsSet(alice), change.ds),
      await signedSet(tld, keySet(tld), change.above),
      await signedSet(root, await dsSet(tld)),
      await signedSet(root, keySet(root)),
    );
    const { lifetimes, memory } = makeMemory();
    await proveRrset(requestOf("alice.test", { source, memory }));
    return lifetimes;
  }

  it.each<[number, string, SignatureOptions]>([
    [100, "for the TTL that was received", { ttl: 100 }],
    [100, "for the signed TTL at most", { originalTtl: 100 }],
    [100, "until the signature expires", { expiration: now + 100 }],
    [3600, "for an hour at most", { ttl: 86_400, originalTtl: 86_400 }],
  ])("%i seconds: %s", async (lifetime, _, options) => {
    const others = { "": 3600, test: 3600 };
    expect(await lifetimes({ keys: options })).toEqual({ ...others, "alice.test": lifetime });
    expect(await lifetimes({ ds: options })).toEqual({ ...others, "alice.test": lifetime });
  });

  it("not for longer than the zone above", async () => {
    const kept = { "": 3600, test: 50, "alice.test": 50 };
    expect(await lifetimes({ above: { ttl: 50 } })).toEqual(kept);
    expect(await lifetimes({ above: { ttl: 50 }, keys: { ttl: 100 } })).toEqual(kept);
    const shorter = { "": 3600, test: 50, "alice.test": 20 };
    expect(await lifetimes({ above: { ttl: 50 }, keys: { ttl: 20 } })).toEqual(shorter);
  });

  it("and not asked for again", async () => {
    const { asked, source } = makeSource(await text("alice.test", world.alice), ...world.up);
    const { memory } = makeMemory();
    const request = requestOf("alice.test", { source, memory });
    expect((await proveRrset(request)).insecure).toBe(null);
    const zoneQuestions = ["DNSKEY alice.test.", "DS alice.test.", "DNSKEY test.", "DS test."];
    const all = ["TXT alice.test.", ...zoneQuestions, "DNSKEY ."];
    expect(asked.toSorted()).toEqual(all.toSorted());

    const again = await proveRrset(request);
    expect(again).toMatchObject({ insecure: null, answer: { name: "alice.test" } });
    // The chain of the second answer is complete too.
    expect(again.zoneSets.map(({ name, type }) => [name, type])).toEqual([
      ["alice.test", DNSKEY],
      ["alice.test", DS],
      ["test", DNSKEY],
      ["test", DS],
      ["", DNSKEY],
    ]);
    expect(asked).toHaveLength(all.length + 1);
    expect(await proveInsecure(request)).toBe(null);
    expect(asked).toHaveLength(all.length + 1);
  });
});

describe("a remembered zone does not count", () => {
  it("if the zone above it was verified in another state", async () => {
    const { asked, source } = makeSource(await text("alice.test", world.alice), ...world.up);
    const { kept, memory } = makeMemory();
    const request = requestOf("alice.test", { source, memory });
    await proveRrset(request);
    const before = kept.get("alice.test");
    kept.delete("test");
    asked.length = 0;
    await proveRrset(request);
    const reread = ["DNSKEY alice.test.", "DNSKEY test.", "DS alice.test.", "DS test."];
    expect(asked.toSorted()).toEqual([...reread, "TXT alice.test."]);
    expect(kept.get("alice.test")).not.toBe(before);
    expect(kept.get("alice.test")).toMatchObject({ parent: kept.get("test") });
  });

  it("if its keys were changed since: then all is asked for once more", async () => {
    const { alice, tld, root } = world;
    const { kept, memory } = makeMemory();
    const first = makeSource(await text("alice.test", alice), ...world.up);
    await proveRrset(requestOf("alice.test", { source: first.source, memory }));
    const before = new Map(kept);

    const renewed = await withNewKey(alice);
    const answer = await text("alice.test", renewed);
    const second = makeSource(answer, ...(await upwards(renewed, tld, root)));
    const proof = await proveRrset(requestOf("alice.test", { source: second.source, memory }));
    expect(proof.insecure).toBe(null);
    expect(second.asked.filter((question) => question === "TXT alice.test.")).toHaveLength(2);
    // The zones above did not change: those remembered below them stay valid.
    expect(kept.get("")).toBe(before.get(""));
    expect(kept.get("test")).toBe(before.get("test"));
    expect(kept.get("alice.test")).not.toBe(before.get("alice.test"));

    second.asked.length = 0;
    await proveRrset(requestOf("alice.test", { source: second.source, memory }));
    expect(second.asked).toEqual(["TXT alice.test."]);
  });

  it("if only its delegation was changed", async () => {
    const { alice, tld, root } = world;
    const { kept, memory } = makeMemory();
    const first = makeSource(await text("alice.test", alice), ...world.up);
    await proveRrset(requestOf("alice.test", { source: first.source, memory }));
    const before = new Map(kept);
    const rdatas = [await dsRdata("alice.test", alice.ksk, "SHA-384")];
    const second = makeSource(
      // Not by the remembered key: so the zones are read again.
      await text("alice.test", { ...alice, zsk: alice.ksk }),
      await signedSet(alice, keySet(alice)),
      await signedSet(tld, { name: "alice.test", type: DS, rdatas }),
      ...(await upwards(tld, root)),
    );
    kept.set("alice.test", { ...(before.get("alice.test") as Zone), keys: [] });
    await proveRrset(requestOf("alice.test", { source: second.source, memory }));
    expect(kept.get("test")).toBe(before.get("test"));
    expect(kept.get("alice.test")).toMatchObject({ sets: [{}, { rdatas }] });
  });
});

describe("a refused answer", () => {
  const questions = (asked: readonly string[]) =>
    asked.filter((question) => question === "TXT alice.test.").length;

  it("is asked for once more only if a remembered zone counted", async () => {
    const bad = await signedSet(
      world.alice,
      { name: "alice.test", type: TXT, rdatas: [txt("v")] },
      { signedName: "bob.test" },
    );
    const { asked, source } = makeSource(bad, ...world.up);
    const { memory } = makeMemory();
    const request = requestOf("alice.test", { source, memory });
    expect(await outcomeOf(proveRrset(request))).toBe("bad_signature");
    expect(questions(asked)).toBe(1);
    expect(await outcomeOf(proveRrset(request))).toBe("bad_signature");
    expect(questions(asked)).toBe(3);
  });

  it("is not asked for again after an error of the source", async () => {
    const { memory } = makeMemory();
    const { source } = makeSource(await text("alice.test", world.alice), ...world.up);
    await proveRrset(requestOf("alice.test", { source, memory }));
    const asked: string[] = [];
    const silent = {
      async rrsets(name: string, type: number) {
        asked.push(name);
        if (name === "x.alice.test" && type === DS) throw new Error("no answer in time");
        return [];
      },
    };
    const failed = proveRrset(requestOf("x.alice.test", { source: silent, memory }));
    await expect(failed).rejects.toThrow("no answer in time");
    expect(asked).toEqual(["x.alice.test", "x.alice.test"]);
  });
});

describe("an insecure zone", () => {
  const denied = async (name: string, by: SignedZone) =>
    signedSet(by, { name, type: NSEC, rdatas: [nsecRdata("z.test", ["NS"])] });
  const insecureSource = async () =>
    makeSource(
      await text("bob.test", await makeZone("bob.test", 13)),
      await denied("bob.test", world.tld),
      ...(await upwards(world.tld, world.root)),
    );

  it("is remembered for a minute", async () => {
    const { asked, source } = await insecureSource();
    const { lifetimes, memory } = makeMemory();
    const request = requestOf("bob.test", { source, memory });
    expect((await proveRrset(request)).insecure).toMatchObject({
      insecure: "bob.test",
      at: "bob.test",
    });
    expect(lifetimes).toEqual({ "": 3600, test: 3600, "bob.test": 60 });
    asked.length = 0;
    expect((await proveRrset(request)).insecure).toMatchObject({ insecure: "bob.test" });
    expect(asked).toEqual(["TXT bob.test."]);
    expect(await proveInsecure({ ...request, name: "x.bob.test" })).toMatchObject({
      insecure: "bob.test",
    });
    expect(asked).toEqual(["TXT bob.test."]);
  });

  it("is everything, with nothing asked about zones, if there are no trust anchors", async () => {
    const { asked, source } = await insecureSource();
    const { lifetimes, memory } = makeMemory();
    const names = { "bob.test": "untrusted_root", "x.bob.test": "no_answer" };
    for (const [name, code] of Object.entries(names)) {
      const request = { ...requestOf(name, { source, memory }), trustAnchors: [] };
      const { insecure } = await proveRrset(request);
      expect(insecure).toMatchObject({ insecure: "", error: { code } });
    }
    expect(asked).toEqual(["TXT bob.test.", "TXT x.bob.test."]);
    expect(lifetimes).toEqual({});
  });
});
