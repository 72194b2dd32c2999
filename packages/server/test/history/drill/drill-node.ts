// A node of a drill: a process whose clock can be set, and whose log is a file.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { SECRET } from "../seed.ts";

const PROGRAM = fileURLToPath(new URL("./drill-serve.mjs", import.meta.url));
const START_LIMIT_MS = 30_000;

/** The guard that a node lacks. */
export type Broken = "jumps" | "disk";

export interface DrillNode {
  readonly name: string;
  readonly port: number;
  /** Sets the clock so many seconds ahead of the right time. */
  setAhead(seconds: number): void;
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

export interface DrillPlace {
  readonly database: string;
  readonly folder: string;
  readonly log: string;
}

export function settingsOf({ database }: Pick<DrillPlace, "database">): Record<string, string> {
  return {
    DOMAIN_SIGNIN_ISSUER: "http://localhost:8080",
    DOMAIN_SIGNIN_DATABASE: database,
    DOMAIN_SIGNIN_SECRET: SECRET,
    DOMAIN_SIGNIN_DNS_SERVERS: "127.0.0.1:9",
    DOMAIN_SIGNIN_MIN_ASSURANCE: "single",
  };
}

export async function startDrillNode(
  name: string,
  place: DrillPlace,
  broken?: Broken,
): Promise<DrillNode> {
  const log = openSync(place.log, "a");
  const args = broken === undefined ? [PROGRAM] : [PROGRAM, broken];
  const child = spawn(process.execPath, args, {
    ...{ cwd: place.folder, env: { ...process.env, ...settingsOf(place) } },
    stdio: ["pipe", "pipe", log],
  });
  closeSync(log);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const port = await portOf(child);
  return {
    name,
    port,
    setAhead: (seconds) => void child.stdin?.write(`${JSON.stringify({ ahead: seconds })}\n`),
    async end(signal) {
      child.kill(signal);
      await gone;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error("no pipe");
  const late = setTimeout(() => child.kill("SIGKILL"), START_LIMIT_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    clearTimeout(late);
    const { port }: { port: number } = JSON.parse(line);
    return port;
  }
  clearTimeout(late);
  throw new Error("the node ended before it listened");
}
