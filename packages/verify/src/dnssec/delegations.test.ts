// Tests of what the zones above say about the zone of a name: that it is secure, insecure or not there.

import { describe, expect, it } from "vitest";
import {
  type DenialTypeName,
  hashNear,
  nsec3Hash,
  nsec3Rdata,
  nsecRdata,
} from "../../test/support/denials.ts";
import {
  dsRdata,
  dsSet,
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
  upwards,
  wireName,
  type Zone,
} from "../../test/support/signer.ts";
import { makeSource } from "../../test/support/source.ts";
import { makeWorld, outcomeOf, verify } from "../../test/support/world.ts";
import { recordType } from "../dns/records.ts";
import { VerificationError } from "../errors.ts";
import { insecurity, proveInsecure } from "./insecurity.ts";
import { proveRrset } from "./prove.ts";
import type { Insecure, RecordSource } from "./run.ts";

const { TXT, CNAME, NSEC, NSEC3, DS } = recordType;

const world = await makeWorld();
/** An unsigned delegation of `test`, whose zone has keys nevertheless. */
const bob = await makeZone("bob.test", 13);
/** Key sets and delegations of `test` and the root. */
const up = await upwards(world.tld, world.root);
const bobIsInsecure = await nsec("bob.test", "z.test", ["NS"], world.tld);

function requestOf(name: string, source: RecordSource) {
  const { trustAnchors = [] } = world.request;
  const common = { source, name, type: TXT, now, trustAnchors, insecurity };
  return { ...common, signatures: "any" } as const;
}

/** The verdict in the terms of RFC 4035 §4.3, and what was asked for. */
async function prove(name: string, ...parts: readonly (Octets | Promise<Octets>)[]) {
  const { source, asked } = makeSource(...(await Promise.all(parts)));
  const verdict = await proveRrset(requestOf(name, source)).then(
    ({ insecure, answer }) => (insecure ? saysWhy(insecure) : answer ? "secure" : "absent"),
    (error) => (error instanceof VerificationError ? `bogus ${error.code}` : Promise.reject(error)),
  );
  return { verdict, asked };
}

async function verdictOn(name: string, ...parts: readonly (Octets | Promise<Octets>)[]) {
  return (await prove(name, ...parts)).verdict;
}

function saysWhy({ insecure, error, isUnsupported }: Insecure): string {
  return `insecure ${insecure}: ${error.code}${isUnsupported ? ", unsupported" : ""}`;
}

async function isInsecure(name: string, ...parts: readonly (Octets | Promise<Octets>)[]) {
  const { source, asked } = makeSource(...(await Promise.all(parts)));
  const found = await proveInsecure(requestOf(name, source));
  return { found: found && saysWhy(found), asked };
}

function nsec(name: string, next: string, types: readonly DenialTypeName[], by = world.alice) {
  return signedSet(by, { name, type: NSEC, rdatas: [nsecRdata(next, types)] });
}
const unsigned = (name: string) => record(name, TXT, txt("v"));
const text = (name: string, by = world.alice, options?: SignatureOptions) =>
  signedSet(by, { name, type: TXT, rdatas: [txt("v")] }, options);

describe("records without a signature", () => {
  it("are insecure in an insecure zone, at its apex and below it", async () => {
    for (const name of ["bob.test", "x.bob.test", "y.x.bob.test"]) {
      const verdict = await verdictOn(name, unsigned(name), bobIsInsecure, ...up);
      expect(verdict).toBe("insecure bob.test: not_signed");
    }
  });

  it("are bogus in a secure zone", async () => {
    const noCut = nsec("x.alice.test", "z.alice.test", ["TXT"]);
    for (const name of ["alice.test", "x.alice.test"]) {
      const verdict = await verdictOn(name, unsigned(name), noCut, ...world.up);
      expect(verdict).toBe("bogus not_signed");
    }
  });

  it("are bogus if the zone above says nothing about their zone", async () => {
    expect(await verdictOn("bob.test", unsigned("bob.test"), ...up)).toBe("bogus not_signed");
  });

  it("are bogus for the reason why what the zone above says is", async () => {
    const forged = signedSet(
      world.tld,
      { name: "bob.test", type: NSEC, rdatas: [nsecRdata("z.test", ["NS"])] },
      { signedName: "lie.test" },
    );
    const verdict = await verdictOn("bob.test", unsigned("bob.test"), forged, ...up);
    expect(verdict).toBe("bogus bad_signature");
  });

  it("are DS records of the zone above, which may be insecure", async () => {
    const child = await makeZone("c.bob.test", 13);
    const rdatas = [await dsRdata("c.bob.test", child.ksk)];
    const bare = rdatas.map((rdata) => record("c.bob.test", DS, rdata));
    const parts = [await text("c.bob.test", child), await signedSet(child, keySet(child))];
    const verdict = await verdictOn("c.bob.test", ...parts, ...bare, bobIsInsecure, ...up);
    expect(verdict).toBe("insecure bob.test: not_signed");
    // The zone of the answer itself is not insecure: its parent must sign.
    const own = await dsRdata("bob.test", bob.ksk);
    const secure = await verdictOn(
      "bob.test",
      ...[text("bob.test", bob), signedSet(bob, keySet(bob))],
      record("bob.test", DS, own),
      ...up,
    );
    expect(secure).toBe("bogus not_signed");
  });
});

describe("a delegation", () => {
  it("is insecure if the zone above proves that it has no DS records", async () => {
    const keys = await signedSet(bob, keySet(bob));
    const verdict = await verdictOn("bob.test", text("bob.test", bob), keys, bobIsInsecure, ...up);
    expect(verdict).toBe("insecure bob.test: incomplete_chain");
  });

  it("by signed DS records in an insecure zone is ignored (RFC 4035 §5.2)", async () => {
    const child = await makeZone("c.bob.test", 13);
    const parts = [await text("c.bob.test", child), await signedSet(child, keySet(child))];
    const signed = await signedSet(bob, await dsSet(child));
    const keys = await signedSet(bob, keySet(bob));
    const all = [...parts, signed, keys, bobIsInsecure, ...up];
    expect(await verdictOn("c.bob.test", ...all)).toBe("insecure bob.test: incomplete_chain");
  });

  it("is insecure in an insecure zone, whatever that says about DS records or not", async () => {
    const child = await makeZone("c.bob.test", 13);
    const parts = [
      await text("c.bob.test", child),
      await signedSet(child, keySet(child)),
      await signedSet(bob, keySet(bob)),
      ...up,
    ];
    const denied = await nsec("c.bob.test", "d.bob.test", ["NS"], bob);
    for (const said of [[], [denied]]) {
      const { source } = makeSource(...parts, ...said);
      // Name servers of the parent tell what they have about the delegation of bob.test alone.
      const asked: RecordSource = {
        rrsets: async (name, type) =>
          name === "bob.test" && type === DS
            ? makeSource(bobIsInsecure).source.rrsets(name, type)
            : name === "c.bob.test" && type === TXT
              ? makeSource(parts[0] ?? octets()).source.rrsets(name, type)
              : source.rrsets(name, type),
      };
      const { insecure } = await proveRrset(requestOf("c.bob.test", asked));
      expect(insecure && saysWhy(insecure)).toBe("insecure bob.test: incomplete_chain");
    }
  });

  it("is bogus without DS records and without a proof that there are none", async () => {
    const signed = [await text("bob.test", bob), await signedSet(bob, keySet(bob))];
    expect(await verdictOn("bob.test", ...signed, ...up)).toBe("bogus incomplete_chain");
    for (const useless of [
      nsec("a.test", "b.test", ["A"], world.tld),
      nsec("bob.test", "z.test", ["NS", "DS"], world.tld),
      // The zone's own record says nothing about the zone above.
      nsec("bob.test", "z.test", ["NS", "SOA"], bob),
    ]) {
      const verdict = await verdictOn("bob.test", ...signed, useless, ...up);
      expect(verdict).toBe("bogus incomplete_chain");
    }
  });

  it("needs the keys of the zone", async () => {
    const ds = await signedSet(world.tld, await dsSet(bob));
    const verdict = await verdictOn("bob.test", text("bob.test", bob), ds, ...up);
    expect(verdict).toBe("bogus incomplete_chain");
    const other = await makeZone("bob.test", 13);
    const foreign = await signedSet(other, keySet(other));
    expect(await verdictOn("bob.test", text("bob.test", other), foreign, ds, ...up)).toBe(
      "bogus key_not_delegated",
    );
  });

  it("is none where the zone above proves that no zone begins", async () => {
    const claimed = { signer: "x.alice.test" };
    const keys = [await signedSet({ ...bob, name: "x.alice.test" }, keySet(bob), claimed)];
    const noCut = nsec("x.alice.test", "z.alice.test", ["TXT"]);
    const noName = nsec("a.alice.test", "z.alice.test", ["A"]);
    for (const denied of [noCut, noName]) {
      const answer = text("x.alice.test", { ...bob, name: "x.alice.test" });
      const verdict = await verdictOn("x.alice.test", answer, ...keys, denied, ...world.up);
      expect(verdict).toBe("bogus foreign_signer");
    }
  });

  it("in ways that are not supported is insecure", async () => {
    const [ds] = (await dsSet(bob)).rdatas;
    const changed = (index: number, value: number) => {
      const rdata = new Uint8Array(ds ?? []);
      rdata[index] = value;
      return rdata;
    };
    const [sha1, gost, rsaSha1] = [changed(3, 1), changed(3, 3), changed(2, 5)];
    const signed = [await text("bob.test", bob), await signedSet(bob, keySet(bob))];
    const verdict = async (...rdatas: Octets[]) => {
      const dss = await signedSet(world.tld, { name: "bob.test", type: DS, rdatas });
      return verdictOn("bob.test", ...signed, dss, ...up);
    };
    expect(await verdict(sha1)).toBe("insecure bob.test: unsupported_digest, unsupported");
    expect(await verdict(gost, sha1)).toBe("insecure bob.test: unsupported_digest, unsupported");
    expect(await verdict(rsaSha1)).toBe("insecure bob.test: unsupported_algorithm, unsupported");
    // One that is supported counts, and must hold.
    expect(await verdict(changed(3, 2))).toBe("secure");
    expect(await verdict(sha1, changed(3, 2), rsaSha1)).toBe("secure");
    expect(await verdict(sha1, changed(10, 0), changed(11, 0))).toBe("bogus key_not_delegated");
  });

  it("that cannot be read is bogus", async () => {
    const dss = await signedSet(world.tld, {
      name: "bob.test",
      type: DS,
      rdatas: [octets(1, 2)],
    });
    const signed = [await text("bob.test", bob), await signedSet(bob, keySet(bob))];
    expect(await verdictOn("bob.test", ...signed, dss, ...up)).toBe("bogus malformed_chain");
  });
});

describe("whether a name lies in an insecure zone", () => {
  it("is asked from the root down, to the first zone that is insecure", async () => {
    const { found, asked } = await isInsecure("y.x.bob.test", bobIsInsecure, ...up);
    expect(found).toBe("insecure bob.test: incomplete_chain");
    expect(asked.filter((question) => question.startsWith("DS"))).toEqual([
      "DS test.",
      "DS bob.test.",
    ]);
  });

  it("is not asked below a name that does not exist", async () => {
    const absent = nsec("a.alice.test", "z.alice.test", ["A"]);
    const { found, asked } = await isInsecure("z.y.x.alice.test", absent, ...world.up);
    expect(found).toBe(null);
    const questions = asked.filter((question) => question.startsWith("DS"));
    expect(questions).toEqual(["DS test.", "DS alice.test.", "DS x.alice.test."]);
  });

  it("is asked below a name that exists in the same zone", async () => {
    const exists = nsec("x.alice.test", "z.alice.test", ["A"]);
    const cut = nsec("y.x.alice.test", "z.alice.test", ["NS"]);
    const { found, asked } = await isInsecure("y.x.alice.test", cut, exists, ...world.up);
    expect(found).toBe("insecure y.x.alice.test: incomplete_chain");
    expect(asked).toContain("DS x.alice.test.");
  });

  it("is open if a secure zone is silent", async () => {
    const { source } = makeSource(...world.up);
    const asked = proveInsecure(requestOf("x.alice.test", source));
    expect(await outcomeOf(asked)).toBe("incomplete_chain");
  });

  it("is known from an alias in an insecure zone, at which no zone can begin", async () => {
    const alias = { name: "www.bob.test", type: CNAME, rdatas: [wireName("x.test")] };
    const answer = text("y.www.bob.test", bob, { signer: "www.bob.test" });
    const signed = await signedSet(bob, alias);
    const parts = [answer, signed, signedSet(bob, keySet(bob)), bobIsInsecure, ...up];
    expect(await verdictOn("y.www.bob.test", ...parts)).toBe("insecure bob.test: incomplete_chain");
  });

  it("is false below an alias in a secure zone, also where it is not an absence", async () => {
    const alias = { name: "www.alice.test", type: CNAME, rdatas: [wireName("x.test")] };
    const cut = nsec("y.www.alice.test", "z.alice.test", ["NS"]);
    const signed = await signedSet(world.alice, alias);
    const { found } = await isInsecure("y.www.alice.test", signed, cut, ...world.up);
    // A name with an alias may have names below it, and one of them may be delegated.
    expect(found).toBe("insecure y.www.alice.test: incomplete_chain");
  });

  it("is known by NSEC3 records too, and by an opt-out span", async () => {
    const hash = nsec3Hash("x.alice.test", { salt: "", iterations: 0 });
    const spanOf = (flags: number) => {
      const rdatas = [nsec3Rdata({ next: hashNear(hash, 1), flags, types: ["A"] })];
      const name = `${hashNear(hash, -1)}.alice.test`;
      return signedSet(world.alice, { name, type: NSEC3, rdatas });
    };
    const top = nsec3Hash("alice.test", { salt: "", iterations: 0 });
    const apex = await signedSet(world.alice, {
      name: `${top}.alice.test`,
      type: NSEC3,
      rdatas: [nsec3Rdata({ next: hashNear(top, 1), types: ["NS", "SOA"] })],
    });
    const optOut = await isInsecure("x.alice.test", apex, spanOf(1), ...world.up);
    expect(optOut.found).toBe("insecure x.alice.test: incomplete_chain");
    const none = await isInsecure("x.alice.test", apex, spanOf(0), ...world.up);
    expect(none.found).toBe(null);
  });
});

describe("the denials in an answer", () => {
  const covering = () => nsec("a.alice.test", "z.alice.test", ["A"]);
  const noWildcard = () => nsec("alice.test", "a.alice.test", ["NS", "SOA"]);

  it("count from the nearest zone above alone", async () => {
    const above = nsec("b.test", "z.test", ["NS", "DS"], world.tld);
    const parts = [covering(), noWildcard(), ...world.up];
    expect(await verdictOn("x.alice.test", above, ...parts)).toBe("absent");
    // A forged one of a zone farther above does no harm, one of the zone does.
    const forged = (by: Zone, name: string) =>
      signedSet(
        by,
        { name, type: NSEC, rdatas: [nsecRdata("z.test", ["A"])] },
        { signedName: "lie.test" },
      );
    expect(await verdictOn("x.alice.test", forged(world.tld, "c.test"), ...parts)).toBe("absent");
    expect(await verdictOn("x.alice.test", forged(world.alice, "c.alice.test"), ...parts)).toBe(
      "bogus bad_signature",
    );
  });

  it("are insecure in an insecure zone", async () => {
    const keys = signedSet(bob, keySet(bob));
    const denied = nsec("a.bob.test", "z.bob.test", ["A"], bob);
    const verdict = await verdictOn("x.bob.test", denied, keys, bobIsInsecure, ...up);
    expect(verdict).toBe("insecure bob.test: no_answer");
  });

  it("are eight at most", async () => {
    const others = Array.from({ length: 7 }, (_, index) =>
      nsec(`n${index}.alice.test`, `n${index}x.alice.test`, ["A"]),
    );
    const [first, second] = [covering(), noWildcard()];
    const [, ...six] = others;
    expect(await verdictOn("x.alice.test", ...six, first, second, ...world.up)).toBe("absent");
    expect(await verdictOn("x.alice.test", ...others, first, second, ...world.up)).toBe(
      "bogus no_answer",
    );
  });

  it("are not looked at without the code that reads them", async () => {
    const { source } = makeSource(await covering(), await noWildcard(), ...world.up);
    const { insecurity: _, ...request } = requestOf("x.alice.test", source);
    expect(await outcomeOf(proveRrset(request))).toBe("no_answer");
  });
});

describe("the keys of a zone", () => {
  it("may be signed by several of them in a received chain", async () => {
    const { alice, tld, root } = world;
    const keys = await signedSet(alice, keySet(alice));
    const second = await signatureRecord(alice, keySet(alice), { key: alice.zsk });
    const answer = await signedSet(alice, world.answer);
    const ds = await signedSet(tld, await dsSet(alice));
    const rest = [ds, ...(await upwards(tld, root))];
    expect(await outcomeOf(verify(world, [answer, keys, second, ...rest]))).toBe("good");
  });

  it("must be signed by one that the zone above lists, whatever else signs them", async () => {
    const { alice } = world;
    const ds = await signedSet(world.tld, await dsSet(alice));
    const byZsk = await signedSet(alice, keySet(alice), { key: alice.zsk });
    const parts = [text("alice.test"), byZsk, ds, ...up];
    expect(await verdictOn("alice.test", ...parts)).toBe("bogus no_such_key");
    const answer = await signedSet(alice, world.answer);
    expect(await outcomeOf(verify(world, [answer, byZsk, ds, ...up]))).toBe("key_not_delegated");
  });

  it("include keys that sign nothing", async () => {
    const spare = await makeKey(13, { flags: 256 });
    const alice = { ...world.alice, keys: [...world.alice.keys, spare.rdata] };
    const zones = await upwards(alice, world.tld, world.root);
    expect(await verdictOn("alice.test", text("alice.test", alice), ...zones)).toBe("secure");
  });
});
