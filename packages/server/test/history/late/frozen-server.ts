// A PostgreSQL server all of whose processes can be stopped for a while, as those of a machine that is suspended.

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { withSetting } from "../../support/postgres.ts";
import { findPrograms } from "../../support/postgres-programs.ts";
import { startOwnServer } from "../../support/postgres-server.ts";

export interface FreezableServer {
  /** Resolves to the URL of a schema that nothing else uses. It lasts as long as the server. */
  freshDatabase(): Promise<string>;
  /** Resolves when each of its processes has been stopped for so long, and goes on. */
  freeze(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

/** Needs the programs of PostgreSQL on this machine. */
export async function startFreezableServer(): Promise<FreezableServer> {
  const programs = await findPrograms();
  if ("missing" in programs) throw new Error(programs.missing);
  const server = await startOwnServer(programs.folder);
  const parent = await parentOfBackends(server.url);
  if (parent === null) {
    await server.stop();
    throw new Error("the server's process is not on this machine");
  }
  let databases = 0;
  const signalAll = (signal: NodeJS.Signals) => {
    // The parent first, so that it starts no further process meanwhile.
    for (const pid of [parent, ...childrenOf(parent)]) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  };
  return {
    async freshDatabase() {
      const name = `late_${++databases}`;
      await query(server.url, `CREATE SCHEMA ${name}`, () => {});
      return withSetting(server.url, "search_path", name);
    },
    async freeze(milliseconds) {
      signalAll("SIGSTOP");
      try {
        await sleep(milliseconds);
      } finally {
        signalAll("SIGCONT");
      }
    },
    stop: server.stop,
  };
}

type Rows = readonly Record<string, unknown>[];

/** `read` is called while the connection is open. */
async function query<T>(url: string, text: string, read: (rows: Rows) => T): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return read((await client.query(text)).rows);
  } finally {
    await client.end();
  }
}

function parentOfBackends(url: string): Promise<number | null> {
  // The process of the connection ends with it.
  return query(url, "SELECT pg_backend_pid() AS pid", ([row]) => parentOf(String(row?.pid)));
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => parentOf(pid) === parent).map(Number);
}

/** Null if the process has ended. */
function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}
