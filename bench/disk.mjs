// Measures refreshes on a slow disk, and how long another endpoint takes meanwhile.
//
//   npm run build && npm ci --prefix bench/others && node bench/disk.mjs
//
// A library that is loaded before the C library delays each fsync by 1 or 10 ms (Linux, with a C compiler). A single
// connection shows what a commit for each request would cost, because nothing can share its commit. ROUNDS can be set.
// JSON=1 prints the result as JSON.

import { join } from "node:path";
import {
  BUILD,
  createDriver,
  folder,
  measure,
  median,
  setting,
  startBuild,
  startOther,
} from "./contender.mjs";
import { slowDisk } from "./slow-disk.mjs";

const ROUNDS = setting("ROUNDS", 5);

const fast = await start(0, () =>
  startBuild({ name: "fast", cli: BUILD, kind: "refresh", grants: 64 }),
);
const slow = await start(1000, () =>
  startBuild({ name: "slow", cli: BUILD, kind: "refresh", grants: 64 }),
);
const other = await start(1000, () =>
  startOther("oidc-provider, SQLite", "oidc-provider", "64", join(folder, "other.db")),
);
const slower = await start(10_000, () =>
  startBuild({ name: "slower", cli: BUILD, kind: "refresh", grants: 64 }),
);

const result = {
  perSecond: {
    grouped: await rate(slow, 2000, 64),
    one: await rate(slow, 200, 1),
    oidcProvider: await rate(other, 400, 64),
    tenMs: await rate(slower, 1000, 64),
  },
  jwksP99Ms: { none: await jwksBeside(fast, 4000), tenMs: await jwksBeside(slower, 1000) },
};
if (process.env.JSON) console.log(JSON.stringify(result));
else print(result);
process.exit(0);

async function start(delayUs, begin) {
  Object.assign(process.env, slowDisk(delayUs));
  const started = await begin();
  delete process.env.LD_PRELOAD;
  return started;
}

/** Refreshes a second: the median of the rounds. */
async function rate(contender, count, connections) {
  const own = { ...contender, rates: [] };
  for (let round = 0; round < ROUNDS; round++) {
    await measure(own, { kind: "refresh", count, connections, isCounted: true });
  }
  contender.values = own.values;
  return median(own.rates);
}

/** The median of the rounds' p99 of the key set, while 64 connections refresh. */
async function jwksBeside(contender, count) {
  const drive = createDriver();
  const p99 = [];
  for (let round = 0; round < ROUNDS; round++) {
    let isOver = false;
    const refreshes = measure(contender, { kind: "refresh", count, isCounted: false }).then(() => {
      isOver = true;
    });
    const latencies = [];
    while (!isOver) {
      const result = await drive(contender, { kind: "jwks", count: 20, connections: 1 });
      latencies.push(...result.latencies);
    }
    await refreshes;
    p99.push(latencies.sort((a, b) => a - b)[Math.floor(latencies.length * 0.99)]);
  }
  return median(p99);
}

function print({ perSecond, jwksP99Ms }) {
  const { grouped, one, oidcProvider, tenMs } = perSecond;
  console.log(`each fsync 1 ms later: ${grouped.toFixed(0)} refreshes a second of 64 connections`);
  console.log(
    `  ${(grouped / one).toFixed(1)} times as many as with a commit for each (${one.toFixed(0)})`,
  );
  console.log(
    `  ${(grouped / oidcProvider).toFixed(1)} times as many as oidc-provider (${oidcProvider.toFixed(0)})`,
  );
  console.log(`each fsync 10 ms later: ${tenMs.toFixed(0)} refreshes a second`);
  console.log(
    `key set beside refreshes, p99: ${jwksP99Ms.none.toFixed(1)} ms, at 10 ms ${jwksP99Ms.tenMs.toFixed(1)} ms (${(jwksP99Ms.tenMs / jwksP99Ms.none).toFixed(2)})`,
  );
}
