// Adapts `node:http` requests and responses to plain values, without web-standard objects.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { domainToUnicode } from "node:url";
import {
  BodyTooLargeError,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  readTarget,
} from "./message.ts";

/** An unread body is discarded up to this size so that the connection can be reused. */
const MAX_DISCARDED_OCTETS = 65_536;

let gathered: (() => void)[] = [];

/**
 * Runs the task at the end of this turn of the event loop. Requests that arrived together run step by step together,
 * which takes a tenth less: the code stays in the processor's cache. An idle service runs a task at once.
 */
export function gather(task: () => void): void {
  if (gathered.push(task) === 1) setImmediate(runGathered);
}

function runGathered(): void {
  const tasks = gathered;
  gathered = [];
  for (const task of tasks) task();
}

export function answerNode(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: Handler,
): void {
  // Before the client can disconnect, because the address counts for the limits.
  const clientAddress = incoming.socket.remoteAddress ?? "";
  const end = endOf(incoming.socket);
  gather(() => void answerNow());

  /** Never rejects. */
  async function answerNow(): Promise<void> {
    const host = headerOf(incoming, "host") ?? "";
    // Null if the target or the Host header is invalid but accepted by `node:http`.
    const target = isHost(host) ? readTarget(incoming.url ?? "") : null;
    let response: HttpResponse = { status: 400, headers: {}, body: "" };
    try {
      if (target !== null) response = await handle(requestOf(incoming, target, clientAddress));
    } catch {
      response = { ...response, status: 500 };
    }
    const isUnread = !incoming.complete;
    const isTooLong = isUnread && declaredLength(incoming) > MAX_DISCARDED_OCTETS;
    // Receiving the rest would cost more than a new connection.
    if (isTooLong) outgoing.shouldKeepAlive = false;
    send(response, outgoing);
    if (end.closedAt !== null) response.undelivered?.(end.closedAt);
    if (isUnread) discardBody(incoming);
  }
}

/** The end of a connection, in milliseconds; null while it is open. */
interface ConnectionEnd {
  closedAt: number | null;
}

const connectionEnds = new WeakMap<Socket, ConnectionEnd>();

/** Noted once for each connection: a listener for each request would cost more. */
function endOf(socket: Socket): ConnectionEnd {
  const known = connectionEnds.get(socket);
  if (known !== undefined) return known;
  const end: ConnectionEnd = { closedAt: null };
  connectionEnds.set(socket, end);
  socket.once("close", () => {
    end.closedAt = performance.now();
  });
  return end;
}

function requestOf(
  incoming: IncomingMessage,
  target: { path: string; query: string },
  clientAddress: string,
): HttpRequest {
  let body: Promise<Uint8Array> | undefined;
  return {
    method: incoming.method ?? "",
    ...target,
    params: {},
    clientAddress,
    header: (name) => headerOf(incoming, name),
    body: (maxOctets) => {
      body ??= bodyOf(incoming, maxOctets);
      return body;
    },
  };
}

/** From `rawHeaders`: `headers` keeps only the first value of some repeated headers, and costs more. */
function headerOf({ rawHeaders }: IncomingMessage, name: string): string | null {
  let value: string | null = null;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const received = rawHeaders[place];
    if (received?.length !== name.length || received.toLowerCase() !== name) continue;
    const more = rawHeaders[place + 1] ?? "";
    // Several Cookie headers form one list (RFC 9113 §8.2.3).
    value = value === null ? more : value + (name === "cookie" ? "; " : ", ") + more;
  }
  return value;
}

/** Reads by events: an iterator costs as much as the rest of the request. Leaves what is over the limit unread. */
function bodyOf(incoming: IncomingMessage, maxOctets: number): Promise<Uint8Array> {
  if (declaredLength(incoming) > maxOctets) return Promise.reject(new BodyTooLargeError());
  // No more events come: the client left while the page waited for its turn.
  if (incoming.destroyed) return Promise.reject(closedWithin());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (error: Error) => {
      incoming.off("data", collect).pause();
      reject(error);
    };
    function collect(chunk: Buffer): void {
      size += chunk.byteLength;
      if (size > maxOctets) stop(new BodyTooLargeError());
      else chunks.push(chunk);
    }
    incoming.on("data", collect);
    incoming.on("end", () => {
      const [only, second] = chunks;
      gather(() => resolve(only && !second ? only : Buffer.concat(chunks)));
    });
    incoming.on("error", stop);
    incoming.on("close", () => {
      if (!incoming.readableEnded) stop(closedWithin());
    });
  });
}

function closedWithin(): Error {
  return new Error("the connection was closed within the body");
}

function declaredLength(incoming: IncomingMessage): number {
  return Number(headerOf(incoming, "content-length") ?? 0);
}

/** Almost all requests have the same host. */
let validHost = "";

/** Several headers arrive joined by a comma, which no host contains. */
function isHost(host: string): boolean {
  if (host === validHost) return true;
  // The pattern is needed because a URL parser also accepts a path here, and rewrites characters.
  const isValid =
    /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`) && !hasFakeALabel(host);
  if (isValid) validHost = host;
  return isValid;
}

/** Some versions of Node accept labels that begin with `xn--` but are not A-labels (RFC 5890 §2.3.1), undecoded. */
function hasFakeALabel(host: string): boolean {
  return /(?:^|\.)xn--/.test(domainToUnicode(new URL(`http://${host}`).hostname));
}

function send({ status, headers, body, octets }: HttpResponse, outgoing: ServerResponse): void {
  const hasBody = status !== 204 && status !== 304;
  // Node sends a text in one piece with the headers.
  const content = octets ?? body;
  const fields = listOf(headers);
  if (hasBody) fields.push("content-length", String(Buffer.byteLength(content)));
  outgoing.writeHead(status, fields);
  outgoing.end(content);
}

/** Names and values in turn, which cost less to write than an object does. */
function listOf(headers: HttpResponse["headers"]): string[] {
  const fields: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string") fields.push(name, value);
    else for (const one of value ?? []) fields.push(name, one);
  }
  return fields;
}

/** Discards the rest of a body. Closes the connection if the body exceeds the limit. */
function discardBody(incoming: IncomingMessage): void {
  let size = 0;
  incoming.on("data", (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > MAX_DISCARDED_OCTETS) incoming.socket.destroySoon();
  });
  // The client disconnected, so there is nothing left to discard.
  incoming.on("error", () => {});
  incoming.resume();
}
