// The choices of `npm run check`, and the outcome of a step of `npm run check` and `npm test`.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { planCheck } from "../../../scripts/changes.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const SOURCE = "packages/server/src/lib/lines.ts";
const plan = (...changed: string[]) => planCheck(changed, { isWhole: false });

test("a source is linted, and the tests that import it run", () => {
  expect(plan(SOURCE)).toEqual({ lint: [SOURCE], tested: [SOURCE] });
});

test("a document is linted, and no test runs", () => {
  expect(plan("docs/storage.md")).toEqual({ lint: ["docs/storage.md"], tested: [] });
});

test.each([
  "packages/server/messages/de.ftl",
  "packages/server/assets/style.css",
  "packages/server/data/dns-panels.json",
])("for %s, the tests of the source that reads it run", (path) => {
  const { tested } = plan(path);
  expect(tested).toHaveLength(1);
  for (const reader of tested ?? []) expect(existsSync(`${root}${reader}`)).toBe(true);
});

test.each([
  ...[
    "package.json",
    "package-lock.json",
    "vitest.config.ts",
    "vitest.alias.ts",
    "tsconfig.base.json",
    "biome.jsonc",
  ],
  "packages/server/tsconfig.test.json",
])("after a change of %s everything is checked, as with --all", (path) => {
  const everything = { lint: ["."], tested: null };
  expect(plan(SOURCE, path)).toEqual(everything);
  expect(planCheck([SOURCE], { isWhole: true })).toEqual(everything);
});

test.each([
  [
    "a program that fails",
    ["node", "--eval", "console.log('a mistake'); process.exit(3)"],
    "a mistake",
  ],
  ["a program that a signal ends", ["node", "--eval", "process.kill(process.pid, 'SIGKILL')"], ""],
  ["a program that does not exist", ["no-such-program"], "ENOENT"],
])("%s fails its step, and its output is shown", (_, command, output) => {
  const ran = runStep(command);
  expect([ran.status, ran.stdout]).toEqual([0, "false"]);
  expect(ran.stderr).toContain(output);
  expect(ran.stderr).toMatch(/^lint: FAILED \(\d+ s\)$/m);
});

test("the output of a step that passes is not shown", () => {
  const ran = runStep(["node", "--eval", "console.log('nothing is wrong')"]);
  expect([ran.status, ran.stdout]).toEqual([0, "true"]);
  expect(ran.stderr).toMatch(/^lint: passed \(\d+ s\)\n$/);
});

/** In a process of its own, because a step listens for the signals of its process. */
function runStep(command: readonly string[]) {
  const program = `import { step } from ${JSON.stringify(new URL("../../../scripts/steps.mjs", import.meta.url))};
    process.stdout.write(String(await step("lint", ${JSON.stringify(command)})));`;
  const options = ["--input-type=module", "--eval", program];
  return spawnSync(process.execPath, options, { encoding: "utf8" });
}
