// Domain names: canonical text and wire format (RFC 1035 §3.1, RFC 4343).
//
// Canonical text is lower case without a final dot; the root is "". Octets that are not printable
// ASCII, and dots and backslashes inside a label, are written `\DDD`: every dot separates labels.

import { type Cursor, DnsMessageError, joinOctets, readOctets, readUint, uint } from "./octets.ts";

const MAX_NAME_OCTETS = 255;
const MAX_LABEL_OCTETS = 63;
// A name of 255 octets has at most 127 labels; no encoder needs more pointers than labels.
const MAX_POINTERS = 127;

const LABEL_RE = /^(?:[!-[\]-~]|\\(?:[01]\d\d|2[0-4]\d|25[0-5]))+$/;

/** The text of each octet. A table, because a hostile message causes a million lookups. */
const OCTET_TEXTS = Array.from({ length: 256 }, (_, octet) => {
  const text = String.fromCharCode(lowerCase(octet));
  return /[!-[\]-~]/.test(text) && text !== "." ? text : `\\${String(octet).padStart(3, "0")}`;
});

/** The canonical text of a name in presentation format. Throws DnsMessageError. */
export function canonicalName(text: string): string {
  const octets = encodeName(text.replace(/\.$/, ""));
  return readName({ octets, position: 0 });
}

export function labelsOf(name: string): string[] {
  return name === "" ? [] : name.split(".");
}

/** Whether canonical `name` is `ancestor` or a name below it. */
export function isAtOrBelow(name: string, ancestor: string): boolean {
  return name === ancestor || ancestor === "" || name.endsWith(`.${ancestor}`);
}

/** The uncompressed wire format, in lower case (canonical for DNSSEC, RFC 4034 §6.2). */
export function encodeName(name: string): Uint8Array {
  // An octet takes at most four characters.
  if (name.length > 4 * MAX_NAME_OCTETS)
    throw new DnsMessageError("name is longer than 255 octets");
  const wire = joinOctets([...labelsOf(name).map(encodeLabel), uint(0, 1)]);
  if (wire.length > MAX_NAME_OCTETS) throw new DnsMessageError("name is longer than 255 octets");
  return wire;
}

/** Reads a name, follows compression pointers, and moves the cursor past the name. */
export function readName(cursor: Cursor): string {
  return readLabels(cursor, MAX_POINTERS).join(".");
}

/** Reads a name that must not be compressed: in a chain, and in rdata (RFC 3597 §4). */
export function readUncompressedName(cursor: Cursor): string {
  return readLabels(cursor, 0).join(".");
}

function readLabels(cursor: Cursor, pointerLimit: number): string[] {
  const labels: string[] = [];
  let wireOctets = 1;
  let pointers = 0;
  let at = cursor;
  let start = cursor.position;
  for (;;) {
    const length = readUint(at, 1);
    if (length === 0) return labels;
    if (length >= 0xc0) {
      const target = (length - 0xc0) * 256 + readUint(at, 1);
      // Each pointer must lead further back than the one before, so that no loop is possible.
      if (target >= start) throw new DnsMessageError("compression pointer points forwards");
      if (++pointers > pointerLimit) throw new DnsMessageError("name has too many pointers");
      at = { octets: cursor.octets, position: target };
      start = target;
    } else {
      if (cursor.labelsLeft !== undefined && cursor.labelsLeft-- === 0) {
        throw new DnsMessageError("message has too many labels");
      }
      if (length > MAX_LABEL_OCTETS) throw new DnsMessageError("label has an unknown type");
      wireOctets += 1 + length;
      if (wireOctets > MAX_NAME_OCTETS) throw new DnsMessageError("name is longer than 255 octets");
      let label = "";
      for (const octet of readOctets(at, length)) label += OCTET_TEXTS[octet];
      labels.push(label);
    }
  }
}

function encodeLabel(label: string): Uint8Array {
  if (!LABEL_RE.test(label)) throw new DnsMessageError("label is empty or malformed");
  const tokens = label.toLowerCase().match(/\\\d{3}|./g) ?? [];
  if (tokens.length > MAX_LABEL_OCTETS) throw new DnsMessageError("label is longer than 63 octets");
  return Uint8Array.from([tokens.length, ...tokens.map(tokenOctet)]);
}

function tokenOctet(token: string): number {
  return token.length === 1 ? token.charCodeAt(0) : lowerCase(Number(token.slice(1)));
}

function lowerCase(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}
