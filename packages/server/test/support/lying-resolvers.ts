// Resolvers on loopback that know the demo's signed zones, and lie about them as a test says.

import { startNameServer } from "domain-signin-demo/zones/name-server";
import type { SignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import { type DnsMessage, type DnsRecord, rcode } from "domain-signin-verify/dns/message";
import { encodeName, isAtOrBelow } from "domain-signin-verify/dns/name";
import { classIn, encodeSoa, encodeTxt, recordType } from "domain-signin-verify/dns/records";

/** Makes of an answer what is sent. */
export type Lie = (query: DnsMessage, answer: DnsMessage) => DnsMessage;

export interface LyingResolver {
  /** "127.0.0.1:port" */
  readonly text: string;
  readonly server: { readonly address: string; readonly port: number; readonly isV6: boolean };
  /** "type name" of each question, since it was emptied. */
  readonly asked: string[];
  /** From now on, each about what the one before made of the answer; none: the truth. */
  lie(...lies: readonly Lie[]): void;
  /** Whether its port is closed: then no answer comes, and nobody has to wait to know it. */
  silence(isSilent: boolean): void;
  /** Each answer comes so much later, in milliseconds. */
  delay(milliseconds: number): void;
  close(): void;
}

export async function startLyingResolver(
  zones: Pick<SignedZones, "answer">,
): Promise<LyingResolver> {
  const asked: string[] = [];
  let told: readonly Lie[] = [];
  let delayed = 0;
  const dns = await startNameServer({
    answer(query) {
      for (const { name, type } of query.questions) asked.push(`${type} ${name}`);
      return told.reduce((answer, lie) => lie(query, answer), zones.answer(query));
    },
    delayMs: () => delayed,
  });
  const { address, port } = dns;
  return {
    text: `${address}:${port}`,
    server: { address, port, isV6: false },
    asked,
    lie: (...lies) => {
      told = lies;
    },
    silence: dns.setDown,
    delay: (milliseconds) => {
      delayed = milliseconds;
    },
    close: () => void dns.close(),
  };
}

export function recordOf(name: string, type: number, rdata: Uint8Array): DnsRecord {
  return { name, type, class: classIn, ttl: 60, rdata };
}

export function textOf(name: string, value: string): DnsRecord {
  return recordOf(name, recordType.TXT, encodeTxt(Buffer.from(value)));
}

export function aliasOf(name: string, target: string): DnsRecord {
  return recordOf(name, recordType.CNAME, encodeName(target));
}

/** A signature of what was never signed, in the name of a zone, that would hold for a day. */
export function madeUpSignature(
  { name, type }: Pick<DnsRecord, "name" | "type">,
  signer: string,
  now: number,
): DnsRecord {
  const head = Buffer.alloc(18);
  head.writeUInt16BE(type, 0);
  head.writeUInt8(13, 2);
  head.writeUInt8(name.split(".").length, 3);
  head.writeUInt32BE(60, 4);
  head.writeUInt32BE(now + 86_400, 8);
  head.writeUInt32BE(now - 3600, 12);
  head.writeUInt16BE(4711, 16);
  const rdata = Buffer.concat([head, encodeName(signer), Buffer.alloc(64, 7)]);
  return recordOf(name, recordType.RRSIG, new Uint8Array(rdata));
}

/** These records are the answer to questions for text at that name; elsewhere it is the truth. */
export function says(name: string, ...records: readonly DnsRecord[]): Lie {
  return (query, answer) =>
    isFor(query, recordType.TXT) && query.questions[0]?.name === name
      ? { ...answer, rcode: rcode.noError, answers: records, authorities: [] }
      : answer;
}

/** All signatures are left out, or those of one type. */
export function withoutSignatures(type?: number): Lie {
  return (query, answer) =>
    type === undefined || isFor(query, type)
      ? { ...answer, answers: answer.answers.filter((record) => record.type !== recordType.RRSIG) }
      : answer;
}

/** The zone is said to have no delegation that is signed. */
export function withoutDs(zone: string): Lie {
  return (query, answer) =>
    isFor(query, recordType.DS) && query.questions[0]?.name === zone
      ? { ...answer, rcode: rcode.noError, answers: [] }
      : answer;
}

/** A zone is said to begin at `apex` for all names at or below `from`; null: nothing is said of zones. */
export function cut(from: string, apex: string | null): Lie {
  const numbers = { serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 };
  const rdata = encodeSoa({ mname: "ns.x", rname: "x", ...numbers });
  const soa = apex === null ? [] : [recordOf(apex, recordType.SOA, rdata)];
  return (query, answer) => {
    const isMeant = isAtOrBelow(query.questions[0]?.name ?? "", from);
    if (!isMeant || !isFor(query, recordType.SOA)) return answer;
    const answers = soa.filter(({ name }) => name === query.questions[0]?.name);
    const authorities = answers.length > 0 ? [] : soa;
    return { ...answer, rcode: rcode.noError, answers, authorities };
  };
}

/** As it is when a zone was signed and no longer is, and the zone above says so. */
export function goneUnsigned(zones: Pick<SignedZones, "answer" | "setSigned">, zone: string): Lie {
  return (query) => {
    zones.setSigned(zone, false);
    try {
      return zones.answer(query);
    } finally {
      zones.setSigned(zone, true);
    }
  };
}

/** SERVFAIL, with an extended error (RFC 8914), if one is given. */
export function servfail(error?: number): Lie {
  const options = error === undefined ? [] : [{ code: 15, data: Uint8Array.of(0, error) }];
  return (_, answer) => ({
    ...answer,
    rcode: rcode.servFail,
    answers: [],
    authorities: [],
    edns: answer.edns && { ...answer.edns, options },
  });
}

export function noSuchName(name: string): Lie {
  return ({ questions: [question] }, answer) =>
    question?.name === name
      ? { ...answer, rcode: rcode.nxDomain, answers: [], authorities: [] }
      : answer;
}

/** Those of denials are left out too. */
export const withoutAnySignature: Lie = (_, answer) => {
  const unsigned = ({ type }: { type: number }) => type !== recordType.RRSIG;
  return {
    ...answer,
    answers: answer.answers.filter(unsigned),
    authorities: answer.authorities.filter(unsigned),
  };
};

function isFor({ questions }: DnsMessage, type: number): boolean {
  return questions[0]?.type === type;
}
