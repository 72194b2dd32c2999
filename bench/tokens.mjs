// Measures what a refresh, a redemption, userinfo or an introspection costs, beside a bare server with the same octets.
//
//   npm run build && node bench/tokens.mjs [KIND] [NAME=CLI …]
//
// KIND is refresh, code, code-es256 or code-rs256 (with an ID token), userinfo, introspect, jwks or page.
// Each CLI is a build of the service, on a SQLite file of its own; this build by default. The server has one processor
// and the load another. Rounds are short and interleaved, and each is compared with the one of the bare server beside
// it, because the speed of a shared machine changes from second to second. ROUNDS, COUNT (requests of a round),
// CONNECTIONS and GRANTS can be set; PROFILE is a folder for a CPU profile of the first build. With MIN_SHARE, the status
// is 1 if the bare server takes less than this share of what the first build takes. JSON=1 prints the result as JSON.

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
  startFloor,
} from "./contender.mjs";

/** Rounds before the first that counts: until then, the code of all is being compiled. */
const WARM_UP = 10;

const [kind = "refresh", ...builds] = process.argv.slice(2);
const isCode = kind.startsWith("code");
const [ROUNDS, COUNT] = [setting("ROUNDS", 60), setting("COUNT", 600)];
const GRANTS = setting("GRANTS", 256);

const contenders = [];
for (const build of builds.length > 0 ? builds : [`build=${BUILD}`]) {
  const [name, cli] = build.split("=");
  const profile = contenders.length === 0 ? process.env.PROFILE : undefined;
  const nodeArgs =
    profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${resolve(profile)}`];
  const grants = isCode ? (WARM_UP + ROUNDS + 1) * COUNT : GRANTS;
  contenders.push(await startBuild({ name, cli: resolve(cli), kind, grants, nodeArgs }));
}
const job = { kind, count: COUNT };
const { octets } = await measure(contenders[0], { ...job, isCounted: false });
contenders.unshift(await startFloor(contenders[0], octets));
for (let round = 0; round < WARM_UP + ROUNDS; round++) {
  const isCounted = round >= WARM_UP;
  for (const contender of inTurn(contenders, round)) {
    await measure(contender, { ...job, isCounted });
  }
}
const all = resultsOf(contenders);
if (process.env.JSON) {
  console.log(JSON.stringify({ kind, connections: CONNECTIONS, results: all }));
} else {
  console.log(`${kind}, ${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${COUNT}`);
  printTable(all);
}
// In order, so that it writes its profile.
if (process.env.PROFILE !== undefined) await end(contenders[1]);
const isLow = all[1].share < Number(process.env.MIN_SHARE ?? 0);
if (isLow) console.error(`${kind}: the share is below ${process.env.MIN_SHARE}`);
process.exit(isLow ? 1 : 0);
