// A flood from a million networks: what the limits remember of them stays small, and of those who go on they forget nothing.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { networksOf } from "../../src/http/client-address.ts";
import { limitKeys, TooManyRequestsError } from "../../src/http/rate-limit.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { createFairRoom } from "../../src/lib/fair-room.ts";
import { ANYBODY, startLoad } from "../support/load/load.ts";
import { startServedWorld } from "../support/load/served-world.ts";

const NETWORKS = 1_000_000;
const PER_MINUTE = 5;
/** As many as there may be pages waiting. */
const ROOM = 4096;
/** What the limits may take together, whatever the number of networks. */
const MOST_MB = 120;
const REQUESTS = Number(process.env.ADDRESS_REQUESTS ?? 20_000);
/** Of the process, between a quarter of the requests and all. */
const MOST_MORE_MB = 80;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function usedMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** The /64 of this number. */
function networkOf(index: number): string {
  return `2001:db8:${(index >>> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`;
}

test("a million networks take no more memory than a hundred thousand, and who goes on stays limited", () => {
  const clock = clockFrom(
    () => 0,
    () => 0,
  );
  const keys = limitKeys(PER_MINUTE, clock);
  const room = createFairRoom({ capacity: ROOM, clock });
  function isLimited(clientAddress: string): boolean {
    room.enter({ ...networksOf(clientAddress), size: 1, evict() {} });
    try {
      keys.take(clientAddress);
      return false;
    } catch (error) {
      if (!(error instanceof TooManyRequestsError)) throw error;
      return true;
    }
  }

  const before = usedMb();
  const sizes: number[] = [];
  for (let index = 0; index < NETWORKS; index++) {
    isLimited(networkOf(index));
    if (index % 1000 === 0) expect(isLimited("192.0.2.1")).toBe(index >= 1000 * PER_MINUTE);
    if ((index + 1) % (NETWORKS / 5) === 0) sizes.push(usedMb() - before);
  }
  console.log(
    `heap in MB after each ${NETWORKS / 5} networks: ${sizes.map((mb) => mb.toFixed(0))}`,
  );
  expect(room.held()).toBe(ROOM);
  expect(Math.max(...sizes)).toBeLessThan(MOST_MB);
  // All are full after two fifths.
  const [, full = 0] = sizes;
  expect(sizes.at(-1)).toBeLessThan(full * 1.1 + 2);
});

test("requests from as many addresses as there are requests leave the memory of a service as it is", async () => {
  const world = await startServedWorld();
  const load = startLoad();
  try {
    const body = `grant_type=refresh_token&refresh_token=dsr_{random}&client_id=${world.publicId}`;
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const requests = [
      { path: "/sign-in", headers: ANYBODY },
      { method: "POST", path: "/oauth/token", headers: { ...ANYBODY, ...form }, body },
    ];
    const flood = (count: number) =>
      load.run({ port: world.port, requests, count, connections: 8, pipelined: 4 });
    await flood(REQUESTS / 4);
    const early = await world.usage();
    const { statuses } = await flood((REQUESTS * 3) / 4);
    const late = await world.usage();
    console.log(
      `${REQUESTS} addresses: RSS ${early.rssMb.toFixed(0)} MB after a quarter, ${late.rssMb.toFixed(0)} MB after all; ${JSON.stringify(statuses)}`,
    );
    // Nobody was taken for somebody else.
    expect(statuses[429]).toBeUndefined();
    expect(late.rssMb - early.rssMb).toBeLessThan(MOST_MORE_MB);
    expect(late.descriptors).toBeLessThanOrEqual(early.descriptors + 20);
  } finally {
    await load.close();
    await world.close();
  }
});
