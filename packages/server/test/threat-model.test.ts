// Checks that docs/threat-model.md names a test for each of its lines, and that this test exists.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const docs = new URL("../../../docs/", import.meta.url);

/** What is wrong with each line of a list: it names no test, or one that does not exist. */
function findings(page: string, read: (path: string) => string | null): string[] {
  const attackers = page.slice(page.indexOf("\n## "));
  const lists = attackers.split("\n").filter((line) => line.startsWith("- "));
  return lists.flatMap((line) => {
    const [, path, title] = /\]\((\.\.\/[^)]+\.test\.ts)\) “(.+)”$/.exec(line) ?? [];
    if (path === undefined || title === undefined) return [`no test: ${line}`];
    const text = read(path);
    if (text === null) return [`no such file: ${path}`];
    return text.includes(title) ? [] : [`${path} has no test with the title: ${title}`];
  });
}

function readTest(path: string): string | null {
  const file = fileURLToPath(new URL(path, docs));
  return existsSync(file) ? readFileSync(file, "utf8").replaceAll('\\"', '"') : null;
}

test("each line of the threat model names a test that exists", () => {
  const planted = [
    "- relies on the zone\n\n## Somebody",
    "- They can do this.",
    "- Nor that. [`a`](../a.test.ts) “does that”",
    "- Nor this. [`b`](../b.test.ts) “does this”",
    "- But that. [`b`](../b.test.ts) “does that”",
  ].join("\n");
  const files = (path: string) => (path === "../b.test.ts" ? 'test("does that")' : null);
  expect(findings(planted, files)).toEqual([
    "no test: - They can do this.",
    "no such file: ../a.test.ts",
    "../b.test.ts has no test with the title: does this",
  ]);
  const page = readFileSync(new URL("threat-model.md", docs), "utf8");
  expect(page.match(/^## /gm)).toHaveLength(10);
  expect(findings(page, readTest)).toEqual([]);
});
