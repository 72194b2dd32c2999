// The program as an operator runs it: a process of its own, in an empty folder.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { logTo } from "./log-run.ts";
import type { RootedZone } from "./rooted-zone.ts";

/** In the environment: one resolver is asked, for special-use names. */
export const SERVED = {
  DOMAIN_SIGNIN_ALLOWED_SPECIAL_NAMES: "test",
  DOMAIN_SIGNIN_MIN_ASSURANCE: "single",
};
export const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program until it has ended and no other process holds its output. */
export function run(
  file: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string>; input?: string },
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...options.env };
    const limits = { cwd: options.cwd, env, timeout: 60_000 };
    const child = execFile(file, args, limits, (error, stdout, stderr) => {
      // Standard output is the answer, and tells the secret of a new client; this is the log.
      if (stderr !== "") logTo("a command").write(stderr);
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ status, stdout, stderr });
    });
    // A program that does not read its input may end before it was sent.
    child.stdin?.on("error", () => {});
    child.stdin?.end(options.input ?? "");
  });
}

/** Runs the program. `command` in command.ts gives the same result without starting a process. */
export function domainSignin(args: readonly string[], options: Parameters<typeof run>[2]) {
  return run(process.execPath, [CLI, ...args], options);
}

export interface ServeOptions {
  /** Standard error, as a file descriptor. Its content is not in `output()` then. */
  readonly stderr?: number;
  /** Standard error is a socket that nobody reads. */
  readonly isUnread?: boolean;
  /** More options of `serve`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Another build of the program. */
  readonly cli?: string;
}

export interface Serving {
  readonly issuer: string;
  readonly pid: number;
  /** The empty folder that it was started in. */
  readonly folder: string;
  /** What it has written so far. */
  output(): { stdout: string; stderr: string };
  /** SIGTERM; the exit status. It waits two seconds for idle connections of this process. */
  stop(): Promise<number | null>;
  /** The exit status after another signal. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Ends it at once. */
  close(): Promise<void>;
}

/**
 * `domain-signin serve` on a free port, asking the resolver of the zone. `under` is the program, with
 * its arguments, that runs it.
 */
export async function serve(
  { address, env }: Pick<RootedZone, "address" | "env">,
  under: readonly string[] = [],
  {
    stderr: stderrFd,
    isUnread = false,
    args: more = [],
    env: moreEnv,
    cli = CLI,
  }: ServeOptions = {},
): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-"));
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const [program = process.execPath, ...args] = [...under, process.execPath, cli, "serve"];
  const settings = ["--json", "--issuer", issuer, "--port", String(port), "--dns-servers", address];
  const child = spawn(program, [...args, ...settings, ...more], {
    cwd: folder,
    env: { ...process.env, ...SERVED, ...env, ...moreEnv },
    stdio: ["ignore", "pipe", stderrFd ?? "pipe"],
  });
  const log = logTo("serve");
  let stdout = "";
  let stderr = "";
  const note = (chunk: Buffer) => {
    log.write(chunk);
    stderr += chunk;
  };
  if (!isUnread) child.stderr?.on("data", note);
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`serve ended: ${stderr}`)));
    child.stdout?.on("data", (chunk) => {
      log.write(chunk);
      stdout += chunk;
      if (stdout.includes("\n")) resolve();
    });
  });
  return {
    issuer,
    pid: child.pid ?? 0,
    folder,
    output: () => ({ stdout, stderr }),
    stop: () => ended(child, "SIGTERM"),
    end: (signal) => ended(child, signal),
    async close() {
      await ended(child, "SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once("exit", (status) => resolve(status));
    child.kill(signal);
  });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
