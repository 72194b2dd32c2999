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
import { framed, readFrames } from "./framing.ts";

/** `ask` replaces plain DNS, for a server that is reached in another way. */
export type DnsServer = {
  readonly address: string;
  readonly port: number;
  readonly isV6: boolean;
  readonly ask?: (asked: Asked, tryMs: () => number) => Promise<Reply>;
};

/** `question.name` is canonical. Recursion is desired unless that says no, and the resolver verifies what it can. */
export type Asked = {
  readonly id: number;
  readonly question: DnsQuestion;
  readonly recursionDesired?: boolean;
  readonly checkingDisabled?: boolean;
};

/** "busy": too many questions wait already, and this one was not sent. `detail` is for operators. */
export type Reply =
  | { readonly outcome: "message"; readonly message: DnsMessage }
  | { readonly outcome: "timeout" | "network" | "malformed" | "busy"; readonly detail?: string };

export function ask(server: DnsServer, asked: Asked, tryMs: () => number): Promise<Reply> {
  return server.ask?.(asked, tryMs) ?? askPlain(server, asked, tryMs);
}

/** Over UDP, and over TCP if that reply was cut off; `tryMs` is read before each. */
export async function askPlain(
  server: DnsServer,
  asked: Asked,
  tryMs: () => number,
): Promise<Reply> {
  const reply = await askOverUdp(server, asked, tryMs());
  if (reply.outcome !== "message" || !reply.message.truncated) return reply;
  return wholeOf(await askOverTcp(server, asked, tryMs()));
}

/** On a stream nothing may be cut off, and half a record set could be taken for the whole. */
export function wholeOf(reply: Reply): Reply {
  const isCut = reply.outcome === "message" && reply.message.truncated;
  return isCut ? { outcome: "malformed" } : reply;
}

/** Asks until `deadline`, which `performance.now()` reaches; once again halfway, as a datagram may be lost. */
export async function askUntil(
  server: DnsServer,
  asked: Omit<Asked, "id">,
  deadline: number,
): Promise<Reply> {
  let reply: Reply = { outcome: "timeout" };
  for (const share of [0.5, 1]) {
    const left = () => deadline - performance.now();
    if (reply.outcome !== "timeout" || left() <= 0) break;
    const tryMs = () => Math.max(1, left() * share);
    reply = await ask(server, { ...asked, id: randomInt(0x10000) }, tryMs);
  }
  return reply;
}

/** A socket of its own, so that a guess has to hit port and id; connected, so that only the server is heard. */
export function askOverUdp(server: DnsServer, asked: Asked, timeoutMs: number): Promise<Reply> {
  return new Promise((resolve) => {
    const socket = createSocket(server.isV6 ? "udp6" : "udp4");
    const timer = setTimeout(() => end({ outcome: "timeout" }), timeoutMs);
    let ended = false;

    function end(reply: Reply): void {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      socket.close();
      resolve(reply);
    }

    socket.on("error", () => end({ outcome: "network" }));
    socket.on("connect", () => socket.send(queryOf(asked)));
    socket.on("message", (octets) => {
      const reply = readReply(octets, asked);
      if (reply) end(reply);
    });
    socket.connect(server.port, server.address);
  });
}

function askOverTcp(server: DnsServer, asked: Asked, timeoutMs: number): Promise<Reply> {
  return new Promise((resolve) => {
    const socket = connect({ host: server.address, port: server.port });
    const timer = setTimeout(() => end({ outcome: "timeout" }), timeoutMs);

    function end(reply: Reply): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(reply);
    }

    socket.on("error", () => end({ outcome: "network" }));
    socket.on("end", () => end({ outcome: "network" }));
    socket.on("connect", () => socket.write(framed(queryOf(asked))));
    socket.on(
      "data",
      readFrames((octets) => end(readReply(octets, asked) ?? { outcome: "malformed" })),
    );
  });
}

export function queryOf({ question, ...rest }: Asked): Uint8Array {
  return encodeQuery({ ...rest, ...question });
}

/** Null for what does not answer the question: it may be forged, and the true reply may follow. */
export function readReply(octets: Buffer, asked: Asked): Reply | null {
  if (octets.length < 2 || octets.readUInt16BE(0) !== asked.id) return null;
  try {
    const message = decodeMessage(octets);
    return isReplyTo(message, asked) ? { outcome: "message", message } : null;
  } catch {
    return { outcome: "malformed" };
  }
}

function isReplyTo(message: DnsMessage, { question }: Asked): boolean {
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
