// Measures what happens to refreshes that come faster than the service can answer them, in an open loop.
//
//   npm run build && node bench/overload.mjs [LOAD …]
//
// Requests come at a fixed rate, whatever is answered. Each LOAD is a multiple of the capacity, which is measured first;
// 0.2 to 3 by default. Goodput is how many succeed within the time. Processes that only count share the processor of
// the server (HOGS of them), because one other processor cannot send three times as many requests as one can answer.
// SECONDS, MAX_CONNECTIONS and PATIENCE_MS (after which a request without a connection is given up) can be set.
// FLOOR=1 measures the bare server instead. JSON=1 prints the results as JSON.

import { spawn } from "node:child_process";
import {
  BUILD,
  CORES,
  createDriver,
  measure,
  residentMb,
  resultsOf,
  setting,
  startBuild,
  startFloor,
} from "./contender.mjs";

const [SECONDS, HOGS] = [Math.min(60, setting("SECONDS", 10)), Math.min(8, setting("HOGS", 2))];
const [maxConnections, patienceMs] = [
  setting("MAX_CONNECTIONS", 1000),
  setting("PATIENCE_MS", 5000),
];
const given = process.argv.slice(2).map(Number);
const loads = given.length > 0 ? given : [0.2, 0.5, 0.8, 1, 1.5, 2, 3];

const hogs = Array.from({ length: HOGS }, () =>
  spawn("taskset", ["-c", CORES.server, process.execPath, "-e", "for (;;);"]),
);
process.on("exit", () => {
  for (const hog of hogs) hog.kill("SIGKILL");
});

const grants = 2 * maxConnections;
const build = await startBuild({ name: "build", cli: BUILD, kind: "refresh", grants });
const job = { kind: "refresh", count: 3000 };
const { octets } = await measure(build, { ...job, isCounted: false });
const server = process.env.FLOOR === "1" ? await startFloor(build, octets) : build;
for (let round = 0; round < 9; round++) {
  await measure(server, { ...job, isCounted: round > 3 });
}
const [{ perSecond: capacity }] = resultsOf([server]);

const drive = createDriver("open-loop.mjs");
const results = [];
for (const load of loads) results.push({ load, ...(await measureLoad(load)) });
if (process.env.JSON) console.log(JSON.stringify({ capacity, maxConnections, results }));
else print();
process.exit(0);

async function measureLoad(load) {
  const limits = { maxConnections, patienceMs };
  const job = { perSecond: load * capacity, seconds: SECONDS, ...limits };
  const outcome = await drive(server, job);
  server.values = outcome.values;
  const { statuses, admitted, refused, unsent, inTime } = outcome;
  return {
    goodput: inTime / SECONDS / capacity,
    admittedMs: { p50: at(admitted, 0.5), p99: at(admitted, 0.99) },
    refused: refused.length,
    refusedMs: { p50: at(refused, 0.5), p99: at(refused, 0.99) },
    unsent,
    failed: statuses.failed ?? 0,
    residentMb: residentMb(server),
  };
}

function print() {
  console.log(`capacity ${capacity.toFixed(0)} a second; at most ${maxConnections} connections`);
  for (const one of results) {
    const cells = [
      `${one.load} x`,
      `goodput ${one.goodput.toFixed(2)}`,
      `p50 ${one.admittedMs.p50.toFixed(0)} ms`,
      `p99 ${one.admittedMs.p99.toFixed(0)} ms`,
      `${one.refused} refused, p99 ${one.refusedMs.p99.toFixed(0)} ms`,
      `${one.unsent} unsent`,
      `${one.failed} failed`,
      `${one.residentMb.toFixed(0)} MB`,
    ];
    console.log(cells.join(", "));
  }
}

/** 0 without latencies. */
function at(latencies, share) {
  const sorted = [...latencies].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}
