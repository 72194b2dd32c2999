// Tests of which zone may sign which set, and of the validity period of a signature.

import { describe, expect, it } from "vitest";
import { codeOf } from "../../test/support/world.ts";
import type { Rrsig } from "../dns/dnssec-records.ts";
import { recordType } from "../dns/records.ts";
import { VerificationError } from "../errors.ts";
import type { Rrset } from "./rrsets.ts";
import { signerOf, validityOf } from "./rrsig.ts";

const { TXT, DS, DNSKEY } = recordType;

function setOf(name: string, type: number, ...signers: string[]): Rrset {
  const signatures = signers.map((signer) => ({ signer }) as Rrsig);
  return { name, type, ttl: 1, rdatas: [], signatures };
}

function signer(set: Rrset, ...others: Rrset[]): string {
  try {
    return signerOf(set, [set, ...others]);
  } catch (error) {
    if (error instanceof VerificationError) return codeOf(error);
    throw error;
  }
}

describe("a set may be signed", () => {
  it.each<[string, string, number, string[], string]>([
    ["by its own zone", "alice.test", TXT, ["alice.test"], "alice.test"],
    ["by a zone above", "a.b.alice.test", TXT, ["test"], "test"],
    ["by the root", "alice.test", TXT, [""], ""],
    ["several times by one zone", "alice.test", TXT, ["test", "test"], "test"],
    ["if it holds keys, by its own zone", "alice.test", DNSKEY, ["alice.test"], "alice.test"],
    ["if it is a delegation, from above", "alice.test", DS, ["test"], "test"],
  ])("%s", (_, name, type, signers, expected) => {
    expect(signer(setOf(name, type, ...signers))).toBe(expected);
  });
});

describe("a set may not be signed", () => {
  it.each<[string, string, number, string[]]>([
    ["by a zone below", "alice.test", TXT, ["a.alice.test"]],
    ["by a zone beside it", "alice.test", TXT, ["bob.test"]],
    ["by a zone that only ends alike", "evilalice.test", TXT, ["alice.test"]],
    ["by two zones", "alice.test", TXT, ["alice.test", "test"]],
    ["by two zones, whichever comes first", "alice.test", TXT, ["test", "alice.test"]],
    ["if it holds keys, from above", "alice.test", DNSKEY, ["test"]],
    ["if it holds keys, from below", "test", DNSKEY, ["alice.test"]],
    ["if it is a delegation, by the zone itself", "alice.test", DS, ["alice.test"]],
    ["if it is a delegation, by a zone beside it", "alice.test", DS, ["bob.test"]],
  ])("%s", (_, name, type, signers) => {
    expect(signer(setOf(name, type, ...signers))).toBe("foreign_signer");
  });

  it("by nobody", () => {
    expect(signer(setOf("alice.test", TXT))).toBe("not_signed");
  });
});

describe("a zone that begins between a signer and the set", () => {
  const leaf = setOf("_x.alice.test", TXT, "test");

  it.each([
    ["keys", DNSKEY],
    ["a delegation", DS],
  ])("is shown by %s, and the set is that zone's to sign", (_, type) => {
    expect(signer(leaf, setOf("alice.test", type))).toBe("foreign_signer");
    expect(signer(leaf, setOf("_x.alice.test", type))).toBe("foreign_signer");
    expect(signer(leaf, setOf("a._x.alice.test", type))).toBe("test");
    expect(signer(leaf, setOf("bob.test", type))).toBe("test");
    expect(signer(leaf, setOf("test", type))).toBe("test");
    expect(signer(leaf, setOf("", type))).toBe("test");
  });

  it("is not shown by a set of another type", () => {
    expect(signer(leaf, setOf("alice.test", TXT))).toBe("test");
  });

  it("is not shown by the delegation itself, but by one above it", () => {
    const delegation = setOf("alice.test", DS, "");
    expect(signer(delegation, setOf("alice.test", DNSKEY))).toBe("");
    expect(signer(delegation, setOf("test", DNSKEY))).toBe("foreign_signer");
  });
});

it("times are the moments nearest to now (RFC 4034 §3.1.5)", () => {
  const at = (inception: number, expiration: number, now: number) =>
    validityOf({ inception, expiration } as Rrsig, now);
  expect(at(90, 110, 100)).toEqual({ notBefore: 90, notAfter: 110 });
  const wrap = 2 ** 32;
  expect(at(wrap - 10, 10, wrap)).toEqual({ notBefore: wrap - 10, notAfter: wrap + 10 });
});
