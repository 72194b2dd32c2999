// Tests of record sets: how they are read and written, and how large they may be.

import { describe, expect, it } from "vitest";
import {
  join,
  makeZone,
  octets,
  record,
  signatureRecord,
  signedSet,
  txt,
  type,
} from "../../test/support/signer.ts";
import { codeOf, goodChain, makeWorld } from "../../test/support/world.ts";
import type { DnsRecord } from "../dns/message.ts";
import { VerificationError } from "../errors.ts";
import { maxChainOctets, maxKeysOfZone, maxRecords, maxSignatures } from "./bounds.ts";
import {
  checkChainSize,
  checkSize,
  type Rrset,
  readRrsets,
  rrsetsOf,
  writeRrsets,
} from "./rrsets.ts";

const { TXT, DS, DNSKEY, RRSIG } = type;
const MAX_ZONE_OCTETS = 8192;

const zone = await makeZone("a.test", 13);
const answer = { name: "x.a.test", type: TXT, rdatas: [txt("b"), txt("a")] };
/** Two TXT records with a signature. */
const signed = await signedSet(zone, answer);
const [set] = readRrsets(signed) as [Rrset];

/** `good`, or the code of the VerificationError. */
function outcome(check: () => void): string {
  try {
    check();
    return "good";
  } catch (error) {
    if (error instanceof VerificationError) return codeOf(error);
    throw error;
  }
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe("a chain", () => {
  it("is written as it was read", async () => {
    const sets = readRrsets(await goodChain(await makeWorld()));
    const written = writeRrsets(sets);
    expect(readRrsets(written)).toEqual(sets);
    expect(sets.length).toBeGreaterThan(4);
    // Its order is that of the sets: records, then their signatures.
    expect(writeRrsets([set])).toEqual(
      join(
        record("x.a.test", TXT, txt("a")),
        record("x.a.test", TXT, txt("b")),
        record("x.a.test", RRSIG, new Uint8Array(set.signatures[0]?.rdata ?? [])),
      ),
    );
  });

  it("of the largest size is read, and one octet more is not", () => {
    const rest = maxChainOctets - record("a", 999, octets()).length;
    expect(outcome(() => readRrsets(record("a", 999, new Uint8Array(rest))))).toBe("good");
    // Its last record is longer by one octet.
    const longer = join(record("", 999, octets()), record("a", 999, new Uint8Array(rest - 10)));
    expect(longer).toHaveLength(maxChainOctets + 1);
    expect(outcome(() => readRrsets(longer))).toBe("chain_too_long");
  });
});

describe("the records of a message", () => {
  /** Those of a chain, as a message has them. */
  function recordsOf(...sets: readonly Rrset[]): DnsRecord[] {
    return sets.flatMap(({ name, type, ttl, rdatas, signatures }) => [
      ...rdatas.map((rdata) => ({ name, type, class: 1, ttl, rdata })),
      ...signatures.map(({ rdata }) => ({ name, type: RRSIG, class: 1, ttl, rdata })),
    ]);
  }

  it("are the same sets as in a chain", () => {
    expect(rrsetsOf(recordsOf(set))).toEqual([set]);
    expect(rrsetsOf(recordsOf(set).toReversed())).toEqual([set]);
    expect(rrsetsOf([])).toEqual([]);
  });

  it("of another class do not count", () => {
    const chaos = recordsOf(set).map((one) => ({ ...one, class: 3, rdata: octets(9) }));
    expect(rrsetsOf(chaos)).toEqual([]);
    expect(rrsetsOf([...recordsOf(set), ...chaos])).toEqual([set]);
  });

  it("do not change with the message, which may be reused", () => {
    const records = recordsOf(set).map((one) => ({ ...one, rdata: new Uint8Array(one.rdata) }));
    const sets = rrsetsOf(records);
    for (const { rdata } of records) rdata.fill(0);
    expect(sets).toEqual([set]);
  });

  it("may include signatures of other records", async () => {
    const other = { name: "y.a.test", type: TXT, rdatas: [] };
    const stray = await signatureRecord(zone, other);
    expect(outcome(() => readRrsets(join(signed, stray)))).toBe("unneeded_record");
    const records = recordsOf({ ...set, name: "y.a.test", rdatas: [] });
    expect(rrsetsOf([...recordsOf(set), ...records])).toEqual([set]);
  });

  it("that cannot be read are refused, with the reason", () => {
    const [first, second, third] = recordsOf(set);
    const bad = third && { ...third, rdata: octets(1, 2) };
    const read = () => rrsetsOf([first, second, bad].flatMap((one) => one ?? []));
    expect(outcome(read)).toBe("malformed_chain");
    expect(read).toThrow(expect.objectContaining({ cause: expect.any(Error) }));
  });
});

describe("a set", () => {
  const sized = (of: number, sizes: readonly number[]): Rrset => {
    const rdatas = sizes.map((size) => new Uint8Array(size));
    return { ...set, type: of, rdatas, signatures: [] };
  };
  const outcomeOf = (of: number, ...sizes: readonly number[]) =>
    outcome(() => checkSize(sized(of, sizes)));

  it("leaves room for a signature among the records of a chain", () => {
    expect(outcomeOf(TXT, ...times(maxRecords - 1, () => 1))).toBe("good");
    expect(outcomeOf(TXT, ...times(maxRecords, () => 1))).toBe("too_many_records");
  });

  it("of keys has twelve at most; others may have more", () => {
    const [most, more] = [maxKeysOfZone, maxKeysOfZone + 1].map((count) => times(count, () => 1));
    expect(outcomeOf(DNSKEY, ...(most ?? []))).toBe("good");
    expect(outcomeOf(DNSKEY, ...(more ?? []))).toBe("too_many_keys");
    expect(outcomeOf(TXT, ...(more ?? []))).toBe("good");
    expect(outcomeOf(DS, ...(more ?? []))).toBe("good");
  });

  it("of a zone is shorter than others may be", () => {
    for (const of of [DS, DNSKEY]) {
      expect(outcomeOf(of, MAX_ZONE_OCTETS - 1, 1)).toBe("good");
      expect(outcomeOf(of, MAX_ZONE_OCTETS, 1)).toBe("chain_too_long");
    }
    expect(outcomeOf(TXT, maxChainOctets - 1, 1)).toBe("good");
    expect(outcomeOf(TXT, maxChainOctets, 1)).toBe("chain_too_long");
  });

  it("has no more signatures than a chain may have", () => {
    const [rrsig] = set.signatures;
    const outcomeWith = (count: number) => {
      const signatures = times(count, () => rrsig).flatMap((one) => one ?? []);
      return outcome(() => checkSize({ ...set, signatures }));
    };
    expect(outcomeWith(maxSignatures)).toBe("good");
    expect(outcomeWith(maxSignatures + 1)).toBe("too_many_signatures");
  });
});

describe("the sets of one chain", () => {
  const bare = (name: string, rdatas: readonly Uint8Array[]): Rrset => {
    return { ...set, name, rdatas, signatures: [] };
  };
  const named = (index: number) => `n${index}.a.test`;

  it("have 24 signatures together at most", () => {
    const outcomeWith = (count: number) =>
      outcome(() => checkChainSize(times(count, (index) => ({ ...set, name: named(index) }))));
    expect(outcomeWith(maxSignatures)).toBe("good");
    expect(outcomeWith(maxSignatures + 1)).toBe("too_many_signatures");
  });

  it("have 128 records together at most, with the signatures", () => {
    // With its signature, the first set has three.
    const outcomeWith = (count: number) =>
      outcome(() =>
        checkChainSize([set, ...times(count, (index) => bare(named(index), [octets(0)]))]),
      );
    expect(outcomeWith(maxRecords - 3)).toBe("good");
    expect(outcomeWith(maxRecords - 2)).toBe("too_many_records");
  });

  it("are written into 65,535 octets at most", () => {
    const written = writeRrsets([set]).length;
    const head = writeRrsets([bare("n0.a.test", [octets()])]).length;
    const half = 30_000;
    const rest = maxChainOctets - written - 2 * head - half;
    const sets = (more: number) => [
      set,
      bare("n0.a.test", [new Uint8Array(half), new Uint8Array(rest + more)]),
    ];
    expect(writeRrsets(sets(0))).toHaveLength(maxChainOctets);
    expect(outcome(() => checkChainSize(sets(0)))).toBe("good");
    expect(outcome(() => checkChainSize(sets(1)))).toBe("chain_too_long");
  });
});
