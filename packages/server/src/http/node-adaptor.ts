// Adapts `node:http` requests and responses to plain values, without web-standard objects.

import type { IncomingMessage, ServerResponse } from "node:http";
import {
  collectBody,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  pathAndQuery,
} from "./message.ts";

/** An unread body is discarded up to this size so that the connection can be reused. */
const MAX_DISCARDED_OCTETS = 65_536;

/** Answers one request through `handle`. Never rejects. */
export async function answerNode(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: Handler,
): Promise<void> {
  const target = targetOf(incoming);
  let response: HttpResponse = { status: 400, headers: {}, body: "" };
  try {
    if (target !== null) response = await handle(requestOf(incoming, target));
  } catch {
    response = { ...response, status: 500 };
  }
  const isUnread = !incoming.complete;
  // Receiving the rest would cost more than a new connection.
  if (isUnread && declaredLength(incoming) > MAX_DISCARDED_OCTETS) outgoing.shouldKeepAlive = false;
  send(response, outgoing);
  if (isUnread) discardBody(incoming);
}

function requestOf(
  incoming: IncomingMessage,
  target: { path: string; query: string },
): HttpRequest {
  return {
    method: incoming.method ?? "",
    ...target,
    params: {},
    clientAddress: incoming.socket.remoteAddress ?? "",
    // `headers` keeps only the first value of some repeated headers. Several Cookie headers form one
    // list (RFC 9113 §8.2.3).
    header: (name) => incoming.headersDistinct[name]?.join(name === "cookie" ? "; " : ", ") ?? null,
    body: (maxOctets) => {
      const chunks = incoming.iterator({ destroyOnReturn: false });
      return collectBody(chunks, declaredLength(incoming), maxOctets);
    },
  };
}

/** 0 if the length is not declared. */
function declaredLength({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

/**
 * Path and query of the request target, in origin form or absolute form (RFC 9112 §3.2). Null if the
 * target or the Host header is invalid but accepted by `node:http`.
 */
function targetOf({ url = "", headersDistinct }: IncomingMessage) {
  const [host = "", ...more] = headersDistinct.host ?? [];
  // The pattern is needed because a URL parser also accepts a path here, and rewrites characters.
  const isHost = /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`);
  // URL parsers treat a backslash in the path as a slash.
  const hasBackslash = /^[^?]*\\/.test(url);
  if (more.length > 0 || !isHost || hasBackslash) return null;
  return pathAndQuery(url.startsWith("/") ? `http://localhost${url}` : url);
}

function send({ status, headers, body, octets }: HttpResponse, outgoing: ServerResponse): void {
  const hasBody = status !== 204 && status !== 304;
  const content = octets ?? body;
  const length = hasBody ? { "content-length": Buffer.byteLength(content) } : {};
  outgoing.writeHead(status, { ...headers, ...length } as Record<string, string | string[]>);
  outgoing.end(content);
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
