// The editable records of the demo's zones.

import { canonicalName, isAtOrBelow } from "domain-signin-verify/dns/name";

/** Names, and the value of a CNAME, are canonical (lower case, no final dot); `ttl` is in seconds. */
export type ZoneRecord = {
  readonly name: string;
  readonly type: "TXT" | "CNAME";
  readonly value: string;
  readonly ttl: number;
};

/** Unchecked input. */
export type ZoneRecordInput = {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
};

export type ZoneRecords = {
  records(): ZoneRecord[];
  /** Throws an Error for an invalid record. A record that exists gets the new TTL. */
  add(record: ZoneRecordInput): void;
  /** Returns whether the record existed. The TTL is not compared. */
  remove(record: Omit<ZoneRecordInput, "ttl">): boolean;
};

const MAX_TTL_S = 2 ** 31 - 1;
const MAX_VALUE_OCTETS = 16_384;

export function createZoneRecords(origins: readonly string[]): ZoneRecords {
  let records: ZoneRecord[] = [];

  function without(record: Omit<ZoneRecord, "ttl">): ZoneRecord[] {
    return records.filter((other) => !isSame(other, record));
  }

  return {
    records: () => [...records],

    add(input) {
      const record = { ...checkedKey(input), ttl: checkedTtl(input.ttl) };
      if (!origins.some((origin) => isAtOrBelow(record.name, origin))) {
        throw new Error(`The name "${record.name}" is not inside ${origins.join(" or ")}.`);
      }
      const others = without(record);
      const alias = [...others, record].find(
        ({ name, type }) => name === record.name && type === "CNAME",
      );
      const hasOthers = others.some(({ name }) => name === record.name);
      if (alias && (hasOthers || origins.includes(record.name))) {
        throw new Error(`"${record.name}" cannot have a CNAME together with other records.`);
      }
      records = [...others, record];
    },

    remove(input) {
      const left = without(checkedKey(input));
      const wasThere = left.length < records.length;
      records = left;
      return wasThere;
    },
  };
}

function isSame(one: Omit<ZoneRecord, "ttl">, other: Omit<ZoneRecord, "ttl">): boolean {
  return one.name === other.name && one.type === other.type && one.value === other.value;
}

function checkedKey({ name, type, value }: Omit<ZoneRecordInput, "ttl">): Omit<ZoneRecord, "ttl"> {
  switch (type) {
    case "TXT":
      return { name: checkedName(name), type, value: checkedText(value) };
    case "CNAME":
      return { name: checkedName(name), type, value: checkedName(value) };
    default:
      throw new Error(`The type "${type}" is not supported; use TXT or CNAME.`);
  }
}

function checkedName(text: string): string {
  try {
    return canonicalName(text);
  } catch (cause) {
    throw new Error(`"${text}" is not a domain name.`, { cause });
  }
}

function checkedText(value: string): string {
  if (Buffer.byteLength(value) > MAX_VALUE_OCTETS) {
    throw new Error(`The value is longer than ${MAX_VALUE_OCTETS} octets.`);
  }
  return value;
}

function checkedTtl(ttl: number): number {
  if (!Number.isInteger(ttl) || ttl < 0 || ttl > MAX_TTL_S) {
    throw new Error(`The TTL ${ttl} is not a number of seconds from 0 to ${MAX_TTL_S}.`);
  }
  return ttl;
}
