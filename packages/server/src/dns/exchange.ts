// One question to one DNS server, and the one reply that answers it: over UDP and TCP, or as the server says.

import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect } from "node:net";
import {
  type DnsMessage,
  type DnsQuestion,
  decodeMessage,
  encodeQuery,
} from "domain-signin-verify/dns/message";

/** `ask` replaces plain DNS, for a server that is reached in another way. */
export interface DnsServer {
  readonly address: string;
  readonly port: number;
  readonly isV6: boolean;
  readonly ask?: (query: DnsQuery, tryMs: () => number) => Promise<Reply>;
}

/** `question.name` is canonical. Recursion is desired unless that says no, and the resolver verifies what it can. */
export interface DnsQuery {
  readonly id: number;
  readonly question: DnsQuestion;
  readonly recursionDesired?: boolean;
  readonly checkingDisabled?: boolean;
}

/** "busy": too many questions wait already, and this one was not sent. `detail` is for operators. */
export type Reply =
  | { readonly outcome: "message"; readonly message: DnsMessage }
  | { readonly outcome: "timeout" | "network" | "malformed" | "busy"; readonly detail?: string };

export function ask(server: DnsServer, query: DnsQuery, tryMs: () => number): Promise<Reply> {
  return server.ask?.(query, tryMs) ?? askPlain(server, query, tryMs);
}

/** Over UDP, and over TCP if that reply was cut off; `tryMs` is read before each. */
export async function askPlain(
  server: DnsServer,
  query: DnsQuery,
  tryMs: () => number,
): Promise<Reply> {
  const reply = await askOverUdp(server, query, tryMs());
  if (reply.outcome !== "message" || !reply.message.truncated) return reply;
  return wholeOf(await askOverTcp(server, query, tryMs()));
}

/** On a stream nothing may be cut off, and half a record set could be taken for the whole. */
export function wholeOf(reply: Reply): Reply {
  const isCut = reply.outcome === "message" && reply.message.truncated;
  return isCut ? { outcome: "malformed" } : reply;
}

/** Asks until `deadline`, which `performance.now()` reaches; once again halfway, as a datagram may be lost. */
export async function askUntil(
  server: DnsServer,
  query: Omit<DnsQuery, "id">,
  deadline: number,
): Promise<Reply> {
  let reply: Reply = { outcome: "timeout" };
  for (const share of [0.5, 1]) {
    const left = () => deadline - performance.now();
    if (reply.outcome !== "timeout" || left() <= 0) break;
    const tryMs = () => Math.max(1, left() * share);
    reply = await ask(server, { ...query, id: randomInt(0x10000) }, tryMs);
  }
  return reply;
}

/** A socket of its own, so that a guess has to hit port and id; connected, so that only the server is heard. */
function askOverUdp(server: DnsServer, query: DnsQuery, timeoutMs: number): Promise<Reply> {
  return firstReply(timeoutMs, (end) => {
    const socket = createSocket(server.isV6 ? "udp6" : "udp4");
    socket.on("error", () => end({ outcome: "network" }));
    socket.on("connect", () => socket.send(octetsOf(query)));
    socket.on("message", (octets) => {
      const reply = readReply(octets, query);
      if (reply) end(reply);
    });
    socket.connect(server.port, server.address);
    return () => socket.close();
  });
}

function askOverTcp(server: DnsServer, query: DnsQuery, timeoutMs: number): Promise<Reply> {
  return firstReply(timeoutMs, (end) => {
    const socket = connect({ host: server.address, port: server.port });
    socket.on("error", () => end({ outcome: "network" }));
    socket.on("end", () => end({ outcome: "network" }));
    socket.on("connect", () => socket.write(framed(octetsOf(query))));
    const take = (octets: Buffer) => end(readReply(octets, query) ?? { outcome: "malformed" });
    socket.on("data", readFrames(take));
    return () => socket.destroy();
  });
}

/** The first reply that `open` passes to its callback. `open` returns how to close its socket. */
function firstReply(
  timeoutMs: number,
  open: (end: (reply: Reply) => void) => () => void,
): Promise<Reply> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end({ outcome: "timeout" }), timeoutMs);
    let isOver = false;
    const end = (reply: Reply) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      close();
      resolve(reply);
    };
    const close = open(end);
  });
}

export function octetsOf({ question, ...rest }: DnsQuery): Uint8Array {
  return encodeQuery({ ...rest, ...question });
}

/** Null for what does not answer the question: it may be forged, and the true reply may follow. */
export function readReply(octets: Buffer, query: DnsQuery): Reply | null {
  if (octets.length < 2 || octets.readUInt16BE(0) !== query.id) return null;
  try {
    const message = decodeMessage(octets);
    return isReplyTo(message, query) ? { outcome: "message", message } : null;
  } catch {
    return { outcome: "malformed" };
  }
}

function isReplyTo(message: DnsMessage, { question }: DnsQuery): boolean {
  const [repeated, second] = message.questions;
  return (
    message.isResponse &&
    message.opcode === 0 &&
    second === undefined &&
    repeated?.name === question.name &&
    repeated.type === question.type &&
    repeated.class === question.class
  );
}

// On a stream, two octets of length go before each message (RFC 1035 §4.2.2, RFC 7766 §8).

/** In one piece, so that it is sent in one segment. */
export function framed(message: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(message.length >> 8, message.length), message]);
}

/** Takes what is received, in whatever pieces, and passes on each whole message: at most 64 KiB wait. */
export function readFrames(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let received = 0;
  let wanted = 2;
  return (chunk) => {
    chunks.push(chunk);
    received += chunk.length;
    while (received >= wanted) {
      // Only here: a message that comes octet by octet must not be copied for each octet.
      const [first] = chunks;
      const octets = first && chunks.length === 1 ? first : Buffer.concat(chunks);
      const end = 2 + octets.readUInt16BE(0);
      const isWhole = octets.length >= end;
      const rest = isWhole ? octets.subarray(end) : octets;
      chunks = [rest];
      received = rest.length;
      wanted = isWhole ? 2 : end;
      if (isWhole) onMessage(octets.subarray(2, end));
    }
  };
}
