// Keeps every lock file installable anywhere: no install scripts at run time, no registry's address.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface LockedPackage {
  version?: string;
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
}

type LockedPackages = Record<string, LockedPackage>;

const root = fileURLToPath(new URL("../../..", import.meta.url));
const workspaces = /^packages\/[^/]+\/$/;
/** Folders with a package.json of their own: the root is "". */
const folders = foldersWith("package.json").filter((folder) => !workspaces.test(folder));

test("every package outside the workspaces has its own lock file, and npm's settings for it", () => {
  expect(folders).toEqual(expect.arrayContaining(["", "interop/", "mutation/"]));
  expect(Object.keys(readLock(""))).toContain("packages/server");
  expect(foldersWith("package-lock.json")).toEqual(folders);
  const settings = readFileSync(`${root}.npmrc`, "utf8");
  for (const folder of folders)
    expect([folder, readFileSync(`${root}${folder}.npmrc`, "utf8")]).toEqual([folder, settings]);
});

test("no package that a user installs runs a script for it", () => {
  const planted: LockedPackages = {
    "": {},
    "node_modules/a": { hasInstallScript: true },
    "node_modules/b": { hasInstallScript: true, optional: true },
    "node_modules/c": { hasInstallScript: true, dev: true },
    "node_modules/d": {},
    "node_modules/e": { dev: true },
    "node_modules/f": {},
    "packages/g": {},
  };
  const scripted = ["node_modules/d", "node_modules/e", "packages/g"];
  expect(installScriptFindings(planted, (path) => scripted.includes(path))).toEqual([
    "node_modules/a",
    "node_modules/b",
    "node_modules/d",
    "packages/g",
  ]);
  for (const folder of folders) {
    const found = installScriptFindings(readLock(folder), (path) =>
      runsInstallScript(folder + path),
    );
    expect([folder, found]).toEqual([folder, []]);
  }
});

test("no package is locked to an address", () => {
  const planted: LockedPackages = {
    "node_modules/a": { resolved: "https://packages.example/a-1.0.0.tgz" },
    "node_modules/b": { resolved: "git+ssh://git@code.example/b.git#1" },
    "node_modules/c": { version: "1.0.0" },
    "node_modules/g": { resolved: "packages/g", link: true },
  };
  expect(addressFindings(planted)).toEqual(["node_modules/a", "node_modules/b"]);
  for (const folder of folders)
    expect([folder, addressFindings(readLock(folder))]).toEqual([folder, []]);
});

/**
 * npm notes install scripts in the lock only where the registry's summary told it of them, so the
 * packages that are installed are looked at too.
 */
function installScriptFindings(
  packages: LockedPackages,
  runsScript: (path: string) => boolean,
): string[] {
  return Object.entries(packages)
    .filter(([, locked]) => locked.dev !== true)
    .filter(([path, locked]) => locked.hasInstallScript === true || runsScript(path))
    .map(([path]) => path);
}

function addressFindings(packages: LockedPackages): string[] {
  return Object.entries(packages)
    .filter(([, locked]) => locked.resolved !== undefined && locked.link !== true)
    .map(([path]) => path);
}

/** From the root, with a slash at the end; in the order of their names. */
function foldersWith(file: string, folder = ""): string[] {
  const below = readdirSync(root + folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$|dist$)/.test(entry.name))
    .flatMap((entry) => foldersWith(file, `${folder}${entry.name}/`));
  return existsSync(`${root}${folder}${file}`) ? [folder, ...below.sort()] : below.sort();
}

function readLock(folder: string): LockedPackages {
  const { packages } = JSON.parse(readFileSync(`${root}${folder}package-lock.json`, "utf8")) as {
    packages: LockedPackages;
  };
  // Without packages the rules would hold for nothing.
  expect([folder, Object.keys(packages).length > 1]).toEqual([folder, true]);
  return packages;
}

/** Packages for other platforms are locked but not here: of them only the lock can tell. */
function runsInstallScript(path: string): boolean {
  const folder = `${root}${path}`;
  if (!existsSync(`${folder}/package.json`)) return false;
  const { scripts = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as {
    scripts?: Record<string, string>;
  };
  // A binding.gyp alone makes npm run node-gyp.
  if (existsSync(`${folder}/binding.gyp`)) return true;
  return ["preinstall", "install", "postinstall"].some((name) => name in scripts);
}
