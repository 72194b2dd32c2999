// The choices of `npm run check`: what it lints, and whose tests it runs.

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

test.each(["packages/server/messages/de.ftl", "packages/server/assets/style.css"])(
  "for %s, the tests of the source that reads it run",
  (path) => {
    const { tested } = plan(path);
    expect(tested).toHaveLength(1);
    for (const reader of tested ?? []) expect(existsSync(`${root}${reader}`)).toBe(true);
  },
);

test.each([
  ...["package.json", "package-lock.json", "vitest.config.ts", "tsconfig.base.json", "biome.jsonc"],
  "packages/server/tsconfig.test.json",
])("after a change of %s everything is checked, as with --all", (path) => {
  const everything = { lint: ["."], tested: null };
  expect(plan(SOURCE, path)).toEqual(everything);
  expect(planCheck([SOURCE], { isWhole: true })).toEqual(everything);
});
