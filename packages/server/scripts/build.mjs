// Builds the package into `dist/`: our bundled code, and the type declarations of its exports.
//
//   node scripts/build.mjs
//
// Needs the declarations that `tsc -b` writes to `types/`. See docs/decisions/0015-server-bundle.md.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleInto, WRITER } from "./bundle.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
await bundleInto(
  dist,
  { cli: "src/cli.ts", service: "src/service.ts" },
  // One file has everything that a start needs; what is loaded later has its own files.
  {
    groups: [{ name: "core", test: /src[\\/]service\.ts$/, includeDependenciesRecursively: true }],
  },
);
await bundleInto(dist, WRITER);
copyDeclarations("service.d.ts");

/** Copies a declaration file and those that it imports; hosts need no others. */
function copyDeclarations(file, copied = new Set()) {
  if (copied.has(file)) return;
  copied.add(file);
  const text = readFileSync(join(root, "types", file), "utf8");
  const published = text.replaceAll(/(?<=")(\.[^"]*)\.ts(?=")/g, (_, module) => {
    copyDeclarations(join(dirname(file), `${module}.d.ts`), copied);
    return `${module}.js`;
  });
  mkdirSync(join(dist, dirname(file)), { recursive: true });
  writeFileSync(join(dist, file), published);
}
