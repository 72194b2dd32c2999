// The faults of a service on a SQLite file, each of which ends by itself.

import { setTimeout as sleep } from "node:timers/promises";
import type { HonestLoad } from "./honest.ts";
import type { FileWorld } from "./world.ts";

/** How long a fault of the disk lasts: longer than some flushes of it. */
const FAULT_MS = Number(process.env.LATE_SECONDS ?? 6) * 1000;
const FLUSHES = 4;
/** In which a fault begins that begins at a random moment. */
const CALM_MS = { least: 300, most: 2000 };
/** So slow are flushes into which something else happens, so that it happens in the middle of one. */
const SLOW_FLUSH_MS = 400;
const GATHERING_MS = 1200;
const STOPS = 3;
const STOP_MS = 3000;

type Join = HonestLoad["join"];

export interface Fault {
  readonly title: string;
  /** How long it lasts, about. */
  readonly seconds: number;
  /** Before the first request. */
  prepare?(world: FileWorld): void;
  /** While the load runs. Calls `join` when the fault begins. Heals what it has broken. */
  run(world: FileWorld, join: Join): Promise<void>;
}

const FLUSH_MS = [100, 400, 1500, 5000] as const;

export const SLOW_FLUSHES: readonly Fault[] = FLUSH_MS.flatMap((flushMs) => {
  const title = `flushes of ${flushMs / 1000} s`;
  const lastsMs = Math.max(FAULT_MS, FLUSHES * flushMs);
  const seconds = lastsMs / 1000;
  return [
    {
      ...{ title: `${title} from the first write on`, seconds },
      prepare: ({ disk }) => disk.delay(flushMs),
      async run({ disk }, join) {
        join();
        await sleep(lastsMs);
        disk.delay(0);
      },
    },
    {
      ...{ title: `${title} from a random moment on`, seconds },
      async run({ disk }, join) {
        await calm();
        disk.delay(flushMs);
        join();
        await sleep(lastsMs);
        disk.delay(0);
      },
    },
  ] satisfies Fault[];
});

/** The service gives up what it has handed over after 30 s. */
export const GIVEN_UP: Fault = {
  ...{ title: "one flush of 40 s", seconds: 45 },
  run: (world, join) => flushOnce(world, 40_000, join),
};

export const STOPPED: Fault = {
  ...{ title: "a processor that is taken away for 3 s in the middle of flushes", seconds: 15 },
  prepare: ({ disk }) => disk.delay(SLOW_FLUSH_MS),
  async run({ disk, node }, join) {
    for (let stop = 0; stop < STOPS; stop++) {
      await sleep(GATHERING_MS);
      await disk.flushing();
      if (stop > 0) join();
      // What is sent now is handed over with the next flush.
      await sleep(1.5 * SLOW_FLUSH_MS);
      process.kill(node.pid, "SIGSTOP");
      await sleep(STOP_MS);
      process.kill(node.pid, "SIGCONT");
    }
    disk.delay(0);
    await sleep(GATHERING_MS);
  },
};

export const LOCKS: readonly Fault[] = [
  { holdMs: 200, times: 10 },
  { holdMs: 2000, times: 3 },
  { holdMs: 8000, times: 2 },
].map(({ holdMs, times }) => ({
  title: `another process that holds the write lock for ${holdMs / 1000} s`,
  seconds: (times * (holdMs + CALM_MS.most)) / 1000,
  async run({ rows }, join) {
    for (let time = 0; time < times; time++) {
      await calm();
      const held = rows.hold(holdMs);
      join();
      await held;
    }
  },
}));

/** For a world whose thread dies again and again. */
export const THREAD_DEATHS: Fault = {
  ...{ title: "a thread that dies in the middle of groups", seconds: (2 * FAULT_MS) / 1000 },
  prepare: ({ disk }) => disk.delay(SLOW_FLUSH_MS),
  async run({ disk, deaths }, join) {
    await sleep(FAULT_MS);
    join();
    await sleep(FAULT_MS);
    if (deaths() === 0) throw new Error("the thread did not die");
    disk.delay(0);
  },
};

/** What `send` sends, and all else that waits by then, is in the one flush that takes so long. `occupy` writes. */
export async function flushOnce(
  { disk }: Pick<FileWorld, "disk">,
  milliseconds: number,
  send: () => void,
  occupy = (): void => {},
): Promise<void> {
  disk.delay(SLOW_FLUSH_MS);
  await sleep(GATHERING_MS);
  occupy();
  await disk.flushing();
  send();
  disk.delay(milliseconds);
  // The flush under way has the former delay, and the next one takes so long.
  await sleep(2 * SLOW_FLUSH_MS);
  disk.delay(0);
  await sleep(milliseconds);
}

function calm(): Promise<unknown> {
  return sleep(CALM_MS.least + Math.random() * (CALM_MS.most - CALM_MS.least));
}
