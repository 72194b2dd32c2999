// A DNS server on loopback: one port for UDP and TCP, and a function that answers.

import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { type DnsMessage, decodeMessage, encodeMessage } from "domain-signin-verify/dns/message";

export interface Answers {
  /** Null for silence. An answer that is too long for UDP is cut off. */
  answer(query: DnsMessage, over: "udp" | "tcp"): DnsMessage | null;
  /** Milliseconds by which the answer is held back; 0 unless given. */
  delayMs?(query: DnsMessage): number;
}

export interface NameServer {
  readonly address: "127.0.0.1";
  readonly port: number;
  /** Whether its UDP port is closed to everybody. */
  setDown(isDown: boolean): void;
  close(): Promise<void>;
}

export interface DnsPort {
  readonly tcp: Server;
  readonly udp: UdpSocket;
  readonly port: number;
}

const address = "127.0.0.1";
const smallestUdpSize = 512;
const tcpIdleMs = 5000;
const portTries = 10;

/** With port 0 the system chooses one. Rejects when the port cannot be had. */
export async function startNameServer(answers: Answers, wantedPort = 0): Promise<NameServer> {
  const { tcp, udp, port } = await openDnsPort(wantedPort);
  const connections = new Set<Socket>();
  let isOpen = true;
  let isDown = false;

  /** Sends the answer when it is due. False for what is not a query. */
  function respond(
    octets: Uint8Array,
    over: "udp" | "tcp",
    send: (response: Uint8Array) => void,
  ): boolean {
    const query = readQuery(octets);
    if (!query) return false;
    const response = answers.answer(query, over);
    if (!response) return true;
    const sent = over === "udp" ? fitted(response, query) : encodeMessage(response);
    const delay = answers.delayMs?.(query) ?? 0;
    const answer = () => isOpen && send(sent);
    if (delay > 0) setTimeout(answer, delay);
    else answer();
    return true;
  }

  udp.on("message", (octets, sender) => {
    respond(octets, "udp", (response) => {
      if (!isDown) udp.send(response, sender.port, sender.address);
    });
  });
  // A response that cannot be sent is a lost packet: who asked will ask again.
  udp.on("error", () => {});

  tcp.on("connection", (socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.setTimeout(tcpIdleMs, () => socket.destroy());
    onFrames(socket, (octets) => {
      const isQuery = respond(octets, "tcp", (response) => socket.write(framed(response)));
      if (!isQuery) socket.destroy();
    });
  });

  return {
    address,
    port,
    setDown(down) {
      // A connected socket receives from nobody else: to all others the port is closed.
      if (down && !isDown) udp.connect(1, address);
      else if (!down && isDown) udp.disconnect();
      isDown = down;
    },
    async close() {
      isOpen = false;
      for (const socket of connections) socket.destroy();
      const closed = [once(tcp, "close"), once(udp, "close")];
      tcp.close();
      udp.close();
      await Promise.all(closed);
    },
  };
}

/** One port for both. With port 0 the system chooses it. */
export async function openDnsPort(wantedPort = 0): Promise<DnsPort> {
  for (let tries = 1; ; tries++) {
    const tcp = createServer();
    const udp = createSocket("udp4");
    try {
      tcp.listen(wantedPort, address);
      await once(tcp, "listening");
      const port = portOf(tcp);
      udp.bind(port, address);
      await once(udp, "listening");
      return { tcp, udp, port };
    } catch (error) {
      tcp.close();
      udp.close();
      // The system chose the port for TCP alone: another program may have it for UDP.
      if (wantedPort !== 0 || tries === portTries) throw error;
    }
  }
}

/** Each message over TCP has its length in front, in two octets (RFC 1035 §4.2.2). */
export function framed(message: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(message.length >> 8, message.length), message]);
}

function onFrames(socket: Socket, handle: (message: Buffer) => void): void {
  let received: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      handle(received.subarray(2, end));
      received = received.subarray(end);
    }
  });
}

function readQuery(octets: Uint8Array): DnsMessage | null {
  try {
    const message = decodeMessage(octets);
    return message.isResponse ? null : message;
  } catch {
    return null;
  }
}

/** The response, or its header and question alone where it is longer than the query allows. */
function fitted(response: DnsMessage, { edns }: DnsMessage): Uint8Array {
  const whole = encodeMessage(response);
  if (whole.length <= Math.max(smallestUdpSize, edns?.udpSize ?? 0)) return whole;
  return encodeMessage({ ...response, truncated: true, answers: [], authorities: [] });
}

function portOf(server: Server): number {
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("no port was opened");
  return bound.port;
}
