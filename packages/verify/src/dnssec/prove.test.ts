// Tests of proofs from sets that were signed by hand: absences, wildcards and insecure zones.

import { describe, expect, it } from "vitest";
import {
  type DenialTypeName,
  hashNear,
  nsec3Hash,
  nsec3Rdata,
  nsecRdata,
} from "../../test/support/denials.ts";
import {
  collidingKey,
  dsSet,
  join,
  keySet,
  makeKey,
  now,
  type Octets,
  record,
  type SignatureOptions,
  signedSet,
  txt,
  type,
  upwards,
  wireName,
  type Zone,
} from "../../test/support/signer.ts";
import { goodChain, makeWorld, outcomeOf } from "../../test/support/world.ts";
import { recordType } from "../dns/records.ts";
import { VerificationError } from "../errors.ts";
import { insecurity, proveInsecure } from "./insecurity.ts";
import { proveRrset } from "./prove.ts";
import { readRrsets } from "./rrsets.ts";
import type { RecordSource } from "./run.ts";

const { TXT, CNAME, NSEC, NSEC3, DS } = recordType;

const world = await makeWorld();

/** By "type name"; a number of milliseconds delays the answer. */
type Answers = Readonly<Record<string, readonly Octets[]>>;

/** Answers these questions, and those about keys and delegations from the chain of `alice.test`. */
function sourceOf(answers: Answers, up = world.up, delays: Readonly<Record<string, number>> = {}) {
  const zoneSets = readRrsets(join(...up));
  const source: RecordSource = {
    async rrsets(name, of) {
      const key = `${of} ${name}`;
      await new Promise((resolve) => setTimeout(resolve, delays[key] ?? 0));
      const given = answers[key];
      if (given) return readRrsets(join(...given));
      return zoneSets.filter((set) => set.name === name && set.type === of);
    },
  };
  return source;
}

/** The verdict in the terms of RFC 4035 §4.3. */
async function prove(name: string, source: RecordSource, from = world): Promise<string> {
  const { trustAnchors = [] } = from.request;
  const request = {
    source,
    name,
    type: TXT,
    now,
    trustAnchors,
    signatures: "any",
    insecurity,
  } as const;
  try {
    const { answer, insecure, isWildcard } = await proveRrset(request);
    if (insecure) return `insecure ${insecure.insecure}${insecure.zone ? ", denied" : ""}`;
    return answer ? `secure${isWildcard ? ", from a wildcard" : ""}` : "secure, absent";
  } catch (error) {
    if (error instanceof VerificationError) return `bogus ${error.code}`;
    throw error;
  }
}

async function isInsecure(name: string, source: RecordSource): Promise<boolean> {
  const { trustAnchors = [] } = world.request;
  const request = { source, name, now, trustAnchors, signatures: "any", insecurity } as const;
  return (await proveInsecure(request)) !== null;
}

const text = (name: string, by = world.alice, options?: SignatureOptions) =>
  signedSet(by, { name, type: TXT, rdatas: [txt("v")] }, options);

function nsec(
  name: string,
  next: string,
  types: readonly DenialTypeName[],
  { by = world.alice, ...options }: SignatureOptions & { readonly by?: Zone } = {},
) {
  return signedSet(by, { name, type: NSEC, rdatas: [nsecRdata(next, types)] }, options);
}

const apex = ["NS", "SOA", "DNSKEY"] as const;

const hash = (name: string) => nsec3Hash(name, { salt: "", iterations: 0 });

function nsec3(owner: string, next: string, flags: number, types: readonly DenialTypeName[]) {
  const rdatas = [nsec3Rdata({ next, flags, types })];
  return signedSet(world.alice, { name: `${owner}.alice.test`, type: NSEC3, rdatas });
}

/** Denies nothing but the hash of the name. */
function around(name: string, flags: number) {
  return nsec3(hashNear(hash(name), -1), hashNear(hash(name), 1), flags, ["A"]);
}

describe("the absence of a record", () => {
  const [name, question] = ["x.alice.test", `${TXT} x.alice.test`];
  const absent = async (...sets: readonly Promise<Octets>[]) =>
    prove(name, sourceOf({ [question]: await Promise.all(sets) }));

  it("is secure by the NSEC records of its zone", async () => {
    expect(await absent(nsec(name, "y.alice.test", ["A"]))).toBe("secure, absent");
    expect(await absent(nsec("alice.test", "y.alice.test", apex))).toBe("secure, absent");
    // The owner of this record is the wildcard itself.
    const wildcard = nsec("*.alice.test", "a.alice.test", ["A"]);
    const covering = nsec("a.alice.test", "y.alice.test", ["A"]);
    expect(await absent(wildcard, covering)).toBe("secure, absent");
    expect(await absent(covering)).toBe("bogus no_answer");
  });

  it("is not secure by NSEC records that were made from a wildcard", async () => {
    const made = { labels: 2, signedName: "*.alice.test" };
    expect(await absent(nsec(name, "y.alice.test", ["A"], made))).toBe("bogus wildcard");
    // With the longer owner it would deny all that is after it, and the wildcard itself.
    const longer = nsec("*.b.alice.test", "a.alice.test", ["TXT"], made);
    expect(await absent(longer)).toBe("bogus wildcard");
  });

  it("is not secure by the NSEC records of the zone above", async () => {
    const { tld } = world;
    const delegation = nsec("alice.test", "bob.test", ["NS", "DS"], { by: tld });
    expect(await absent(delegation)).toBe("bogus no_answer");
    const atCut = sourceOf({ [`${TXT} alice.test`]: [await delegation] });
    expect(await prove("alice.test", atCut)).toBe("bogus no_answer");
  });

  it("is found among the records of other zones, which say nothing about it", async () => {
    const others = ["a", "b", "c", "d", "e"].map((label) =>
      nsec(`${label}.bob.test`, `${label}x.bob.test`, ["A"], { signer: "bob.test" }),
    );
    expect(await absent(...others, nsec(name, "y.alice.test", ["A"]))).toBe("secure, absent");
  });

  it("is bogus without NSEC records, or with one that two zones signed", async () => {
    expect(await absent()).toBe("bogus no_answer");
    const own = await nsec(name, "y.alice.test", ["A"]);
    const second = await nsec(name, "y.alice.test", ["A"], { signer: "test" });
    const source = sourceOf({ [question]: [own, second] });
    expect(await prove(name, source)).toBe("bogus foreign_signer");
  });

  it("is insecure in an opt-out span of NSEC3", async () => {
    const top = nsec3(hash("alice.test"), hashNear(hash("alice.test"), 1), 0, apex);
    const star = around("*.alice.test", 0);
    expect(await absent(top, star, around(name, 0))).toBe("secure, absent");
    expect(await absent(top, star, around(name, 1))).toBe(`insecure ${name}, denied`);
    expect(await absent(star, around(name, 1))).toBe("bogus no_answer");
  });

  it("is proven at the end of an alias by an NSEC record of a zone cut that was passed", async () => {
    const alias = { name, type: CNAME, rdatas: [wireName("x.alicf.test")] };
    const source = sourceOf({
      [question]: [await signedSet(world.alice, alias)],
      [`${TXT} x.alicf.test`]: [
        await nsec("alice.test", "bob.test", ["NS", "DS"], { by: world.tld }),
        await nsec("test", "0.test", apex, { by: world.tld }),
      ],
    });
    expect(await prove(name, source)).toBe("secure, absent");
  });
});

describe("an answer from a wildcard", () => {
  const name = "x.y.alice.test";
  const made = { labels: 2, signedName: "*.alice.test" };
  const answered = async (...sets: readonly Promise<Octets>[]) => {
    const answer = await text(name, world.alice, made);
    return prove(name, sourceOf({ [`${TXT} ${name}`]: [answer, ...(await Promise.all(sets))] }));
  };

  it("is secure with the proof that no closer name exists", async () => {
    const covering = nsec("*.alice.test", "z.alice.test", ["TXT"]);
    expect(await answered(covering)).toBe("secure, from a wildcard");
  });

  it("is insecure if a closer name may be an insecure delegation, by opt-out", async () => {
    expect(await answered(around("y.alice.test", 0))).toBe("secure, from a wildcard");
    expect(await answered(around("y.alice.test", 1))).toBe(`insecure ${name}, denied`);
    expect(await answered(around(name, 1))).toBe("bogus wildcard");
  });

  it("is bogus without it", async () => {
    const { tld } = world;
    for (const sets of [
      [],
      [nsec("*.alice.test", "a.alice.test", ["TXT"])],
      // A name below the next closer one exists, therefore that exists too.
      [nsec("*.alice.test", "z.y.alice.test", ["TXT"])],
      [nsec("y.alice.test", "z.alice.test", ["TXT"])],
      [nsec("y.alice.test", "z.alice.test", ["NS"])],
      [nsec("test", "z.test", apex, { by: tld })],
    ]) {
      expect(await answered(...sets)).toBe("bogus wildcard");
    }
    const expired = { expiration: now - 1000 };
    const old = nsec("*.alice.test", "z.alice.test", ["TXT"], expired);
    expect(await answered(old)).toBe("bogus expired");
  });

  it("is never accepted in a chain", async () => {
    const { trustAnchors = [] } = world.request;
    const source = sourceOf({
      [`${TXT} ${name}`]: [
        await text(name, world.alice, made),
        await nsec("*.alice.test", "z.alice.test", ["TXT"]),
      ],
    });
    const request = {
      source,
      name,
      type: TXT,
      now,
      trustAnchors,
      signatures: "all",
      insecurity,
    } as const;
    expect(await outcomeOf(proveRrset(request))).toBe("wildcard");
  });
});

describe("a zone with keys but without a delegation", () => {
  // The keys and the denial may arrive in any order.
  it.each([`${DS} alice.test`, `${type.DNSKEY} alice.test`])(
    "is insecure, also if the answer to %s is late",
    async (late) => {
      const up = [
        await signedSet(world.alice, keySet(world.alice)),
        ...(await upwards(world.tld, world.root)),
      ];
      const answers = {
        [`${TXT} alice.test`]: [await text("alice.test")],
        [`${DS} alice.test`]: [await nsec("alice.test", "b.test", ["NS"], { by: world.tld })],
      };
      expect(await prove("alice.test", sourceOf(answers, up, { [late]: 20 }))).toBe(
        "insecure alice.test",
      );
    },
  );
});

describe("a name with an alias", () => {
  const name = "www.alice.test";
  const alias = { name, type: CNAME, rdatas: [wireName("x.elsewhere.test")] };

  it("lies in the zone that signed the alias, because no zone can begin there", async () => {
    const signed = await signedSet(world.alice, alias);
    expect(await isInsecure(name, sourceOf({ [`${DS} ${name}`]: [signed] }))).toBe(false);
    const made = { labels: 2, signedName: "*.alice.test" };
    const wildcard = await signedSet(world.alice, alias, made);
    expect(await isInsecure(name, sourceOf({ [`${DS} ${name}`]: [wildcard] }))).toBe(false);
  });

  it("is bogus if the alias is not signed, not well, or by a zone at the name itself", async () => {
    const bare = record(name, CNAME, wireName("x.elsewhere.test"));
    const own = { signer: name };
    for (const [given, code] of [
      [bare, "incomplete_chain"],
      [await signedSet(world.alice, alias, { signedName: "lie" }), "bad_signature"],
      [await signedSet(world.alice, alias, own), "incomplete_chain"],
    ] as const) {
      const insecure = isInsecure(name, sourceOf({ [`${DS} ${name}`]: [given] }));
      expect(await outcomeOf(insecure)).toBe(code);
    }
  });
});

describe("a key that cannot be used", () => {
  it("does not hide another one with the same tag", async () => {
    const rsa = await makeWorld(8);
    // Its exponent has no length that is supported.
    const zsk = await makeKey(8);
    const unsuitable = collidingKey(zsk, 1);
    const alice = { ...rsa.alice, zsk, keys: [rsa.alice.ksk.rdata, zsk.rdata, unsuitable] };
    const up = await upwards(alice, rsa.tld, rsa.root);
    const source = sourceOf({ [`${TXT} alice.test`]: [await text("alice.test", alice)] }, up);
    expect(await prove("alice.test", source, rsa)).toBe("secure");
  });
});

describe("a source that has everything, as a received chain does", () => {
  it("proves the same as one that is asked", async () => {
    const sets = readRrsets(await goodChain(world));
    const source = { rrsets: async () => sets };
    expect(await prove("_domain-signin.alice.test", source)).toBe("secure");
    expect(await prove("alice.test", source)).toBe("bogus no_answer");
    const delegation = readRrsets(await signedSet(world.tld, await dsSet(world.alice)));
    expect(await prove("x.alice.test", { rrsets: async () => delegation })).toBe("bogus no_answer");
  });
});
