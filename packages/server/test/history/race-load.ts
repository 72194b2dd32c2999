// Many clients race for each code and for each refresh token, on several nodes with one database.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonic, type Operation } from "./history.ts";
import { type Broken, type ServiceNode, startNode } from "./node-process.ts";
import { type Racers, startRacers } from "./racers.ts";
import { seed } from "./seed.ts";

export interface RaceOptions {
  readonly database: string;
  readonly nodes: number;
  readonly codes: number;
  /** Who race for each code. */
  readonly clients: number;
  /** Who race for each refresh token that a code became. */
  readonly refreshers: number;
  readonly broken?: Broken;
}

export interface RaceLoad {
  readonly operations: readonly Operation[];
  readonly redemptions: Race;
  readonly rotations: Race;
  /** The successors, each presented once. */
  readonly aliveAfterwards: number;
  /** Requests with a refresh token that was replaced or revoked; how many of them worked. */
  readonly ended: { readonly presented: number; readonly worked: number };
  /** Races that the machine held up for so long that a late use of a code was rightly a replay. */
  readonly heldUp: number;
  /** Answers that were neither a success nor a refusal. */
  readonly otherAnswers: number;
}

interface Race {
  /** How often how many different tokens came out of one, such as `1 -> 1000`. */
  readonly successors: ReadonlyMap<number, number>;
  /** How often how many of those who raced got an answer of success. */
  readonly winners: ReadonlyMap<number, number>;
  readonly requests: number;
  readonly seconds: number;
}

/** Races that are under way at a time: no code waits so long that its second use is a replay. */
const AT_ONCE = 4;
/** Milliseconds that a race may last: less than the windows of the service, which are 30 seconds long. */
const SHORTEST_WINDOW = 29_000;

export async function raceLoad(options: RaceOptions): Promise<RaceLoad> {
  const { database, codes, clients, refreshers, broken } = options;
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-race-"));
  const nodes: ServiceNode[] = [];
  let racers: Racers | undefined;
  try {
    const { clientId, grants } = await seed(database, codes);
    for (let index = 1; index <= options.nodes; index++) {
      nodes.push(await startNode({ name: `node ${index}`, database, folder, broken }));
    }
    racers = startRacers(clientId);
    return await run(racers, nodes, { grants, clients, refreshers });
  } finally {
    racers?.close();
    await Promise.all(nodes.map((node) => node.end("SIGTERM")));
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(
  { race }: Racers,
  nodes: readonly ServiceNode[],
  load: {
    grants: readonly { name: string; code: string }[];
    clients: number;
    refreshers: number;
  },
): Promise<RaceLoad> {
  const operations: Operation[] = [];
  const request = (verb: Operation["verb"], grant: string, input: string, index: number) => {
    const to = nodes[index % nodes.length];
    if (to === undefined) throw new Error("a race needs a node");
    return { verb, grant, input, to };
  };
  /** `count` at once, on all nodes in turn. */
  const crowd = async (verb: Operation["verb"], grant: string, input: string, count: number) => {
    const all = Array.from({ length: count }, (_, index) => request(verb, grant, input, index));
    const done = await race(all);
    operations.push(...done);
    return done;
  };

  let began = monotonic();
  const allRedeemed = await inTurn(load.grants, ({ name, code }) =>
    crowd("redeem", name, code, load.clients),
  );
  const redeemed = allRedeemed.filter(wasInTime);
  const redemptions = raceOf(redeemed, monotonic() - began);

  began = monotonic();
  const rotated = await inTurn(successorsOf(redeemed), ({ grant, successor }) =>
    crowd("rotate", grant, successor, load.refreshers),
  );
  const rotations = raceOf(rotated, monotonic() - began);

  const afterwards = await inTurn(successorsOf(rotated), async ({ grant, successor }, index) => {
    const all = [request("rotate", grant, successor, index)];
    const done = await race(all);
    operations.push(...done);
    return done;
  });

  // Half of the grants are ended by a replay of what their codes became, half by a revocation.
  const first = new Map(successorsOf(redeemed).map(({ grant, successor }) => [grant, successor]));
  const late = await inTurn(successorsOf(afterwards), async ({ grant, successor }, index) => {
    const isReplay = index % 2 === 0;
    const old = first.get(grant) ?? "";
    const replayed = isReplay ? await crowd("rotate", grant, old, nodes.length) : [];
    if (!isReplay) operations.push(...(await race([request("revoke", grant, successor, index)])));
    return [...replayed, ...(await crowd("rotate", grant, successor, nodes.length))];
  });

  const presented = late.flat();
  return {
    ...{ operations, redemptions, rotations },
    heldUp: allRedeemed.length - redeemed.length,
    aliveAfterwards: afterwards.flat().filter(({ outcome }) => outcome === "ok").length,
    ended: {
      presented: presented.length,
      worked: presented.filter(({ outcome }) => outcome === "ok").length,
    },
    otherAnswers: operations.filter(({ outcome }) => outcome === "unknown").length,
  };
}

/** What happened as one line of figures. */
export function told({ redemptions, rotations, ...load }: RaceLoad): string {
  const race = ({ successors, winners, requests, seconds }: Race) =>
    `${requests} requests in ${seconds.toFixed(1)} s, successes each: ${counted(winners)}, ` +
    `successors each: ${counted(successors)}`;
  return [
    `codes: ${race(redemptions)}`,
    `refresh tokens: ${race(rotations)}`,
    `successors that worked afterwards: ${load.aliveAfterwards}`,
    `of ${load.ended.presented} uses of what was ended ${load.ended.worked} worked`,
    `answers that were neither success nor refusal: ${load.otherAnswers}`,
    `races held up: ${load.heldUp}`,
  ].join("\n");
}

/** A task for each item, a few at a time, the results in the order of the items. */
async function inTurn<T, R>(
  items: readonly T[],
  task: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) results[index] = await task(item, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

/** A disk that stalls can hold a request back until its code counts as used a second time. */
function wasInTime(race: readonly Operation[]): boolean {
  const began = Math.min(...race.map(({ started }) => started));
  return Math.max(...race.map(({ ended }) => ended)) - began < SHORTEST_WINDOW;
}

/** Of each race the refresh token that came out; the first one, should there be several. */
function successorsOf(races: readonly (readonly Operation[])[]) {
  return races.flatMap((operations) => {
    const won = operations.find(({ successor }) => successor !== undefined);
    return won?.successor === undefined ? [] : [{ grant: won.grant, successor: won.successor }];
  });
}

function raceOf(races: readonly (readonly Operation[])[], milliseconds: number): Race {
  const successors = new Map<number, number>();
  const winners = new Map<number, number>();
  const count = (into: Map<number, number>, key: number) => into.set(key, (into.get(key) ?? 0) + 1);
  for (const operations of races) {
    const won = operations.filter(({ outcome }) => outcome === "ok");
    count(winners, won.length);
    count(successors, new Set(won.map(({ successor }) => successor)).size);
  }
  return { successors, winners, requests: races.flat().length, seconds: milliseconds / 1000 };
}

function counted(counts: ReadonlyMap<number, number>): string {
  return [...counts].map(([value, times]) => `${value} (${times} times)`).join(", ");
}
