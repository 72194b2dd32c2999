// A service that is stopped again and again, each time with a successor on the same port.

import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { logFile } from "../support/log-run.ts";
import { freePort } from "../support/serve.ts";
import { monotonic } from "./history.ts";
import { SECRET } from "./seed.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const HOLDER = fileURLToPath(new URL("../support/hold-socket.pl", import.meta.url));
const LIMIT = 30_000;

export interface Stop {
  /** Of the process; null when a signal ended it. */
  readonly status: number | null;
  /** From SIGTERM to the end. */
  readonly milliseconds: number;
}

export interface StoppedService {
  readonly port: number;
  /** Sends SIGTERM to the process that serves. `ended` is told when it is gone, before the next. */
  stop(ended?: () => void): Promise<Stop>;
  close(): Promise<void>;
}

export interface StopOptions {
  readonly database: string;
  /** Where it runs. */
  readonly folder: string;
}

/** Each process listens by itself: between two of them a connection is refused. */
export async function ownSocket(options: StopOptions): Promise<StoppedService> {
  const port = await freePort();
  let current = await startServe(port, options);
  return {
    port,
    async stop(ended = () => {}) {
      const from = monotonic();
      const status = await current.end("SIGTERM");
      const milliseconds = monotonic() - from;
      ended();
      current = await startServe(port, options);
      return { status, milliseconds };
    },
    async close() {
      await current.end("SIGKILL");
    },
  };
}

/** Another process holds the socket, as systemd does: a connection waits for the next process. */
export async function heldSocket(options: StopOptions): Promise<StoppedService> {
  const port = await freePort();
  // The process is told of no port: what it says is what it finds.
  const program = [process.execPath, ...serveCommand(port, 0)];
  const holder = follow("perl", [HOLDER, String(port), ...program], options);
  const first = await holder.line();
  let { pid } = first;
  return {
    port: first.port,
    async stop(ended = () => {}) {
      const from = monotonic();
      process.kill(pid, "SIGTERM");
      const { status } = await holder.line();
      const milliseconds = monotonic() - from;
      ended();
      ({ pid } = await holder.line());
      return { status, milliseconds };
    },
    async close() {
      await holder.end("SIGTERM");
    },
  };
}

/** `serve` on that port, once it listens. */
export async function startServe(
  port: number,
  options: StopOptions & { env?: Record<string, string> },
): Promise<Followed> {
  const followed = follow(process.execPath, serveCommand(port), options);
  await followed.line();
  return followed;
}

function serveCommand(issuerPort: number, port = issuerPort): string[] {
  const issuer = `http://localhost:${issuerPort}`;
  return [CLI, "serve", "--json", "--issuer", issuer, "--port", String(port)];
}

/** What `serve` says when it listens, and the holder when it ended. */
interface Line {
  readonly pid: number;
  readonly port: number;
  readonly status: number | null;
}

export interface Followed {
  /** The next one. Rejects with the end of the log when there is none. */
  line(): Promise<Line>;
  /** Resolves with the exit status when the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

function follow(
  program: string,
  args: readonly string[],
  { database, folder, env: more }: StopOptions & { env?: Record<string, string> },
): Followed {
  const env = {
    ...process.env,
    DOMAIN_SIGNIN_DATABASE: database,
    DOMAIN_SIGNIN_SECRET: SECRET,
    // Nobody is there, and nobody is asked: every grant's last look at DNS is fresh.
    DOMAIN_SIGNIN_DNS_SERVERS: "127.0.0.1:9",
    DOMAIN_SIGNIN_MIN_ASSURANCE: "single",
    ...more,
  };
  const path = logFile("serve");
  const log = openSync(path, "a");
  const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", log] });
  closeSync(log);
  if (child.stdout === null) throw new Error("no pipe");
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async line() {
      const late = setTimeout(() => child.kill("SIGTERM"), LIMIT);
      const { value, done } = await lines.next();
      clearTimeout(late);
      if (done) throw new Error(`it ended: ${readFileSync(path, "utf8").slice(-2000)}`);
      return JSON.parse(value);
    },
    end(signal) {
      child.kill(signal);
      return gone;
    },
  };
}
