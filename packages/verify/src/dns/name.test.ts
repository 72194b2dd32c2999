// Tests of domain names in text and on the wire.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../test/support/random-seed.ts";
import { expectRefused } from "../../test/support/refused-octets.ts";
import {
  canonicalName,
  encodeName,
  isAtOrBelow,
  labelsOf,
  readName,
  readUncompressedName,
} from "./name.ts";
import { DnsMessageError, joinOctets } from "./octets.ts";

const octet = fc.integer({ min: 0, max: 255 });
const wireLabel = fc.uint8Array({ minLength: 1, maxLength: 63 });
const wireName = fc
  .array(wireLabel, { maxLength: 8 })
  .map((labels) =>
    joinOctets([
      ...labels.flatMap((label) => [Uint8Array.of(label.length), label]),
      new Uint8Array(1),
    ]),
  )
  .filter((wire) => wire.length <= 255);

function read(octets: Iterable<number>, position = 0): string {
  return readName({ octets: Uint8Array.from(octets), position });
}

describe("text", () => {
  it("is lower case and without a final dot, and the root is empty", () => {
    expect(canonicalName("Alice.COM.")).toBe("alice.com");
    expect(canonicalName(".")).toBe("");
    expect(canonicalName("")).toBe("");
    expect(labelsOf("")).toEqual([]);
  });

  it("writes odd octets, and dots and backslashes inside a label, as decimal escapes", () => {
    expect(read([4, 0x61, 0x2e, 0x5c, 0xff, 0])).toBe("a\\046\\092\\255");
    expect(canonicalName("\\065\\066c.com")).toBe("abc.com");
    expect(canonicalName("a\\046b")).toBe("a\\046b");
  });

  it.each(["a..b", ".a", "a b", "ä.com", "a\\b", "a\\256", "a\\1", "a\n"])("refuses %j", (text) => {
    expectRefused(() => canonicalName(text));
  });

  it("refuses a label over 63 octets and a name over 255", () => {
    const label = "a".repeat(63);
    expect(canonicalName(label)).toBe(label);
    expectRefused(() => canonicalName(`${label}a`));
    expect(canonicalName([label, label, label, "a".repeat(61)].join("."))).toHaveLength(253);
    expectRefused(() => canonicalName([label, label, label, "a".repeat(62)].join(".")));
  });
});

describe("compare", () => {
  it("goes label by label", () => {
    expect(isAtOrBelow("alice.com", "alice.com")).toBe(true);
    expect(isAtOrBelow("www.alice.com", "alice.com")).toBe(true);
    expect(isAtOrBelow("alice.com", "")).toBe(true);
    expect(isAtOrBelow("evilalice.com", "alice.com")).toBe(false);
    expect(isAtOrBelow("com", "alice.com")).toBe(false);
    expect(isAtOrBelow(read([5, 0x78, 0x2e, 0x63, 0x6f, 0x6d, 0]), "com")).toBe(false);
  });
});

describe("wire form", () => {
  it("comes back as the same octets in lower case", () => {
    fc.assert(
      fc.property(wireName, (wire) => {
        const text = read(wire);
        expect(canonicalName(text)).toBe(text);
        expect(read(encodeName(text))).toBe(text);
        expect(encodeName(text)).toHaveLength(wire.length);
      }),
    );
  });

  it("is followed backwards through pointers, and the cursor stays behind the first", () => {
    const octets = Uint8Array.from([3, 0x63, 0x6f, 0x6d, 0, 1, 0x61, 0xc0, 0, 0xc0, 5]);
    const cursor = { octets, position: 5 };
    expect(readName(cursor)).toBe("a.com");
    expect(cursor.position).toBe(9);
    expect(read(octets, 9)).toBe("a.com");
  });

  it("is refused when a pointer points at itself, forwards, or around in a loop", () => {
    expect(() => read([0xc0, 0])).toThrow("forwards");
    expect(() => read([0xc0, 2, 0])).toThrow("forwards");
    expect(() => read([1, 0x61, 0xc0, 0])).toThrow("forwards");
    expect(() => read([0xc0, 2, 0xc0, 0], 2)).toThrow("forwards");
  });

  it("is refused after more pointers than a name has labels", () => {
    const chain = (length: number) =>
      [
        0,
        0,
        ...Array.from({ length }, (_, index) => [0xc0 + (index >> 7), (index * 2) & 0xff]),
      ].flat();
    expect(read(chain(127), 254)).toBe("");
    expect(() => read(chain(128), 256)).toThrow("too many pointers");
  });

  it("is refused with any pointer where none may be (RFC 3597 §4)", () => {
    const octets = Uint8Array.from([3, 0x63, 0x6f, 0x6d, 0, 1, 0x61, 0xc0, 0]);
    expect(readUncompressedName({ octets, position: 0 })).toBe("com");
    expect(() => readUncompressedName({ octets, position: 5 })).toThrow("too many pointers");
  });

  it("is refused unread when its text could not fit, however many octets each letter is", () => {
    const escaped = Array(4).fill("\\001".repeat(63)).join(".");
    expect(escaped.length).toBeLessThanOrEqual(4 * 255);
    for (const text of [escaped, "a.".repeat(511), "a".repeat(1021)]) {
      expectRefused(() => canonicalName(text));
    }
  });

  it("is refused when labels behind pointers add up to more than 255 octets", () => {
    const label = [63, ...Array<number>(63).fill(0x61)];
    const octets = [...label, ...label, 0, ...label, ...label, 0xc0, 0];
    expect(() => read(octets, 129)).toThrow("longer than 255");
  });

  it("is refused when a label is of a kind that was never defined", () => {
    expect(() => read([0x40, 0])).toThrow("unknown type");
    expect(() => read([0x80, 0])).toThrow("unknown type");
  });

  it("of random octets is a name or the one error", () => {
    fc.assert(
      fc.property(fc.array(octet, { maxLength: 300 }), fc.nat(300), (octets, position) => {
        try {
          expect(encodeName(read(octets, position)).length).toBeLessThanOrEqual(255);
        } catch (error) {
          expect(error).toBeInstanceOf(DnsMessageError);
        }
      }),
    );
  });
});
