// Builds the package into `dist/`: our own code bundled, and the type declarations of what it exports.
//
//   node scripts/build.mjs
//
// Needs the declarations that `tsc -b` puts into `types/`. docs/decisions/0015-one-build.md says why.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
/** The verifier is our own code too: it stays a dependency for its types alone. */
const { "domain-signin-verify": _, ...dependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
).dependencies;
const require = createRequire(import.meta.url);

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: { cli: "src/cli.ts", service: "src/service.ts" },
  platform: "node",
  external: (id) => id.startsWith("node:") || (isDependency(id) && !isCommonJs(id)),
  plugins: [requireCommonJs()],
});
await bundle.write({
  dir: dist,
  format: "esm",
  chunkFileNames: "[name]-[hash].js",
  sourcemap: true,
  // What a start needs is one file. What is loaded later, or by another command, has its own.
  codeSplitting: {
    groups: [{ name: "core", test: /src[\\/]service\.ts$/, includeDependenciesRecursively: true }],
  },
});
await bundle.close();
copyDeclarations("service.d.ts");

function isDependency(id) {
  return Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`));
}

/** False for an ES module, of which `require` gives the namespace. */
function isCommonJs(id) {
  return require(id)[Symbol.toStringTag] !== "Module";
}

/**
 * Takes CommonJS dependencies by `require`. Node reads those that are imported twice, the first time
 * for the names that they export, and a start would take a third longer.
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

/** Whether a constant may have this name: `default`, `null` and the like may not. */
function isIdentifier(name) {
  try {
    return new Function(`"use strict"; const ${name} = 1;`) !== null;
  } catch {
    return false;
  }
}

/** A declaration file and those that it imports: the others are not for hosts. */
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
