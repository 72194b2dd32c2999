// A program in another language that drives a client library: a line of JSON each for a command and its result.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { inject } from "vitest";

export interface Program {
  /** Rejects with what the program says if the command fails. */
  ask<T>(command: string, argument?: string): Promise<T>;
  close(): Promise<void>;
}

/** `settings` are the first line that it reads. */
export function startProgram(file: string, args: readonly string[], settings: object): Program {
  const { caFile } = inject("trust");
  // For the libraries of Python and for Go, in this order.
  const trust = { REQUESTS_CA_BUNDLE: caFile, SSL_CERT_FILE: caFile };
  const child = spawn(file, args, {
    env: { ...process.env, ...trust, PYTHONDONTWRITEBYTECODE: "1" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk;
  });
  child.stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (value: unknown) => child.stdin.write(`${JSON.stringify(value)}\n`);
  send(settings);
  return {
    async ask(command, argument = "") {
      send({ command, argument });
      const { value, done } = await lines.next();
      if (done) throw new Error(`${file} ended: ${complaint}`);
      return JSON.parse(value);
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}
