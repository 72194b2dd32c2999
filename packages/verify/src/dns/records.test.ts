// Tests of rdata.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../test/support/random-seed.ts";
import { expectRefused } from "../../test/support/refused-octets.ts";
import { encodeName } from "./name.ts";
import { decodeHostName, decodeTxt, encodeSoa, encodeTxt } from "./records.ts";

describe("TXT", () => {
  it("keeps any value, in strings of at most 255 octets", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (value) => {
        const rdata = encodeTxt(value);
        expect(decodeTxt(rdata)).toEqual(value);
        expect(rdata).toHaveLength(value.length + Math.max(1, Math.ceil(value.length / 255)));
      }),
    );
  });

  it("joins its strings without a separator", () => {
    expect(decodeTxt(Uint8Array.of(1, 0x61, 0, 2, 0x62, 0x63))).toEqual(
      Uint8Array.of(0x61, 0x62, 0x63),
    );
  });

  it("is refused without a string and with a string that is cut off", () => {
    expectRefused(() => decodeTxt(new Uint8Array()));
    expectRefused(() => decodeTxt(Uint8Array.of(2, 0x61)));
  });
});

describe("a host name", () => {
  it("is the whole rdata of a CNAME", () => {
    expect(decodeHostName(encodeName("Www.alice.com"))).toBe("www.alice.com");
    expectRefused(() => decodeHostName(Uint8Array.of(0, 0)));
  });
});

describe("SOA", () => {
  it("is two names and five numbers of four octets", () => {
    const times = { serial: 0xfffffffe, refresh: 1, retry: 2, expire: 3, minimum: 4 };
    const rdata = encodeSoa({ mname: "a", rname: "b", ...times });
    expect([...rdata]).toEqual([
      ...[1, 0x61, 0, 1, 0x62, 0],
      ...[255, 255, 255, 254],
      ...[0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4],
    ]);
  });
});
