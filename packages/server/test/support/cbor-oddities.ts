// What of some CBOR no authenticator may write, but a lenient reader accepts.

export type Oddity =
  | "length that is not the shortest"
  | "64 bits"
  | "tag"
  | "float"
  | "undefined"
  | "text beyond ASCII"
  | "over four levels"
  | "cut off"
  | "key that is no number or text"
  | "octets after the end"
  | "extensions that are no map";

/** The oddities of one item. */
export function odditiesOf(octets: Buffer): readonly Oddity[] {
  const found = new Set<Oddity>();
  const end = walk(octets, 0, 0, found);
  if (end < octets.length) found.add("octets after the end");
  return [...found];
}

/** The oddities of what authenticator data has after its head, and extensions that are no map. */
export function odditiesOfData(data: Buffer): readonly Oddity[] {
  const found = new Set<Oddity>();
  const flags = data[32] ?? 0;
  let end = 37;
  if ((flags & 0x40) !== 0 && data.length >= end + 18) {
    end = walk(data, end + 18 + data.readUInt16BE(end + 16), 0, found);
  }
  if ((flags & 0x80) !== 0) {
    if ((data[end] ?? 0) >> 5 !== 5) found.add("extensions that are no map");
    walk(data, end, 0, found);
  }
  return [...found];
}

/** Returns where the item ends. */
function walk(octets: Buffer, start: number, depth: number, found: Set<Oddity>): number {
  if (start >= octets.length) {
    found.add("cut off");
    return octets.length;
  }
  const { major, short, argument, end } = headAt(octets, start);
  if (end > octets.length) found.add("cut off");
  if (short === 27) found.add("64 bits");
  const shortest = [0, 24, 0x100, 0x10000][short < 24 ? 0 : short - 23] ?? 0;
  if (major !== 7 && argument < shortest) found.add("length that is not the shortest");
  switch (major) {
    case 2:
    case 3: {
      const content = octets.subarray(end, end + argument);
      if (content.length < argument) found.add("cut off");
      if (major === 3 && content.some((octet) => octet > 0x7f)) found.add("text beyond ASCII");
      return end + argument;
    }
    case 4:
    case 5: {
      if (depth === 4) found.add("over four levels");
      let next = end;
      for (let i = 0; i < argument * (major - 3) && next < octets.length; i++) {
        if (major === 5 && i % 2 === 0 && ![0, 1, 3].includes((octets[next] ?? 0) >> 5)) {
          found.add("key that is no number or text");
        }
        next = walk(octets, next, depth + 1, found);
      }
      return next;
    }
    case 6:
      found.add("tag");
      return walk(octets, end, depth, found);
    case 7:
      if (short >= 25) found.add("float");
      if (short === 23) found.add("undefined");
      return end;
    default:
      return end;
  }
}

function headAt(octets: Buffer, start: number) {
  const first = octets[start] ?? 0;
  const major = first >> 5;
  const short = first & 0x1f;
  if (short < 24) return { major, short, argument: short, end: start + 1 };
  const length = 2 ** (short - 24);
  const following = octets.subarray(start + 1, start + 1 + length);
  const argument = [...following].reduce((value, octet) => value * 256 + octet, 0);
  return { major, short, argument, end: start + 1 + length };
}
