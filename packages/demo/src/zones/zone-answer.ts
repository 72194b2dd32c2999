// Answers of an unsigned authoritative name server (RFC 1034 §4.3.2, RFC 2308).

import {
  type DnsMessage,
  type DnsRecord,
  ednsUdpSize,
  rcode,
} from "domain-signin-verify/dns/message";
import { encodeName, isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { classIn, encodeSoa, encodeTxt, recordType } from "domain-signin-verify/dns/records";
import type { ZoneRecord } from "./zone-records.ts";

type Answer = Pick<DnsMessage, "rcode"> & Partial<Pick<DnsMessage, "answers" | "authorities">>;

const SHORT_TTL_S = 60;

/** `origins` are canonical names. */
export function answerQuery(
  query: DnsMessage,
  origins: readonly string[],
  records: readonly ZoneRecord[],
): DnsMessage {
  const answer = findAnswer(query, origins, records);
  return {
    ...query,
    isResponse: true,
    authoritative: answer.rcode === rcode.noError || answer.rcode === rcode.nxDomain,
    truncated: false,
    authenticData: false,
    answers: [],
    authorities: [],
    additionals: [],
    edns: query.edns && { ...query.edns, version: 0, udpSize: ednsUdpSize, options: [] },
    ...answer,
  };
}

function findAnswer(
  query: DnsMessage,
  origins: readonly string[],
  records: readonly ZoneRecord[],
): Answer {
  const [question, second] = query.questions;
  if (query.opcode !== 0) return { rcode: rcode.notImp };
  if (!question || second) return { rcode: rcode.formErr };
  const { name, type } = question;
  const origin = closestOrigin(name, origins);
  if (origin === undefined || question.class !== classIn) return { rcode: rcode.refused };

  const here = records.filter((record) => record.name === name).map(wireRecord);
  // A CNAME answers for every type; the client follows it.
  const answers = here.filter((record) => record.type === type || record.type === recordType.CNAME);
  const soa = soaRecord(origin);
  if (type === recordType.SOA && name === origin) answers.push(soa);
  if (answers.length === 0) answers.push(...serverRecords(name, type, origin));
  if (answers.length > 0) return { rcode: rcode.noError, answers };

  // A name with names below it exists, though it has no records of its own (RFC 8020 §2).
  const exists =
    [origin, serverName(origin)].includes(name) ||
    records.some((record) => isAtOrBelow(record.name, name));
  return { rcode: exists ? rcode.noError : rcode.nxDomain, authorities: [soa] };
}

function closestOrigin(name: string, origins: readonly string[]): string | undefined {
  return origins
    .filter((origin) => isAtOrBelow(name, origin))
    .sort((one, other) => labelsOf(other).length - labelsOf(one).length)[0];
}

function wireRecord({ name, type, value, ttl }: ZoneRecord): DnsRecord {
  const rdata = type === "TXT" ? encodeTxt(Buffer.from(value)) : encodeName(value);
  return { name, type: recordType[type], class: classIn, ttl, rdata };
}

function serverName(origin: string): string {
  return `ns.${origin}`;
}

/** The NS record of the zone and the address of its name server, which is this one. */
function serverRecords(name: string, type: number, origin: string): DnsRecord[] {
  const head = { name, type, class: classIn, ttl: SHORT_TTL_S };
  if (name === origin && type === recordType.NS) {
    return [{ ...head, rdata: encodeName(serverName(origin)) }];
  }
  if (name === serverName(origin) && type === recordType.A) {
    return [{ ...head, rdata: Uint8Array.of(127, 0, 0, 1) }];
  }
  return [];
}

function soaRecord(origin: string): DnsRecord {
  const rdata = encodeSoa({
    mname: serverName(origin),
    rname: `hostmaster.${origin}`,
    serial: 1,
    refresh: 3600,
    retry: 600,
    expire: 86_400,
    minimum: SHORT_TTL_S,
  });
  return { name: origin, type: recordType.SOA, class: classIn, ttl: SHORT_TTL_S, rdata };
}
