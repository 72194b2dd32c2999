// The stops in full: 20 of them at full load, and no request that fails.

import { expect, test } from "vitest";
import { CLIENTS, type StopLoad, stopLoad, told } from "../stop-load.ts";
import { heldSocket, ownSocket } from "../stop-service.ts";

const STOPS = Number(process.env.STOPS ?? 20);

function expectNothingLost(load: StopLoad): void {
  console.log(told(load));
  expect(load.failed).toEqual([]);
  expect(load.stops.map(({ status }) => status)).toEqual(Array.from({ length: STOPS }, () => 0));
  expect(load.answers).toBeGreaterThan(STOPS * CLIENTS);
  expect(load.alive).toBe(CLIENTS);
}

test(`clients that stay on their connections are all answered through ${STOPS} stops`, async () => {
  const load = await stopLoad({ stops: STOPS, keepAlive: true, start: ownSocket });
  expectNothingLost(load);
  expect(load.answeredLate).toBeGreaterThan(STOPS * (CLIENTS / 2));
});

test(`with a socket that another process holds ${STOPS} stops refuse no connection either`, async () => {
  const load = await stopLoad({ stops: STOPS, keepAlive: false, start: heldSocket });
  expectNothingLost(load);
  expect(load.refused).toBe(0);
});
