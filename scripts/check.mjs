// `npm run check`: lints what has changed, compiles, and runs the unit tests that are related to the change.
//
// `--all` lints everything and runs all unit tests. What has changed is what is not committed, and what is committed
// but not on the upstream branch.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { planCheck } from "./changes.mjs";
import { inTurn, step } from "./steps.mjs";

const git = (...args) =>
  execFileSync("git", args, { encoding: "utf8", stdio: "pipe" }).split("\n").filter(Boolean);

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

const { lint, tested } = planCheck(changedFiles(), { isWhole: process.argv.includes("--all") });
const unit = ["--project", "unit"];
// What `npm run build` makes may be missing or old here. `npm test` builds first.
process.env.WITHOUT_BUILT = "1";
const tests =
  tested === null
    ? ["vitest", "run", ...unit]
    : ["vitest", "related", "--run", "--passWithNoTests", ...unit, ...tested];

const steps = [
  inTurn(
    () => step("messages", ["node", "packages/server/scripts/check-messages.mjs"]),
    () => step("types", ["tsc", "-b"]),
  ),
];
if (lint.length > 0) {
  const options = ["--error-on-warnings", "--no-errors-on-unmatched"];
  steps.push(step("lint", ["biome", "check", ...options, ...lint]));
}
if (tested === null || tested.length > 0) steps.push(step("tests", tests, { isLoud: true }));
else console.error("No source has changed, so no unit test runs; --all runs all.");
const results = await Promise.all(steps);
process.exitCode = results.every(Boolean) ? 0 : 1;
