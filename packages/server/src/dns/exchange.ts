// One question to one DNS server, over UDP or TCP, and the one reply that answers it.

import { createSocket } from "node:dgram";
import { connect } from "node:net";
import {
  type DnsMessage,
  type DnsQuestion,
  decodeMessage,
  encodeQuery,
} from "domain-signin-verify/dns/message";

export type DnsServer = { readonly address: string; readonly port: number; readonly isV6: boolean };

/** `question.name` is canonical. */
export type Asked = { readonly id: number; readonly question: DnsQuestion };

export type Reply =
  | { readonly outcome: "message"; readonly message: DnsMessage }
  | { readonly outcome: "timeout" | "network" | "malformed" };

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
    socket.on("connect", () => socket.send(encodeQuery({ id: asked.id, ...asked.question })));
    socket.on("message", (octets) => {
      const reply = readReply(octets, asked);
      if (reply) end(reply);
    });
    socket.connect(server.port, server.address);
  });
}

/** Two octets of length go before each message (RFC 1035 §4.2.2): a reply has at most 64 KiB. */
export function askOverTcp(server: DnsServer, asked: Asked, timeoutMs: number): Promise<Reply> {
  return new Promise((resolve) => {
    const socket = connect({ host: server.address, port: server.port });
    const timer = setTimeout(() => end({ outcome: "timeout" }), timeoutMs);
    const chunks: Buffer[] = [];
    let received = 0;
    let wanted = 2;

    function end(reply: Reply): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(reply);
    }

    socket.on("error", () => end({ outcome: "network" }));
    socket.on("end", () => end({ outcome: "network" }));
    socket.on("connect", () => {
      const query = encodeQuery({ id: asked.id, ...asked.question });
      socket.write(Buffer.concat([Uint8Array.of(query.length >> 8, query.length), query]));
    });
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received < wanted) return;
      const octets = Buffer.concat(chunks);
      wanted = 2 + octets.readUInt16BE(0);
      if (received < wanted) return;
      end(readReply(octets.subarray(2, wanted), asked) ?? { outcome: "malformed" });
    });
  });
}

/** Null for what does not answer the question: it may be forged, and the true reply may follow. */
function readReply(octets: Buffer, asked: Asked): Reply | null {
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
