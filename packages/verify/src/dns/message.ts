// Encodes DNS messages, and decodes them with bounds-checked reads (RFC 1035 §4.1, RFC 6891).

import { encodeName, readName } from "./name.ts";
import { type Cursor, DnsMessageError, joinOctets, readOctets, readUint, uint } from "./octets.ts";
import { classIn, readRdata, recordType } from "./records.ts";

export { DnsMessageError } from "./octets.ts";

export const rcode = {
  noError: 0,
  formErr: 1,
  servFail: 2,
  nxDomain: 3,
  notImp: 4,
  refused: 5,
} as const;

export type DnsQuestion = { readonly name: string; readonly type: number; readonly class: number };

/** `ttl` in seconds; names in `rdata` are not compressed. */
export type DnsRecord = DnsQuestion & { readonly ttl: number; readonly rdata: Uint8Array };

export type EdnsOption = { readonly code: number; readonly data: Uint8Array };

export interface Edns {
  readonly udpSize: number;
  readonly version: number;
  readonly dnssecOk: boolean;
  readonly options: readonly EdnsOption[];
}

/** A message whose OPT record is decoded: `edns`, and the upper eight bits of `rcode`. */
export interface DnsMessage {
  readonly id: number;
  readonly isResponse: boolean;
  readonly opcode: number;
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly recursionDesired: boolean;
  readonly recursionAvailable: boolean;
  readonly authenticData: boolean;
  readonly checkingDisabled: boolean;
  readonly rcode: number;
  readonly questions: readonly DnsQuestion[];
  readonly answers: readonly DnsRecord[];
  readonly authorities: readonly DnsRecord[];
  readonly additionals: readonly DnsRecord[];
  readonly edns: Edns | null;
}

/** Octets that fit one unfragmented packet on every path (DNS Flag Day 2020). */
export const ednsUdpSize = 1232;

/** A query that requests signatures and accepts 1,232 octets over UDP. Recursive by default. */
export function encodeQuery(query: {
  id: number;
  name: string;
  type: number;
  recursionDesired?: boolean;
  checkingDisabled?: boolean;
}): Uint8Array {
  return encodeMessage({
    id: query.id,
    isResponse: false,
    opcode: 0,
    authoritative: false,
    truncated: false,
    recursionDesired: query.recursionDesired ?? true,
    recursionAvailable: false,
    authenticData: false,
    checkingDisabled: query.checkingDisabled ?? false,
    rcode: rcode.noError,
    questions: [{ name: query.name, type: query.type, class: classIn }],
    answers: [],
    authorities: [],
    additionals: [],
    edns: { udpSize: ednsUdpSize, version: 0, dnssecOk: true, options: [] },
  });
}

/** Names are not compressed. An `rcode` above 15 needs `edns`. */
export function encodeMessage(message: DnsMessage): Uint8Array {
  const { questions, answers, authorities, additionals } = message;
  const flags =
    (message.isResponse ? 0x8000 : 0) |
    (message.opcode << 11) |
    (message.authoritative ? 0x0400 : 0) |
    (message.truncated ? 0x0200 : 0) |
    (message.recursionDesired ? 0x0100 : 0) |
    (message.recursionAvailable ? 0x0080 : 0) |
    (message.authenticData ? 0x0020 : 0) |
    (message.checkingDisabled ? 0x0010 : 0) |
    (message.rcode & 0x0f);
  const extra = message.edns
    ? [...additionals, optRecord(message.edns, message.rcode)]
    : additionals;
  const counts = [questions, answers, authorities, extra].map(({ length }) => uint(length, 2));
  return joinOctets([
    uint(message.id, 2),
    uint(flags, 2),
    ...counts,
    ...questions.map(encodeQuestion),
    ...[...answers, ...authorities, ...extra].map(encodeRecord),
  ]);
}

/** In all names of a message, with pointers followed. Real messages of 64 KiB have fewer. */
const MAX_LABELS = 2 ** 15;

/** Throws only DnsMessageError, for octets that are not exactly one message. */
export function decodeMessage(octets: Uint8Array): DnsMessage {
  // A copy, so that the records do not change if the caller reuses its buffer.
  const cursor = { octets: new Uint8Array(octets), position: 0, labelsLeft: MAX_LABELS };
  const id = readUint(cursor, 2);
  const flags = readUint(cursor, 2);
  const questionCount = readUint(cursor, 2);
  const answerCount = readUint(cursor, 2);
  const authorityCount = readUint(cursor, 2);
  const additionalCount = readUint(cursor, 2);
  const questions = readTimes(questionCount, () => readQuestion(cursor));
  const answers = readTimes(answerCount, () => readRecord(cursor));
  const authorities = readTimes(authorityCount, () => readRecord(cursor));
  const extra = readTimes(additionalCount, () => readRecord(cursor));
  if (cursor.position !== octets.length) throw new DnsMessageError("message has extra octets");
  const { edns, upperRcode } = readOpt(extra);
  return {
    id,
    isResponse: (flags & 0x8000) !== 0,
    opcode: (flags >> 11) & 0x0f,
    authoritative: (flags & 0x0400) !== 0,
    truncated: (flags & 0x0200) !== 0,
    recursionDesired: (flags & 0x0100) !== 0,
    recursionAvailable: (flags & 0x0080) !== 0,
    authenticData: (flags & 0x0020) !== 0,
    checkingDisabled: (flags & 0x0010) !== 0,
    rcode: upperRcode * 16 + (flags & 0x0f),
    questions,
    answers,
    authorities,
    additionals: extra.filter(({ type }) => type !== recordType.OPT),
    edns,
  };
}

function readTimes<T>(count: number, read: () => T): T[] {
  const items: T[] = [];
  while (items.length < count) items.push(read());
  return items;
}

function encodeQuestion(question: DnsQuestion): Uint8Array {
  return joinOctets([encodeName(question.name), uint(question.type, 2), uint(question.class, 2)]);
}

function readQuestion(cursor: Cursor): DnsQuestion {
  return { name: readName(cursor), type: readUint(cursor, 2), class: readUint(cursor, 2) };
}

function encodeRecord(record: DnsRecord): Uint8Array {
  const rdlength = uint(record.rdata.length, 2);
  return joinOctets([encodeQuestion(record), uint(record.ttl, 4), rdlength, record.rdata]);
}

function readRecord(cursor: Cursor): DnsRecord {
  const question = readQuestion(cursor);
  const ttl = readUint(cursor, 4);
  return { ...question, ttl, rdata: readRdata(cursor, question.type) };
}

/** OPT stores the UDP size in the class, and rcode, version and DO in the TTL (RFC 6891 §6.1). */
function optRecord(edns: Edns, messageRcode: number): DnsRecord {
  const upperRcode = messageRcode >> 4;
  const options = edns.options.map(({ code, data }) =>
    joinOctets([uint(code, 2), uint(data.length, 2), data]),
  );
  return {
    name: "",
    type: recordType.OPT,
    class: edns.udpSize,
    ttl: upperRcode * 2 ** 24 + edns.version * 2 ** 16 + (edns.dnssecOk ? 0x8000 : 0),
    rdata: joinOctets(options),
  };
}

function readOpt(additionals: readonly DnsRecord[]): { edns: Edns | null; upperRcode: number } {
  const [opt, second] = additionals.filter(({ type }) => type === recordType.OPT);
  if (!opt) return { edns: null, upperRcode: 0 };
  if (second) throw new DnsMessageError("the message has two OPT records");
  if (opt.name !== "") throw new DnsMessageError("the name of the OPT record is not the root");
  const edns = {
    udpSize: opt.class,
    version: (opt.ttl >>> 16) & 0xff,
    dnssecOk: (opt.ttl & 0x8000) !== 0,
    options: readOptions({ octets: opt.rdata, position: 0 }),
  };
  return { edns, upperRcode: opt.ttl >>> 24 };
}

function readOptions(cursor: Cursor): EdnsOption[] {
  const options: EdnsOption[] = [];
  while (cursor.position < cursor.octets.length) {
    const code = readUint(cursor, 2);
    options.push({ code, data: readOctets(cursor, readUint(cursor, 2)) });
  }
  return options;
}
