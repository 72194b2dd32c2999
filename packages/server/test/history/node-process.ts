// One node of the service: a real `serve` process, or one that breaks a promise on purpose.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { logFile } from "../support/log-run.ts";
import { SECRET } from "./seed.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const ALTERED = fileURLToPath(new URL("./altered-serve.mjs", import.meta.url));
const START_LIMIT = 30_000;

/** The promise that a node is to break, or the part of it that is to die again and again. */
export type Broken = "generation" | "joined" | "synchronous" | "thread" | "young-thread";

export interface ServiceNode {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the process is gone. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** Resolves once it listens. It runs in `folder`; its log is told when it does not come up. */
export async function startNode(options: {
  name: string;
  database: string;
  folder: string;
  broken?: Broken | undefined;
  /** The program; that of this version by default. */
  cli?: string;
  /** More settings. */
  env?: Readonly<Record<string, string>>;
}): Promise<ServiceNode> {
  const { name, database, folder, broken, cli = CLI } = options;
  const path = logFile(name);
  const log = openSync(path, "a");
  const env = {
    ...process.env,
    DOMAIN_SIGNIN_ISSUER: "http://localhost:8080",
    DOMAIN_SIGNIN_DATABASE: database,
    DOMAIN_SIGNIN_SECRET: SECRET,
    // Nobody is there, and nobody is asked: every grant's last look at DNS is fresh.
    DOMAIN_SIGNIN_DNS_SERVERS: "127.0.0.1:9",
    DOMAIN_SIGNIN_MIN_ASSURANCE: "single",
    ...options.env,
  };
  const args = broken === undefined ? [cli, "serve", "--json", "--port", "0"] : [ALTERED, broken];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", log] });
  closeSync(log);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const port = await portOf(child).catch((cause) => {
    child.kill("SIGKILL");
    throw new Error(`${cause}\n${readFileSync(path, "utf8").slice(-2000)}`);
  });
  return {
    name,
    port,
    pid: child.pid ?? 0,
    async end(signal) {
      child.kill(signal);
      await gone;
    },
  };
}

/** From the line that the process prints when it listens. */
function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no start in time")), START_LIMIT);
    child.once("exit", (status) => {
      clearTimeout(timer);
      reject(new Error(`the node ended with ${status}`));
    });
    let line = "";
    child.stdout?.on("data", (chunk) => {
      line += chunk;
      if (!line.includes("\n")) return;
      clearTimeout(timer);
      const said: { port: number } = JSON.parse(line);
      resolve(said.port);
    });
  });
}
