// `npm run check`: lints what has changed, compiles, and runs the unit tests that are related to the change.
//
// `--all` lints everything and runs all unit tests. What has changed is what is not committed, and what is committed
// but not on the upstream branch.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { inTurn, step } from "./steps.mjs";

/** A change of one of these can break any test. */
const EVERYWHERE = /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig.*\.json|biome\.jsonc)$/;
/** Files that sources read, and the sources that read them. */
const READERS = [
  [/^packages\/server\/messages\//, "packages/server/src/pages/messages.ts"],
  [/^packages\/server\/assets\//, "packages/server/src/pages/assets.ts"],
];

const git = (...args) =>
  execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);

function changedFiles() {
  let base = "HEAD";
  try {
    [base = "HEAD"] = git("merge-base", "HEAD", "@{upstream}");
  } catch {
    // The branch has no upstream branch.
  }
  const changed = git("diff", "--name-only", base);
  const added = git("ls-files", "--others", "--exclude-standard");
  return [...new Set([...changed, ...added])].filter((path) => existsSync(path));
}

/** The sources and tests whose related tests have to run. */
function testedFiles(changed) {
  const readers = READERS.flatMap(([pattern, reader]) =>
    changed.some((path) => pattern.test(path)) ? [reader] : [],
  );
  return [...changed.filter((path) => /\.(ts|mjs)$/.test(path)), ...readers];
}

const changed = changedFiles();
const isWhole = process.argv.includes("--all") || changed.some((path) => EVERYWHERE.test(path));
const tested = testedFiles(changed);
const lint = ["biome", "check", "--error-on-warnings", "--no-errors-on-unmatched"];
const unit = ["--project", "unit"];

if (!isWhole && changed.length === 0)
  console.error("Nothing has changed; --all checks everything.");
const tests = isWhole
  ? ["vitest", "run", ...unit]
  : ["vitest", "related", "--run", "--passWithNoTests", ...unit, ...tested];
const steps = [
  inTurn(
    () => step("messages", ["node", "packages/server/scripts/check-messages.mjs"]),
    () => step("types", ["tsc", "-b"]),
  ),
];
if (isWhole || changed.length > 0)
  steps.push(step("lint", [...lint, ...(isWhole ? ["."] : changed)]));
if (isWhole || tested.length > 0) steps.push(step("tests", tests, { isLoud: true }));
const results = await Promise.all(steps);
process.exitCode = results.every(Boolean) ? 0 : 1;
