// Checks that the files, folders and names in docs/recipes.md and CONTRIBUTING.md exist.

import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PATH = /(?:packages|docs)\/[\w./-]*[\w/]/g;
/** A name, and the file that has it: `NAME` in `packages/…`. */
const NAME_IN_FILE = /`([\w-]+)` (?:in|of) `(packages\/[^`]+)`/g;

type ReadFile = (path: string) => string | null;

const read: ReadFile = (path) => {
  const file = ROOT + path;
  if (!existsSync(file)) return null;
  return /\.(?:ts|ftl)$/.test(path) ? readFileSync(file, "utf8") : "";
};

function findings(page: string, file: ReadFile): string[] {
  // What is built may be missing.
  const paths = new Set((page.match(PATH) ?? []).filter((path) => !path.includes("/dist/")));
  // Whoever follows a recipe writes the file; its folder exists.
  const named = [...paths].map((path) => (path.includes("NAME") ? `${dirname(path)}/` : path));
  const missing = named
    .filter((path) => file(path) === null)
    .map((path) => `no such file: ${path}`);
  const wrong = [...page.matchAll(NAME_IN_FILE)].flatMap(([, name = "", path = ""]) =>
    new RegExp(`\\b${name}\\b`).test(file(path) ?? name) ? [] : [`${path} has no ${name}`],
  );
  return [...missing, ...wrong];
}

test("a missing file, folder or name is found", () => {
  const planted = `Write \`packages/a/NAME.ts\` and \`packages/b/NAME.ts\`. See \`packages/a/gone.ts\`.
    Add it to \`ROWS\` in \`packages/a/table.ts\` and to \`ROW\` in \`packages/a/table.ts\`.`;
  const files = new Map([
    ["packages/a/", ""],
    ["packages/a/table.ts", "const ROWS = [];"],
  ]);
  expect(findings(planted, (path) => files.get(path) ?? null)).toEqual([
    "no such file: packages/b/",
    "no such file: packages/a/gone.ts",
    "packages/a/table.ts has no ROW",
  ]);
});

test.each([
  ["docs/recipes.md", 50],
  ["CONTRIBUTING.md", 15],
])("each file that %s names exists, and has the names that are looked for there", (path, least) => {
  const page = readFileSync(ROOT + path, "utf8");
  expect(new Set(page.match(PATH)).size).toBeGreaterThan(least);
  expect(findings(page, read)).toEqual([]);
});
