// Speaks HTTP in exact octets over a socket to loopback, and reads what comes back.

import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterOwnTime } from "../../src/lib/own-time.ts";

export interface RawAnswer {
  readonly status: number;
  /** As sent, duplicates and all. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export interface Conversation {
  readonly answers: readonly RawAnswer[];
  /** False where the time limit had to end it: so much time that this process, the service's own, got. */
  readonly closed: boolean;
  /** Milliseconds from the connection to its end. */
  readonly took: number;
}

/** Octets to send, or milliseconds to wait, or the end of what this side has to say. */
export type Send = string | Uint8Array | number | "half-close";

/**
 * Sends and reads until the service closes. Text is sent as Latin-1: one octet per character.
 * Rejects for an answer that is not HTTP, and so for a HEAD that is answered with a body.
 */
export async function converse(
  port: number,
  sends: readonly Send[],
  options: { limit?: number; head?: boolean } = {},
): Promise<Conversation> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const begin = performance.now();
  const received: Buffer[] = [];
  let closed = true;
  const cancelLimit = afterOwnTime(options.limit ?? 10_000, () => {
    closed = false;
    socket.destroy();
  });
  const end = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => received.push(chunk));
    socket.on("end", () => socket.end());
    // A reset: the service was not interested in the rest. What it had said is here already.
    socket.on("error", () => {});
    socket.on("close", () => resolve());
  });
  for (const send of sends) {
    if (socket.destroyed) break;
    if (send === "half-close") socket.end();
    else if (typeof send === "number") await Promise.race([pause(send), end]);
    else socket.write(typeof send === "string" ? Buffer.from(send, "latin1") : send);
  }
  await end;
  cancelLimit();
  const took = performance.now() - begin;
  return { answers: readAnswers(Buffer.concat(received), options.head ?? false), closed, took };
}

function readAnswers(octets: Buffer, head: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = octets;
  while (rest.length > 0) {
    const headEnd = rest.indexOf("\r\n\r\n");
    const [statusLine = "", ...lines] = rest.toString("latin1", 0, headEnd).split("\r\n");
    const status = Number(/^HTTP\/1\.1 ([1-5][0-9]{2}) /.exec(statusLine)?.[1]);
    if (headEnd < 0 || Number.isNaN(status)) throw new Error(`not HTTP: ${rest.subarray(0, 200)}`);
    const headers = lines.map((line) => {
      const [, name, value] = /^([\w-]+): (.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Error(`not a header: ${line}`);
      return [name.toLowerCase(), value] as const;
    });
    const bodiless = head || status < 200 || status === 204;
    const after = rest.subarray(headEnd + 4);
    const { body, left } = bodiless ? { body: "", left: after } : readBody(headers, after);
    answers.push({ status, headers, body });
    rest = left;
  }
  return answers;
}

function readBody(headers: RawAnswer["headers"], octets: Buffer): { body: string; left: Buffer } {
  const header = (name: string) => headers.find(([found]) => found === name)?.[1];
  const length = header("content-length");
  if (length !== undefined) {
    const size = Number(length);
    if (octets.length < size) throw new Error("the answer is shorter than it says");
    return { body: octets.toString("utf8", 0, size), left: octets.subarray(size) };
  }
  if (header("transfer-encoding") !== "chunked") {
    return { body: octets.toString("utf8"), left: Buffer.alloc(0) };
  }
  const chunks: Buffer[] = [];
  let rest = octets;
  for (;;) {
    const lineEnd = rest.indexOf("\r\n");
    const size = Number.parseInt(rest.toString("latin1", 0, lineEnd), 16);
    if (lineEnd < 0 || Number.isNaN(size)) throw new Error("the answer ends in the middle");
    const chunk = rest.subarray(lineEnd + 2, lineEnd + 2 + size);
    rest = rest.subarray(lineEnd + 2 + size + 2);
    if (size === 0) return { body: Buffer.concat(chunks).toString("utf8"), left: rest };
    chunks.push(chunk);
  }
}

/** One request, before it is made octets. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  /** Whole lines, `Host` among them. */
  readonly headers: readonly string[];
  /** Gets a Content-Length unless a header line frames it already. */
  readonly body?: string | Uint8Array | undefined;
}

export function octetsOf(request: RawRequest): Buffer {
  const { method, target, version, headers, body } = request;
  const octets = typeof body === "string" ? Buffer.from(body, "latin1") : Buffer.from(body ?? "");
  const framed = headers.some((line) => /^(content-length|transfer-encoding) *:/i.test(line));
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...headers,
    ...(body === undefined || framed ? [] : [`Content-Length: ${octets.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), octets]);
}

/** The body in chunks of `size` octets, the last one of none. */
export function chunked(body: string, size = 4096): string {
  const chunks = body.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  return `${framed.join("")}0\r\n\r\n`;
}
