// Measures how much dearer a refresh is with a million grants in a SQLite file than with ten thousand.
//
//   npm run build && node bench/grants.mjs
//
// The refreshes use ten thousand grants of either, at random places of the table. ROUNDS and COUNT (requests of a round)
// can be set. Filling the files takes about three minutes. JSON=1 prints the result as JSON.

import { BUILD, measure, printTable, resultsOf, setting, startBuild } from "./contender.mjs";

/** Rounds before the first that counts. */
const WARM_UP = 10;
const USED = 10_000;
const [ROUNDS, COUNT] = [setting("ROUNDS", 60), setting("COUNT", 1000)];

const contenders = [];
for (const grants of [USED, 1_000_000]) {
  const name = `${grants} grants`;
  contenders.push(await startBuild({ name, cli: BUILD, kind: "refresh", grants, used: USED }));
}
for (let round = 0; round < WARM_UP + ROUNDS; round++) {
  const isCounted = round >= WARM_UP;
  for (const contender of contenders) {
    await measure(contender, { kind: "refresh", count: COUNT, isCounted });
  }
}
const results = resultsOf(contenders);
if (process.env.JSON) console.log(JSON.stringify({ results }));
else printTable(results, results[0].name);
process.exit(0);
