// Measures what a refresh, a redemption, userinfo or an introspection costs, beside a bare server with the same octets.
//
//   npm run build && node bench/tokens.mjs [KIND] [NAME=CLI …]
//
// KIND is refresh, code, code-es256 or code-rs256 (with an ID token), userinfo, introspect, jwks or page.
// Each CLI is a build of the service, on a SQLite file of its own; this build by default. The server has one processor
// and the load another. Rounds are short and interleaved, and each is compared with the one of the bare server beside
// it, because the speed of a shared machine changes from second to second. A second bare server parses the form and
// serialises the JSON, where that is the work of the endpoint. Further rounds have a busy process on each processor.
// ROUNDS, BUSY_ROUNDS, COUNT (requests of a round), CONNECTIONS and GRANTS can be set; PROFILE is a folder for a CPU
// profile of the first build. With MIN_SHARE, the status is 1 if the bare server takes less than this share of what the
// first build takes. JSON=1 prints the result as JSON.

import { resolve } from "node:path";
import {
  BUILD,
  CONNECTIONS,
  end,
  inTurn,
  measure,
  printTable,
  resultsOf,
  setting,
  startBuild,
  startBusyProcesses,
  startFloor,
  startParsingFloor,
} from "./contender.mjs";

/** Rounds before the first that counts: until then, the code of all is being compiled. */
const WARM_UP = 10;

const [kind = "refresh", ...builds] = process.argv.slice(2);
const isCode = kind.startsWith("code");
const [ROUNDS, COUNT] = [setting("ROUNDS", 60), setting("COUNT", 600)];
const BUSY_ROUNDS = setting("BUSY_ROUNDS", 15);
const GRANTS = setting("GRANTS", 256);

const contenders = [];
for (const build of builds.length > 0 ? builds : [`build=${BUILD}`]) {
  const [name, cli] = build.split("=");
  const profile = contenders.length === 0 ? process.env.PROFILE : undefined;
  const nodeArgs =
    profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${resolve(profile)}`];
  const grants = isCode ? (WARM_UP + ROUNDS + BUSY_ROUNDS + 1) * COUNT : GRANTS;
  contenders.push(await startBuild({ name, cli: resolve(cli), kind, grants, nodeArgs }));
}
const job = { kind, count: COUNT };
const { octets, lastBody } = await measure(contenders[0], { ...job, isCounted: false });
const first = contenders[0];
const floors = [await startFloor(first, octets)];
if (!["jwks", "page"].includes(kind)) floors.push(await startParsingFloor(first, lastBody));
contenders.unshift(...floors);
await runRounds(WARM_UP, false);
const calm = await runRounds(ROUNDS, true);
let beside = null;
if (BUSY_ROUNDS > 0) {
  const stop = startBusyProcesses();
  beside = await runRounds(BUSY_ROUNDS, true);
  stop();
}
if (process.env.JSON) {
  console.log(JSON.stringify({ kind, connections: CONNECTIONS, results: calm, beside }));
} else {
  console.log(`${kind}, ${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${COUNT}`);
  printTable(calm);
  if (beside !== null) console.log("beside a busy process on each processor");
  if (beside !== null) printTable(beside);
}
// In order, so that it writes its profile.
if (process.env.PROFILE !== undefined) await end(contenders[floors.length]);
const isLow = calm[floors.length].share < Number(process.env.MIN_SHARE ?? 0);
if (isLow) console.error(`${kind}: the share is below ${process.env.MIN_SHARE}`);
process.exit(isLow ? 1 : 0);

async function runRounds(count, isCounted) {
  for (const contender of contenders) Object.assign(contender, { us: [], rates: [], p99: [] });
  for (let round = 0; round < count; round++) {
    for (const contender of inTurn(contenders, round))
      await measure(contender, { ...job, isCounted });
  }
  return isCounted ? resultsOf(contenders) : [];
}
