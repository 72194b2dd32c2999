// Domain names: canonical text and wire form (RFC 1035 §3.1, RFC 4343).
//
// Canonical text is lower case, without a final dot, the root is "". An octet that is not printable
// ASCII, and a dot or backslash inside a label, is written `\DDD`: every dot parts two labels.

import { type Cursor, DnsMessageError, joinOctets, readOctets, readUint, uint } from "./octets.ts";

const maxNameOctets = 255;
const maxLabelOctets = 63;
// A name of 255 octets has at most 127 labels; no encoder needs more pointers than labels.
const maxPointers = 127;

const labelText = /^(?:[!-[\]-~]|\\(?:[01]\d\d|2[0-4]\d|25[0-5]))+$/;

/** The text of each octet; a table, because a hostile message makes us look up a million. */
const octetTexts = Array.from({ length: 256 }, (_, octet) => {
  const text = String.fromCharCode(lowerCase(octet));
  return /[!-[\]-~]/.test(text) && text !== "." ? text : `\\${String(octet).padStart(3, "0")}`;
});

/** Canonical text of what a person or a file wrote. */
export function canonicalName(text: string): string {
  const octets = encodeName(text.replace(/\.$/, ""));
  return readName({ octets, position: 0 });
}

export function labelsOf(name: string): string[] {
  return name === "" ? [] : name.split(".");
}

/** Whether canonical `name` is `ancestor` or lies below it. */
export function isAtOrBelow(name: string, ancestor: string): boolean {
  return name === ancestor || ancestor === "" || name.endsWith(`.${ancestor}`);
}

/** The uncompressed wire form, in lower case (canonical for DNSSEC, RFC 4034 §6.2). */
export function encodeName(name: string): Uint8Array {
  // An octet is written in four characters at most.
  if (name.length > 4 * maxNameOctets)
    throw new DnsMessageError("a name is longer than 255 octets");
  const wire = joinOctets([...labelsOf(name).map(encodeLabel), uint(0, 1)]);
  if (wire.length > maxNameOctets) throw new DnsMessageError("a name is longer than 255 octets");
  return wire;
}

/** Reads a name and leaves the cursor behind it; compression pointers are followed. */
export function readName(cursor: Cursor): string {
  return readLabels(cursor, maxPointers).join(".");
}

/** Reads a name where none may be compressed: in a chain, and in rdata (RFC 3597 §4). */
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
      // Only backwards: what was read once cannot be reached again, so that no loop exists.
      if (target >= start) throw new DnsMessageError("a name points forwards");
      if (++pointers > pointerLimit) throw new DnsMessageError("a name has too many pointers");
      at = { octets: cursor.octets, position: target };
      start = target;
    } else {
      if (cursor.labelsLeft !== undefined && cursor.labelsLeft-- === 0) {
        throw new DnsMessageError("the names of a message have too many labels");
      }
      if (length > maxLabelOctets) throw new DnsMessageError("a label is of unknown kind");
      wireOctets += 1 + length;
      if (wireOctets > maxNameOctets) throw new DnsMessageError("a name is longer than 255 octets");
      let label = "";
      for (const octet of readOctets(at, length)) label += octetTexts[octet];
      labels.push(label);
    }
  }
}

function encodeLabel(label: string): Uint8Array {
  if (!labelText.test(label)) throw new DnsMessageError("a label is empty or not well written");
  const tokens = label.toLowerCase().match(/\\\d{3}|./g) ?? [];
  if (tokens.length > maxLabelOctets) throw new DnsMessageError("a label is longer than 63 octets");
  return Uint8Array.from([tokens.length, ...tokens.map(tokenOctet)]);
}

function tokenOctet(token: string): number {
  return token.length === 1 ? token.charCodeAt(0) : lowerCase(Number(token.slice(1)));
}

function lowerCase(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}
