// Measures durable refreshes on PostgreSQL beside single-row updates by pgbench, in turns on one server.
//
//   npm run build && node bench/postgres.mjs [NAME=CLI …]
//
// Both have 64 connections. The service has one processor and its load another; PostgreSQL and pgbench have both. ROUNDS,
// COUNT (requests of a round), CONNECTIONS and GRANTS can be set. JSON=1 prints the result as JSON.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  BUILD,
  cpuUs,
  drive,
  folder,
  importSource,
  median,
  setting,
  startBuild,
} from "./contender.mjs";

/** Rounds before the first that counts: until then, the code is being compiled. */
const WARM_UP = 4;
const [ROUNDS, COUNT] = [setting("ROUNDS", 12), setting("COUNT", 4000)];
const [CONNECTIONS, GRANTS] = [setting("CONNECTIONS", 64), setting("GRANTS", 256)];
const UPDATE = `\\set aid random(1, 100000)
UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = :aid;`;

const { findPrograms } = await importSource("../packages/server/test/support/postgres-programs.ts");
const { startOwnServer } = await importSource("../packages/server/test/support/postgres-server.ts");
const programs = await findPrograms(["initdb", "postgres", "pgbench"]);
if (programs.missing) throw new Error(programs.missing);
const server = await startOwnServer(programs.folder);
try {
  const script = join(folder, "update.sql");
  writeFileSync(script, UPDATE);
  pgbench("--initialize", "--quiet");
  const builds = process.argv.slice(2);
  const contenders = [];
  for (const build of builds.length > 0 ? builds : [`build=${BUILD}`]) {
    const [name, cli] = build.split("=");
    const database = `${server.url}?options=-c%20search_path%3D${name}`;
    sql(`CREATE SCHEMA ${name}`);
    const options = { name, cli: resolve(cli), kind: "refresh", grants: GRANTS, database };
    contenders.push(await startBuild(options));
  }
  const updates = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const own = ["--client", String(CONNECTIONS), "--time", "1", "--file", script];
    const text = pgbench("--no-vacuum", "--protocol", "prepared", ...own);
    const tps = Number(/tps = ([\d.]+) \(without/.exec(text)?.[1]);
    for (const contender of contenders) await measure(contender, round >= WARM_UP);
    if (round >= WARM_UP) updates.push(tps);
  }
  report(contenders, updates);
} finally {
  await server.stop();
}
process.exit(0);

function pgbench(...args) {
  return execFileSync(join(programs.folder, "pgbench"), [...args, server.url], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function sql(statement) {
  execFileSync(join(programs.folder, "psql"), ["--command", statement, server.url], {
    stdio: "ignore",
  });
}

async function measure(contender, isCounted) {
  const before = cpuUs(contender.child.pid);
  const job = { kind: "refresh", count: COUNT, connections: CONNECTIONS };
  const { values, statuses, ms, latencies } = await drive(contender, job);
  const us = (cpuUs(contender.child.pid) - before) / COUNT;
  contender.values = values;
  if (statuses[200] !== COUNT) throw new Error(`${contender.name}: ${JSON.stringify(statuses)}`);
  if (!isCounted) return;
  const sorted = latencies.sort((a, b) => a - b);
  contender.us.push(us);
  contender.rates.push((COUNT / ms) * 1000);
  contender.p99.push(sorted[Math.floor(sorted.length * 0.99)]);
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
