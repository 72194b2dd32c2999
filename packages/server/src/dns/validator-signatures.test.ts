// Tests of the line between unsigned and bogus, and of which signature of several goes into a chain.

import { recordType } from "domain-signin-verify/dns/records";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
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
import { createScriptedDns, recordsOf, told } from "../../test/support/chain-world.ts";
import { type DenialTypeName, nsecRdata } from "../../test/support/denials.ts";
import { createChains } from "./chain.ts";

const { TXT, CNAME, DNAME, DS, NSEC } = recordType;

let world: Awaited<ReturnType<typeof makeWorld>>;

beforeAll(async () => {
  world = await makeWorld();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

type Denials = Readonly<Record<string, Octets>>;

function chainsOf(zones: readonly Octets[], denials?: Denials) {
  const { query } = createScriptedDns(zones, denials);
  return createChains({ query, now: () => now, trustAnchors: world.request.trustAnchors ?? [] });
}

async function prove(answers: readonly Octets[], zones: readonly Octets[], denials?: Denials) {
  return told(await chainsOf(zones, denials).prove(leafName, TXT, recordsOf(join(...answers))));
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
const delegated = async (zones: readonly Octets[], denials?: Denials) =>
  told(await chainsOf(zones, denials).delegation("alice.test"));

describe("an answer", () => {
  it("without any signature is unsigned, before anything is asked", async () => {
    const bare = record(leafName, TXT, txt("v"));
    expect(await prove([bare], [])).toBe("unsigned null");
  });

  it("signed by a zone without a delegation is unsigned, and so is what lies below that", async () => {
    const up = await upwards(world.tld, world.root);
    const noAlice = await denied(world.tld, "alice.test", ["NS"]);
    expect(await prove([await good()], up, noAlice)).toBe("unsigned alice.test");
    const delegation = await signedSet(world.tld, await dsSet(world.alice));
    const island = [delegation, ...(await upwards(world.root))];
    const noTld = await denied(world.root, "test", ["NS"]);
    expect(await prove([await good()], island, noTld)).toBe("unsigned test");
    expect(await delegated(island, noTld)).toBe("unsigned");
  });

  it("signed by a zone that is not above it is bogus", async () => {
    for (const signer of ["evil.test", "x._domain-signin.alice.test", "lice.test"]) {
      const foreign = await signedSet(world.alice, world.answer, { signer });
      expect(await prove([foreign], world.up)).toBe("bogus foreign_signer");
    }
  });

  it("signed by what is no zone is bogus, though that has no delegation either", async () => {
    const made = await signedSet(world.alice, world.answer, { signer: leafName });
    const text = await denied(world.alice, leafName, ["TXT"]);
    expect(await prove([made], world.up, text)).toBe("bogus foreign_signer");
    const zone = await denied(world.alice, leafName, ["NS"]);
    expect(await prove([made], world.up, zone)).toBe(`unsigned ${leafName}`);
    expect(await prove([made], world.up)).toBe("bogus incomplete_chain");
    const chains = chainsOf(world.up, text);
    expect(told(await chains.delegation(leafName))).toBe("bogus foreign_signer");
    const answers = recordsOf(made);
    expect(told(await chains.prove(leafName, TXT, answers))).toBe("bogus foreign_signer");
  });

  it("signed in the names of two zones is bogus: one of them could be made up, and unsigned", async () => {
    const signer = leafName;
    const second = await signatureRecord(world.alice, world.answer, { signer });
    expect(await prove([await good(), second], world.up)).toBe("bogus foreign_signer");
  });

  it("signed by an unknown algorithm in a zone with a known one is bogus", async () => {
    const strange = await signedSet(world.alice, world.answer, { algorithm: 250 });
    expect(await prove([strange], world.up)).toBe("bogus unsupported_algorithm");
  });

  it("through a DNAME is bogus if its zone is signed, else unsigned", async () => {
    const dname = { name: "alice.test", type: DNAME, rdatas: [wireName("bob.test")] };
    const made = record(leafName, CNAME, wireName("_domain-signin.bob.test"));
    const end = record("_domain-signin.bob.test", TXT, txt("v"));
    const signed = await signedSet(world.alice, dname);
    expect(await prove([made, signed, end], world.up)).toBe("bogus dname");
    const up = await upwards(world.tld, world.root);
    const noAlice = await denied(world.tld, "alice.test", ["NS"]);
    expect(await prove([made, signed, end], up, noAlice)).toBe("unsigned alice.test");
    const forged = await signedSet(world.alice, dname, { signedName: "lie" });
    expect(await prove([made, forged, end], world.up)).toBe("bogus dname");
    const bare = record("alice.test", DNAME, wireName("bob.test"));
    expect(await prove([made, bare, end], world.up)).toBe("unsigned null");
  });

  it("behind a forged alias is bogus, though it ends where nothing is signed", async () => {
    const alias = { name: leafName, type: CNAME, rdatas: [wireName("_x.carol.test")] };
    const end = record("_x.carol.test", TXT, txt("v"));
    const forged = await signedSet(world.alice, alias, { signedName: "lie" });
    expect(await prove([forged, end], world.up)).toBe("bogus bad_signature");
    expect(await prove([await signedSet(world.alice, alias), end], world.up)).toBe("unsigned null");
  });
});

describe("a delegation", () => {
  const unsupported = octets(0, 1, 250, 2, 1, 2, 3);

  it("of kinds that nobody here reads makes its zone unsigned, if it is verified", async () => {
    const sha1 = await dsRdata("alice.test", world.alice.ksk, "SHA-1");
    for (const rdatas of [[unsupported], [sha1], [sha1, unsupported]]) {
      const zones = await under(rdatas);
      expect(await prove([await good()], zones)).toBe("unsigned alice.test");
      expect(await delegated(zones)).toBe("unsigned");
      const forged = await under(rdatas, { signedName: "lie" });
      expect(await prove([await good()], forged)).toBe("bogus bad_signature");
      expect(await delegated(forged)).toBe("bogus bad_signature");
    }
  });

  it("with others beside a good one is good", async () => {
    const ds = await dsRdata("alice.test", world.alice.ksk);
    const sha1 = await dsRdata("alice.test", world.alice.ksk, "SHA-1");
    const zones = await under([unsupported, sha1, ds]);
    expect(await prove([await good()], zones)).toBe("secure");
    expect(await delegated(zones)).toBe("signed");
  });

  it("without signatures, with old ones or with those of others is bogus", async () => {
    const ds = await dsRdata("alice.test", world.alice.ksk);
    const bare = [record("alice.test", DS, ds), ...(await upwards(world.tld, world.root))];
    expect(await delegated(bare)).toBe("bogus not_signed");
    expect(await delegated(await under([ds], { expiration: now - 1000 }))).toBe("bogus expired");
    expect(await delegated(await under([ds], { key: world.alice.zsk }))).toBe("bogus no_such_key");
    expect(await delegated(await under([ds], { signer: "alice.test" }))).toBe(
      "bogus foreign_signer",
    );
  });

  it("to a zone that shows no keys, or only others, is bogus", async () => {
    const ds = await signedSet(world.tld, await dsSet(world.alice));
    const up = await upwards(world.tld, world.root);
    expect(await prove([await good()], [ds, ...up])).toBe("bogus incomplete_chain");
    const other = await makeZone("alice.test", 13);
    const swapped = [await signedSet(other, keySet(other)), ds, ...up];
    expect(await prove([await good()], swapped)).toBe("bogus key_not_delegated");
  });

  it("by an algorithm that the platform lacks makes its zone unsigned", async () => {
    const alice = await makeZone("alice.test", 16);
    const zones = [
      await signedSet(alice, keySet(alice)),
      await signedSet(world.tld, await dsSet(alice)),
      ...(await upwards(world.tld, world.root)),
    ];
    const answer = await signedSet(alice, world.answer);
    expect(await prove([answer], zones)).toBe("secure");
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
    const { createChains: createElsewhere } = await import("./chain.ts");
    const { query } = createScriptedDns(zones);
    const { trustAnchors = [] } = world.request;
    const chains = createElsewhere({ query, now: () => now, trustAnchors });
    const outcome = await chains.prove(leafName, TXT, recordsOf(answer));
    expect(told(outcome)).toBe("unsigned alice.test");
    expect(told(await chains.delegation("alice.test"))).toBe("unsigned");
  });
});

describe("of several signatures", () => {
  const options: [string, SignatureOptions][] = [
    ["bad", { signedName: "lie" }],
    ["old", { expiration: now - 1000 }],
    ["for later", { inception: now + 1000 }],
    ["by an unknown algorithm", { algorithm: 250 }],
    ["by a key that is not there", { keyTag: 1 }],
    ["made for a wildcard", { labels: 2, signedName: "*.alice.test" }],
  ];

  it.each(options)("the one that is good is taken, not the one that is %s", async (_, option) => {
    const second = await signatureRecord(world.alice, world.answer, option);
    expect(await prove([await good(), second], world.up)).toBe("secure");
  });

  it.each(options.slice(0, 4))("of keys and delegations, too: %s", async (_, option) => {
    const ofKeys = await signatureRecord(world.alice, keySet(world.alice), option);
    const ofDs = await signatureRecord(world.tld, await dsSet(world.alice), option);
    expect(await prove([await good()], [...world.up, ofKeys, ofDs])).toBe("secure");
  });

  it("of keys the one is taken that a delegation means", async () => {
    const { zsk } = world.alice;
    const later = { key: zsk, expiration: now + 30 * 86_400 };
    const byZsk = await signatureRecord(world.alice, keySet(world.alice), later);
    expect(await prove([await good()], [...world.up, byZsk])).toBe("secure");
  });

  it("that are good the one is taken that holds longest", async () => {
    const notAfter = now + 30 * 86_400;
    const longer = await signatureRecord(world.alice, world.answer, { expiration: notAfter });
    const shorter = await signatureRecord(world.alice, world.answer, { expiration: now + 100 });
    const parts = recordsOf(join(await good(), shorter, longer));
    const outcome = await chainsOf(world.up).prove(leafName, TXT, parts);
    if (outcome.outcome !== "secure") throw new Error(told(outcome));
    const signed = await good();
    expect(outcome.chain.length).toBe(join(signed, ...world.up).length);
    expect(Buffer.from(outcome.chain).includes(Buffer.from(longer.slice(-64)))).toBe(true);
  });

  it("none of which is good, the reason is short, however long the name", async () => {
    const name = `${"x".repeat(60)}.${"y".repeat(60)}.${"z".repeat(60)}.alice.test`;
    const set = { ...world.answer, name };
    const answers = recordsOf(await signedSet(world.alice, set, { signedName: "lie" }));
    const outcome = await chainsOf(world.up).prove(name, TXT, answers);
    if (outcome.outcome !== "bogus") throw new Error(told(outcome));
    expect(outcome.reason).toHaveLength(200);
  });

  it("by two algorithms one is enough, also where only one is delegated", async () => {
    const ed = await makeKey(15, { flags: 256 });
    const alice = { ...world.alice, keys: [...world.alice.keys, ed.rdata] };
    const second = await signatureRecord(alice, world.answer, { key: ed });
    const up = await upwards(alice, world.tld, world.root);
    expect(await prove([await good(), second], up)).toBe("secure");
  });
});
