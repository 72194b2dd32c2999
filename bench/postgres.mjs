// Measures durable refreshes on PostgreSQL beside single-row updates by pgbench, in turns on one server.
//
//   npm run build && node bench/postgres.mjs [NAME=CLI …]
//
// Both have 64 connections. The service has one processor and its load another; PostgreSQL and pgbench have both. ROUNDS,
// COUNT (requests of a round), CONNECTIONS and GRANTS can be set. JSON=1 prints the result as JSON.

import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BUILD, CONNECTIONS, folder, measure, median, setting, startBuild } from "./contender.mjs";
import { startServer } from "./postgres-server.mjs";

/** Rounds before the first that counts: until then, the code is being compiled. */
const WARM_UP = 4;
const [ROUNDS, COUNT] = [setting("ROUNDS", 12), setting("COUNT", 4000)];
const GRANTS = setting("GRANTS", 256);
const UPDATE = `\\set aid random(1, 100000)
UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = :aid;`;

const server = await startServer();
try {
  const script = join(folder, "update.sql");
  writeFileSync(script, UPDATE);
  pgbench("--initialize", "--quiet");
  const builds = process.argv.slice(2);
  const contenders = [];
  for (const build of builds.length > 0 ? builds : [`build=${BUILD}`]) {
    const [name, cli] = build.split("=");
    const database = server.schema(name);
    const options = { name, cli: resolve(cli), kind: "refresh", grants: GRANTS, database };
    contenders.push(await startBuild(options));
  }
  const updates = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const own = ["--client", String(CONNECTIONS), "--time", "2", "--file", script];
    const text = pgbench("--no-vacuum", "--protocol", "prepared", ...own);
    const tps = Number(/tps = ([\d.]+) \(without/.exec(text)?.[1]);
    if (Number.isNaN(tps)) throw new Error(`pgbench: ${text}`);
    const isCounted = round >= WARM_UP;
    for (const contender of contenders) {
      await measure(contender, { kind: "refresh", count: COUNT, isCounted });
    }
    if (isCounted) updates.push(tps);
  }
  report(contenders, updates);
} finally {
  await server.stop();
}
process.exit(0);

function pgbench(...args) {
  return server.run("pgbench", [...args, server.url]);
}

/** `share` is the rate of refreshes over that of the updates in the same round. */
function report(contenders, updates) {
  const results = contenders.map(({ name, us, rates, p99 }) => ({
    name,
    us: median(us),
    share: median(rates.map((rate, round) => rate / updates[round])),
    perSecond: median(rates),
    p99Ms: median(p99),
  }));
  if (process.env.JSON) {
    console.log(JSON.stringify({ updates: median(updates), results }));
    return;
  }
  console.log(`pgbench: ${median(updates).toFixed(0)} single-row updates a second`);
  for (const { name, us, share, perSecond, p99Ms } of results) {
    console.log(
      `${name}: ${us.toFixed(0)} us of the service, ${perSecond.toFixed(0)} refreshes a second, ` +
        `${share.toFixed(2)} of pgbench, p99 ${p99Ms.toFixed(1)} ms`,
    );
  }
}
