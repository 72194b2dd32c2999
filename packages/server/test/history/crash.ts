// A node on a SQLite file is killed under load again and again, and must come back with all it said.

import { copyFileSync, existsSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { monotonic, type Operation } from "./history.ts";
import { askAgain, startLives } from "./lives.ts";
import { type ServiceNode, startNode } from "./node-process.ts";
import { seed } from "./seed.ts";

export interface CrashLoad {
  /** What the clients saw, and in the end what every grant was at. */
  readonly operations: readonly Operation[];
  /** Requests that a kill left without an answer. */
  readonly cutOff: number;
  readonly serverErrors: number;
  /** Milliseconds from each start of the process to its first answer. */
  readonly restarts: readonly number[];
  readonly seconds: number;
}

const CLIENTS = 12;
/** Codes per kill: more than are used up before it. */
const CODES = 150;
/** Before a kill: operations that were acknowledged since the last one, then milliseconds of load. */
const ACKNOWLEDGED = 10;
const LOAD = { least: 30, most: 500 };

/**
 * With `putBack` the file is replaced by its state at the kill before: what was acknowledged between
 * is lost, as a wrong restore would do it.
 */
export async function crashLoad(options: { kills: number; putBack?: boolean }): Promise<CrashLoad> {
  const began = monotonic();
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-crash-"));
  const file = join(folder, "store.db");
  const database = `sqlite:${file}`;
  const restarts: number[] = [];

  async function start(): Promise<ServiceNode> {
    const from = monotonic();
    const node = await startNode({ name: `run ${restarts.length}`, database, folder });
    const answer = await fetch(`http://127.0.0.1:${node.port}/readyz`);
    if (answer.status !== 200) throw new Error(`not ready: ${answer.status}`);
    restarts.push(monotonic() - from);
    return node;
  }

  const seeded = await seed(database, CODES * options.kills);
  let current = start();
  try {
    const node = () => current;
    const lives = startLives(seeded, { clients: CLIENTS, node, random: Math.random });
    for (let kill = 1; kill <= options.kills; kill++) {
      const running = await current;
      await untilAcknowledged(lives.operations);
      await sleep(LOAD.least + Math.random() * (LOAD.most - LOAD.least));
      // Nobody is sent to the dead one: whoever asks now waits for its successor.
      const restarted = running.end("SIGKILL").then(() => {
        if (options.putBack && kill === options.kills) putBack(file);
        else if (options.putBack) keep(file);
        return start();
      });
      current = restarted;
      await restarted;
    }
    await untilAcknowledged(lives.operations);
    await lives.stop();
    const load = lives.operations;
    const operations = [...load, ...(await askAgain(seeded, load, node))];
    return {
      operations,
      cutOff: load.filter(({ status }) => status === 0).length,
      serverErrors: operations.filter(({ status }) => status >= 500).length,
      restarts: restarts.slice(1),
      seconds: (monotonic() - began) / 1000,
    };
  } finally {
    await (await current).end("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
}

/** What happened as lines of figures. */
export function told({ operations, restarts, ...load }: CrashLoad): string {
  const sorted = [...restarts].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  const acknowledged = operations.filter(({ outcome }) => outcome === "ok").length;
  return [
    `${restarts.length} kills in ${load.seconds.toFixed(0)} s, ${operations.length} requests,`,
    `${acknowledged} acknowledged, ${load.cutOff} cut off, ${load.serverErrors} of the 500s,`,
    `restart to first answer ${at(0.5)} ms in the middle, ${Math.round(sorted.at(-1) ?? 0)} ms at most`,
  ].join(" ");
}

/**
 * On a machine that is busy, a moment of load may hold nothing that a kill could lose. Neither does a retry of what was
 * committed before: it gets the same answer, and changes nothing.
 */
async function untilAcknowledged(operations: readonly Operation[]): Promise<void> {
  const from = operations.length;
  const acknowledged = () => {
    const presented = new Set<string>();
    return operations.filter(({ verb, outcome, input }, index) => {
      const isFirst = !presented.has(input);
      presented.add(input);
      return index >= from && isFirst && outcome === "ok" && verb !== "revoke";
    });
  };
  while (acknowledged().length < ACKNOWLEDGED) await sleep(LOAD.least);
}

/** Without a log, all that was written is in the file. With an older mark the database is served, as if both were lost. */
function filesOf(file: string): readonly string[] {
  return [file, `${file}-wal`, join(dirname(file), "domain-signin.mark")];
}

function keep(file: string): void {
  for (const one of filesOf(file)) if (existsSync(one)) copyFileSync(one, `${one}.kept`);
}

function putBack(file: string): void {
  for (const end of ["-shm", "-wal"]) rmSync(file + end, { force: true });
  for (const one of filesOf(file)) {
    if (existsSync(`${one}.kept`)) copyFileSync(`${one}.kept`, one);
  }
}
