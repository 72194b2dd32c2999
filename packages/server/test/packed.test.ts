// Keeps what `npm pack` would publish to what somebody who installs it needs.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

interface Manifest {
  readonly name: string;
  readonly bin?: Record<string, string>;
  readonly exports: Record<string, Record<string, string>>;
  readonly scripts?: Record<string, string>;
}

describe.each(["packages/server", "packages/verify"])("%s", (folder) => {
  const cwd = root + folder;
  const read = (file: string) => readFileSync(`${cwd}/${file}`, "utf8");
  const manifest: Manifest = JSON.parse(read("package.json"));
  // Without prepack, which would write where other tests read; and without asking anybody.
  const options = ["--dry-run", "--json", "--ignore-scripts", "--offline"];
  const answer = execFileSync("npm", ["pack", ...options], {
    cwd,
    encoding: "utf8",
    stdio: "pipe",
  });
  const [packed] = JSON.parse(answer) as [{ files: { path: string }[] }];
  const paths = packed.files.map(({ path }) => path);

  test("has all that its package.json names", () => {
    const exported = Object.values(manifest.exports).flatMap((targets) => Object.values(targets));
    const named = [...exported, ...Object.values(manifest.bin ?? {})];
    for (const target of named) {
      const [start = "", end = ""] = target.replace(/^\.\//, "").split("*");
      const found = paths.filter((path) => path.startsWith(start) && path.endsWith(end));
      expect([target, found.length > 0]).toEqual([target, true]);
    }
  });

  test("has its own README, the licence, and nothing but the build besides", () => {
    const besides = paths.filter((path) => !/^dist\/.+\.(?:js|d\.ts)$/.test(path));
    expect(besides.sort()).toEqual(["LICENSE", "README.md", "package.json"]);
    expect(read("LICENSE")).toBe(readFileSync(`${root}LICENSE`, "utf8"));
    expect(read("README.md")).toMatch(new RegExp(`^# ${manifest.name}\n`));
  });

  test("is built before it is packed", () => {
    expect(manifest.scripts?.prepack).toBe("tsc -b");
  });
});

test("a build for an operator does not check the types of tests", () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as Manifest;
  expect(scripts?.build).toBe("tsc -b packages/server");
  expect(scripts?.demo).toMatch(/^tsc -b packages\/server && /);
  for (const name of ["check", "test"]) expect(scripts?.[name]).toContain(" && tsc -b && ");
});
