// The account walk with a million accounts, in virtual time: the real walk, control and store, with simulated DNS.
//
//   node bench/walk.mjs [accounts] [days]

import { importSource } from "./contender.mjs";

const { simulateWalk } = await importSource("../packages/server/test/support/walk-simulation.ts");

const [accounts = 1_000_000, days = 9] = process.argv.slice(2).map(Number);
const scenario = { accounts, days, silentPercent: 30, signedPercent: 10, walkEveryMs: 60_000 };
const began = process.cpuUsage().user;
await simulateWalk(scenario, (day, figures) => {
  const cpu = (process.cpuUsage().user - began) / 1e6;
  console.log(`day ${day}`, `(${Math.round(cpu)} s of processor time)`);
  for (const [name, value] of Object.entries(figures)) {
    console.log(" ", name.padEnd(24), Math.round(value * 1000) / 1000);
  }
});
process.exit();
