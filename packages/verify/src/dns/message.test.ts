// Tests of DNS messages: encoding round-trips, and hostile input only causes DnsMessageError.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../test/support/random-seed.ts";
import {
  type DnsMessage,
  DnsMessageError,
  decodeMessage,
  encodeMessage,
  encodeQuery,
} from "./message.ts";
import { encodeName } from "./name.ts";
import { joinOctets } from "./octets.ts";
import { decodeHostName, encodeSoa, encodeTxt, recordType } from "./records.ts";

const uint16 = fc.integer({ min: 0, max: 0xffff });
const uint32 = fc.integer({ min: 0, max: 0xffffffff });
const octets = fc.uint8Array({ maxLength: 40 });
const name = fc
  .array(fc.stringMatching(/^[a-z0-9_-]{1,12}$/), { maxLength: 5 })
  .map((labels) => labels.join("."));

const typeAndRdata = fc.oneof(
  fc.record({ type: fc.constant(recordType.TXT), rdata: octets.map(encodeTxt) }),
  fc.record({
    type: fc.constantFrom(recordType.CNAME, recordType.NS),
    rdata: name.map(encodeName),
  }),
  fc.record({
    type: fc.constant(recordType.SOA),
    rdata: fc
      .record({
        ...{ mname: name, rname: name, serial: uint32, refresh: uint32 },
        ...{ retry: uint32, expire: uint32, minimum: uint32 },
      })
      .map(encodeSoa),
  }),
  fc.record({ type: fc.integer({ min: 43, max: 0xffff }), rdata: octets }),
);
const record = fc
  .record({ name, class: uint16, ttl: uint32 })
  .chain((head) => typeAndRdata.map((rest) => ({ ...head, ...rest })));
const section = fc.array(record, { maxLength: 4 });
const edns = fc.record({
  udpSize: uint16,
  version: fc.integer({ min: 0, max: 255 }),
  dnssecOk: fc.boolean(),
  options: fc.array(fc.record({ code: uint16, data: octets }), { maxLength: 3 }),
});

const message: fc.Arbitrary<DnsMessage> = fc
  .record({
    id: uint16,
    isResponse: fc.boolean(),
    opcode: fc.integer({ min: 0, max: 15 }),
    authoritative: fc.boolean(),
    truncated: fc.boolean(),
    recursionDesired: fc.boolean(),
    recursionAvailable: fc.boolean(),
    authenticData: fc.boolean(),
    checkingDisabled: fc.boolean(),
    rcode: fc.integer({ min: 0, max: 4095 }),
    questions: fc.array(fc.record({ name, type: uint16, class: uint16 }), { maxLength: 2 }),
    answers: section,
    authorities: section,
    additionals: section,
    edns: fc.option(edns),
  })
  .map((all) => (all.edns ? all : { ...all, rcode: all.rcode & 15 }));

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/[0-9a-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function expectOnlyOurError(input: Uint8Array): void {
  try {
    decodeMessage(input);
  } catch (error) {
    expect(error).toBeInstanceOf(DnsMessageError);
    expect(String(error)).toMatch(/^DnsMessageError: \S+( \S+){2,}$/);
  }
}

describe("a query", () => {
  it("asks one question, with recursion, room for 1,232 octets and DO (RFC 6891 §6.1)", () => {
    expect(encodeQuery({ id: 0x1234, name: "A.com", type: recordType.TXT })).toEqual(
      bytes(
        "1234 0100 0001 0000 0000 0001  01 61 03 636f6d 00 0010 0001  00 0029 04d0 00008000 0000",
      ),
    );
  });

  it("to a name server asks without recursion", () => {
    const query = encodeQuery({ id: 1, name: "a", type: 1, recursionDesired: false });
    expect(decodeMessage(query)).toMatchObject({ recursionDesired: false, isResponse: false });
  });
});

describe("a message", () => {
  it("comes back as it was encoded", () => {
    fc.assert(
      fc.property(message, (one) => {
        expect(decodeMessage(encodeMessage(one))).toEqual(one);
      }),
    );
  });

  it("is refused when it is cut at any octet", () => {
    fc.assert(
      fc.property(message, (one) => {
        const whole = encodeMessage(one);
        for (let length = 0; length < whole.length; length++) {
          expect(() => decodeMessage(whole.subarray(0, length))).toThrow(DnsMessageError);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("is refused when an octet follows it", () => {
    const query = encodeQuery({ id: 1, name: "a", type: 1 });
    expect(() => decodeMessage(joinOctets([query, Uint8Array.of(0)]))).toThrow(DnsMessageError);
  });

  it("with changed octets is read or refused with the one error", () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(message, fc.array(change, { minLength: 1, maxLength: 5 }), (one, changes) => {
        const hostile = encodeMessage(one);
        for (const [at, octet] of changes) hostile[at % hostile.length] = octet;
        expectOnlyOurError(hostile);
      }),
    );
  });

  it("of random octets is read or refused with the one error", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), expectOnlyOurError));
  });

  it("that claims 65,535 records of each kind is refused at once", () => {
    expect(() => decodeMessage(bytes("0000 8000 ffff ffff ffff ffff"))).toThrow(DnsMessageError);
  });

  it("of 64 KiB whose names are as costly as can be is refused", () => {
    const head = bytes("0000 8000 0001 1400 0000 0000");
    // 127 labels of one octet, followed by records that all point to them.
    const question = joinOctets([encodeName(Array(127).fill("a").join(".")), bytes("0001 0001")]);
    const record = bytes("c00c 0001 0001 00000000 0000");
    const hostile = joinOctets([head, question, ...Array<Uint8Array>(0x1400).fill(record)]);
    expect(() => decodeMessage(hostile)).toThrow("too many labels");
  });
});

describe("rdata", () => {
  const head = "0000 8000 0001 0001 0000 0000  03 636f6d 00 0002 0001";

  it("of CNAME, NS and SOA has its compressed names written out", () => {
    const soaTimes = "00000001 00000002 00000003 00000004 00000005";
    const ns = decodeMessage(bytes(`${head} c00c 0002 0001 0000003c 0005 02 6e73 c00c`));
    expect(ns.answers[0]?.rdata).toEqual(encodeName("ns.com"));
    expect(decodeHostName(ns.answers[0]?.rdata ?? new Uint8Array())).toBe("ns.com");
    const cname = decodeMessage(bytes(`${head} c00c 0005 0001 0000003c 0002 c00c`));
    expect(cname.answers[0]).toMatchObject({ name: "com", ttl: 60, rdata: encodeName("com") });
    const soa = decodeMessage(bytes(`${head} c00c 0006 0001 0000003c 0018 c00c c00c ${soaTimes}`));
    expect(soa.answers[0]?.rdata).toEqual(
      encodeSoa({
        ...{ mname: "com", rname: "com", serial: 1 },
        ...{ refresh: 2, retry: 3, expire: 4, minimum: 5 },
      }),
    );
  });

  it("is refused when a name inside it is longer or shorter than its length says", () => {
    for (const length of ["0001", "0003", "ffff"]) {
      const message = bytes(`${head} c00c 0005 0001 0000003c ${length} c00c`);
      expect(() => decodeMessage(message)).toThrow("does not match its length");
    }
  });

  it("of TXT is refused when its strings do not fill it", () => {
    expect(() => decodeMessage(bytes(`${head} c00c 0010 0001 0000003c 0002 05 61`))).toThrow();
    expect(() => decodeMessage(bytes(`${head} c00c 0010 0001 0000003c 0000`))).toThrow();
  });

  it("stays as it was when the buffer is used again", () => {
    const buffer = bytes(`${head} c00c 0010 0001 0000003c 0002 01 61`);
    const { answers } = decodeMessage(buffer);
    buffer.fill(0);
    expect(answers[0]?.rdata).toEqual(Uint8Array.of(1, 0x61));
  });
});

describe("EDNS", () => {
  const head = "0000 8003 0000 0000 0000";
  const opt = "00 0029 0200 01000000 0000";

  it("adds eight upper bits to the rcode (RFC 6891 §6.1.3)", () => {
    expect(decodeMessage(bytes(`${head} 0001 ${opt}`)).rcode).toBe(19);
  });

  it("is refused twice, away from the root, and with options that do not add up", () => {
    expect(() => decodeMessage(bytes(`${head} 0002 ${opt} ${opt}`))).toThrow("two OPT");
    expect(() => decodeMessage(bytes(`${head} 0001 0161 ${opt}`))).toThrow("root");
    const badOption = "00 0029 0200 00000000 0005 000f 0002 00";
    expect(() => decodeMessage(bytes(`${head} 0001 ${badOption}`))).toThrow(DnsMessageError);
  });
});
