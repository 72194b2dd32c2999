// Clients that send forever, and the limit that ends each of them.

import type { Send } from "./raw-http.ts";

export interface SlowSender {
  readonly what: string;
  readonly limit: "headers" | "request";
  readonly status: number;
  readonly sends: readonly Send[];
}

/** The head of a form post, with the header line that frames its body. */
export function formHead(framing: string): string {
  const type = "Content-Type: application/x-www-form-urlencoded";
  return `POST / HTTP/1.1\r\nHost: a\r\n${type}\r\n${framing}\r\n\r\n`;
}

/** One piece every 60 ms. */
export function trickle(pieces: readonly string[]): Send[] {
  return pieces.flatMap((piece) => [60, piece]);
}

/** Sends often, but never completes. */
const forever = (piece: string) => trickle(Array<string>(60).fill(piece));
const head = "GET / HTTP/1.1\r\nHost: a\r\n";

export const slowSenders: readonly SlowSender[] = [
  { what: "a connection that sends nothing", limit: "headers", status: 408, sends: [] },
  { what: "half a request line", limit: "headers", status: 408, sends: ["GET / HT"] },
  {
    what: "a request line letter by letter",
    limit: "headers",
    status: 408,
    sends: ["GET /", ...forever("x")],
  },
  { what: "headers that never end", limit: "headers", status: 408, sends: [head] },
  {
    what: "headers one by one",
    limit: "headers",
    status: 408,
    sends: [head, ...forever("X: a\r\n")],
  },
  {
    what: "a body that is never sent",
    limit: "request",
    status: 408,
    sends: [formHead("Content-Length: 100")],
  },
  {
    what: "a body octet by octet",
    limit: "request",
    status: 408,
    sends: [formHead("Content-Length: 100"), ...forever("x")],
  },
  {
    what: "a body chunk by chunk",
    limit: "request",
    status: 408,
    sends: [formHead("Transfer-Encoding: chunked"), ...forever("1\r\nx\r\n")],
  },
  {
    // Answered at once, because the handler does not read the body.
    what: "a body of a `GET`",
    limit: "request",
    status: 200,
    sends: [`${head}Content-Length: 100\r\n\r\n`, ...forever("x")],
  },
];
