// Octets of DNS messages: bounds-checked reads, and concatenation.

/** A message, name or record violates the wire format. The only error that this folder throws. */
export class DnsMessageError extends Error {
  override readonly name = "DnsMessageError";
}

/** Where the next read begins. `octets` is the whole message, since names point back into it. */
export interface Cursor {
  readonly octets: Uint8Array;
  position: number;
  /** How many more labels may be read. With pointers, a few octets can encode many labels. */
  labelsLeft?: number;
}

export function readOctets(cursor: Cursor, count: number): Uint8Array {
  const end = cursor.position + count;
  if (end > cursor.octets.length) throw new DnsMessageError("the message ends too early");
  const octets = cursor.octets.subarray(cursor.position, end);
  cursor.position = end;
  return octets;
}

export function readUint(cursor: Cursor, size: 1 | 2 | 4): number {
  const end = cursor.position + size;
  if (end > cursor.octets.length) throw new DnsMessageError("the message ends too early");
  let value = 0;
  while (cursor.position < end) value = value * 256 + (cursor.octets[cursor.position++] ?? 0);
  return value;
}

export function uint(value: number, size: 1 | 2 | 4): Uint8Array {
  return Uint8Array.from({ length: size }, (_, index) => value >>> (8 * (size - 1 - index)));
}

export function joinOctets(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let position = 0;
  for (const part of parts) {
    joined.set(part, position);
    position += part.length;
  }
  return joined;
}
