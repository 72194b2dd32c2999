// Tests of the border between insecure and bogus, and of the choice among several signatures.

import { recordType } from "domain-signin-verify/dns/records";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type DenialTypeName, nsecRdata } from "../../../verify/test/support/denials.ts";
import {
  dsRdata,
  dsSet,
  join,
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
import { clockFrom } from "../lib/clock.ts";
import { createValidator } from "./validator.ts";
import { viewThrough } from "./view.ts";

const { TXT, CNAME, DNAME, DS, NSEC } = recordType;

const world = fixture(makeWorld);
afterEach(() => void vi.unstubAllGlobals());

type Denials = Readonly<Record<string, Octets>>;

const leaf = { name: leafName, type: TXT };

function validatorOf(
  answer: readonly Octets[],
  zones: readonly Octets[],
  denials?: Denials,
  create = createValidator,
) {
  const { query: scripted } = createScriptedDns(zones, denials);
  const query = answering(scripted, leaf, recordsOf(join(...answer)));
  return create({
    query,
    clock: clockFrom(() => now * 1000),
    trustAnchors: world.request.trustAnchors,
  });
}

async function validate(answer: readonly Octets[], zones: readonly Octets[], denials?: Denials) {
  return verdictOf(await validatorOf(answer, zones, denials).validate(leafName, TXT));
}

/** What the zone above sends where a name has no DS: all the types that the name has. */
async function denied(above: Zone, name: string, types: readonly DenialTypeName[]) {
  const set = { name, type: NSEC, rdatas: [nsecRdata(`0.${name}`, types)] };
  return { [name]: await signedSet(above, set) };
}

/** What stands above `alice.test`, with its DS set as it is given. */
async function under(rdatas: readonly Octets[], options: SignatureOptions = {}, zone?: Zone) {
  const alice = zone ?? world.alice;
  return [
    await signedSet(alice, keySet(alice)),
    await signedSet(world.tld, { name: "alice.test", type: DS, rdatas }, options),
    ...(await upwards(world.tld, world.root)),
  ];
}

const good = () => signedSet(world.alice, world.answer);
const isInsecure = async (zones: readonly Octets[], denials?: Denials, name = "alice.test") =>
  verdictOf(await validatorOf([], zones, denials).isInsecure(name));

describe("an answer", () => {
  it("without signatures is bogus in a secure zone, and insecure in an insecure one", async () => {
    const bare = record(leafName, TXT, txt("v"));
    const noCut = await denied(world.alice, leafName, ["TXT"]);
    expect(await validate([bare], world.up, noCut)).toBe("bogus not_signed");
    expect(await validate([bare], world.up)).toBe("bogus not_signed");
    expect(await validate([bare], [])).toBe("bogus not_signed");
    const noAlice = await denied(world.tld, "alice.test", ["NS"]);
    const up = await upwards(world.tld, world.root);
    expect(await validate([bare], up, noAlice)).toBe("insecure alice.test");
    const noLeaf = await denied(world.alice, leafName, ["NS"]);
    expect(await validate([bare], world.up, noLeaf)).toBe(`insecure ${leafName}`);
  });

  it("signed by a zone without a secure delegation is insecure, and so is what is below it", async () => {
    const up = await upwards(world.tld, world.root);
    const noAlice = await denied(world.tld, "alice.test", ["NS"]);
    expect(await validate([await good()], up, noAlice)).toBe("insecure alice.test");
    const delegation = await signedSet(world.tld, await dsSet(world.alice));
    const island = [delegation, ...(await upwards(world.root))];
    const noTld = await denied(world.root, "test", ["NS"]);
    expect(await validate([await good()], island, noTld)).toBe("insecure test");
    expect(await isInsecure(island, noTld)).toBe("insecure");
  });

  it("signed by a zone that is not above it is bogus", async () => {
    for (const signer of ["evil.test", "x._domain-signin.alice.test", "lice.test"]) {
      const foreign = await signedSet(world.alice, world.answer, { signer });
      expect(await validate([foreign], world.up)).toBe("bogus foreign_signer");
    }
  });

  it("signed by what is no zone is bogus, though that has no delegation either", async () => {
    const made = await signedSet(world.alice, world.answer, { signer: leafName });
    const text = await denied(world.alice, leafName, ["TXT"]);
    expect(await validate([made], world.up, text)).toBe("bogus foreign_signer");
    const zone = await denied(world.alice, leafName, ["NS"]);
    expect(await validate([made], world.up, zone)).toBe(`insecure ${leafName}`);
    expect(await validate([made], world.up)).toBe("bogus incomplete_chain");
    const validator = validatorOf([made], world.up, text);
    expect(verdictOf(await validator.isInsecure(leafName))).toBe("secure");
    expect(verdictOf(await validator.validate(leafName, TXT))).toBe("bogus foreign_signer");
  });

  it("signed in the names of two zones is bogus: one of them could be made up, and insecure", async () => {
    const signer = leafName;
    const second = await signatureRecord(world.alice, world.answer, { signer });
    expect(await validate([await good(), second], world.up)).toBe("bogus foreign_signer");
  });

  it("signed by an unknown algorithm in a zone with a known one is bogus", async () => {
    const strange = await signedSet(world.alice, world.answer, { algorithm: 250 });
    expect(await validate([strange], world.up)).toBe("bogus unsupported_algorithm");
  });

  it("through a DNAME is bogus if its zone is secure, else insecure", async () => {
    const dname = { name: "alice.test", type: DNAME, rdatas: [wireName("bob.test")] };
    const made = record(leafName, CNAME, wireName("_domain-signin.bob.test"));
    const end = record("_domain-signin.bob.test", TXT, txt("v"));
    const signed = await signedSet(world.alice, dname);
    const noBob = await denied(world.tld, "bob.test", ["NS"]);
    expect(await validate([made, signed, end], world.up, noBob)).toBe("bogus dname");
    const up = await upwards(world.tld, world.root);
    const noAlice = { ...noBob, ...(await denied(world.tld, "alice.test", ["NS"])) };
    expect(await validate([made, signed, end], up, noAlice)).toBe("insecure alice.test");
    const forged = await signedSet(world.alice, dname, { signedName: "lie" });
    expect(await validate([made, forged, end], world.up, noBob)).toBe("bogus bad_signature");
    const bare = record("alice.test", DNAME, wireName("bob.test"));
    expect(await validate([made, bare, end], world.up, noBob)).toBe("bogus not_signed");
    expect(await validate([made, bare, end], up, noAlice)).toBe("insecure alice.test");
  });

  it("through a DNAME in an insecure zone beside the name is bogus all the same", async () => {
    const made = record(leafName, CNAME, wireName("_x.carol.test"));
    const end = record("_x.carol.test", TXT, txt("v"));
    const noCarol = await denied(world.tld, "carol.test", ["NS"]);
    for (const owner of ["carol.test", "x._domain-signin.alice.test", leafName]) {
      const dname = record(owner, DNAME, wireName("carol.test"));
      expect(await validate([made, dname, end], world.up, noCarol)).toBe("bogus not_signed");
    }
  });

  it("behind a forged alias is bogus, though it ends where nothing is signed", async () => {
    const alias = { name: leafName, type: CNAME, rdatas: [wireName("_x.carol.test")] };
    const end = record("_x.carol.test", TXT, txt("v"));
    const forged = await signedSet(world.alice, alias, { signedName: "lie" });
    const noCarol = await denied(world.tld, "carol.test", ["NS"]);
    expect(await validate([forged, end], world.up, noCarol)).toBe("bogus bad_signature");
    const good = await signedSet(world.alice, alias);
    expect(await validate([good, end], world.up, noCarol)).toBe("insecure carol.test");
  });
});

describe("a delegation", () => {
  const unsupported = octets(0, 1, 250, 2, 1, 2, 3);

  it("of unsupported kinds makes its zone insecure, if the delegation is verified", async () => {
    const sha1 = await dsRdata("alice.test", world.alice.ksk, "SHA-1");
    for (const rdatas of [[unsupported], [sha1], [sha1, unsupported]]) {
      const zones = await under(rdatas);
      expect(await validate([await good()], zones)).toBe("insecure alice.test");
      expect(await isInsecure(zones)).toBe("insecure");
      const forged = await under(rdatas, { signedName: "lie" });
      expect(await validate([await good()], forged)).toBe("bogus bad_signature");
      expect(await isInsecure(forged)).toBe("bogus bad_signature");
    }
  });

  it("with others beside a good one is good", async () => {
    const ds = await dsRdata("alice.test", world.alice.ksk);
    const sha1 = await dsRdata("alice.test", world.alice.ksk, "SHA-1");
    // Before and after the good one in canonical order.
    const last = octets(255, 255, 250, 2, 1, 2, 3);
    const zones = await under([unsupported, sha1, ds, last]);
    expect(await validate([await good()], zones)).toBe("secure");
    expect(await isInsecure(zones)).toBe("secure");
  });

  it("without signatures, with old ones or with those of others is bogus", async () => {
    const ds = await dsRdata("alice.test", world.alice.ksk);
    const bare = [record("alice.test", DS, ds), ...(await upwards(world.tld, world.root))];
    expect(await isInsecure(bare)).toBe("bogus not_signed");
    expect(await isInsecure(await under([ds], { expiration: now - 1000 }))).toBe("bogus expired");
    expect(await isInsecure(await under([ds], { key: world.alice.zsk }))).toBe("bogus no_such_key");
    const foreign = await under([ds], { signer: "alice.test" });
    expect(await isInsecure(foreign)).toBe("bogus foreign_signer");
  });

  it("to a zone that shows no keys, or only others, is bogus", async () => {
    const ds = await signedSet(world.tld, await dsSet(world.alice));
    const up = await upwards(world.tld, world.root);
    expect(await validate([await good()], [ds, ...up])).toBe("bogus incomplete_chain");
    const other = await makeZone("alice.test", 13);
    const swapped = [await signedSet(other, keySet(other)), ds, ...up];
    expect(await validate([await good()], swapped)).toBe("bogus key_not_delegated");
  });

  it("by an algorithm that the platform lacks makes its zone insecure", async () => {
    const alice = await makeZone("alice.test", 16);
    const zones = [
      await signedSet(alice, keySet(alice)),
      await signedSet(world.tld, await dsSet(alice)),
      ...(await upwards(world.tld, world.root)),
    ];
    const answer = await signedSet(alice, world.answer);
    expect(await validate([answer], zones)).toBe("secure");
    const { subtle } = crypto;
    const importKey = (...given: Parameters<typeof subtle.importKey>) =>
      JSON.stringify(given[2]).includes("Ed448")
        ? Promise.reject(new DOMException("no", "NotSupportedError"))
        : Reflect.apply(subtle.importKey, subtle, given);
    const verify = subtle.verify.bind(subtle);
    const digest = subtle.digest.bind(subtle);
    vi.stubGlobal("crypto", { subtle: { importKey, verify, digest } });
    // What the verifier remembers of keys was learnt from the platform as it is.
    vi.resetModules();
    const { createValidator: createElsewhere } = await import("./validator.ts");
    const validator = validatorOf([answer], zones, {}, createElsewhere);
    expect(await validator.validate(leafName, TXT)).toMatchObject({ security: "insecure" });
    expect(await validator.isInsecure("alice.test")).toBe(true);
    // Another key of the zone would help only if its digest were supported.
    const sha1 = await dsRdata("alice.test", world.alice.ksk, "SHA-1");
    const ed448 = await dsRdata("alice.test", alice.ksk);
    const both = validatorOf([], await under([ed448, sha1], {}, alice), {}, createElsewhere);
    expect(await both.isInsecure("alice.test")).toBe(true);
  });
});

describe("among several signatures", () => {
  const options: [string, SignatureOptions][] = [
    ["bad", { signedName: "lie" }],
    ["old", { expiration: now - 1000 }],
    ["for later", { inception: now + 1000 }],
    ["by an unknown algorithm", { algorithm: 250 }],
    ["by a key that is not there", { keyTag: 1 }],
    ["from a wildcard", { labels: 2, signedName: "*.alice.test" }],
  ];

  it.each(options)("the good one is selected, and not the one that is %s", async (_, option) => {
    const second = await signatureRecord(world.alice, world.answer, option);
    expect(await validate([await good(), second], world.up)).toBe("secure");
  });

  it.each(options.slice(0, 4))(
    "the good one is selected for keys and delegations too, and not the one that is %s",
    async (_, option) => {
      const ofKeys = await signatureRecord(world.alice, keySet(world.alice), option);
      const ofDs = await signatureRecord(world.tld, await dsSet(world.alice), option);
      expect(await validate([await good()], [...world.up, ofKeys, ofDs])).toBe("secure");
    },
  );

  it("one by a key that the delegation names is selected for keys", async () => {
    const { zsk } = world.alice;
    const later = { key: zsk, expiration: now + 30 * 86_400 };
    const byZsk = await signatureRecord(world.alice, keySet(world.alice), later);
    expect(await validate([await good()], [...world.up, byZsk])).toBe("secure");
  });

  it("the good one that expires last is selected", async () => {
    const notAfter = now + 30 * 86_400;
    const longer = await signatureRecord(world.alice, world.answer, { expiration: notAfter });
    const shorter = await signatureRecord(world.alice, world.answer, { expiration: now + 100 });
    const validator = validatorOf([await good(), shorter, longer], world.up);
    const view = await viewThrough(validator, leafName, "_domain-signin");
    if (view.security !== "secure" || !view.proof) throw new Error(view.security);
    const { chain } = view.proof;
    expect(chain.length).toBe(join(await good(), ...world.up).length);
    expect(Buffer.from(chain).includes(Buffer.from(longer.slice(-64)))).toBe(true);
  });

  it("none is good: the reason is short, however long the name", async () => {
    const name = `${"x".repeat(60)}.${"y".repeat(60)}.${"z".repeat(60)}.alice.test`;
    const set = { ...world.answer, name };
    const signed = recordsOf(await signedSet(world.alice, set, { signedName: "lie" }));
    const query = answering(createScriptedDns(world.up).query, { name, type: TXT }, signed);
    const outcome = await validatorIn(world, query).validate(name, TXT);
    if (outcome.security !== "bogus") throw new Error(verdictOf(outcome));
    expect(outcome.reason).toHaveLength(200);
  });

  it("one of two algorithms is enough, even if only that one is delegated", async () => {
    const ed = await makeKey(15, { flags: 256 });
    const alice = { ...world.alice, keys: [...world.alice.keys, ed.rdata] };
    const second = await signatureRecord(alice, world.answer, { key: ed });
    const up = await upwards(alice, world.tld, world.root);
    expect(await validate([await good(), second], up)).toBe("secure");
  });
});
