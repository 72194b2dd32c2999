// A DNS server on loopback, with the same port for UDP and TCP.

import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { type DnsMessage, decodeMessage, encodeMessage } from "domain-signin-verify/dns/message";

export interface Answers {
  /** Null sends no answer. An answer that is too long for UDP is truncated. */
  answer(query: DnsMessage, over: "udp" | "tcp"): DnsMessage | null;
  /** Delay of the answer in milliseconds; the default is 0. */
  delayMs?(query: DnsMessage): number;
}

export interface NameServer {
  readonly address: "127.0.0.1";
  readonly port: number;
  /** Closes or reopens the UDP port. */
  setDown(isDown: boolean): void;
  close(): Promise<void>;
}

export interface DnsPort {
  readonly tcp: Server;
  readonly udp: UdpSocket;
  readonly port: number;
}

const address = "127.0.0.1";
const MIN_UDP_OCTETS = 512;
/** Only so that no connection stays forever: on a busy machine, a query may wait for long before it is read. */
const TCP_IDLE_MS = 300_000;
const MAX_PORT_TRIES = 10;

/** With port 0 the system chooses one. Rejects if the port is in use. */
export async function startNameServer(answers: Answers, wantedPort = 0): Promise<NameServer> {
  const { tcp, udp, port } = await openDnsPort(wantedPort);
  const connections = new Set<Socket>();
  let isOpen = true;
  let isDown = false;

  /** Sends the answer after its delay. Returns false if the message is not a query. */
  function respond(
    octets: Uint8Array,
    over: "udp" | "tcp",
    send: (response: Uint8Array) => void,
  ): boolean {
    const query = readQuery(octets);
    if (!query) return false;
    const response = answers.answer(query, over);
    if (!response) return true;
    const sent = over === "udp" ? truncateForUdp(response, query) : encodeMessage(response);
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
  // A response that cannot be sent is like a lost packet: the client repeats its query.
  udp.on("error", () => {});

  tcp.on("connection", (socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.setTimeout(TCP_IDLE_MS, () => socket.destroy());
    onFrames(socket, (octets) => {
      const isQuery = respond(octets, "tcp", (response) => socket.write(framed(response)));
      if (!isQuery) socket.destroy();
    });
  });

  return {
    address,
    port,
    setDown(down) {
      // A connected socket receives only from its peer, so the port is closed to all others.
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

/** Opens the same port for TCP and UDP. With port 0 the system chooses it. */
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
      // The system chose a free TCP port, but another program may use it for UDP.
      if (wantedPort !== 0 || tries === MAX_PORT_TRIES) throw error;
    }
  }
}

/** Over TCP, two octets with the length precede each message (RFC 1035 §4.2.2). */
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

/** The response, or only its header and question if it is longer than the query allows. */
function truncateForUdp(response: DnsMessage, { edns }: DnsMessage): Uint8Array {
  const whole = encodeMessage(response);
  if (whole.length <= Math.max(MIN_UDP_OCTETS, edns?.udpSize ?? 0)) return whole;
  return encodeMessage({ ...response, truncated: true, answers: [], authorities: [] });
}

function portOf(server: Server): number {
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("no port was opened");
  return bound.port;
}
