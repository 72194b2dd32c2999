// Tests of the rdata of DNSSEC records.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../test/support/random-seed.ts";
import { expectOnlyOurError, expectRefused } from "../../test/support/refused-octets.ts";
import { canonicalRdata } from "./canonical.ts";
import {
  decodeDnskey,
  decodeDs,
  decodeNsec,
  decodeNsec3,
  decodeRrsig,
  isZoneKey,
} from "./dnssec-records.ts";

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/[0-9a-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));
}

describe("rdata", () => {
  it("of DNSKEY has flags, protocol, algorithm and key, which add up to a tag (RFC 4034 §5.4)", () => {
    const publicKey =
      "AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==";
    const rdata = Uint8Array.from([1, 0, 3, 5, ...Buffer.from(publicKey, "base64")]);
    expect(decodeDnskey(rdata)).toEqual({
      ...{ flags: 256, protocol: 3, algorithm: 5, keyTag: 60485, rdata },
      publicKey: rdata.subarray(4),
    });
  });

  it("of DNSKEY is a zone's own with the zone flag, protocol 3, and without a revocation", () => {
    const isGood = (hex: string) => isZoneKey(decodeDnskey(bytes(`${hex} 0d aa`)));
    expect(["0100 03", "0101 03", "ff7f 03"].map(isGood)).toEqual([true, true, true]);
    expect(["0000 03", "0001 03", "0180 03", "0080 03", "0100 02"].map(isGood)).toEqual(
      Array(5).fill(false),
    );
  });

  it("of DS has a key tag, an algorithm and a digest", () => {
    expect(decodeDs(bytes("ec45 05 01 2bb183"))).toEqual({
      ...{ keyTag: 60485, algorithm: 5, digestType: 1 },
      digest: bytes("2bb183"),
    });
  });

  it("of RRSIG has eight fields and a signature", () => {
    const rdata = bytes("0010 0d 03 0000012c 00000002 00000001 abcd 01 41 04 54657374 00 aabb");
    expect(decodeRrsig(rdata)).toEqual({
      rdata,
      ...{ typeCovered: 16, algorithm: 13, labels: 3, originalTtl: 300 },
      ...{ expiration: 2, inception: 1, keyTag: 0xabcd, signer: "a.test" },
      signature: bytes("aabb"),
    });
  });

  it("of NSEC has the next name and the types here (RFC 4034 §4.3)", () => {
    const rdata = bytes(`04 686f7374 07 6578616d706c65 03 636f6d 00
      00 06 400100000003 04 1b 00000000000000000000000000000000000000000000000000 00 20`);
    expect(decodeNsec(rdata)).toEqual({
      nextName: "host.example.com",
      types: [1, 15, 46, 47, 1234],
    });
  });

  it("of NSEC3 has the next hash and the types here, of which there may be none", () => {
    const head = bytes("01 01 000a 02 aabb 03 010203");
    const expected = {
      ...{ hashAlgorithm: 1, flags: 1, iterations: 10, types: [] },
      ...{ salt: bytes("aabb"), nextHash: bytes("010203") },
    };
    expect(decodeNsec3(head)).toEqual(expected);
    expect(decodeNsec3(Uint8Array.from([...head, 0, 1, 0x40]))).toEqual({
      ...expected,
      types: [1],
    });
  });

  it("of NSEC has up to 256 types in a window", () => {
    const window = bytes(`00 0020 ${"00".repeat(31)}01`);
    expect(decodeNsec(Uint8Array.from([0, ...window.subarray(1)])).types).toEqual([255]);
  });

  it("is refused without a key, digest or signature", () => {
    expectRefused(() => decodeDnskey(bytes("0101030d")));
    expectRefused(() => decodeDs(bytes("ec450501")));
    expectRefused(() => decodeRrsig(bytes("0010 0d 03 0000012c 00000002 00000001 abcd 00")));
  });

  it.each([
    ["a window twice", "00 0001 40 0001 40"],
    ["windows out of order", "00 0101 40 0001 40"],
    ["an empty window", "00 0000"],
    ["a window over 32 octets", `00 0021 ${"01".repeat(33)}`],
    ["an octet of zeros at the end", "00 0002 4000"],
    ["a window that is cut off", "00 0002 40"],
    ["a pointer for a name", "c000 0001 40"],
  ])("of NSEC is refused with %s", (_, hex) => {
    expectRefused(() => decodeNsec(bytes(hex)));
  });

  const readers = { decodeDnskey, decodeDs, decodeRrsig, decodeNsec, decodeNsec3 };

  it.each(Object.entries(readers))(
    "of random octets: %s reads it or gives the one error",
    (_, read) => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 100 }), (octets) =>
          expectOnlyOurError(() => read(octets)),
        ),
        { numRuns: 1000 },
      );
    },
  );

  it("of random octets becomes canonical once and for all, or gives the one error", () => {
    fc.assert(
      fc.property(fc.nat({ max: 70 }), fc.uint8Array({ maxLength: 60 }), (type, octets) =>
        expectOnlyOurError(() => {
          const canonical = canonicalRdata(type, octets);
          expect(canonical).toHaveLength(octets.length);
          expect(canonicalRdata(type, canonical)).toEqual(canonical);
        }),
      ),
      { numRuns: 5000 },
    );
  });
});
