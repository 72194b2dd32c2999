// `npm test`: builds, and then lints beside the tests. Arguments go to vitest.

import { build, step } from "./steps.mjs";

const projects = ["unit", "browser", "flows"].flatMap((name) => ["--project", name]);
const words = process.argv.slice(2);

if (await build()) {
  const results = await Promise.all([
    step("tests", ["vitest", "run", ...projects, ...words], { isLoud: true }),
    step("lint", ["biome", "check", "--error-on-warnings", "."]),
  ]);
  process.exitCode = results.every(Boolean) ? 0 : 1;
} else {
  process.exitCode = 1;
}
