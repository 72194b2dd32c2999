// Tests of the canonical form and order.

import { describe, expect, it } from "vitest";
import { expectRefused } from "../../test/support/refused-octets.ts";
import { canonicalOrder, canonicalRdata, compareNames, signedOctets } from "./canonical.ts";
import { canonicalName } from "./name.ts";

function bytes(text: string): Uint8Array {
  const parts = text.match(/"[^"]*"|[0-9a-f]{2}/g) ?? [];
  return Uint8Array.from(
    parts.flatMap((part) =>
      part.startsWith('"') ? [...Buffer.from(part.slice(1, -1))] : [Number.parseInt(part, 16)],
    ),
  );
}

describe("rdata", () => {
  it.each([
    ["NS", 2, '01 "A" 00', '01 "a" 00'],
    ["CNAME", 5, '01 "A" 00', '01 "a" 00'],
    ["SOA", 6, '01 "A" 00 01 "B" 00 4142434445', '01 "a" 00 01 "b" 00 4142434445'],
    ["PTR", 12, '01 "A" 00', '01 "a" 00'],
    ["MX", 15, '4142 01 "A" 00', '4142 01 "a" 00'],
    ["RP", 17, '01 "A" 00 01 "B" 00', '01 "a" 00 01 "b" 00'],
    ["SRV", 33, '414243444546 01 "A" 00', '414243444546 01 "a" 00'],
    ["NAPTR", 35, '41424344 01 "S" 01 "T" 00 01 "A" 00', '41424344 01 "S" 01 "T" 00 01 "a" 00'],
    ["DNAME", 39, '01 "A" 00', '01 "a" 00'],
    ["RRSIG", 46, `${"41".repeat(18)} 01 "A" 00 "SIG"`, `${"41".repeat(18)} 01 "a" 00 "SIG"`],
  ])("of %s has its names in lower case (RFC 4034 §6.2)", (_, type, before, after) => {
    expect(canonicalRdata(type, bytes(before))).toEqual(bytes(after));
  });

  it.each([
    ["TXT", 16],
    ["NSEC, whatever RFC 4034 said (RFC 6840 §5.1)", 47],
    ["SVCB, which is newer", 64],
  ])("of %s stays as it is", (_, type) => {
    expect(canonicalRdata(type, bytes('01 "A" 00'))).toEqual(bytes('01 "A" 00'));
  });

  it("with a compressed name is refused", () => {
    expectRefused(() => canonicalRdata(6, bytes('01 "a" 00 c000 4142')));
  });
});

describe("order", () => {
  it("of records is by octets, the shorter first, each once (RFC 4034 §6.3)", () => {
    const sorted = [
      bytes("00"),
      bytes("0001"),
      bytes("01"),
      bytes("7f"),
      bytes("80"),
      bytes("8000"),
    ];
    expect(canonicalOrder([...sorted, ...sorted].reverse())).toEqual(sorted);
    expect(canonicalOrder([bytes("")])).toEqual([bytes("")]);
    expect(canonicalOrder([])).toEqual([]);
  });

  it("of names is by labels from the right (RFC 4034 §6.1)", () => {
    const names = [
      ...["example", "a.example", "yljkjljk.a.example", "Z.a.example", "zABC.a.EXAMPLE"],
      ...["z.example", "\\001.z.example", "*.z.example", "\\200.z.example"],
    ].map(canonicalName);
    expect([...names].reverse().sort(compareNames)).toEqual(names);
    expect(compareNames("a.example", "a.example")).toBe(0);
    expect(compareNames("", "example")).toBeLessThan(0);
  });
});

describe("what is signed", () => {
  const rrsig = {
    ...{ typeCovered: 16, algorithm: 13, labels: 2, originalTtl: 300 },
    ...{ expiration: 0xfffffffe, inception: 1, keyTag: 0xabcd, signer: "a.test" },
    signature: bytes("ff"),
  };
  const fields = '0010 0d 02 0000012c fffffffe 00000001 abcd 01 "a" 04 "test" 00';
  const rest = "0010 0001 0000012c 0002 01";

  it("is the signature's own fields and each record with the original TTL (RFC 4034 §3.1.8.1)", () => {
    const set = { name: "a.test", type: 16, rdatas: [bytes('01 "x"'), bytes('01 "y"')] };
    const owner = '01 "a" 04 "test" 00';
    expect(signedOctets(set, rrsig)).toEqual(
      bytes(`${fields} ${owner} ${rest} "x" ${owner} ${rest} "y"`),
    );
  });

  it("names the wildcard that an answer was made from (RFC 4035 §5.3.2)", () => {
    const set = { name: "c.b.a.test", type: 16, rdatas: [bytes('01 "x"')] };
    expect(signedOctets(set, rrsig)).toEqual(
      bytes(`${fields} 01 "*" 01 "a" 04 "test" 00 ${rest} "x"`),
    );
    const atRoot = signedOctets(set, { ...rrsig, labels: 0 });
    expect(atRoot.subarray(26 + 0, 29)).toEqual(bytes('01 "*" 00'));
  });
});
