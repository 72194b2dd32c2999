// Measures what a process of the service costs besides its requests: its start, its first requests, and its memory.
//
//   npm run build && node bench/process.mjs [NAME=CLI …]
//
// The service refreshes tokens on a SQLite file. ROUNDS (starts), COUNT (requests of a step) and CONNECTIONS can be set.
// JSON=1 prints the result as JSON.

import { resolve } from "node:path";
import {
  BUILD,
  cpuUs,
  end,
  measure,
  median,
  residentMb,
  setting,
  startBuild,
  startFloor,
} from "./contender.mjs";

const [ROUNDS, COUNT] = [setting("ROUNDS", 5), setting("COUNT", 4000)];
/** Steps of `COUNT` requests until the cost of one is steady. */
const STEPS = 8;

const results = [];
for (const build of process.argv.length > 2 ? process.argv.slice(2) : [`build=${BUILD}`]) {
  const [name, cli] = build.split("=");
  results.push({ name, ...(await measureBuild(name, resolve(cli))) });
}
if (process.env.JSON) console.log(JSON.stringify(results));
else for (const result of results) print(result);
process.exit(0);

async function measureBuild(name, cli) {
  const starts = [];
  const floors = [];
  const ratios = [];
  const bareRatios = [];
  const idle = [];
  const loaded = [];
  for (let round = 0; round < ROUNDS; round++) {
    const options = { name: `${name}-${round}`, cli, kind: "refresh", grants: 256 };
    const service = await startBuild({ ...options, redeems: false });
    await answers(service);
    starts.push(cpuUs(service.child.pid) / 1000);
    const floor = await startFloor(service, 400);
    await answers(floor);
    floors.push(cpuUs(floor.child.pid) / 1000);
    bareRatios.push(await firstToSteady(floor));
    await end(floor);
    await end(service);
    const other = await startBuild({ ...options, name: `${name}-${round}-load` });
    // The codes have been redeemed, which is work too: a fresh process takes the refreshes.
    const fresh = await other.restart();
    await answers(fresh);
    idle.push(residentMb(fresh));
    ratios.push(await firstToSteady(fresh));
    loaded.push(residentMb(fresh));
    await end(fresh);
  }
  return {
    startMs: median(starts),
    bareStartMs: median(floors),
    firstToSteady: median(ratios),
    bareFirstToSteady: median(bareRatios),
    idleMb: median(idle),
    loadedMb: median(loaded),
  };
}

/** What the first requests of a process cost, of what they cost once its code is compiled. */
async function firstToSteady(server) {
  const costs = [];
  for (let step = 0; step < STEPS; step++) {
    await measure(server, { kind: "refresh", count: COUNT, isCounted: true });
    costs.push(server.us.at(-1));
  }
  return costs[0] / median(costs.slice(-3));
}

/** Until it does, it is not started. */
async function answers({ port }) {
  const response = await fetch(`http://127.0.0.1:${port}/livez`);
  await response.arrayBuffer();
}

function print(result) {
  const { name, startMs, bareStartMs, firstToSteady, bareFirstToSteady, idleMb, loadedMb } = result;
  const ratio = startMs / bareStartMs;
  console.log(`${name}: start to first answer ${startMs.toFixed(0)} ms of processor time,`);
  console.log(`  ${ratio.toFixed(2)} times that of the bare server (${bareStartMs.toFixed(0)} ms)`);
  console.log(`  first ${COUNT} requests ${firstToSteady.toFixed(2)} times the steady cost;`);
  console.log(`  those of the bare server ${bareFirstToSteady.toFixed(2)} times its own`);
  console.log(`  memory ${idleMb.toFixed(0)} MB idle, ${loadedMb.toFixed(0)} MB under load`);
}
