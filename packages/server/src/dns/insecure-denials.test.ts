// Tests of denials that were signed by hand: NSEC3 with opt-out, and what no honest zone would sign.

import { recordType } from "domain-signin-verify/dns/records";
import { describe, expect, it } from "vitest";
import {
  type DenialTypeName,
  hashNear,
  type Nsec3Fields,
  nsec3Hash,
  nsec3Rdata,
  nsecRdata,
} from "../../../verify/test/support/denials.ts";
import {
  dsSet,
  join,
  keySet,
  now,
  type Octets,
  octets,
  type SignatureOptions,
  signedSet,
  upwards,
  type Zone,
} from "../../../verify/test/support/signer.ts";
import { leafName, makeWorld } from "../../../verify/test/support/world.ts";
import { fixture } from "../../test/support/fixture.ts";
import {
  answering,
  createScriptedDns,
  recordsOf,
  validatorIn,
  verdictOf,
} from "../../test/support/validator-world.ts";

const { DS, NSEC, NSEC3, TXT } = recordType;
const hashing = { salt: "c0ffee", iterations: 3 };
const hash = (name: string) => nsec3Hash(name, hashing);

const world = fixture(makeWorld);

/**
 * The verdict if this is the answer that the zone, and each name between it and `test`, has no DS. What
 * verifies `test` is its own chain, or this one.
 */
async function isInsecure(zone: string, denial: readonly Octets[], above?: readonly Octets[]) {
  const labels = zone.split(".");
  const names = labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  const denials = Object.fromEntries(names.map((name) => [name, join(...denial)]));
  return verdictOf(await (await validatorOf(denials, above)).isInsecure(zone));
}

async function validatorOf(denials: Readonly<Record<string, Octets>>, above?: readonly Octets[]) {
  const up = above ?? (await upwards(world.tld, world.root));
  return validatorIn(world, createScriptedDns(up, denials).query);
}

type Signing = SignatureOptions & { readonly by?: Zone; readonly owner?: (name: string) => string };

function nsec3(owner: string, fields: Nsec3Fields, signing: Signing = {}): Promise<Octets> {
  const { by = world.tld, owner: written = (name: string) => name, ...options } = signing;
  const name = written(`${owner}.test`);
  const rdatas = [nsec3Rdata({ ...hashing, ...fields })];
  return signedSet(by, { name, type: NSEC3, rdatas }, options);
}

/** The record at the hash of the name itself. */
function at(name: string, types: readonly DenialTypeName[], signing?: Signing): Promise<Octets> {
  return nsec3(hash(name), { next: hashNear(hash(name), 1), types, flags: 1 }, signing);
}

/** One that opts out over nothing but the hash of the name. */
function around(name: string, signing?: Signing, flags = 1): Promise<Octets> {
  const [before, next] = [hashNear(hash(name), -1), hashNear(hash(name), 1)];
  return nsec3(before, { next, types: ["A"], flags }, signing);
}

async function nsec(name: string, types: readonly DenialTypeName[], signing: Signing = {}) {
  const { by = world.tld, owner: _, ...options } = signing;
  return signedSet(by, { name, type: NSEC, rdatas: [nsecRdata(`0.${name}`, types)] }, options);
}

const apex = () => at("test", ["NS", "SOA", "DNSKEY", "NSEC3PARAM"]);

describe("by NSEC3 a zone is", () => {
  it("insecure with its own record, in letters of any case", async () => {
    expect(await isInsecure("bob.test", [await at("bob.test", ["NS"])])).toBe("insecure");
    const upper = await at("bob.test", ["NS"], { owner: (name) => name.toUpperCase() });
    expect(await isInsecure("bob.test", [upper])).toBe("insecure");
  });

  it("insecure in a span that opts out, below the nearest name that exists", async () => {
    const sets = [await apex(), await around("bob.test")];
    expect(await isInsecure("bob.test", sets)).toBe("insecure");
    expect(await isInsecure("x.bob.test", sets)).toBe("insecure");
    expect(await isInsecure("bob.test", [...sets, await around("*.test")])).toBe("insecure");
  });

  it("secure in a span that does not opt out: it does not exist", async () => {
    const sets = [await apex(), await around("bob.test", {}, 0)];
    expect(await isInsecure("bob.test", sets)).toBe("secure");
  });

  const incomplete = "incomplete_chain";
  const top = (signing: Signing) => at("test", ["NS", "SOA"], signing);
  const span = (signing: Signing) => [apex(), around("bob.test", signing)];
  const byRoot = () => ({ by: world.root });

  it.each<[string, string, () => Promise<Octets>[]]>([
    [incomplete, "the nearest name is not shown", () => [around("bob.test")]],
    [incomplete, "the span is not shown", () => [apex()]],
    [incomplete, "the span is of another name", () => [apex(), around("alice.test")]],
    [incomplete, "the record lists a DS", () => [at("bob.test", ["NS", "DS"])]],
    [incomplete, "the record is of the zone itself", () => [at("bob.test", ["NS", "SOA"])]],
    [incomplete, "the span is by the zone above", () => span(byRoot())],
    [incomplete, "the apex is by the zone above", () => [top(byRoot()), around("bob.test")]],
    [
      "foreign_signer",
      "all is by the zone above",
      () => [top(byRoot()), around("bob.test", byRoot())],
    ],
    [
      incomplete,
      "it comes behind eight others",
      () => [...[..."abcdefgh"].map((name) => around(name)), at("bob.test", ["NS"])],
    ],
    ["expired", "the span is old", () => span({ expiration: now - 1000 })],
    [
      "not_yet_valid",
      "the apex is for later",
      () => [top({ inception: now + 1000 }), around("bob.test")],
    ],
    [
      "bad_signature",
      "the span was signed as another",
      () => span({ signedName: `${hash("x")}.test` }),
    ],
    [
      "wildcard",
      "the span was made from a wildcard",
      () => span({ labels: 1, signedName: "*.test" }),
    ],
    ["no_such_key", "the span is by another's key", () => span({ key: world.alice.zsk })],
    [incomplete, "the span is by a sibling", () => span({ signer: "alice.test" })],
  ])("bogus %s where %s", async (code, _, sets) => {
    expect(await isInsecure("bob.test", await Promise.all(sets()))).toBe(`bogus ${code}`);
  });
});

describe("a signed zone below one that opts out", () => {
  it("is not insecure by what its siblings are, nor is what is below it", async () => {
    const own = await at("alice.test", ["NS", "DS"]);
    const sets = [await apex(), await around("bob.test")];
    for (const denial of [sets, [own], [...sets, own]]) {
      expect(await isInsecure("alice.test", denial)).toBe("bogus incomplete_chain");
      expect(await isInsecure("x.alice.test", denial)).toBe("bogus incomplete_chain");
      // Also if the delegation itself is not hidden.
      const validator = await validatorOf({ "x.alice.test": join(...denial) }, world.up);
      expect(verdictOf(await validator.isInsecure("x.alice.test"))).toMatch(/^bogus /);
    }
  });

  it("is not insecure by a span of the zone above, which has no such name", async () => {
    const below = await around("x.alice.test");
    expect(await isInsecure("x.alice.test", [await apex(), below])).toBe("bogus incomplete_chain");
    const own = await at("alice.test", ["NS", "DS"]);
    expect(await isInsecure("x.alice.test", [own, below])).toBe("bogus incomplete_chain");
  });
});

describe("by NSEC a zone is", () => {
  it("bogus where the record was made from a wildcard, or stands at one", async () => {
    const made = await nsec("bob.test", ["NS"], { labels: 1, signedName: "*.test" });
    expect(await isInsecure("bob.test", [made])).toBe("bogus wildcard");
    const wildcard = await nsec("*.test", ["NS"]);
    expect(await isInsecure("bob.test", [wildcard])).toBe("bogus incomplete_chain");
  });

  it("bogus where the record is about the zone above, by the zone above that", async () => {
    for (const types of [["NS"], ["NS", "DS"]] as const) {
      const grand = await nsec("test", types, { by: world.root });
      expect(await isInsecure("bob.test", [grand])).toBe("bogus incomplete_chain");
    }
  });

  it("bogus where the zone itself says so, and where a zone is made up for it", async () => {
    const own = await nsec("alice.test", ["NS"], { by: world.alice });
    expect(await isInsecure("alice.test", [own], world.up)).toBe("secure");
    const above = await upwards(world.tld, world.root);
    const keys = await signedSet(world.alice, keySet(world.alice));
    expect(await isInsecure("alice.test", [own], [keys, ...above])).toBe("bogus incomplete_chain");
    const madeUp = { ...world.alice, name: "co.test" };
    const denial = await nsec("bob.co.test", ["NS"], { by: madeUp });
    expect(await isInsecure("bob.co.test", [denial])).toBe("bogus incomplete_chain");
  });

  it("bogus with two rdatas, and with one that cannot be read", async () => {
    const verdictOn = async (...rdatas: Octets[]) => {
      const set = await signedSet(world.tld, { name: "bob.test", type: NSEC, rdatas });
      return isInsecure("bob.test", [set]);
    };
    const two = [nsecRdata("c", ["NS"]), nsecRdata("d", ["NS"])];
    expect(await verdictOn(...two)).toBe("bogus incomplete_chain");
    expect(await verdictOn(octets(3, 1))).toBe("bogus malformed_chain");
  });

  it("insecure where the zone above that says so is insecure itself", async () => {
    const denial = await nsec("bob.test", ["NS"]);
    const ds = { name: "test", type: DS, rdatas: [octets(0, 1, 250, 2, 1, 2, 3)] };
    const unread = [await signedSet(world.root, ds), ...(await upwards(world.root))];
    expect(await isInsecure("bob.test", [denial], unread)).toBe("insecure");
    const listed = await nsec("bob.test", ["NS", "DS"]);
    expect(await isInsecure("bob.test", [listed], unread)).toBe("insecure");
    const island = await upwards(world.root);
    expect(await isInsecure("bob.test", [denial], island)).toBe("bogus incomplete_chain");
  });
});

it("an answer is not insecure by the signature of a zone that is made up between", async () => {
  const madeUp = { ...world.alice, name: "_domain-signin.alice.test" };
  const answer = recordsOf(await signedSet(madeUp, { ...world.answer, name: leafName }));
  const verdictBeside = async (denial: Octets) => {
    const dns = createScriptedDns(world.up, { [leafName]: denial });
    const query = answering(dns.query, { name: leafName, type: TXT }, answer);
    return verdictOf(await validatorIn(world, query).validate(leafName, TXT));
  };
  const text = await nsec(leafName, ["TXT"], { by: world.alice });
  expect(await verdictBeside(text)).toBe("bogus foreign_signer");
  const ds = await signedSet(world.tld, await dsSet(world.alice));
  for (const denial of [await nsec("alice.test", ["NS", "DS"]), ds]) {
    expect(await verdictBeside(denial)).toBe("bogus incomplete_chain");
  }
});

it("a name below 40 names that are no zones costs a look no more than its 32 questions", async () => {
  const names = Array.from({ length: 40 }, (_, labels) => `${"x.".repeat(labels)}x.test`);
  const denials = names.map(async (name) => [name, await nsec(name, ["TXT"])] as const);
  const validator = await validatorOf(Object.fromEntries(await Promise.all(denials)));
  for (const [labels, verdict] of [
    [10, "secure"],
    [40, "bogus too_many_signatures"],
  ] as const) {
    expect(verdictOf(await validator.isInsecure(names[labels - 1] ?? ""))).toBe(verdict);
  }
});
