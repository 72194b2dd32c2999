// The files of the package that are not code: messages, assets, package.json.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** By the name of the package, since its sources and its bundle lie at different depths. */
const folder = dirname(createRequire(import.meta.url).resolve("domain-signin/package.json"));

/** The text of a file, such as `messages/en.ftl`. */
export function readPackageFile(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}
