// Builds the package into `dist/`: our bundled code, and the type declarations of its exports.
//
//   node scripts/build.mjs
//
// Needs the declarations that `tsc -b` writes to `types/`. See docs/decisions/0015-one-build.md.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
/** The verifier is bundled too; it is a dependency only for its types. */
const { "domain-signin-verify": _, ...dependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
).dependencies;
const require = createRequire(import.meta.url);

rmSync(dist, { recursive: true, force: true });
await build(
  { cli: "src/cli.ts", service: "src/service.ts" },
  // One file has everything that a start needs; what is loaded later has its own files.
  {
    groups: [{ name: "core", test: /src[\\/]service\.ts$/, includeDependenciesRecursively: true }],
  },
);
// By itself, because the thread must not load the service.
await build({ "sqlite-writer": "src/store/sqlite-writer.ts" });
copyDeclarations("service.d.ts");

async function build(input, codeSplitting) {
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: "node",
    external: (id) => id.startsWith("node:") || (isDependency(id) && !isCommonJs(id)),
    plugins: [requireCommonJs()],
  });
  await bundle.write({
    dir: dist,
    format: "esm",
    chunkFileNames: "[name]-[hash].js",
    sourcemap: true,
    ...(codeSplitting && { codeSplitting }),
  });
  await bundle.close();
}

function isDependency(id) {
  return Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`));
}

/** For an ES module, `require` returns the module namespace. */
function isCommonJs(id) {
  return require(id)[Symbol.toStringTag] !== "Module";
}

/**
 * Loads CommonJS dependencies with `require`. Node would read imported ones twice, first for the names
 * of their exports, and a start would take a third longer.
 */
function requireCommonJs() {
  const prefix = "\0commonjs:";
  return {
    name: "require-commonjs",
    resolveId: (id) => (isDependency(id) && isCommonJs(id) ? prefix + id : null),
    load(id) {
      if (!id.startsWith(prefix)) return null;
      const name = id.slice(prefix.length);
      const names = Object.keys(require(name)).filter(isIdentifier);
      return `import { createRequire } from "node:module";
        const exported = createRequire(import.meta.url)(${JSON.stringify(name)});
        export default exported;
        export const { ${names.join(", ")} } = exported;`;
    },
  };
}

/** Whether a constant can have this name; reserved words such as `default` cannot. */
function isIdentifier(name) {
  try {
    return new Function(`"use strict"; const ${name} = 1;`) !== null;
  } catch {
    return false;
  }
}

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
