// Standard error that fails or stalls, and a service that is made to log.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { Serving } from "./serve.ts";

/** For a service that looks nothing up. */
export const NO_ZONE = { address: "127.0.0.1:1", env: {} };
export const STOP_MS = 10_000;
/** Each is a line of about 270 octets. */
const REFUSED = `/oauth/authorize?client_id=${"x".repeat(100)}`;

/** Requests at a time; of more than 16 from one address that wait, some would be refused as too many. */
const AT_ONCE = 10;

/** How much a pipe of Linux takes. */
const PIPE_OCTETS = 65_536;

export interface Pipe {
  /** The end that a process writes to. */
  readonly writer: number;
  /** What the pipe has now, at most this many octets of it. */
  read(octets: number): string;
  /** Closes the end that is read. */
  closeReader(): void;
  close(): Promise<void>;
}

/** A pipe that is read only on demand. Node's own pipes to child processes are sockets. */
export async function makePipe(): Promise<Pipe> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-"));
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  let isOpen = true;
  const closeReader = () => {
    if (isOpen) closeSync(reader);
    isOpen = false;
  };
  return {
    writer,
    read(octets) {
      const buffer = Buffer.alloc(octets);
      try {
        return buffer.toString("latin1", 0, readSync(reader, buffer));
      } catch {
        // EAGAIN: it is empty.
        return "";
      }
    },
    closeReader,
    async close() {
      closeReader();
      closeSync(writer);
      await rm(folder, { recursive: true });
    },
  };
}

export interface StderrOutput {
  readonly stderr?: number;
  readonly isUnread?: boolean;
  close(): Promise<void>;
}

/** Outputs that take nothing, or no more after a while. */
export const BAD_OUTPUTS: Readonly<Record<string, () => Promise<StderrOutput>>> = {
  "a pipe that nobody reads": async () => {
    const pipe = await makePipe();
    writeSync(pipe.writer, Buffer.alloc(PIPE_OCTETS));
    return { stderr: pipe.writer, close: pipe.close };
  },
  "a socket that nobody reads": async () => ({ isUnread: true, close: async () => {} }),
  "a closed pipe": async () => {
    const pipe = await makePipe();
    pipe.closeReader();
    return { stderr: pipe.writer, close: pipe.close };
  },
  "a file on a full disk": async () => {
    const stderr = openSync("/dev/full", "w");
    return { stderr, close: async () => closeSync(stderr) };
  },
};

/** Sends requests that are refused, which the log says of each. */
export async function refuse({ issuer }: Pick<Serving, "issuer">, count: number): Promise<void> {
  // Not with `fetch`: its idle connections would keep the service from ending for two seconds.
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const statuses = new Set<number | undefined>();
  let left = count;
  const sendOne = async () => {
    const request = get(`${issuer}${REFUSED}`, { agent, signal: AbortSignal.timeout(STOP_MS) });
    const [response]: IncomingMessage[] = await once(request, "response");
    response?.resume();
    statuses.add(response?.statusCode);
  };
  const send = async () => {
    while (left-- > 0) await sendOne();
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    expect(statuses).toEqual(new Set([400]));
  } finally {
    agent.destroy();
  }
}

export async function droppedLines(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^domain_signin_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
}

/** Lines of JSON; throws if one is torn. */
export function entriesIn(text: string): { msg: string; count?: number; total?: number }[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}
