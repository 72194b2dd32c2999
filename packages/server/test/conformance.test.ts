// Checks that docs/conformance.md names, for each requirement, a test that exists.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  documents,
  findingsOf,
  namedTestsIn,
  type ReadFile,
  readFromDocuments,
} from "./support/named-tests.ts";

/** Cells of a table, where `\|` is no border. */
const cellsOf = (line: string) => line.split(/(?<!\\)\|/).map((cell) => cell.trim());

/** The rows of the tables below each heading, without the heads. */
function tablesIn(page: string): { readonly heading: string; readonly rows: readonly string[] }[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = "", ...lines] = part.split("\n");
      const rows = lines.filter(
        (line, at) => line.startsWith("|") && !/^\|-/.test(lines[at + 1] ?? ""),
      );
      return { heading, rows: rows.filter((line) => !line.startsWith("|-")) };
    });
}

/** What is wrong with the page. */
function findings(page: string, read: ReadFile): string[] {
  return tablesIn(page).flatMap(({ heading, rows }) => {
    if (rows.length === 0) return [`no rows: ${heading}`];
    const seen = new Set<string>();
    return rows.flatMap((row) => {
      const [, section = "", requirement = "", tests = "", ...more] = cellsOf(row);
      if (more.length !== 1 || section === "" || requirement === "") return [`no row: ${row}`];
      const key = `${section} | ${requirement}`;
      const twice = seen.has(key) ? [`twice: ${heading}: ${key}`] : [];
      seen.add(key);
      const named = namedTestsIn(tests.replaceAll("\\|", "|"));
      if (named.length === 0) return [...twice, `no test: ${key}`];
      return [...twice, ...named.flatMap((one) => findingsOf(one, read))];
    });
  });
}

test("each row of the conformance page names a test that exists, and no requirement is there twice", () => {
  const planted = [
    "# Page\n\n| not | a | row |\n\n## One\n\n| section | what it requires | test |\n|---|---|---|",
    "| §1 | this | [`a.test.ts`](../a.test.ts) “one › does \\| this” |",
    "| §2 | this | [`a.test.ts`](../a.test.ts) “does | this” |",
    "| §2 | that | [`a.test.ts`](../a.test.ts) “does” |",
    "| §2 | that | [`a.test.ts`](../a.test.ts) “%s”, [`b.test.ts`](../b.test.ts) “%s” |",
    "| §3 | all | nothing |",
    "## Two\n\n| section | what it requires | test |\n|---|---|---|",
    "| §2 | that | [`c.test.ts`](../a.test.ts) “in %d” |",
    "## Three\n",
  ].join("\n");
  const text = [
    'describe("one", () => { test("does | this", () => {}); it.each([1])("%s", () => {}); });',
    'describe.each(["x"])("two", () => { test.each([1])("%s", () => {}); });',
    "test(`in %d`, () => {});",
  ].join("\n");
  expect(findings(planted, (path) => (path === "../a.test.ts" ? text : null))).toEqual([
    "no row: | §2 | this | [`a.test.ts`](../a.test.ts) “does | this” |",
    "../a.test.ts has no test with the title: does",
    "twice: One: §2 | that",
    "../a.test.ts has 2 tests with the title: %s",
    "no such file: ../b.test.ts",
    "no test: §3 | all",
    "the link to ../a.test.ts is named c.test.ts",
    "no rows: Three",
  ]);

  const page = readFileSync(new URL("conformance.md", documents), "utf8");
  expect(findings(page, readFromDocuments)).toEqual([]);
  expect(tablesIn(page).flatMap(({ rows }) => rows).length).toBeGreaterThan(300);
});
