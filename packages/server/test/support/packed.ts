// Packs a package of this repository and installs it elsewhere, as somebody who uses it does.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

export interface Manifest {
  readonly name: string;
  readonly bin?: Record<string, string>;
  /** A file, or one for each condition. */
  readonly exports: Record<string, string | Record<string, string>>;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly scripts?: Record<string, string>;
  readonly main?: string;
  readonly types?: string;
  readonly typesVersions?: { readonly "*": Record<string, readonly string[]> };
}

/** Of the package in a folder, those that are not of this repository. */
export function dependenciesOf(path: string): string[] {
  const { dependencies, optionalDependencies }: Manifest = JSON.parse(
    readFileSync(`${root}${path}/package.json`, "utf8"),
  );
  return Object.keys({ ...dependencies, ...optionalDependencies }).filter(
    (name) => !name.startsWith("domain-signin"),
  );
}

/** A package of others, from where it is installed in this repository. */
export function linkInto(folder: string, name: string): void {
  const link = join(folder, "node_modules", name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(`${root}node_modules/${name}`, link);
}

/** The name of the file that `npm pack` made. */
export function packInto(folder: string, path: string): string {
  const pack = ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", folder];
  const cwd = root + path;
  const answer = execFileSync("npm", pack, { cwd, encoding: "utf8", stdio: "pipe" });
  const [{ filename }] = JSON.parse(answer) as [{ filename: string }];
  return filename;
}

/** Without network. */
export function installInto(folder: string, ...files: string[]): void {
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  const install = ["install", "--offline", "--ignore-scripts", ...files.map((file) => `./${file}`)];
  execFileSync("npm", install, { cwd: folder, stdio: "pipe" });
}

/** What can be imported of the package in a folder: each file, where its package.json has a `*`. */
export function exportedNames(folder: string): string[] {
  const { name, exports }: Manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  return Object.entries(exports).flatMap(([subpath, targets]) => {
    if (typeof targets === "string") return [];
    const { default: target = "" } = targets;
    const [start = "", end] = target.split("*");
    if (end === undefined) return [join(name, subpath)];
    const files = readdirSync(join(folder, start)).filter((file) => file.endsWith(end));
    return files.map((file) => join(name, subpath.replace("*", file.slice(0, -end.length))));
  });
}
