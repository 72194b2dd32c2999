// Runs what must also work where the processor is scarce: `npm run test:starved`.
//
// First the demo's walk, `serve` from an empty folder and ten commands, each with a tenth of one processor. Then a third
// of the unit and flow tests beside two busy loops a core, another third each day. `--quota` runs only the first part,
// `--busy` only the second, `--third 0` to `--third 2` another third, and `--all` all three.

import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runBusyPart } from "./starved/busy-part.mjs";
import { firstPart } from "./starved/first-part.mjs";
import { endMarked } from "./starved/marked.mjs";
import { summarize, THIRDS, thirdOfDay } from "./starved/plan.mjs";
import { closeWays, findWay } from "./starved/quota.mjs";

const { values } = parseArgs({
  options: {
    ...{ quota: { type: "boolean" }, busy: { type: "boolean" }, all: { type: "boolean" } },
    third: { type: "string" },
  },
});
const thirds = chosenThirds();
// Its path in the environment marks every process that is started from here on.
const scratch = mkdtempSync(join(tmpdir(), "domain-signin-starved-"));
process.env.TMPDIR = scratch;
let isStopping = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, async () => {
    isStopping = true;
    await cleanUp();
    process.exit(128 + constants.signals[signal]);
  });
}

const parts = [];
try {
  if (values.quota || !values.busy) parts.push(await runFirstPart());
  const isBusy = values.busy || !values.quota;
  if (isBusy && !isStopping) parts.push(await runBusyPart(thirds, scratch));
} finally {
  await cleanUp();
}
const { line, status } = summarize(parts);
process.exitCode = status;
console.log(line);

function chosenThirds() {
  const every = Array.from({ length: THIRDS }, (_, third) => third);
  if (values.all) return every;
  if (values.third === undefined) return [thirdOfDay(Date.now())];
  const third = Number(values.third);
  if (!every.includes(third)) throw new Error(`--third must be one of ${every.join(", ")}`);
  return [third];
}

async function runFirstPart() {
  const way = await findWay();
  const counts = { passed: 0, failed: 0 };
  if (way === null) {
    console.log("SKIPPED: nothing on this machine limits how much processor time a program gets");
    return { ...counts, isSkipped: process.env.CI !== "true" };
  }
  console.log(`a tenth of one processor, by ${way.name}`);
  await Promise.all(firstPart(way, scratch).map((steps) => runSteps(steps, counts)));
  return counts;
}

/** One after another. Prints and counts the result of each. */
async function runSteps(steps, counts) {
  for (const { title, run } of steps) {
    if (isStopping) return;
    const begun = performance.now();
    const problem = await run().then(
      () => null,
      (error) => error,
    );
    counts[problem === null ? "passed" : "failed"]++;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${problem === null ? "passed" : "FAILED"} ${seconds.padStart(6)} s  ${title}`);
    if (problem !== null) console.log(problem.stack);
  }
}

/** Also after a signal: leaves no process, no control group and no folder. */
async function cleanUp() {
  await closeWays();
  await endMarked(scratch);
  rmSync(scratch, { recursive: true, force: true });
}
