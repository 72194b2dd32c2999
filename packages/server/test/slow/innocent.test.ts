// The table of floods and innocents: while a limit is reached, and far beyond it, nobody innocent is refused.

import { appendFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { coveringArray, pairsOf } from "../support/innocent/covering-array.ts";
import {
  FLOODS,
  type FloodResult,
  SOURCES,
  sourceOf,
  startFlooding,
} from "../support/innocent/floods.ts";
import { type ServiceProcess, startWorld } from "../support/innocent/innocent-world.ts";
import { INNOCENTS, type Scene } from "../support/innocent/innocents.ts";

/** Of the cells, one of so many is tried. */
const PART = Number(process.env.INNOCENT_PART ?? 1);
/** Times the limit of the flood. */
const LEVELS = ["1", "2", "10"] as const;
/** Of its requests at one time. */
const IN_FLIGHT = { "1": 32, "2": 128, "10": 1000 } as const;
/** Half of a processor sends no more in this time. */
const BURST = { most: 3000, ms: 1000 };
/** Whoever is not done by then is taken for refused. */
const PATIENCE_MS = 20_000;

interface Told {
  readonly flood: string;
  readonly innocent: string;
  readonly text: string;
}

const named = <T extends { readonly name: string }>(all: readonly T[], name: string): T => {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};

const candidates = FLOODS.flatMap(({ name: flood, aims }) =>
  INNOCENTS.map(({ name: innocent }) =>
    LEVELS.flatMap((level) =>
      SOURCES.flatMap((source) => aims.map((aim) => ({ flood, innocent, level, source, aim }))),
    ),
  ),
);
const allCells = coveringArray(candidates, candidates.flat());
/** Each flood and each innocent is in each part. */
const cells = allCells.filter(({ flood, innocent }) => {
  const row = FLOODS.findIndex(({ name }) => name === flood);
  const column = INNOCENTS.findIndex(({ name }) => name === innocent);
  const turn = (column - row + FLOODS.length * INNOCENTS.length) % INNOCENTS.length;
  return PART === 1 || turn === 0 || (turn === 3 && row % 3 === 0);
});

type Cell = (typeof cells)[number];

const world = fixture(startWorld);
const flooding = fixture(async () => startFlooding());
const table: Told[] = [];
let rounds = 0;

function sceneAt(address: string | null, retries: number): Scene {
  rounds++;
  const own = `150.${rounds >> 8}.${rounds & 255}.7`;
  return { world, round: rounds, address: address ?? own, retries };
}

/** Milliseconds that it takes. */
async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const seconds = PATIENCE_MS / 1000;
    timer = setTimeout(() => reject(new Error(`not done after ${seconds} s`)), PATIENCE_MS);
  });
  try {
    await Promise.race([act(), late]);
    return performance.now() - began;
  } finally {
    clearTimeout(timer);
  }
}

function summaryOf({ statuses, sent, held, cpuShare }: FloodResult): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return `${sent} sent, ${held} held, ${counts.join(", ")}, ${cpuShare.toFixed(2)} of a processor`;
}

function expectReal({ statuses, answered, held, cpuShare }: FloodResult, level: string): void {
  expect(answered).toBeGreaterThanOrEqual(50);
  expect(cpuShare).toBeLessThan(0.7);
  const refused = (statuses[429] ?? 0) + (statuses[503] ?? 0);
  if (level === "10") expect(refused + held).toBeGreaterThan(0);
}

test("every two values of the factors meet that can meet, in at most 120 cells", () => {
  expect(allCells.length).toBeLessThanOrEqual(120);
  const met = new Set(allCells.flatMap(pairsOf));
  const missing = candidates
    .flat()
    .flatMap(pairsOf)
    .filter((pair) => !met.has(pair));
  expect([...new Set(missing)]).toEqual([]);
  for (const { name } of FLOODS) expect(cells.some(({ flood }) => flood === name)).toBe(true);
  for (const { name } of INNOCENTS) {
    expect(cells.some(({ innocent }) => innocent === name)).toBe(true);
  }
});

/** The last line of each limit that was reached. */
function limitLines(log: readonly string[]): Iterable<string> {
  const last = new Map<string, string>();
  for (const line of log) {
    if (!line.includes('"limit reached"')) continue;
    last.set((JSON.parse(line) as { budget: string }).budget, line);
  }
  return last.values();
}

const titleOf = ({ innocent, level, source, aim }: Cell) =>
  `${innocent}: ${level} times its limit, from ${source}, at ${aim}`;

/** What the innocent of the cell will do, and the flood beside it. */
async function prepared(cell: Cell) {
  const innocent = named(INNOCENTS, cell.innocent);
  const first = sceneAt(null, cell.source === "as many networks as places" ? 1 : 0);
  const own = first.address;
  const source = sourceOf(cell.source, cells.indexOf(cell), { world, own });
  const address = innocent.isBesideFlood ? (source.addresses[0] ?? own) : own;
  const scene = { ...first, address };
  const target = { world, aim: cell.aim, domain: innocent.domain(scene), ...source };
  const requests = await named(FLOODS, cell.flood).requests(target);
  return { act: await innocent.prepare(scene), requests, ...source };
}

describe.each(FLOODS.map((flood) => [flood.name, flood] as const))("beside %s", (_, flood) => {
  const own = cells.filter((cell) => cell.flood === flood.name);
  const calm = new Map<string, number>();
  const ready = new Map<Cell, Awaited<ReturnType<typeof prepared>>>();
  let service: ServiceProcess | undefined;
  beforeAll(async () => {
    service = await world.start();
    // The first is a warm-up.
    for (const name of ["a newcomer", ...own.map(({ innocent }) => innocent)]) {
      const act = await named(INNOCENTS, name).prepare(sceneAt(null, 0));
      calm.set(name, await timed(act));
    }
    for (const cell of own) ready.set(cell, await prepared(cell));
  }, 300_000);
  afterAll(() => {
    for (const line of limitLines(service?.log() ?? [])) console.log(`its log: ${line}`);
    return service?.close();
  });

  test.each(own.map((cell) => [titleOf(cell), cell] as const))("%s", async (_, cell) => {
    const { innocent: name, level, source, aim } = cell;
    const { act, ...from } = ready.get(cell) ?? (await prepared(cell));
    const perMinute = flood.perMinute * Number(level);
    await flooding.begin({
      ...{ ...from, port: world.port },
      ...{ inFlight: IN_FLIGHT[level], perMinute },
      ...{ burst: Math.min(perMinute, BURST.most), burstMs: BURST.ms },
    });
    const outcome = await timed(act).then(
      (ms) => ({ ms, problem: null }),
      (error: Error) => ({ ms: 0, problem: error.message }),
    );
    const result = await flooding.end();
    const times = (outcome.ms / (calm.get(name) ?? 1)).toFixed(1);
    const what = `${level} x, ${source}, at ${aim}`;
    const text = `${outcome.problem === null ? times : "**refused**"} (${what})`;
    table.push({ flood: flood.name, innocent: name, text });
    const said = outcome.problem ?? `${times} times calm, ${outcome.ms.toFixed(0)} ms`;
    console.log(`${flood.name} / ${name} / ${what}: ${said}; ${summaryOf(result)}`);
    expect(outcome.problem).toBeNull();
    expectReal(result, level);
  });
});

afterAll(() => {
  const head = ["", ...INNOCENTS.map(({ name }) => name)];
  const rows = FLOODS.map(({ name: flood }) => {
    const told = INNOCENTS.map(({ name }) =>
      table.filter((one) => one.flood === flood && one.innocent === name),
    );
    return [flood, ...told.map((all) => all.map(({ text }) => text).join("; "))];
  });
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  const text = `Times calm, while strangers flood:\n\n${lines.join("\n")}\n`;
  const file = process.env.INNOCENT_TABLE;
  if (file === undefined) console.log(text);
  else appendFileSync(file, text);
});
