// A connection to one of the addresses that were checked, and to no other.

import { connect, isIPv6, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export type Endpoint = { readonly address: string; readonly port: number };

const maxTriesOfAKind = 2;

/** At most four: half of them of each kind, since one kind may have no way out of here. IPv4 first. */
export function toBeTried(addresses: readonly string[]): string[] {
  const ofAKind = (isV6: boolean) =>
    addresses.filter((address) => isIPv6(address) === isV6).slice(0, maxTriesOfAKind);
  return [...ofAKind(false), ...ofAKind(true)];
}

/**
 * The first that can be connected to, each being given its share of the time up to `deadline`, which
 * `performance.now()` reaches. The signal ends the connection too. Rejects as the last one failed.
 */
export async function connectToOne(
  endpoints: readonly Endpoint[],
  deadline: number,
  signal: AbortSignal,
): Promise<Socket> {
  let failure: unknown = new Error("There is no address to connect to.");
  for (const [index, endpoint] of endpoints.entries()) {
    const share = (deadline - performance.now()) / (endpoints.length - index);
    try {
      return await connectTo(endpoint, share, signal);
    } catch (cause) {
      failure = cause;
      if (signal.aborted) break;
    }
  }
  throw failure;
}

function connectTo(endpoint: Endpoint, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: endpoint.address, port: endpoint.port, signal });
    const timer = setTimeout(() => socket.destroy(failureOf("ETIMEDOUT")), Math.max(1, timeoutMs));
    socket.on("error", reject);
    socket.on("close", () => {
      clearTimeout(timer);
      reject(failureOf("ECONNRESET"));
    });
    socket.on("connect", () => {
      clearTimeout(timer);
      // An address may stand for another one: 0.0.0.0 is this machine.
      if (socket.remoteAddress === endpoint.address) resolve(socket);
      else socket.destroy(failureOf("ERR_OTHER_ADDRESS"));
    });
  });
}

/**
 * TLS over the connection. The certificate has to be for `name`, whatever the address and whatever the
 * process was told about certificates by its environment.
 */
export function secure(socket: Socket, name: string, ca: string | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      ...{ socket, servername: name, rejectUnauthorized: true, minVersion: "TLSv1.2" },
      ALPNProtocols: ["http/1.1"],
      ...(ca !== undefined && { ca }),
    });
    secured.on("error", reject);
    secured.on("close", () => reject(failureOf("ECONNRESET")));
    secured.on("secureConnect", () => resolve(secured));
  });
}

/** An error that tells by its `code` what happened, as those of sockets do. */
export function failureOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The `code` of what a socket or a parser threw: a word, never anything that was sent or received. */
export function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined;
}
