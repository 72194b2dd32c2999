// Tests of denials that were signed by hand: NSEC3 with opt-out, and what no honest zone would sign.

import { recordType } from "domain-signin-verify/dns/records";
import { beforeAll, describe, expect, it } from "vitest";
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
import { createScriptedDns, recordsOf, told } from "../../test/support/chain-world.ts";
import {
  type DenialTypeName,
  hashNear,
  type Nsec3Fields,
  nsec3Hash,
  nsec3Rdata,
  nsecRdata,
} from "../../test/support/denials.ts";
import { createChains } from "./chain.ts";

const { DS, NSEC, NSEC3, TXT } = recordType;
const hashing = { salt: "c0ffee", iterations: 3 };
const hash = (name: string) => nsec3Hash(name, hashing);

let world: Awaited<ReturnType<typeof makeWorld>>;

beforeAll(async () => {
  world = await makeWorld();
});

/** What `test` sends beside its own chain, or beside this one, where the zone has no DS. */
async function delegation(zone: string, denial: readonly Octets[], above?: readonly Octets[]) {
  const up = above ?? (await upwards(world.tld, world.root));
  const { query } = createScriptedDns(up, { [zone]: join(...denial) });
  const { trustAnchors = [] } = world.request;
  return told(await createChains({ query, now: () => now, trustAnchors }).delegation(zone));
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
  it("unsigned with its own record, in letters of any case", async () => {
    expect(await delegation("bob.test", [await at("bob.test", ["NS"])])).toBe("unsigned");
    const upper = await at("bob.test", ["NS"], { owner: (name) => name.toUpperCase() });
    expect(await delegation("bob.test", [upper])).toBe("unsigned");
  });

  it("unsigned in a span that opts out, below the nearest name that exists", async () => {
    const sets = [await apex(), await around("bob.test")];
    expect(await delegation("bob.test", sets)).toBe("unsigned");
    expect(await delegation("x.bob.test", sets)).toBe("unsigned");
    expect(await delegation("bob.test", [...sets, await around("*.test")])).toBe("unsigned");
  });

  it("none in a span that does not opt out", async () => {
    const sets = [await apex(), await around("bob.test", {}, 0)];
    expect(await delegation("bob.test", sets)).toBe("bogus foreign_signer");
  });

  it.each<[string, string, () => Promise<Octets>[]]>([
    ["incomplete_chain", "the nearest name is not shown", () => [around("bob.test")]],
    ["incomplete_chain", "the span is not shown", () => [apex()]],
    ["incomplete_chain", "the span is of another name", () => [apex(), around("alice.test")]],
    ["incomplete_chain", "the keys are told of", () => [at("bob.test", ["NS", "DS"])]],
    ["incomplete_chain", "the record is of the zone itself", () => [at("bob.test", ["NS", "SOA"])]],
    [
      "incomplete_chain",
      "the span is by the zone above",
      () => [apex(), around("bob.test", { by: world.root })],
    ],
    [
      "incomplete_chain",
      "the apex is by the zone above",
      () => [at("test", ["NS", "SOA"], { by: world.root }), around("bob.test")],
    ],
    [
      "incomplete_chain",
      "all is by the zone above",
      () => [at("test", ["NS", "SOA"], { by: world.root }), around("bob.test", { by: world.root })],
    ],
    [
      "incomplete_chain",
      "it comes behind four others",
      () => [...["a", "b", "c", "d"].map((name) => around(name)), at("bob.test", ["NS"])],
    ],
    ["expired", "the span is old", () => [apex(), around("bob.test", { expiration: now - 1000 })]],
    [
      "not_yet_valid",
      "the apex is for later",
      () => [at("test", ["NS", "SOA"], { inception: now + 1000 }), around("bob.test")],
    ],
    [
      "bad_signature",
      "the span was signed as another",
      () => [apex(), around("bob.test", { signedName: `${hash("x")}.test` })],
    ],
    [
      "wildcard",
      "the span was made from a wildcard",
      () => [apex(), around("bob.test", { labels: 1, signedName: "*.test" })],
    ],
    [
      "no_such_key",
      "the span is by another's key",
      () => [apex(), around("bob.test", { key: world.alice.zsk })],
    ],
    [
      "foreign_signer",
      "the span is by a sibling",
      () => [apex(), around("bob.test", { signer: "alice.test" })],
    ],
  ])("bogus %s where %s", async (code, _, sets) => {
    expect(await delegation("bob.test", await Promise.all(sets()))).toBe(`bogus ${code}`);
  });
});

describe("a signed zone below one that opts out", () => {
  it("is not unsigned by what its siblings are, nor is what lies below it", async () => {
    const own = await at("alice.test", ["NS", "DS"]);
    const sets = [await apex(), await around("bob.test")];
    for (const denial of [sets, [own], [...sets, own]]) {
      expect(await delegation("alice.test", denial)).toBe("bogus incomplete_chain");
      expect(await delegation("x.alice.test", denial)).toBe("bogus incomplete_chain");
    }
  });

  it("is not unsigned by a span that its zone above has, in which it has no name", async () => {
    const below = await around("x.alice.test");
    expect(await delegation("x.alice.test", [await apex(), below])).toBe("bogus incomplete_chain");
    const own = await at("alice.test", ["NS", "DS"]);
    expect(await delegation("x.alice.test", [own, below])).toBe("bogus incomplete_chain");
  });
});

describe("by NSEC a zone is", () => {
  it("bogus where the record was made from a wildcard, or stands at one", async () => {
    const made = await nsec("bob.test", ["NS"], { labels: 1, signedName: "*.test" });
    expect(await delegation("bob.test", [made])).toBe("bogus wildcard");
    expect(await delegation("bob.test", [await nsec("*.test", ["NS"])])).toBe("bogus wildcard");
  });

  it("bogus where it is about the zone above, by that above it", async () => {
    for (const types of [["NS"], ["NS", "DS"]] as const) {
      const grand = await nsec("test", types, { by: world.root });
      expect(await delegation("bob.test", [grand])).toBe("bogus incomplete_chain");
    }
  });

  it("bogus where the zone says it of itself, and where a zone is made up for it", async () => {
    const own = await nsec("alice.test", ["NS"], { by: world.alice });
    expect(await delegation("alice.test", [own], world.up)).toBe("signed");
    const above = await upwards(world.tld, world.root);
    const keys = await signedSet(world.alice, keySet(world.alice));
    expect(await delegation("alice.test", [own], [keys, ...above])).toBe("bogus incomplete_chain");
    const madeUp = { ...world.alice, name: "co.test" };
    const denial = await nsec("bob.co.test", ["NS"], { by: madeUp });
    expect(await delegation("bob.co.test", [denial])).toBe("bogus incomplete_chain");
  });

  it("bogus with two rdatas, and with one that cannot be read", async () => {
    const two = {
      name: "bob.test",
      type: NSEC,
      rdatas: [nsecRdata("c", ["NS"]), nsecRdata("d", ["NS"])],
    };
    expect(await delegation("bob.test", [await signedSet(world.tld, two)])).toBe(
      "bogus incomplete_chain",
    );
    const short = { name: "bob.test", type: NSEC, rdatas: [octets(3, 1)] };
    expect(await delegation("bob.test", [await signedSet(world.tld, short)])).toBe(
      "bogus malformed_chain",
    );
  });

  it("unsigned where the zone above that says it is so itself", async () => {
    const denial = await nsec("bob.test", ["NS"]);
    const ds = { name: "test", type: DS, rdatas: [octets(0, 1, 250, 2, 1, 2, 3)] };
    const unread = [await signedSet(world.root, ds), ...(await upwards(world.root))];
    expect(await delegation("bob.test", [denial], unread)).toBe("unsigned");
    expect(await delegation("bob.test", [await nsec("bob.test", ["NS", "DS"])], unread)).toBe(
      "unsigned",
    );
    const island = await upwards(world.root);
    expect(await delegation("bob.test", [denial], island)).toBe("bogus incomplete_chain");
  });
});

it("an answer is not unsigned by the signature of a zone that is made up between", async () => {
  const madeUp = { ...world.alice, name: "_domain-signin.alice.test" };
  const answer = recordsOf(await signedSet(madeUp, { ...world.answer, name: leafName }));
  const { trustAnchors = [] } = world.request;
  const proveBeside = async (denial: Octets) => {
    const { query } = createScriptedDns(world.up, { [leafName]: denial });
    const chains = createChains({ query, now: () => now, trustAnchors });
    return told(await chains.prove(leafName, TXT, answer));
  };
  expect(await proveBeside(await nsec(leafName, ["TXT"], { by: world.alice }))).toBe(
    "bogus foreign_signer",
  );
  expect(await proveBeside(await nsec("alice.test", ["NS", "DS"]))).toBe("bogus incomplete_chain");
  expect(await proveBeside(await signedSet(world.tld, await dsSet(world.alice)))).toBe(
    "bogus incomplete_chain",
  );
});
