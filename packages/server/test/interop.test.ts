// Keeps the interop suite in step with this repository, since `npm test` does not run it.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { firstLineFindings, type Source } from "./support/architecture.ts";
import { readImports } from "./support/imports.ts";

const root = new URL("../../../", import.meta.url);
const FOLDERS = [
  "interop/",
  "interop/table/",
  "interop/table/clients/",
  "examples/protect-an-api/",
];
const sources: Source[] = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({
      path: folder + name,
      text: readFileSync(new URL(folder + name, root), "utf8"),
    })),
);

test("every file that the suite imports exists, so that moving a helper cannot break it unnoticed", () => {
  const planted = [
    {
      path: "interop/a.test.ts",
      text: 'import "../packages/server/test/support/nothing.ts"; import "b";',
    },
  ];
  expect(missing(planted)).toEqual([
    "interop/a.test.ts imports ../packages/server/test/support/nothing.ts",
  ]);
  const helpers = sources.flatMap(({ text }) => relativeImports(text));
  expect(helpers).toContain("../packages/server/test/support/federated.ts");
  expect(missing(sources)).toEqual([]);
});

test("every file of it says in its first line what it is for", () => {
  expect(firstLineFindings(sources)).toEqual([]);
});

function relativeImports(text: string): string[] {
  return readImports(text).imports.flatMap(({ specifier = "" }) =>
    specifier.startsWith(".") ? [specifier] : [],
  );
}

function missing(files: readonly Source[]): string[] {
  return files.flatMap(({ path, text }) =>
    relativeImports(text)
      .filter((specifier) => !existsSync(fileURLToPath(new URL(specifier, new URL(path, root)))))
      .map((specifier) => `${path} imports ${specifier}`),
  );
}
