// A PostgreSQL server for one run of the tests: started in a temporary folder, stopped, removed.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { findPrograms, run } from "./postgres-programs.ts";

export type PostgresFound = { url: string } | { missing: string };

export interface PostgresServer {
  readonly found: PostgresFound;
  stop(): Promise<void>;
}

/** As who the server runs: PostgreSQL refuses to be root. */
type Owner = { uid: number; gid: number } | Record<string, never>;

const startLimitMs = 30_000;

/**
 * Runs the server and waits for the end of its own input, which comes however the tests end, even
 * by a kill. Then it stops the server and removes the folder.
 */
const guard = `
  "$@" >log 2>&1 & server=$!
  read -r _
  kill -INT "$server"
  wait "$server"
  cd / && rm -rf "$FOLDER"`;

/** `DATABASE_URL`, else a server of our own. */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env.DATABASE_URL;
  if (given) return { found: { url: given }, stop: async () => {} };
  const programs = await findPrograms();
  if ("missing" in programs) return { found: programs, stop: async () => {} };
  try {
    const { url, stop } = await startOwnServer(programs.folder);
    return { found: { url }, stop };
  } catch (failure) {
    return { found: { missing: `PostgreSQL did not start: ${failure}` }, stop: async () => {} };
  }
}

export interface OwnServer {
  readonly url: string;
  /** Ends it as a crash does. `stop` is still needed. */
  crash(): void;
  stop(): Promise<void>;
}

/** `programs` is the folder with the programs of PostgreSQL. */
export function startOwnServer(programs: string): Promise<OwnServer> {
  const password = randomBytes(16).toString("hex");
  return startOn(programs, password, async ({ folder, data, owner }) => {
    writeFileSync(join(folder, "password"), password, { mode: 0o600 });
    give(join(folder, "password"), owner);
    await run(
      join(programs, "initdb"),
      [
        ...["--pgdata", data, "--username", "postgres", "--no-sync"],
        ...["--pwfile", join(folder, "password"), "--auth", "scram-sha-256"],
        ...["--encoding", "UTF8", "--no-locale"],
      ],
      { ...owner, cwd: folder },
    );
  });
}

/** A copy of the server, made with these options of pg_basebackup while it is in use, and started. */
export function startCopyOf(
  { url }: Pick<OwnServer, "url">,
  programs: string,
  options: readonly string[],
): Promise<OwnServer> {
  return startOn(programs, new URL(url).password, async ({ folder, data, owner }) => {
    const args = ["--dbname", url, "--pgdata", data, ...options];
    await run(join(programs, "pg_basebackup"), args, { ...owner, cwd: folder });
  });
}

interface Place {
  readonly folder: string;
  readonly data: string;
  readonly owner: Owner;
}

/** Starts a server on the data that `fill` makes. */
async function startOn(
  programs: string,
  password: string,
  fill: (place: Place) => Promise<void>,
): Promise<OwnServer> {
  const owner = await unprivileged();
  const folder = mkdtempSync(join(tmpdir(), "domain-signin-postgres-"));
  try {
    // Tests have a folder for temporary files that other users may not enter.
    if ("uid" in owner) chmodSync(tmpdir(), statSync(tmpdir()).mode | 0o011);
    give(folder, owner);
    await fill({ folder, data: join(folder, "data"), owner });
    const port = await freePort();
    const child = startProcess(programs, folder, port, owner);
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    await answering(url, child).catch(async (failure) => {
      const log = readFileSync(join(folder, "log"), "utf8");
      await stop(child);
      throw new Error(`${failure}\n${log}`);
    });
    return {
      url,
      crash() {
        const [pid] = readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n");
        process.kill(Number(pid), "SIGKILL");
      },
      async stop() {
        await stop(child);
        // The server's user may not remove it from a folder of another one.
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (failure) {
    rmSync(folder, { recursive: true, force: true });
    throw failure;
  }
}

function startProcess(programs: string, folder: string, port: number, owner: Owner): ChildProcess {
  const settings = [
    ...["listen_addresses=127.0.0.1", `port=${port}`],
    // A temporary folder's path may be too long for a socket.
    "unix_socket_directories=",
    // Durable as in production: what waits for a disk there waits here.
    ...["fsync=on", "synchronous_commit=on"],
    ...["shared_buffers=16MB", "max_connections=200", "lc_messages=C"],
  ];
  return spawn(
    "/bin/sh",
    [
      ...["-c", guard, "guard", join(programs, "postgres"), "-D", join(folder, "data")],
      ...settings.flatMap((setting) => ["-c", setting]),
    ],
    {
      ...owner,
      cwd: folder,
      env: { PATH: "/usr/bin:/bin", FOLDER: folder },
      stdio: ["pipe", "ignore", "ignore"],
      // Ctrl-C is for the tests, which end the input.
      detached: true,
    },
  );
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stdin?.end();
  await ended;
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const limit = Date.now() + startLimitMs;
  for (;;) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    client.on("error", () => {});
    try {
      await client.connect();
      return await client.end();
    } catch (failure) {
      if (Date.now() > limit || child.exitCode !== null) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** The user `postgres` of the system's package, else `nobody`. */
async function unprivileged(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    try {
      const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
      return { uid: Number(uid), gid: Number(gid) };
    } catch {
      // The next name.
    }
  }
  throw new Error("root cannot run it, and there is no user postgres or nobody");
}

function give(path: string, owner: Owner): void {
  if ("uid" in owner) chownSync(path, owner.uid, owner.gid);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
