// A DNS server on loopback for signed zones: whole over TCP, cut off over UDP, late if that is wanted.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { type DnsMessage, decodeMessage, encodeMessage } from "domain-signin-verify/dns/message";
import type { SignedZones } from "../../src/demo/signed-zone-answer.ts";

export interface SignedDns {
  readonly address: "127.0.0.1";
  readonly port: number;
  /** Whether its port is closed to all who ask. */
  setDown(isDown: boolean): void;
  close(): void;
}

const address = "127.0.0.1";
const portTries = 10;

export async function serveSigned(
  zones: Pick<SignedZones, "answer" | "delayMs">,
): Promise<SignedDns> {
  const { tcp, udp, port } = await bindBoth();
  const sockets = new Set<Socket>();
  let isConnected = false;

  // An answer on its way while the port closes meets the closed port itself, and that is reported here.
  udp.on("error", () => {});
  udp.on("message", (octets, sender) => {
    const query = decodeMessage(octets);
    const whole = zones.answer(query);
    const fits = encodeMessage(whole).length <= (query.edns?.udpSize ?? 512);
    const sent: DnsMessage = fits
      ? whole
      : { ...whole, truncated: true, answers: [], authorities: [] };
    setTimeout(
      () => attempt(() => udp.send(encodeMessage(sent), sender.port, sender.address)),
      zones.delayMs(query),
    );
  });
  tcp.on("connection", (socket) => {
    sockets.add(socket.on("error", () => {}));
    let received = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const query = decodeMessage(received.subarray(2, end));
        received = received.subarray(end);
        const octets = encodeMessage(zones.answer(query));
        const framed = Buffer.concat([Uint8Array.of(octets.length >> 8, octets.length), octets]);
        setTimeout(() => socket.write(framed), zones.delayMs(query));
      }
    });
  });
  return {
    address,
    port,
    setDown(isDown) {
      // A socket that is connected hears nobody else: to all others the port is closed.
      if (isDown && !isConnected) udp.connect(1, address);
      else if (!isDown && isConnected) udp.disconnect();
      isConnected = isDown;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      udp.close();
      tcp.close();
    },
  };
}

/** A reply that comes after the end is nobody's. */
function attempt(send: () => void): void {
  try {
    send();
  } catch {
    // The socket is closed.
  }
}

async function bindBoth() {
  for (let tries = 1; ; tries++) {
    const tcp = createServer().listen(0, address);
    await once(tcp, "listening");
    const bound = tcp.address();
    if (bound === null || typeof bound === "string") throw new Error("no port was opened");
    const udp = createSocket("udp4");
    try {
      udp.bind(bound.port, address);
      await once(udp, "listening");
      return { tcp, udp, port: bound.port };
    } catch (error) {
      tcp.close();
      udp.close();
      // The system chose the port for TCP alone: another program may have it for UDP.
      if (tries === portTries) throw error;
    }
  }
}
