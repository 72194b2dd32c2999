// The drill on a SQLite file: one fault after another under load, and in the end a restored backup.

import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CLI, run } from "../../support/serve.ts";
import { check, type Violation } from "../checker.ts";
import { monotonic, type Operation } from "../history.ts";
import { ask, askAgain, type Lives, startLives } from "../lives.ts";
import { type Seeded, seed } from "../seed.ts";
import { makeVolume, type Volume } from "../volume.ts";
import {
  type Broken,
  type DrillNode,
  type DrillPlace,
  settingsOf,
  startDrillNode,
} from "./drill-node.ts";

const CLIENTS = 8;
const CODES = 6000;
/** How long each fault lasts, in milliseconds. */
const FAULT_MS = 1500;
/** Work in the background is due within this time at the pace of a drill. */
const CLEANED_MS = 6000;
const DAY_S = 86_400;
const ACKNOWLEDGED = 10;
const REPLAYS = 20;

export interface FileDrill {
  readonly operations: readonly Operation[];
  readonly violations: readonly Violation[];
  /** By the name of the fault: successes while it lasted, and until the load went on afterwards. */
  readonly faults: ReadonlyMap<string, { during: number; recoveredMs: number }>;
}

interface World {
  readonly place: DrillPlace;
  readonly volumes: { readonly data: Volume; readonly log: Volume };
  readonly seeded: Seeded;
  readonly lives: Lives;
  node(): Promise<DrillNode>;
  /** Ends the node, runs the task, and starts another one. Requests wait for it. */
  restart(signal: "SIGTERM" | "SIGKILL", between?: () => Promise<void>): Promise<void>;
  /** Operations that are none of the load. */
  readonly others: Operation[];
}

/** The faults in the order of the drill; each ends by itself. */
const FAULTS = {
  "kill -9": (world: World) => world.restart("SIGKILL"),

  "full disk": async ({ volumes }: World) => {
    const release = fill(volumes.data.folder);
    await sleep(FAULT_MS);
    release();
  },

  "full log": async ({ volumes, lives }: World) => {
    const release = fill(volumes.log.folder);
    // Nobody waits for the log.
    await untilAcknowledged(lives, ACKNOWLEDGED);
    release();
  },

  "clock ahead": async ({ node }: World) => {
    const { setAhead } = await node();
    setAhead(40 * DAY_S);
    await sleep(CLEANED_MS);
    setAhead(0);
  },

  "clock back": async (world: World) => {
    const { setAhead } = await world.node();
    // The certain time is known to the database, and past the window of a retry.
    await sleep(FAULT_MS);
    setAhead(-3600);
    await replay(world);
    setAhead(0);
  },

  backup: async ({ place }: World) => {
    const backup = join(place.folder, "backup.db");
    rmSync(backup, { force: true });
    const { status, stderr } = await command(place, "backup", backup);
    if (status !== 0 || !existsSync(backup)) throw new Error(`backup: ${status} ${stderr}`);
  },
} satisfies Record<string, (world: World) => Promise<void>>;

export type Fault = keyof typeof FAULTS;
export const ALL_FAULTS = Object.keys(FAULTS) as Fault[];

/**
 * Runs these faults under load, then `ending`. `folder` holds the images of two small file systems: one for the
 * database and one for the log.
 */
export async function fileDrill(options: {
  folder: string;
  faults: readonly Fault[];
  broken?: Broken;
  ending?: (world: World) => Promise<void>;
}): Promise<FileDrill> {
  const { folder, broken, ending = async () => {} } = options;
  const data = await makeVolume(join(folder, "data.img"));
  const log = await makeVolume(join(folder, "log.img"));
  const database = `sqlite:${join(data.folder, "store.db")}`;
  const place = { database, folder, log: join(log.folder, "log") };
  const seeded = await seed(database, CODES);
  let starts = 0;
  const start = () => startDrillNode(`run ${starts++}`, place, broken);
  let current = start();
  const node = () => current;
  const lives = startLives(seeded, { clients: CLIENTS, node, random: Math.random });
  const world: World = {
    ...{ place, volumes: { data, log }, seeded, lives, node, others: [] },
    async restart(signal, between = async () => {}) {
      const running = await current;
      current = running.end(signal).then(between).then(start);
      await current;
    },
  };
  const faults = new Map<string, { during: number; recoveredMs: number }>();
  try {
    await untilAcknowledged(lives, ACKNOWLEDGED);
    for (const name of options.faults) {
      const before = acknowledged(lives);
      await FAULTS[name](world);
      const during = acknowledged(lives) - before;
      const ended = monotonic();
      await untilAcknowledged(lives, ACKNOWLEDGED);
      faults.set(name, { during, recoveredMs: monotonic() - ended });
    }
    await lives.stop();
    world.others.push(...(await askAgain(seeded, lives.operations, node)));
    await ending(world);
    const operations = [...lives.operations, ...world.others];
    return { operations, violations: check(operations), faults };
  } finally {
    await lives.stop().catch(() => {});
    await (await current).end("SIGKILL");
    // This process may still have files open that it has closed.
    await data.close({ lazily: true });
    await log.close({ lazily: true });
  }
}

/** Puts the backup in the place of the database, and presents all that was worth something before. */
export function restored(how: (place: DrillPlace) => Promise<void>) {
  return async (world: World): Promise<void> => {
    const { seeded, others, lives, node } = world;
    await world.restart("SIGTERM", () => how(world.place));
    // Every grant counts as revoked now, those that the backup does not hold too.
    const at = { started: monotonic(), ended: monotonic() };
    for (const { name } of seeded.grants) {
      const revocation = { who: "operator", node: "", grant: name, verb: "revoke", input: "" };
      others.push({ ...revocation, ...at, outcome: "ok", status: 200 } as Operation);
    }
    others.push(...(await askAgain(seeded, [...lives.operations, ...others], node)));
  };
}

/** As `docs/operations.md` says. */
export async function restoreByCommand(place: DrillPlace): Promise<void> {
  const { status, stderr } = await command(place, "restore", join(place.folder, "backup.db"));
  if (status !== 0) throw new Error(`restore: ${status} ${stderr}`);
}

export async function command(place: DrillPlace, ...args: string[]) {
  return run(process.execPath, [CLI, ...args], { cwd: place.folder, env: settingsOf(place) });
}

/** Presents refresh tokens again that were replaced long ago: a thief who waits for a clock to be wrong. */
async function replay({ seeded, lives, node, others }: World): Promise<void> {
  const replaced = lives.operations.filter(({ verb, outcome, successor }) => {
    return verb === "rotate" && outcome === "ok" && successor !== undefined;
  });
  const to = await node();
  for (const { grant, input } of replaced.slice(0, REPLAYS)) {
    const request = { who: "thief", grant, verb: "rotate", input } as const;
    others.push(await ask(to, request, seeded.clientId));
  }
}

/** Leaves no room. Returns what makes room again. */
function fill(folder: string): () => void {
  const filling = join(folder, "filling");
  const { bfree, bsize } = statfsSync(folder);
  try {
    writeFileSync(filling, Buffer.alloc((bfree + 1) * bsize));
  } catch {
    // What fits is written.
  }
  return () => rmSync(filling, { force: true });
}

function acknowledged({ operations }: Lives): number {
  return operations.filter(({ outcome }) => outcome === "ok").length;
}

async function untilAcknowledged(lives: Lives, count: number): Promise<void> {
  const wanted = acknowledged(lives) + count;
  const end = monotonic() + 60_000;
  while (acknowledged(lives) < wanted) {
    if (monotonic() > end) throw new Error("the load does not go on");
    await sleep(20);
  }
}
