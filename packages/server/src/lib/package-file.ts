// The files of the package that are not code: messages, assets, package.json.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Resolved by the package name, because sources and bundle are in folders of different depth. */
const folder = dirname(createRequire(import.meta.url).resolve("domain-signin/package.json"));

/** The text of a file, such as `messages/en.ftl`. */
export function readPackageFile(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}
