// The demo's DNS: an authoritative name server on loopback whose records can be edited.

import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { type DnsMessage, decodeMessage, encodeMessage } from "domain-signin-verify/dns/message";
import { canonicalName } from "domain-signin-verify/dns/name";
import type { SignedZones } from "./signed-zone-answer.ts";
import { answerQuery } from "./zone-answer.ts";
import { createZoneRecords, type ZoneRecords } from "./zone-records.ts";

export type { ZoneRecord, ZoneRecordInput } from "./zone-records.ts";

export type Zone = ZoneRecords & {
  /** Null where nothing is signed. */
  readonly signed: SignedZones | null;
  /** "127.0.0.1:port", the same port for UDP and TCP. */
  readonly address: string;
  /** Its name servers stand at the address of this host, and are asked at this port instead of 53. */
  reach(address: string): { address: string; port: number; isV6: boolean } | null;
  close(): Promise<void>;
};

const host = "127.0.0.1";
const smallestUdpSize = 512;
const largestMessage = 0xffff;
const tcpIdleMs = 5000;
const portTries = 10;

/** Without `port` the system chooses one. */
export async function startZone(setup: {
  origins: readonly string[];
  port?: number;
  /** The zones with their signatures; without, the answers are those of one unsigned name server. */
  signed?: (records: ZoneRecords["records"]) => SignedZones;
}): Promise<Zone> {
  const origins = setup.origins.map(canonicalName);
  const zone = createZoneRecords(origins);
  const signed = setup.signed?.(zone.records) ?? null;
  const { tcp, udp, port } = await listen(setup.port ?? 0);
  const connections = new Set<Socket>();
  let isOpen = true;

  /** Sends the answer, in at most `largest` octets, when it is due. False for what is no query. */
  function respond(
    octets: Uint8Array,
    largest: (query: DnsMessage) => number,
    send: (response: Buffer) => void,
  ): boolean {
    const query = readQuery(octets);
    if (!query) return false;
    const response = signed?.answer(query) ?? answerQuery(query, origins, zone.records());
    const whole = encodeMessage(response);
    const cut = { ...response, truncated: true, answers: [], authorities: [] };
    const fitting = whole.length <= largest(query) ? whole : encodeMessage(cut);
    const delay = signed?.delayMs(query) ?? 0;
    const answer = () => isOpen && send(Buffer.from(fitting));
    if (delay > 0) setTimeout(answer, delay);
    else answer();
    return true;
  }

  udp.on("message", (octets, sender) => {
    const largest = ({ edns }: DnsMessage) => Math.max(smallestUdpSize, edns?.udpSize ?? 0);
    respond(octets, largest, (response) => udp.send(response, sender.port, sender.address));
  });
  // A response that cannot be sent is a lost packet: who asked will ask again.
  udp.on("error", () => {});

  tcp.on("connection", (socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.setTimeout(tcpIdleMs, () => socket.destroy());
    onFrames(socket, (octets) => {
      const largest = () => largestMessage;
      if (!respond(octets, largest, (response) => socket.write(frame(response)))) socket.destroy();
    });
  });

  return {
    ...zone,
    signed,
    address: `${host}:${port}`,
    reach: (address) => (address === host ? { address, port, isV6: false } : null),
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

function readQuery(octets: Uint8Array): DnsMessage | null {
  try {
    const message = decodeMessage(octets);
    return message.isResponse ? null : message;
  } catch {
    return null;
  }
}

/** Each message over TCP has its length in front, in two octets (RFC 1035 §4.2.2). */
function frame(message: Buffer): Buffer {
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

async function listen(wantedPort: number): Promise<{ tcp: Server; udp: UdpSocket; port: number }> {
  for (let tries = 1; ; tries++) {
    const tcp = createServer();
    const udp = createSocket("udp4");
    try {
      tcp.listen(wantedPort, host);
      await once(tcp, "listening");
      const port = portOf(tcp);
      udp.bind(port, host);
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

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was opened");
  return address.port;
}
