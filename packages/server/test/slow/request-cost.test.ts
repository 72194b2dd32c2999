// What each request of a stranger costs, and its refusal: processor time, beside that of the least that a server does.

import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { least, startBareServer } from "../support/load/bare.ts";
import { from, startLoad } from "../support/load/load.ts";
import { startServedWorld } from "../support/load/served-world.ts";
import { type StrangerRequest, strangerRequests } from "../support/load/stranger-requests.ts";
import { authorizationUrl } from "../support/sign-in.ts";

/** Requests in one measurement. */
const REQUESTS = 300;
const ROUNDS = Number(process.env.COST_ROUNDS ?? 3);
/** So many at once that the system wakes a process for several of them. */
const AT_ONCE = { connections: 4, pipelined: 5 };
/** Until the code of a process is compiled for speed. */
const WARM_UP = 6000;
/** Of the page that it refuses. */
const MOST_OF_PAGE = 0.3;
/**
 * Of the bare server. Some pages cost little more than that, so that no response could cost 0.3 of them. All refusals
 * do the same, so the cheapest is the best measurement; the others show that no work is done before them.
 */
const MOST_OF_BARE = { cheapest: 2, each: 3 };
/** More than any limit lets through in a minute. */
const UNTIL_LIMITED = 20_000;
const REPORT = fileURLToPath(new URL("../../../../test-results/", import.meta.url));

const world = fixture(() => startServedWorld());
const load = fixture(async () => startLoad());
const bare = fixture(() => startBareServer(load, AT_ONCE));

/** Microseconds of processor time that a request takes. */
async function costOf(request: StrangerRequest, statuses: readonly number[]): Promise<number> {
  const before = await world.usage();
  const { statuses: answered } = await load.run({
    port: world.port,
    requests: [request],
    count: REQUESTS,
    ...AT_ONCE,
  });
  const after = await world.usage();
  // On a machine that is busy, a page may have to wait too long for its turn.
  const { 503: _, ...expected } = answered;
  const others = Object.keys(expected).filter((status) => !statuses.includes(Number(status)));
  expect(others, `${request.what}: ${JSON.stringify(answered)}`).toEqual([]);
  return ((after.cpuMs - before.cpuMs) * 1000) / REQUESTS;
}

let floods = 0;
/** An address whose requests of this kind are refused for the rest of its minute. */
async function limitedAddress(request: StrangerRequest): Promise<string> {
  const address = `198.51.100.${++floods}`;
  const headers = { ...request.headers, ...from(address) };
  const { statuses } = await load.run({
    port: world.port,
    requests: [{ ...request, headers }],
    count: UNTIL_LIMITED,
    ...AT_ONCE,
    until: 429,
  });
  expect(statuses[429], JSON.stringify(statuses)).toBeGreaterThan(0);
  return address;
}

interface Row {
  readonly what: string;
  readonly us: number;
  /** Times the bare server. */
  readonly ratio: number;
  readonly refusedUs: number | null;
  /** Of the request. */
  readonly refusedOf: number | null;
}

test("a refused request costs little more than the least that a server does", async () => {
  const requests = await strangerRequests(world);
  const costs = requests.map(() => ({ served: [] as number[], refused: [] as number[] }));
  const bares: number[] = [];
  await bare.cost(WARM_UP);
  // The first round is a warm-up. In turns, so that other load on the machine hits all kinds.
  for (let round = 0; round <= ROUNDS; round++) {
    const bareUs = await bare.cost(REQUESTS);
    if (round > 0) bares.push(bareUs);
    for (const [index, request] of requests.entries()) {
      const served = await costOf(request, request.statuses);
      if (round > 0) costs[index]?.served.push(served);
    }
    const limited = requests.filter(({ limit }) => limit === "refusals");
    const address = from(await limitedAddress(limited[0] as StrangerRequest));
    for (const request of limited) {
      const headers = { ...request.headers, ...address };
      const refused = await costOf({ ...request, headers }, [429]);
      if (round > 0) costs[requests.indexOf(request)]?.refused.push(refused);
    }
  }
  const bareUs = least(bares);
  const rows = requests.map(({ what, limit }, index): Row => {
    const us = least(costs[index]?.served ?? []);
    const refusedUs = limit !== "refusals" ? null : least(costs[index]?.refused ?? []);
    return { what, us, ratio: us / bareUs, refusedUs, refusedOf: refusedUs && refusedUs / us };
  });
  report(bareUs, rows);
  const refusals = rows.filter(({ refusedUs }) => refusedUs !== null);
  const cheapest = least(refusals.map(({ refusedUs }) => refusedUs ?? Number.NaN));
  expect(cheapest).toBeLessThanOrEqual(MOST_OF_BARE.cheapest * bareUs);
  for (const { what, us, refusedUs } of refusals) {
    const most = Math.max(MOST_OF_PAGE * us, MOST_OF_BARE.each * bareUs);
    expect(refusedUs, what).toBeLessThanOrEqual(most);
  }
}, 600_000);

test("to refuse a page costs at most 0.3 of the page, or three times the least that a server does", async () => {
  const small = await startServedWorld({ args: ["--limits-pages-waiting", "64"] });
  try {
    const path = authorizationUrl(small.at, small.client).slice(small.at.issuer.length);
    const requests = [{ path, headers: from("198.51.100.1") }];
    const run = async (count: number, connections: number) => {
      const before = await small.usage();
      const { statuses } = await load.run({ port: small.port, requests, count, connections });
      const us = ((await small.usage()).cpuMs - before.cpuMs) * 1000;
      return { us, served: statuses[200] ?? 0, refused: statuses[503] ?? 0 };
    };
    await run(WARM_UP, 4);
    const bareUs = await bare.cost(REQUESTS);
    const found: string[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const calm = await run(10 * REQUESTS, 4);
      expect(calm.refused).toBe(0);
      const pageUs = calm.us / calm.served;
      // More at once than can wait.
      const flood = await run(20 * REQUESTS, 1500);
      expect(flood.refused).toBeGreaterThan(REQUESTS);
      const refusedUs = (flood.us - flood.served * pageUs) / flood.refused;
      ratios.push(refusedUs / Math.max(MOST_OF_PAGE * pageUs, MOST_OF_BARE.each * bareUs));
      found.push(`page ${pageUs.toFixed(0)} us, refused ${refusedUs.toFixed(0)} us`);
    }
    console.log(`bare ${bareUs.toFixed(0)} us; ${found.join("; ")}`);
    expect(least(ratios)).toBeLessThanOrEqual(1);
  } finally {
    await small.close();
  }
}, 300_000);

function report(bareUs: number, rows: readonly Row[]): void {
  const cell = (value: number | null, digits = 0) => (value?.toFixed(digits) ?? "").padStart(10);
  const lines = rows.map(
    ({ what, us, ratio, refusedUs, refusedOf }) =>
      `${what.padEnd(32)}${cell(us)}${cell(ratio, 1)}${cell(refusedUs)}${cell(refusedOf, 2)}`,
  );
  const head = `${"request".padEnd(32)}${["µs", "times bare", "429 in µs", "429 of it"].map((text) => text.padStart(10)).join("")}`;
  console.log([`a bare node:http server: ${bareUs.toFixed(0)} µs`, head, ...lines].join("\n"));
  mkdirSync(REPORT, { recursive: true });
  writeFileSync(`${REPORT}request-cost.json`, JSON.stringify({ bareUs, rows }, null, 1));
}
