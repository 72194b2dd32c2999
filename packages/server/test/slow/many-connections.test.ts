// Thousands of connections that are slow or idle, beside an app that refreshes: its time, memory, file descriptors.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { REQUEST_TIMEOUTS } from "../../src/http/listen.ts";
import { assets } from "../../src/pages/assets.ts";
import { fixture } from "../support/fixture.ts";
import { type Held, startHolder } from "../support/load/hold.ts";
import { at99, figures, type HonestApp, startHonestApp } from "../support/load/honest.ts";
import { startServedWorld } from "../support/load/served-world.ts";

/** Of each process, for other things. */
const OTHER_DESCRIPTORS = 500;
const WANTED = Number(process.env.CONNECTIONS ?? 10_000);
/** Times the calm p99, in the best round. What else the machine does is in both. */
const MOST = 6;
const ALWAYS_MS = 150;
const PHASE_MS = 3000;
/** Those of the service's own connections may vary by so many. */
const FEW = 20;
/** Much longer than the service waits for the rest of a request. */
const CLOSED_MS = 4 * (REQUEST_TIMEOUTS.requestMs + REQUEST_TIMEOUTS.checkIntervalMs);
const RELEASED_MS = 60_000;
/** For a connection and what is buffered for it. */
const MOST_KB_EACH = 100;
const MOST_MB_MORE = 150;

const world = fixture(startServedWorld);
let app: HonestApp;
beforeAll(async () => {
  app = await startHonestApp(world, 30);
  await app.refreshFor(2000);
});

function affordable(wanted: number): number {
  const limits = readFileSync("/proc/self/limits", "utf8");
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? 1024);
  const count = Math.min(wanted, limit - OTHER_DESCRIPTORS);
  if (count < wanted) {
    console.error(
      `ONLY ${count} OF ${wanted} CONNECTIONS: this machine allows ${limit} file descriptors.`,
    );
  }
  return count;
}

interface Kind {
  readonly what: string;
  /** Of `WANTED`, of each way of holding one. */
  readonly share: number;
  readonly ways: readonly Pick<Held, "first" | "piece" | "reads">[];
  /** Whether the service closes them within seconds. */
  readonly closes: boolean;
  readonly rounds: number;
}

const [asset = ""] = assets.keys();
const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10000\r\n";
const kinds: readonly Kind[] = [
  {
    what: "headers and bodies that never end",
    share: 0.2,
    ways: [
      { first: "GET / HTTP/1.1\r\nHost: a\r\n", piece: "X: a\r\n", reads: true },
      {
        first: `POST /oauth/token HTTP/1.1\r\nHost: a\r\n${form}\r\n`,
        ...{ piece: "x", reads: true },
      },
    ],
    ...{ closes: true, rounds: 2 },
  },
  {
    what: "responses that nobody reads",
    share: 0.1,
    ways: [
      {
        first: `GET ${asset} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(3),
        ...{ piece: null, reads: false },
      },
    ],
    // Twice: what was not given back after the first time would be added in the second.
    ...{ closes: false, rounds: 2 },
  },
  {
    what: "connections that are kept and not used",
    share: 1,
    ways: [{ first: "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n", piece: null, reads: true }],
    ...{ closes: false, rounds: 2 },
  },
];

/** Waits for what closes connections by itself, and for what runs after that. */
async function untilDescriptors(most: number, limitMs: number): Promise<number> {
  const end = performance.now() + limitMs;
  for (;;) {
    const { descriptors } = await world.usage();
    if (descriptors <= most || performance.now() > end) return descriptors;
    await sleep(200);
  }
}

test.each(kinds)("beside thousands of $what, refreshes take their usual time", async (kind) => {
  const { what, share, ways, closes, rounds } = kind;
  const count = affordable(Math.round(WANTED * share));
  const start = await world.usage();
  const ratios: number[] = [];
  const peaks: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const calm = await app.refreshFor(PHASE_MS);
    const holders = ways.map(startHolder);
    const opening = ways.map((way, index) =>
      holders[index]?.hold({ ...way, port: world.port, count, everyMs: 1000 }),
    );
    const opened = await Promise.all(opening);
    const beside = await app.refreshFor(PHASE_MS);
    const peak = await world.usage();
    if (closes) await untilDescriptors(start.descriptors + FEW, CLOSED_MS);
    const closed = await Promise.all(holders.map((holder) => holder.release()));
    const after = await untilDescriptors(start.descriptors + FEW, RELEASED_MS);
    await Promise.all(holders.map((holder) => holder.close()));
    ratios.push(at99(beside) < ALWAYS_MS ? 0 : at99(beside) / at99(calm));
    peaks.push(peak.rssMb);
    console.log(
      [
        `${what}: ${opened.join(" and ")}, of which the service closed ${closed.join(" and ")}`,
        `  calm: ${figures(calm)}`,
        `  beside them: ${figures(beside)}`,
        `  RSS ${start.rssMb.toFixed(0)} MB before, ${peak.rssMb.toFixed(0)} MB meanwhile`,
        `  descriptors ${start.descriptors} before, ${peak.descriptors} meanwhile, ${after} afterwards`,
      ].join("\n"),
    );
    expect(opened).toEqual(ways.map(() => count));
    if (closes) expect(closed).toEqual(opened);
    expect(after).toBeLessThanOrEqual(start.descriptors + FEW);
    const all = count * ways.length;
    expect(peak.rssMb - start.rssMb).toBeLessThan((all * MOST_KB_EACH) / 1024 + MOST_MB_MORE);
  }
  expect(Math.min(...ratios)).toBeLessThan(MOST);
  const [first = 0, last = first] = peaks;
  expect(last).toBeLessThan(first * 1.3 + 50);
});
