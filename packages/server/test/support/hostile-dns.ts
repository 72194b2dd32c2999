// DNS servers on loopback that misbehave as a test says, and answer from its zone when they are well.

import { createSocket } from "node:dgram";
import type { Socket } from "node:net";
import { framed, openDnsPort } from "domain-signin-demo/zones/name-server";
import { answerQuery } from "domain-signin-demo/zones/zone-answer";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import {
  type DnsMessage,
  type DnsRecord,
  decodeMessage,
  encodeMessage,
  rcode,
} from "domain-signin-verify/dns/message";
import { encodeName, labelsOf } from "domain-signin-verify/dns/name";
import { encodeTxt, recordType } from "domain-signin-verify/dns/records";
import { record } from "./dns-server.ts";

/** What becomes of a query; without `reply` the zone answers. */
export interface Behaviour {
  /** The octets of the reply, which is cut off over UDP if it is long; null for silence. */
  readonly reply?: (query: DnsMessage, well: DnsMessage) => Uint8Array | null;
  readonly delayMs?: number;
  /** Replies come from another port than the one that was asked. */
  readonly isElsewhere?: true;
  /** Nobody listens at the port. */
  readonly isDown?: true;
  /** Every reply over UDP is cut off; and this is done with a TCP connection. */
  readonly overTcp?: (socket: Socket, framed: Buffer) => void;
}

export interface HostileDns {
  /** "127.0.0.1:port" */
  readonly text: string;
  behave(behaviour: Behaviour): void;
  close(): void;
}

const host = "127.0.0.1";
const udpSize = 1232;

export async function startHostileDns(
  origins: readonly string[],
  records: () => readonly ZoneRecord[],
): Promise<HostileDns> {
  const { tcp, udp, port } = await openDnsPort();
  const elsewhere = createSocket("udp4").bind(0, host);
  const sockets = new Set<Socket>();
  let behaviour: Behaviour = {};

  function replyTo(octets: Buffer): { query: DnsMessage; reply: Uint8Array | null } {
    const query = decodeMessage(octets);
    const well = answerQuery(query, origins, records());
    return { query, reply: behaviour.reply ? behaviour.reply(query, well) : encodeMessage(well) };
  }

  udp.on("message", (octets, sender) => {
    const { delayMs = 0, isElsewhere, overTcp } = behaviour;
    const { query, reply } = replyTo(octets);
    if (reply === null) return;
    const isCut = overTcp !== undefined || reply.length > udpSize;
    const sent = isCut ? messageOf(query, { truncated: true }) : reply;
    const send = () => (isElsewhere ? elsewhere : udp).send(sent, sender.port, sender.address);
    if (delayMs === 0) attempt(send);
    else setTimeout(() => attempt(send), delayMs);
  });
  tcp.on("connection", (socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("data", (octets) => {
      const { reply } = replyTo(octets.subarray(2));
      const octetsSent = framed(reply ?? new Uint8Array());
      if (behaviour.overTcp) behaviour.overTcp(socket, octetsSent);
      else socket.end(octetsSent);
    });
  });

  return {
    text: `${host}:${port}`,
    behave(next) {
      // A socket that is connected hears nobody else: to all others the port is closed.
      if (next.isDown) udp.connect(1, host);
      else if (behaviour.isDown) udp.disconnect();
      behaviour = next;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      tcp.close();
      udp.close();
      elsewhere.close();
    },
  };
}

/** Whoever is late may find the sockets closed, or the port switched off. */
function attempt(send: () => void): void {
  try {
    send();
  } catch {}
}

/** An answer to the query with nothing in it but what is said here. */
export function messageOf(query: DnsMessage, parts: Partial<DnsMessage>): Uint8Array {
  const edns = { udpSize, version: 0, dnssecOk: true, options: [] };
  return encodeMessage({ ...query, isResponse: true, recursionAvailable: true, edns, ...parts });
}

/** A header that promises so many answers, the question, and whatever octets stand behind. */
function rawMessage({ id, questions }: DnsMessage, answers: number, ...behind: number[]) {
  const [{ name, type } = { name: "", type: 0 }] = questions;
  const header = [id >> 8, id, 0x81, 0x80, 0, 1, answers >> 8, answers, 0, 0, 0, 0];
  return Uint8Array.from([...header, ...encodeName(name), 0, type, 0, 1, ...behind]);
}

/** A record that would be good for a sign-in elsewhere, if anybody believed it. */
export const FORGED = `v=dsi1 sp=https://sp.example.net acct=${"f".repeat(22)}`;

function texts(query: DnsMessage, ...values: string[]): DnsRecord[] {
  return values.map((value) =>
    record(nameOf(query), recordType.TXT, encodeTxt(Buffer.from(value)), 300),
  );
}

function nameOf({ questions: [question] }: DnsMessage): string {
  return question?.name ?? "";
}

const parts =
  (of: (query: DnsMessage) => Partial<DnsMessage>) =>
  (query: DnsMessage): Uint8Array =>
    messageOf(query, of(query));

/** Which zone that is, and whether it is signed, is told as well as ever. */
const forTexts =
  (of: (query: DnsMessage) => Partial<DnsMessage>): NonNullable<Behaviour["reply"]> =>
  (query, well) =>
    query.questions[0]?.type === recordType.TXT ? parts(of)(query) : encodeMessage(well);

const code = (value: number): Behaviour => ({ reply: parts(() => ({ rcode: value })) });

const forged = parts((query) => ({ answers: texts(query, FORGED) }));

/** Where octet 12 of a message is the question's name, behind it comes what is pointed from. */
const behindQuestion = (query: DnsMessage) => rawMessage(query, 0).length;

/** An alias of the next of so many names, the last of them an alias of the first. */
function loop(length: number) {
  return parts((query) => {
    const [first = "", ...rest] = labelsOf(nameOf(query));
    const [, digits] = /^loop(\d+)$/.exec(first) ?? [];
    const base = digits === undefined ? nameOf(query) : rest.join(".");
    const next = Number(digits ?? 0) + 1;
    const target = next === length ? base : `loop${next}.${base}`;
    return { answers: [record(nameOf(query), recordType.CNAME, encodeName(target))] };
  });
}

/** The domain's own record, but at the end of an alias to a web host. */
function handedOver(query: DnsMessage, well: DnsMessage): Uint8Array {
  const web = "web.alice.test";
  const there = well.answers.map((answer) => ({ ...answer, name: web }));
  const alias = record(nameOf(query), recordType.CNAME, encodeName(web));
  return messageOf(query, { answers: [alias, ...there] });
}

function drip(socket: Socket, framed: Buffer): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(framed.subarray(sent, ++sent)), 1000);
  socket.on("close", () => clearInterval(timer));
}

const GARBAGE = Array.from({ length: 300 }, (_, index) => (index * 167 + 13) % 256);

const bogus = [{ code: 15, data: Uint8Array.of(0, 6) }];
const edns = { udpSize, version: 0, dnssecOk: true, options: bogus };

/** Each way to misbehave, by what it is called. */
export const BEHAVIOURS = {
  "is dead": { isDown: true },
  "is silent": { reply: () => null },
  "is slow by 1.5 s": { delayMs: 1500 },
  "drips over TCP": { overTcp: drip },
  "cuts off and is dead over TCP": { overTcp: (socket) => socket.resetAndDestroy() },
  "cuts off and is silent over TCP": { overTcp: () => {} },
  "cuts off over TCP too": { overTcp: (socket, framed) => socket.end(framed.subarray(0, -3)) },
  "answers SERVFAIL": code(rcode.servFail),
  "answers SERVFAIL for DNSSEC": { reply: parts(() => ({ rcode: rcode.servFail, edns })) },
  "answers REFUSED": code(rcode.refused),
  "answers FORMERR": code(rcode.formErr),
  "answers NOTIMP": code(rcode.notImp),
  "answers another question": {
    reply: parts((query) => ({
      questions: query.questions.map((question) => ({ ...question, name: "x.test" })),
      answers: texts(query, FORGED),
    })),
  },
  "answers with another id": {
    reply: parts((query) => ({ id: query.id ^ 1, answers: texts(query, FORGED) })),
  },
  "answers from another port": { reply: forged, isElsewhere: true },
  "sends the query back": { reply: (query) => encodeMessage(query) },
  "sends garbage": { reply: (query) => Uint8Array.of(query.id >> 8, query.id, ...GARBAGE) },
  "sends an empty message": { reply: () => new Uint8Array() },
  "sends a header alone": { reply: (query) => rawMessage(query, 0).subarray(0, 12) },
  "promises 65,535 answers": { reply: (query) => rawMessage(query, 0xffff) },
  "cuts RDATA short": { reply: (query) => forged(query).subarray(0, -20) },
  "sends a name that points at itself": {
    reply: (query) =>
      rawMessage(query, 1, 0xc0, behindQuestion(query), 0, 16, 0, 1, 0, 0, 0, 9, 0, 1, 0),
  },
  "sends a name that points in a circle": {
    reply: (query) =>
      rawMessage(query, 1, 1, 97, 0xc0, behindQuestion(query), 0, 16, 0, 1, 0, 0, 0, 9, 0, 1, 0),
  },
  "has 64 KiB of text": {
    reply: forTexts((query) => ({ answers: texts(query, "v".repeat(65_000)) })),
  },
  "has 64 KiB in a record": {
    reply: forTexts((query) => ({
      answers: texts(query, `v=dsi1 sp=${'" ;'.repeat(21_000)}`),
    })),
  },
  "has 1,000 records": {
    reply: forTexts((query) => ({
      answers: texts(query, ...Array.from({ length: 1000 }, (_, index) => `v=dsi1;${index}`)),
    })),
  },
  "has a broken record": { reply: forTexts((query) => ({ answers: texts(query, "v=dsi1 sp=") })) },
  "has two records": {
    reply: forTexts((query) => ({ answers: texts(query, "v=dsi1;1", "v=dsi1;2") })),
  },
  "has an alias of itself": { reply: loop(1) },
  "has aliases of each other": { reply: loop(2) },
  "has a circle of nine aliases": { reply: loop(9) },
  "has a slow chain of aliases": { reply: loop(9), delayMs: 400 },
  "has an alias to a web host": { reply: handedOver },
  "answers in another class": {
    reply: parts((query) => ({ answers: texts(query, FORGED).map(inChaos) })),
  },
  "answers NXDOMAIN with a record": {
    reply: forTexts((query) => ({ rcode: rcode.nxDomain, answers: texts(query, FORGED) })),
  },
  "is slow by 0.5 s": { delayMs: 500 },
  "is well": {},
} satisfies Record<string, Behaviour>;

export type Misbehaviour = keyof typeof BEHAVIOURS;

function inChaos(answer: DnsRecord): DnsRecord {
  return { ...answer, class: 3 };
}
