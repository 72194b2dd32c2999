// One question to one DNS server, and the one reply that answers it: over UDP and TCP, or as the server says.

import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect } from "node:net";
import { type DnsMessage, decodeMessage, encodeQuery } from "domain-signin-verify/dns/message";
import { classIn } from "domain-signin-verify/dns/records";

/** `ask` replaces plain DNS, for a server that is reached in another way. */
export interface DnsServer {
  readonly address: string;
  readonly port: number;
  readonly isV6: boolean;
  readonly ask?: (query: DnsQuery, tryMs: () => number) => Promise<Reply>;
}

/** `name` is canonical. By default, recursion is desired, and the resolver verifies what it can. */
export interface DnsQuery {
  readonly id: number;
  readonly name: string;
  readonly type: number;
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
export async function askPlain(server: DnsServer, query: DnsQuery, tryMs: () => number) {
  const reply = await askOverUdp(server, query, tryMs());
  const isCut = reply.outcome === "message" && reply.message.truncated;
  return isCut ? askOverTcp(server, query, tryMs()) : reply;
}

/** Asks until `deadline`, which `performance.now()` reaches; once again halfway, as a datagram may be lost. */
export async function askUntil(server: DnsServer, query: Omit<DnsQuery, "id">, deadline: number) {
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
    socket.on("connect", () => socket.send(encodeQuery(query)));
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
    socket.on("connect", () => socket.write(framedQuery(query)));
    const take = (octets: Buffer) => end(readWholeReply(octets, query) ?? { outcome: "malformed" });
    socket.on("data", readFrames(take));
    return () => socket.destroy();
  });
}

/** The first reply that `open` passes to its callback. `open` returns how to close its socket. */
function firstReply(timeoutMs: number, open: (end: (reply: Reply) => void) => () => void) {
  return new Promise<Reply>((resolve) => {
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

/** Null for what does not answer the question: it may be forged, and the true reply may follow. */
function readReply(octets: Buffer, query: DnsQuery): Reply | null {
  if (octets.length < 2 || octets.readUInt16BE(0) !== query.id) return null;
  try {
    const message = decodeMessage(octets);
    return isReplyTo(message, query) ? { outcome: "message", message } : null;
  } catch {
    return { outcome: "malformed" };
  }
}

function isReplyTo(message: DnsMessage, query: DnsQuery): boolean {
  const [repeated, second] = message.questions;
  return (
    message.isResponse &&
    message.opcode === 0 &&
    second === undefined &&
    repeated?.name === query.name &&
    repeated.type === query.type &&
    repeated.class === classIn
  );
}

/** The same on a stream, where nothing may be cut off: half a record set could be taken for the whole. */
export function readWholeReply(octets: Buffer, query: DnsQuery): Reply | null {
  const reply = readReply(octets, query);
  const isCut = reply?.outcome === "message" && reply.message.truncated;
  return isCut ? { outcome: "malformed" } : reply;
}

/** For a stream, with its length in two octets before it (RFC 7766 §8): in one piece, to be sent in one segment. */
export function framedQuery(query: DnsQuery): Buffer {
  const message = encodeQuery(query);
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
