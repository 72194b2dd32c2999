// Checks that CONTRIBUTING.md lists each file that has to change when Node 20 is no longer supported.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const HEADING = "## What ends with Node 20\n";

/** What is wrong with the page. `named` are the files that name Node 20 or libsql. */
function findings(page: string, named: readonly string[], exists: (path: string) => boolean) {
  const section = page.split(HEADING)[1]?.split(/^## /m)[0] ?? "";
  const listed = [...section.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
  return [
    ...named.filter((path) => !listed.includes(path)).map((path) => `not listed: ${path}`),
    ...listed.filter((path) => !exists(path)).map((path) => `no such file: ${path}`),
  ];
}

/** Does not match "Node 20.19", the oldest supported version. libsql is needed only for Node 20. */
function namesNode20(text: string): boolean {
  return /\bNode 20(?!\.?\d)|\blibsql\b/i.test(text);
}

/** Sources, tests and scripts, from the root. */
function codeIn(folder: string): string[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (!entry.isDirectory()) return /\.[mc]?[jt]s$/.test(entry.name) ? [path] : [];
    return /^(?:\.|(?:node_modules|dist|types|test-results)$)/.test(entry.name)
      ? []
      : codeIn(`${path}/`);
  });
}

test("CONTRIBUTING.md lists each file that names Node 20 or libsql, and each listed file exists", () => {
  const planted = `${HEADING}[a](a.ts), [b](b.ts)\n## More\n[c](c.ts)`;
  expect(findings(planted, ["a.ts", "c.ts"], (path) => path !== "b.ts")).toEqual([
    "not listed: c.ts",
    "no such file: b.ts",
  ]);
  expect(["In Node 20, it", "Node 20.", "libsql", "Libsql:"].filter(namesNode20)).toHaveLength(4);
  expect(["Node 20.19", "Node 200", "Node 22"].filter(namesNode20)).toEqual([]);

  const named = codeIn("").filter((path) => namesNode20(readFileSync(root + path, "utf8")));
  expect(named).toContain("packages/server/src/database/sqlite-library.ts");
  const page = readFileSync(`${root}CONTRIBUTING.md`, "utf8");
  expect(findings(page, named, (path) => existsSync(root + path))).toEqual([]);
});
