// CBOR (RFC 8949) as authenticators must write it: the canonical form of CTAP2, except for the order of keys.

export type CborValue = number | string | boolean | null | Buffer | readonly CborValue[] | CborMap;
export type CborMap = ReadonlyMap<CborValue, CborValue>;

interface Item {
  readonly value: CborValue;
  /** What follows the item. */
  readonly rest: Buffer;
}

/** CTAP 2.1 §8: messages have at most four levels of maps and arrays. */
const MAX_DEPTH = 4;
/** The smallest argument for which its own length of one, two or four octets is the shortest. */
const SMALLEST = [24, 0x100, 0x10000];
const FIRST_SIMPLE_VALUE = 20;

/**
 * Reads the first item of the octets. Null for lengths that are indefinite, too long, or of over four octets, for keys
 * that are no numbers or text, for a key twice, and for tags, floats and text beyond ASCII, which no extension has.
 */
export function readCbor(octets: Buffer, depth = MAX_DEPTH): Item | null {
  const head = readHead(octets);
  if (head === null) return null;
  const { major, argument, rest } = head;
  switch (major) {
    case 0:
      return { value: argument, rest };
    case 1:
      return { value: -1 - argument, rest };
    case 2:
    case 3: {
      if (argument > rest.length) return null;
      const content = rest.subarray(0, argument);
      if (major === 3 && content.some((octet) => octet >= 0x80)) return null;
      const value = major === 2 ? content : content.toString("latin1");
      return { value, rest: rest.subarray(argument) };
    }
    case 4:
      return depth === 0 ? null : readArray(rest, argument, depth - 1);
    case 5:
      return depth === 0 ? null : readMap(rest, argument, depth - 1);
    case 7: {
      const value = [false, true, null][argument - FIRST_SIMPLE_VALUE];
      return value === undefined ? null : { value, rest };
    }
    default:
      return null;
  }
}

function readHead(octets: Buffer) {
  const [first] = octets;
  if (first === undefined) return null;
  const major = first >> 5;
  const short = first & 0x1f;
  if (short < 24) return { major, argument: short, rest: octets.subarray(1) };
  const smallest = SMALLEST[short - 24];
  const length = 2 ** (short - 24);
  if (smallest === undefined || octets.length <= length) return null;
  const argument = octets.readUIntBE(1, length);
  return argument < smallest ? null : { major, argument, rest: octets.subarray(1 + length) };
}

/** Ends where the octets do, whatever `count` is. */
function readArray(octets: Buffer, count: number, depth: number) {
  const value: CborValue[] = [];
  let rest = octets;
  while (value.length < count) {
    const item = readCbor(rest, depth);
    if (item === null) return null;
    value.push(item.value);
    rest = item.rest;
  }
  return { value, rest };
}

function readMap(octets: Buffer, count: number, depth: number): Item | null {
  const items = readArray(octets, 2 * count, depth);
  if (items === null) return null;
  const { value, rest } = items;
  const keys = value.filter((_, index) => index % 2 === 0);
  const areKeys = keys.every((key) => typeof key === "number" || typeof key === "string");
  const map = new Map(keys.map((key, index) => [key, value[2 * index + 1] ?? null]));
  return areKeys && map.size === count ? { value: map, rest } : null;
}
