// What a power cut would leave of a node's SQLite file, held against what the node had acknowledged.
//
// The node is halted wherever it happens to be, and the image of its file system is copied: no cache
// of the kernel is in it, only what the block device was given. A cache in the device itself is not
// played: a device that lies about a flush is beyond every database.

import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { check, type Violation } from "./checker.ts";
import { knownAt, monotonic, type Operation } from "./history.ts";
import { askAgain, startLives } from "./lives.ts";
import { type Broken, startNode } from "./node-process.ts";
import { type Seeded, seed } from "./seed.ts";
import { makeVolume, openVolume, type Volume } from "./volume.ts";

export interface Cut {
  /** Successes that clients had been told before it. */
  readonly acknowledged: number;
  /** Requests that it met on the way. */
  readonly underWay: number;
  readonly violations: readonly Violation[];
}

const CLIENTS = 12;
const CODES = 80;
/** Milliseconds of load before a cut. */
const LOAD = { least: 50, most: 400 };

/** `folder` holds the images while this runs. */
export async function cutPower(options: {
  folder: string;
  cuts: number;
  broken?: Broken;
}): Promise<Cut[]> {
  const { folder, cuts, broken } = options;
  const volume = await makeVolume(join(folder, "disk.img"));
  try {
    const database = `sqlite:${join(volume.folder, "store.db")}`;
    const seeded = await seed(database, CODES * cuts);
    const node = await startNode({ name: "before", database, folder, broken });
    try {
      const lives = startLives(seeded, {
        ...{ clients: CLIENTS, node: async () => node, random: Math.random },
      });
      const looks: Look[] = [];
      for (let index = 0; index < cuts; index++) {
        await sleep(LOAD.least + Math.random() * (LOAD.most - LOAD.least));
        await halt(node.pid);
        looks.push(await lookAfterCut({ volume, folder, seeded, known: lives.operations }));
        process.kill(node.pid, "SIGCONT");
      }
      await lives.stop();
      // Only now the history holds what was under way at each cut.
      return looks.map(({ at, witnessed }) => {
        const before = knownAt(lives.operations, at);
        return {
          acknowledged: before.filter(({ outcome }) => outcome === "ok").length,
          underWay: before.filter(({ outcome }) => outcome === "unknown").length,
          violations: check([...before, ...witnessed]),
        };
      });
    } finally {
      await node.end("SIGKILL");
    }
  } finally {
    // `seed` opened the database in this process, which may keep the file open after the end.
    await volume.close({ lazily: true });
  }
}

interface Look {
  readonly at: { acknowledged: number; begun: number };
  /** What a node on the copy answered. */
  readonly witnessed: readonly Operation[];
}

/** Copies the disk, starts a node on the copy, and asks it for everything that was acknowledged. */
async function lookAfterCut(parts: {
  volume: Volume;
  folder: string;
  seeded: Seeded;
  known: readonly Operation[];
}): Promise<Look> {
  const { folder, seeded } = parts;
  const acknowledged = monotonic();
  const known = [...parts.known];
  const image = join(folder, "cut.img");
  await parts.volume.copy(image);
  const at = { acknowledged, begun: monotonic() };
  const volume = await openVolume(image);
  try {
    const database = `sqlite:${join(volume.folder, "store.db")}`;
    const node = await startNode({ name: "after", database, folder });
    try {
      return { at, witnessed: await askAgain(seeded, known, async () => node) };
    } finally {
      await node.end("SIGKILL");
    }
  } finally {
    await volume.close();
    await rm(image);
  }
}

/** Stops the process, and waits until each of its threads stands still. */
async function halt(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  const isStill = (thread: string) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("T");
  };
  while (!readdirSync(`/proc/${pid}/task`).every(isStill)) await sleep(1);
}
