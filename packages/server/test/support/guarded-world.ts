// A guarded fetch whose public addresses are really servers on loopback, and a record of all it did.

import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import { onTestFinished } from "vitest";
import { requesterAt } from "../../src/http/requester.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { Requester } from "../../src/lib/fair-queue.ts";
import {
  createGuardedFetch,
  type GuardedFetch,
  GuardedFetchError,
  type GuardedFetchOptions,
} from "../../src/outgoing/guarded-fetch.ts";
import type { HostSlotLimits, SlotLimits } from "../../src/outgoing/host-slots.ts";
import { type Authority, type Certificate, makeAuthority } from "./certificates.ts";

/** Called when the whole request is here. Text stands for octets, as Latin-1. */
export type Answer = (socket: Socket) => void;

export type ServerForTest = {
  readonly port: number;
  /** All requests that came, oldest first. */
  readonly requests: readonly string[];
  /** The TLS server name (SNI) of each connection that was asked over. */
  readonly serverNames: readonly TLSSocket["servername"][];
  /** How many connections were ever made, and how many are open. */
  connections(): number;
  open(): number;
  close(): void;
};

export type GuardedWorld = {
  readonly fetch: GuardedFetch;
  readonly server: ServerForTest;
  /** Names that were looked up, and "address port" of all that was to be connected to. */
  readonly looks: readonly string[];
  readonly reached: readonly string[];
};

export const spName = "sp.example";
export const spUrl = `https://${spName}/metadata`;
/** Never sent to: `reach` leads from it to loopback. */
export const publicAddress = "8.8.8.8";

let authority: Authority | undefined;
let certificate: Certificate | undefined;

/** The same for all tests of a file: each takes a few programs to make. */
export function certificates(): { authority: Authority; certificate: Certificate } {
  authority ??= makeAuthority();
  certificate ??= authority.issue(spName);
  return { authority, certificate };
}

/**
 * `addresses` are those of every name; the server has a certificate for `spName`. It is closed after the
 * running test.
 */
export async function startWorld(
  answer: Answer | string,
  changes: Partial<GuardedFetchOptions> & {
    addresses?: readonly string[];
    certificate?: Certificate | "plain";
  } = {},
): Promise<GuardedWorld> {
  const { addresses = [publicAddress], certificate: shown, ...options } = changes;
  const made = certificates();
  const send: Answer =
    typeof answer === "string" ? (socket) => socket.end(answer, "latin1") : answer;
  const server = await serve(send, shown ?? made.certificate);
  const looks: string[] = [];
  const reached: string[] = [];
  const guarded = createGuardedFetch({
    clock: systemClock,
    allowLoopback: false,
    resolve: async (name) => {
      looks.push(name);
      return addresses;
    },
    reach: ({ addresses, port }) => {
      reached.push(...addresses.map((address) => `${address} ${port}`));
      return { addresses: ["127.0.0.1"], port: server.port };
    },
    ca: made.authority.ca,
    // A busy machine is no slow host.
    ...{ timeoutMs: 20_000, waitMs: 10_000 },
    ...options,
  });
  const fetch: GuardedFetch = (url, init) => guarded(url, { from: nextNetwork(), ...init });
  return { fetch, server, looks, reached };
}

let networks = 0;

/** Requests are of different people, unless a test says otherwise. */
export function nextNetwork(): Requester {
  networks++;
  return requesterAt(`10.${(networks >> 8) % 250}.${networks % 256}.1`);
}

async function serve(answer: Answer, shown: Certificate | "plain"): Promise<ServerForTest> {
  const open = new Set<Socket>();
  const requests: string[] = [];
  const serverNames: TLSSocket["servername"][] = [];
  let connections = 0;
  const take = (socket: Socket) => {
    let request = "";
    if (socket instanceof TLSSocket) serverNames.push(socket.servername);
    // One character for each octet, so that the length below is that of the header.
    socket.setEncoding("latin1").on("error", () => {});
    socket.on("data", (chunk) => {
      request += chunk;
      const [head = "", body] = request.split("\r\n\r\n");
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      requests.push(Buffer.from(request, "latin1").toString());
      answer(socket);
    });
  };
  const server: Server =
    shown === "plain" ? createServer(take) : createTlsServer({ ...shown }, take);
  server.on("tlsClientError", () => {});
  // Of a server over TLS too, this is told for the connection below.
  server.prependListener("connection", (socket: Socket) => {
    connections++;
    open.add(socket.on("error", () => {}));
    socket.on("close", () => open.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("no port was opened");
  const made: ServerForTest = {
    port: bound.port,
    requests,
    serverNames,
    connections: () => connections,
    open: () => open.size,
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
  onTestFinished(made.close);
  return made;
}

/** The same for strangers and known hosts; what is not given does not limit. */
export function limitsOf(limits: Partial<SlotLimits>): HostSlotLimits {
  const each = { all: 1e6, host: 1e6, domain: 1e6, address: 1e6, ...limits };
  return { strangers: each, known: each };
}

/** What came of it: the status and body, or the code of the error. */
export async function outcomeOf(pending: Promise<Response>): Promise<string> {
  try {
    const response = await pending;
    return `${response.status} ${await response.text()}`;
  } catch (cause) {
    if (!(cause instanceof GuardedFetchError)) throw cause;
    return cause.code;
  }
}

/** An answer with that body, and its length. */
export function answerOf(
  body: string | Buffer,
  head = "HTTP/1.1 200 OK\r\ncontent-type: application/json",
): string {
  const octets = Buffer.from(body);
  return `${head}\r\ncontent-length: ${octets.length}\r\n\r\n${octets.toString("latin1")}`;
}
