// Tests of a set with several signatures: which of them count, and which error is told.

import { describe, expect, it } from "vitest";
import {
  inception,
  join,
  makeKey,
  makeZone,
  now,
  type Octets,
  record,
  type SetToSign,
  type SignatureOptions,
  signatureRecord,
  txt,
  type,
} from "../../test/support/signer.ts";
import { outcomeOf } from "../../test/support/world.ts";
import { decodeDnskey } from "../dns/dnssec-records.ts";
import { maxSignatureChecks } from "./bounds.ts";
import { type Rrset, readRrsets } from "./rrsets.ts";
import { isSignatureBy } from "./signature.ts";
import { checkSignatures, isFromWildcard, type WildcardRule } from "./signatures.ts";

const zone = await makeZone("a.test", 13);

const answer = { name: "x.a.test", type: type.TXT, rdatas: [txt("v")] };

/** The set with one signature for each of the options. */
async function signed(
  signatures: readonly SignatureOptions[],
  set: SetToSign = answer,
): Promise<Rrset> {
  const parts: Octets[] = set.rdatas.map((rdata) => record(set.name, set.type, rdata));
  for (const options of signatures) parts.push(await signatureRecord(zone, set, options));
  const [read] = readRrsets(join(...parts));
  if (!read) throw new Error("the set was not read");
  return read;
}

/** The signatures that count, by their expiration relative to now; and how many were checked. */
async function checked(
  set: Rrset,
  signatures: "any" | "all",
  wildcard?: WildcardRule,
  checksLeft = maxSignatureChecks,
) {
  const keys = zone.keys.map(decodeDnskey);
  let checks = 0;
  const check = {
    ...{ now, signatures, checksLeft },
    isSignatureBy: async (...one: Parameters<typeof isSignatureBy>) => {
      checks++;
      return isSignatureBy(...one);
    },
  };
  const { set: verified, keys: by } = await checkSignatures(check, set, keys, wildcard);
  expect(verified).toEqual({ ...set, signatures: verified.signatures });
  expect(check.checksLeft).toBe(checksLeft - checks);
  const kept = verified.signatures.map(({ expiration }) => expiration - now);
  return { kept, checks, by: by.map(({ keyTag }) => keyTag) };
}

const lie = { signedName: "lie.test" };
const at = (seconds: number) => ({ expiration: now + seconds });

describe("if one good signature is enough", () => {
  it("the one that expires last counts, and the others are not checked", async () => {
    const tag = zone.zsk.tag;
    const expected = { kept: [900], checks: 1, by: [tag] };
    expect(await checked(await signed([at(500), at(900), at(100)]), "any")).toEqual(expected);
    expect(await checked(await signed([at(900), at(500), at(100)]), "any")).toEqual(expected);
  });

  it("a bad one does no harm, and the next counts", async () => {
    const set = await signed([at(500), { ...at(900), ...lie }, at(100)]);
    expect(await checked(set, "any")).toMatchObject({ kept: [500], checks: 2 });
  });

  it("one for the name itself counts before one for a wildcard", async () => {
    const made = { labels: 2, signedName: "*.a.test" };
    const set = await signed([{ ...at(900), ...made }, at(500), { ...at(800), ...made }]);
    expect(await checked(set, "any", "any")).toMatchObject({ kept: [500], checks: 1 });
    const [first] = set.signatures.toSorted((one, other) => other.expiration - one.expiration);
    expect(first && isFromWildcard(set, first)).toBe(true);
    const wild = await signed([
      { ...at(500), ...made },
      { ...at(900), ...made },
    ]);
    expect(await checked(wild, "any", "any")).toMatchObject({ kept: [900], checks: 1 });
  });

  it("the error is that of the one that came furthest", async () => {
    const unknown = { key: await makeKey(13) };
    const old = { expiration: now - 1000 };
    const early = { inception: now + 1000 };
    const unsupported = { algorithm: 5 };
    const fewer = { labels: 1 };
    const order: [string, SignatureOptions][] = [
      ["unsupported_algorithm", unsupported],
      ["wildcard", fewer],
      ["not_yet_valid", early],
      ["expired", old],
      ["no_such_key", unknown],
      ["bad_signature", lie],
    ];
    for (const [index, [code, furthest]] of order.entries()) {
      const before = order.slice(0, index).map(([, options]) => options);
      for (const all of [
        [...before, furthest],
        [furthest, ...before.toReversed()],
      ]) {
        expect(await outcomeOf(checked(await signed(all), "any"))).toBe(code);
      }
    }
  });

  it("too many checks end the search", async () => {
    const set = await signed([{ ...at(900), ...lie }, { ...at(800), ...lie }, at(500)]);
    expect(await outcomeOf(checked(set, "any", "none", 2))).toBe("too_many_signatures");
    expect(await checked(set, "any", "none", 3)).toMatchObject({ kept: [500], checks: 3 });
  });

  it("an error of the platform is passed on", async () => {
    const set = await signed([at(900), at(500)]);
    const isBroken = async () => {
      throw new TypeError("the platform is broken");
    };
    for (const signatures of ["any", "all"] as const) {
      const check = { now, signatures, checksLeft: 9, isSignatureBy: isBroken };
      const checking = checkSignatures(check, set, zone.keys.map(decodeDnskey));
      await expect(checking).rejects.toThrow("the platform is broken");
    }
  });
});

describe("if all signatures must be good", () => {
  it("all are checked, in their order", async () => {
    const set = await signed([at(500), at(900), at(100)]);
    const { kept, checks } = await checked(set, "all");
    expect(kept).toEqual(set.signatures.map(({ expiration }) => expiration - now));
    expect(kept.toSorted()).toEqual([100, 500, 900]);
    expect(checks).toBe(3);
  });

  it("one bad one is an error", async () => {
    const set = await signed([at(500), { ...at(900), ...lie }, at(100)]);
    expect(await outcomeOf(checked(set, "all"))).toBe("bad_signature");
  });
});

describe("a set without signatures", () => {
  it.each(["any", "all"] as const)("is not signed: %s", async (signatures) => {
    expect(await outcomeOf(checked(await signed([]), signatures))).toBe("not_signed");
  });
});

describe("the owner of a wildcard", () => {
  const wildcard = { ...answer, name: "*.a.test" };

  it("is not made from a wildcard, and counts only where it may be shown", async () => {
    const set = await signed([at(500)], wildcard);
    const [rrsig] = set.signatures;
    expect(rrsig && isFromWildcard(set, rrsig)).toBe(false);
    expect(await outcomeOf(checked(set, "any"))).toBe("wildcard");
    for (const rule of ["owner", "any"] as const) {
      expect(await checked(set, "any", rule)).toMatchObject({ kept: [500] });
    }
  });

  it("may be made from a wildcard above it", async () => {
    const set = await signed([{ labels: 1, signedName: "*.test" }], wildcard);
    const [rrsig] = set.signatures;
    expect(rrsig && isFromWildcard(set, rrsig)).toBe(true);
  });

  it("counts with the number of labels without the asterisk", async () => {
    for (const labels of [1, 3, 4]) {
      const set = await signed([{ labels }], wildcard);
      expect(await outcomeOf(checked(set, "any", "owner"))).toBe("wildcard");
    }
    const more = await signed([{ labels: 4 }]);
    expect(await outcomeOf(checked(more, "any", "any"))).toBe("wildcard");
  });
});

describe("the period of a signature", () => {
  it("may be a single second, and does not end before it begins", async () => {
    const single = { inception: now, expiration: now };
    expect(await checked(await signed([single]), "any")).toMatchObject({ kept: [0] });
    const reversed = { inception: inception + 10, expiration: inception + 9 };
    expect(await outcomeOf(checked(await signed([reversed]), "any"))).toBe("expired");
    const within = { inception: now + 200, expiration: now + 100 };
    expect(await outcomeOf(checked(await signed([within]), "any"))).toBe("expired");
  });
});
