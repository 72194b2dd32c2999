// Measures what a refresh, a redemption, userinfo or an introspection costs, beside a bare server with the same octets.
//
//   npm run build && node bench/tokens.mjs [KIND] [NAME=CLI …]
//
// KIND is refresh, code, code-es256 or code-rs256 (with an ID token), userinfo, introspect or jwks.
// Each CLI is a build of the service, on a SQLite file of its own; this build by default. The server has one processor
// and the load another. Rounds are short and interleaved, and each is compared with the one of the bare server beside
// it, because the speed of a shared machine changes from second to second. ROUNDS, COUNT (requests of a round),
// CONNECTIONS and GRANTS can be set; PROFILE is a folder for a CPU profile of the first build. With MIN_SHARE, the status
// is 1 if the bare server takes less than this share of what the first build takes. JSON=1 prints the result as JSON.

import { once } from "node:events";
import { resolve } from "node:path";
import { BUILD, cpuUs, drive, here, median, setting, start, startBuild } from "./contender.mjs";

/** Rounds before the first that counts: until then, the code of all is being compiled. */
const WARM_UP = 10;

const [kind = "refresh", ...builds] = process.argv.slice(2);
const isCode = kind.startsWith("code");
const [ROUNDS, COUNT] = [setting("ROUNDS", 60), setting("COUNT", 600)];
const [CONNECTIONS, GRANTS] = [setting("CONNECTIONS", 64), setting("GRANTS", 256)];

const contenders = [];
for (const build of builds.length > 0 ? builds : [`build=${BUILD}`]) {
  const [name, cli] = build.split("=");
  const profile = contenders.length === 0 ? process.env.PROFILE : undefined;
  const nodeArgs =
    profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${resolve(profile)}`];
  const grants = isCode ? (WARM_UP + ROUNDS + 1) * COUNT : GRANTS;
  contenders.push(await startBuild({ name, cli: resolve(cli), kind, grants, nodeArgs }));
}
const { octets } = await measure(contenders[0], false);
contenders.unshift(await startFloor(contenders[0], octets));
for (let round = 0; round < WARM_UP + ROUNDS; round++) {
  for (const contender of contenders) await measure(contender, round >= WARM_UP);
}
const all = results();
report(all);
await endFirst();
const isLow = all[1].share < Number(process.env.MIN_SHARE ?? 0);
if (isLow) console.error(`${kind}: the share is below ${process.env.MIN_SHARE}`);
process.exit(isLow ? 1 : 0);

/** With the headers that the service sends, and as many octets. */
async function startFloor(first, octets) {
  const url = `http://127.0.0.1:${first.port}/oauth/token`;
  const { headers } = await fetch(url, { method: "POST", body: "" });
  const own = ["connection", "date", "keep-alive", "content-length", "transfer-encoding"];
  const sent = [...headers].filter(([name]) => !own.includes(name));
  const args = [here("floor.mjs"), JSON.stringify([Object.fromEntries(sent), octets])];
  return { ...first, name: "bare server", ...(await start(args)) };
}

async function measure(contender, isCounted) {
  const all = contender.values;
  // Each code can be redeemed once.
  if (isCode) contender.values = all.slice(0, COUNT);
  const before = cpuUs(contender.child.pid);
  const job = { kind: isCode ? "code" : kind, count: COUNT, connections: CONNECTIONS };
  const result = await drive(contender, job);
  const us = (cpuUs(contender.child.pid) - before) / COUNT;
  contender.values = isCode ? all.slice(COUNT) : all;
  if (kind === "refresh" && contender.name !== "bare server") contender.values = result.values;
  const { 200: good = 0 } = result.statuses;
  if (good !== COUNT) throw new Error(`${contender.name}: ${JSON.stringify(result.statuses)}`);
  if (!isCounted) return result;
  const sorted = result.latencies.sort((a, b) => a - b);
  contender.us.push(us);
  contender.rates.push((COUNT / result.ms) * 1000);
  contender.p99.push(sorted[Math.floor(sorted.length * 0.99)]);
  return result;
}

/** Of each contender, medians of the rounds. `share` is the cost of the bare server over its own. */
function results() {
  const floor = contenders[0].us;
  return contenders.map(({ name, us, rates, p99 }) => ({
    name,
    us: median(us),
    share: median(us.map((cost, round) => floor[round] / cost)),
    perSecond: median(rates),
    p99Ms: median(p99),
  }));
}

function report(all) {
  if (process.env.JSON) {
    console.log(JSON.stringify({ kind, connections: CONNECTIONS, results: all }));
    return;
  }
  console.log(`${kind}, ${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${COUNT}`);
  for (const { name, us, share, perSecond, p99Ms } of all) {
    const cells = [
      `${us.toFixed(1)} us`,
      `${share.toFixed(3)} of the bare server`,
      `${perSecond.toFixed(0)} a second`,
      `p99 ${p99Ms.toFixed(1)} ms`,
    ];
    console.log([name.padEnd(12), ...cells.map((cell) => cell.padStart(26))].join(""));
  }
}

/** In order, so that it writes its profile. */
async function endFirst() {
  if (process.env.PROFILE === undefined) return;
  const { child } = contenders[1];
  child.kill("SIGTERM");
  await once(child, "exit");
}
