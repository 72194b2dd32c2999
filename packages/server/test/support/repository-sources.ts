// Reads the source files and the manifests of the packages of this repository.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Manifest, Source } from "./architecture.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

function packageFolders(): string[] {
  return readdirSync(`${root}packages`).map((name) => `packages/${name}`);
}

/** Of every package: sources and tests. */
export function readSources(): Source[] {
  return packageFolders()
    .flatMap((folder) =>
      readdirSync(root + folder, { recursive: true, encoding: "utf8" }).map(
        (below) => `${folder}/${below.replaceAll("\\", "/")}`,
      ),
    )
    .filter((path) => /^packages\/[^/]+\/(?:src|test)\/.*\.(?:[mc]?[jt]s|css)$/.test(path))
    .map((path) => ({ path, text: readFileSync(root + path, "utf8") }));
}

/** By the folder of the package. */
export function readManifests(): Record<string, Manifest> {
  return Object.fromEntries(
    packageFolders().map((folder) => [
      folder,
      JSON.parse(readFileSync(`${root}${folder}/package.json`, "utf8")) as Manifest,
    ]),
  );
}
