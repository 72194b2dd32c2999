// The drill on a SQLite file: one fault after another under load, and in the end a restored backup.

import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqlite } from "../../../src/database/sqlite.ts";
import { filesClosed } from "../../support/closed-files.ts";
import { CLI, run } from "../../support/serve.ts";
import { check } from "../checker.ts";
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
import { ACKNOWLEDGED, acknowledged, type Drill, untilAcknowledged } from "./load.ts";

const CLIENTS = 8;
/** So that the grants last for the whole drill. */
const THINK_MS = 20;
const CODES = 6000;
/** How long each fault lasts, in milliseconds. */
const FAULT_MS = 1500;
/** Work in the background is due within this time at the pace of a drill. */
const CLEANED_MS = 6000;
const DAY_S = 86_400;
/** A little more than the window in which a replaced refresh token is answered again. */
const RETRY_WINDOW_MS = 32_000;
/** Requests that are refused, and so each make a line in the log. */
const REFUSED = 300;
/** Who waits for longer has no answer. */
const HANGING_MS = 10_000;
/** Of the previous release; see `test/upgrade`. */
const PREVIOUS_SCHEMA = 17;

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

  "full log": async ({ volumes, lives, node }: World) => {
    const release = fill(volumes.log.folder);
    const { port } = await node();
    const refuse = () =>
      fetch(`http://127.0.0.1:${port}/oauth/token`, {
        method: "POST",
        signal: AbortSignal.timeout(HANGING_MS),
      });
    await Promise.allSettled(Array.from({ length: REFUSED }, refuse));
    // Nobody waits for the log.
    await untilAcknowledged(lives, ACKNOWLEDGED, HANGING_MS).finally(release);
  },

  "clock ahead": async ({ node }: World) => {
    const { setAhead } = await node();
    setAhead(40 * DAY_S);
    await sleep(CLEANED_MS);
    setAhead(0);
  },

  "clock back": async (world: World) => {
    const { setAhead } = await world.node();
    // Some grants are at rest by then, and the windows of their retries end.
    await sleep(FAULT_MS);
    const replaced = finished(world.lives);
    await sleep(RETRY_WINDOW_MS);
    setAhead(-3600);
    await present(world, replaced);
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
}): Promise<Drill> {
  const { folder, broken, ending = async () => {} } = options;
  const data = await makeVolume(join(folder, "data.img"));
  const log = await makeVolume(join(folder, "log.img"));
  const database = `sqlite:${join(data.folder, "store.db")}`;
  const place = { database, folder, log: join(log.folder, "log") };
  const seeded = await seed(database, CODES);
  if (typeof broken === "object") await hideMigrations(data.folder);
  // Only the node and the commands use the file from now on.
  await filesClosed();
  let starts = 0;
  const start = () => startDrillNode(`run ${starts++}`, place, broken);
  let current = start();
  const node = () => current;
  const lives = startLives(seeded, {
    ...{ clients: CLIENTS, node, random: Math.random },
    thinkMs: THINK_MS,
  });
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
      // Without the guards there may be nothing left to go on with.
      if (broken === undefined) await untilAcknowledged(lives, ACKNOWLEDGED);
      else await sleep(FAULT_MS);
      faults.set(name, { during, recoveredMs: monotonic() - ended });
    }
    await lives.stop();
    world.others.push(...(await askAgain(seeded, lives.operations, node)));
    await ending(world);
    const operations = [...lives.operations, ...world.others];
    return { operations, violations: check(operations), faults };
  } finally {
    await lives.stop().catch(() => {});
    await current.then((running) => running.end("SIGKILL")).catch(() => {});
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
    // What was used before the backup was restored, and then what each grant was at.
    const used = lives.operations.filter(
      ({ verb, outcome }) => verb === "redeem" && outcome === "ok",
    );
    await present(world, used);
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

type Used = Pick<Operation, "grant" | "verb" | "input">;

/** Of each grant, the refresh token that was replaced last, and is now worth nothing. */
function finished({ operations }: Lives): readonly Used[] {
  const last = new Map<string, Operation>();
  for (const operation of operations) {
    if (operation.outcome === "ok") last.set(operation.grant, operation);
  }
  return [...last.values()].filter(({ verb }) => verb === "rotate");
}

/** A thief presents again what was used. */
async function present({ seeded, node, others }: World, used: readonly Used[]): Promise<void> {
  const to = await node();
  for (const { grant, verb, input } of used) {
    others.push(await ask(to, { who: "thief", grant, verb, input }, seeded.clientId));
  }
}

/** An earlier version refuses a schema that it does not know. What is new in it does no harm to it. */
async function hideMigrations(folder: string): Promise<void> {
  const engine = openSqlite(join(folder, "store.db"));
  await engine.execute("DELETE FROM schema_version WHERE version > ?1", [PREVIOUS_SCHEMA]);
  await engine.close();
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
