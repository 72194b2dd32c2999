// One question to a name server on loopback, over UDP or TCP, and its answer.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { type DnsMessage, decodeMessage, encodeQuery } from "domain-signin-verify/dns/message";

export type Ask = (port: number, name: string, type: number) => Promise<DnsMessage>;

const ID = 7;

export const askOverUdp: Ask = async (port, name, type) => {
  const socket = createSocket("udp4");
  try {
    socket.send(encodeQuery({ id: ID, name, type }), port, "127.0.0.1");
    const [octets] = (await once(socket, "message")) as [Buffer];
    return readAnswer(octets);
  } finally {
    socket.close();
  }
};

export const askOverTcp: Ask = async (port, name, type) => {
  const socket = connect(port, "127.0.0.1");
  try {
    const query = encodeQuery({ id: ID, name, type });
    socket.write(Buffer.concat([Uint8Array.of(0, query.length), query]));
    let received: Buffer = Buffer.alloc(0);
    while (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) {
      const [chunk] = (await once(socket, "data")) as [Buffer];
      received = Buffer.concat([received, chunk]);
    }
    return readAnswer(received.subarray(2));
  } finally {
    socket.destroy();
  }
};

function readAnswer(octets: Uint8Array): DnsMessage {
  const message = decodeMessage(octets);
  if (message.id !== ID || !message.isResponse) throw new Error("not the answer to the question");
  return message;
}
