// Plants each fault of the table in a copy of the sources, by itself, and requires that the test which guards
// against it fails.
//
// `npm run test:faults` runs the whole table; `npm run test:faults -- cookie dns` runs the rows that hold one of
// these words in their file, guard or test. `--list` prints the rows and runs nothing. `--parts 6`
// divides the rows into six parts and runs one of them, another one each day. `--part 2` runs the second part instead.

import { constants } from "node:os";
import { parseArgs } from "node:util";
import { partOf } from "../../../../scripts/part.mjs";
import { FAULTS } from "./faults.mjs";
import { judgeClean, judgePlanted } from "./judge.mjs";
import { makeScratch, removeLeftovers } from "./scratch.mjs";

/** Copies of the sources in which tests run at the same time. Two would leave two cores idle: many tests wait. */
const LANES = 3;

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean" },
    parts: { type: "string", default: "1" },
    part: { type: "string" },
  },
});
const chosen = FAULTS.filter(
  (row) => words.length === 0 || words.some((word) => isAbout(row, word)),
);
const { part, parts } = partOf(values);
const rows = chosen.filter((_, index) => index % parts === part);

if (values.list) {
  for (const { file, guard, test } of rows) console.log(`${file}  ${guard}  (${test})`);
} else {
  process.exitCode = await run();
}

/** 0 if every planted fault was found. */
async function run() {
  removeLeftovers();
  const scratches = Array.from({ length: LANES }, makeScratch);
  const remove = () => Promise.allSettled(scratches.map((scratch) => scratch.remove()));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, async () => {
      await remove();
      process.exit(128 + constants.signals[signal]);
    });
  }
  const counts = { planted: 0, found: 0, skipped: 0 };
  const waiting = [...byTest(rows)];
  try {
    await Promise.all(scratches.map((scratch) => judgeInTurn(waiting, scratch, counts)));
  } finally {
    await remove();
  }
  const { planted, found, skipped } = counts;
  if (skipped > 0)
    console.log(`SKIPPED: ${skipped} faults, as what their tests need is missing here`);
  console.log(`${planted} planted, ${found} found`);
  const isWhole = skipped === 0 || process.env.CI !== "true";
  return planted > 0 && found === planted && isWhole ? 0 : 1;
}

/** Takes the rows of one test file after the other from those that wait, until none is left. */
async function judgeInTurn(waiting, scratch, counts) {
  for (let ofTest = waiting.shift(); ofTest !== undefined; ofTest = waiting.shift()) {
    const [{ test, only }] = ofTest;
    const clean = await scratch.runTest(test, { only });
    const trouble = judgeClean(clean);
    for (const row of ofTest) {
      const verdict = trouble ?? (await verdictOf(row, clean, scratch));
      if (verdict.kind === "skipped") counts.skipped++;
      else counts.planted++;
      if (verdict.kind === "found") counts.found++;
      print(row, verdict);
    }
  }
}

async function verdictOf(row, clean, scratch) {
  const { file, find, replace, test, only, title = only } = row;
  const isOff = title !== undefined && clean.skipped.some((name) => name.includes(title));
  if (isOff) return { kind: "skipped", detail: `this test is skipped here: ${title}` };
  const restore = scratch.plant(file, { find, replace });
  if (restore === null) return { kind: "broken", detail: "`find` does not occur exactly once" };
  try {
    return judgePlanted(await scratch.runTest(test, { only, title }), title);
  } finally {
    restore();
  }
}

function isAbout({ file, guard, test }, word) {
  return [file, guard, test].some((text) => text.toLowerCase().includes(word.toLowerCase()));
}

/** The rows of each test file together: that it passes without a fault is seen once. */
function byTest(all) {
  const groups = new Map();
  for (const row of all) {
    const key = `${row.test} ${row.only ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups.values();
}

function print({ file, guard, test }, { kind, detail, seconds }) {
  const time = seconds === undefined ? "" : `${seconds.toFixed(1)} s`;
  const where = file.replace("packages/server/src/", "");
  console.log(`${kind.padEnd(8)}${time.padStart(7)}  ${where.padEnd(36)}${guard}`);
  const isGood = kind === "found";
  console.log(`${" ".repeat(17)}${isGood ? "" : `${test}: `}${detail}`);
}
