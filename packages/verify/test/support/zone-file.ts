// Parses the output of zone signers: master files with one record per line (RFC 1035 §5.1).

import { join, type Octets, octets, type, wireName } from "./signer.ts";

/** `name` is in lower case without a final dot, `owner` as in the file. `covers` is for RRSIG. */
export interface ZoneRecord {
  readonly name: string;
  readonly owner: string;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Octets;
  readonly covers: number | undefined;
  /** The zone that signed it, in lower case; for RRSIG. */
  readonly signer: string | undefined;
}

// owner, TTL, class, type, rdata
const lineForm = /^(\S+)\s+(\d+)\s+IN\s+(\S+)\s+(.*?)\s*$/;
const word = /"(?:[^"\\]|\\.)*"|[^\s"]+/g;

/** The records of types that occur in chains. Other lines, such as NSEC3, are omitted. */
export function readZoneFile(text: string): ZoneRecord[] {
  return text.split("\n").flatMap((line) => {
    const [, owner, ttl, typeName = "", rest = ""] = lineForm.exec(line) ?? [];
    const recordType = typeNumber(typeName);
    if (owner === undefined || recordType === undefined) return [];
    // A semicolon outside quotes starts a comment: ldns writes some.
    const words: string[] = rest.match(word) ?? [];
    const end = words.findIndex((one) => one.startsWith(";"));
    const fields = end === -1 ? words : words.slice(0, end);
    const covers = recordType === type.RRSIG ? coveredBy(fields) : undefined;
    // A signature over a set that occurs in no chain.
    if (recordType === type.RRSIG && covers === undefined) return [];
    return [
      {
        name: bare(owner).toLowerCase(),
        owner: bare(owner),
        ...{ type: recordType, ttl: Number(ttl), covers },
        rdata: rdataOf(recordType, fields),
        signer: covers === undefined ? undefined : bare(fields[7] ?? "").toLowerCase(),
      },
    ];
  });
}

function rdataOf(recordType: number, fields: readonly string[]): Octets {
  const [first = "", second, third] = fields;
  switch (recordType) {
    case type.TXT:
      return join(...fields.map(characterString));
    case type.CNAME:
    case type.NS:
      return wireName(bare(first));
    case type.DNSKEY:
      return join(uint(first, 2), uint(second, 1), uint(third, 1), base64(fields.slice(3)));
    case type.DS:
      return join(uint(first, 2), uint(second, 1), uint(third, 1), hex(fields.slice(3)));
    default:
      return rrsigRdata(fields);
  }
}

/** RFC 4034 §3.2. */
function rrsigRdata(fields: readonly string[]): Octets {
  const [, algorithm, labels, ttl, expiration, inception, keyTag, signer = ""] = fields;
  return join(
    uint(coveredBy(fields), 2),
    join(uint(algorithm, 1), uint(labels, 1), uint(ttl, 4)),
    join(uint(moment(expiration), 4), uint(moment(inception), 4), uint(keyTag, 2)),
    join(wireName(bare(signer)), base64(fields.slice(8))),
  );
}

function coveredBy([covered = ""]: readonly string[]): number | undefined {
  return typeNumber(covered);
}

function typeNumber(name: string): number | undefined {
  return Object.entries(type).find(([known]) => known === name)?.[1];
}

/** YYYYMMDDHHmmSS, or seconds since 1970 if there are fewer digits. */
function moment(text = ""): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return Number(text);
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) / 1000;
}

/** `\"` and `\\` are escaped characters, `\DDD` is any octet. */
function characterString(text: string): Octets {
  const inner = text.startsWith('"') ? text.slice(1, -1) : text;
  const values = (inner.match(/\\\d{3}|\\.|[^\\]/g) ?? []).map((one) => {
    if (/^\\\d/.test(one)) return Number(one.slice(1));
    return one.charCodeAt(one.length - 1);
  });
  return octets(values.length, ...values);
}

function uint(value: string | number | undefined, size: 1 | 2 | 4): Octets {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(Number(value));
  return new Uint8Array(buffer.subarray(4 - size));
}

function base64(words: readonly string[]): Octets {
  return new Uint8Array(Buffer.from(words.join(""), "base64"));
}

function hex(words: readonly string[]): Octets {
  return new Uint8Array(Buffer.from(words.join(""), "hex"));
}

function bare(name: string): string {
  return name.replace(/\.$/, "");
}
