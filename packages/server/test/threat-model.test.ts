// Checks that docs/threat-model.md names a test for each of its lines, and that this test exists.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  documents,
  findingsOf,
  namedTestsIn,
  type ReadFile,
  readFromDocuments,
} from "./support/named-tests.ts";

/** What is wrong with each line of a list: it does not end with a test, or with one that does not exist. */
function findings(page: string, read: ReadFile): string[] {
  const attackers = page.slice(page.indexOf("\n## "));
  const lists = attackers.split("\n").filter((line) => line.startsWith("- "));
  return lists.flatMap((line) => {
    const named = namedTestsIn(line);
    if (named.length === 0 || !line.endsWith("”")) return [`no test: ${line}`];
    return named.flatMap((one) => findingsOf(one, read));
  });
}

test("each line of the threat model names a test that exists", () => {
  const planted = [
    "- relies on the zone\n\n## Somebody",
    "- They can do this.",
    "- Nor that. [`a.test.ts`](../a.test.ts) “does that”",
    "- Nor this. [`b.test.ts`](../b.test.ts) “does this”",
    "- But that. [`b.test.ts`](../b.test.ts) “does that”",
  ].join("\n");
  const files = (path: string) => (path === "../b.test.ts" ? 'test("does that", () => {})' : null);
  expect(findings(planted, files)).toEqual([
    "no test: - They can do this.",
    "no such file: ../a.test.ts",
    "../b.test.ts has no test with the title: does this",
  ]);
  const page = readFileSync(new URL("threat-model.md", documents), "utf8");
  expect(page.match(/^## /gm)).toHaveLength(11);
  expect(findings(page, readFromDocuments)).toEqual([]);
});
