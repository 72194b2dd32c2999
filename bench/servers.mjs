// Measures what a refresh costs this service and other authorization servers, beside a bare server.
//
//   npm run build && npm ci --prefix bench/others && node bench/servers.mjs
//
// Each has one processor and the load another; rounds take turns. The time of PostgreSQL itself is not counted. ROUNDS,
// COUNT (requests of a round) and CONNECTIONS can be set. JSON=1 prints the result as JSON.

import { join } from "node:path";
import {
  BUILD,
  CONNECTIONS,
  folder,
  inTurn,
  measure,
  printTable,
  resultsOf,
  setting,
  startBuild,
  startFloor,
  startOther,
} from "./contender.mjs";
import { startServer } from "./postgres-server.mjs";

/** Rounds before the first that counts: until then, the code of all is being compiled. */
const WARM_UP = 6;
const [ROUNDS, COUNT] = [setting("ROUNDS", 15), setting("COUNT", 1000)];
/** One for each connection. */
const grants = CONNECTIONS;
/** The memory adapter of better-auth searches all rows, and each refresh adds some. */
const FEW = 128;
const job = { kind: "refresh", count: COUNT };

const server = await startServer();
try {
  const own = { cli: BUILD, kind: "refresh", grants };
  const database = server.schema("bench");
  const contenders = [
    await startBuild({ ...own, name: "SQLite" }),
    await startBuild({ ...own, name: "PostgreSQL", database }),
  ];
  const { octets } = await measure(contenders[0], { ...job, isCounted: false });
  contenders.unshift(await startFloor(contenders[0], octets));
  const count = String(grants);
  contenders.push(
    await startOther("oidc-provider, memory", "oidc-provider", count),
    await startOther("oidc-provider, SQLite", "oidc-provider", count, join(folder, "other.db")),
    await startOther("node-oauth, memory", "node-oauth", count),
    { ...(await startOther("better-auth, memory", "better-auth", count)), count: FEW },
    await startOther("openauth, memory", "openauth", count),
  );
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const isCounted = round >= WARM_UP;
    for (const contender of inTurn(contenders, round)) {
      // Opens the connections, which some servers close sooner than others.
      await measure(contender, { ...job, count: CONNECTIONS, isCounted: false });
      await measure(contender, { ...job, count: contender.count ?? COUNT, isCounted });
    }
  }
  const all = resultsOf(contenders);
  if (process.env.JSON) {
    console.log(JSON.stringify({ kind: "refresh", connections: CONNECTIONS, results: all }));
  } else {
    console.log(`${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${COUNT}`);
    printTable(all);
  }
} finally {
  await server.stop();
}
process.exit(0);
