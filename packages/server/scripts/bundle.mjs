// Bundles entry points of the server with Rolldown. Dependencies stay imports.

import { readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The verifier is bundled too; it is a dependency only for its types. */
const { "domain-signin-verify": _, ...dependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
).dependencies;
const require = createRequire(import.meta.url);

/** The thread that writes to a SQLite file. It is bundled by itself, because it must not load the service. */
export const WRITER = { "sqlite-writer": "src/database/sqlite-writer.ts" };

/** Writes the bundle of each entry point into the folder. */
export async function bundleInto(dir, input, codeSplitting) {
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: "node",
    external: (id) => id === "node:module" || (isDependency(id) && !isCommonJs(id)),
    plugins: [requireInstead()],
  });
  await bundle.write({
    dir,
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
 * Loads CommonJS dependencies and Node's own modules with `require`. Node would read imported dependencies twice, first
 * for the names of their exports, and a start would take a third longer. It would also read each export of its own
 * modules, and some are getters: whoever imports `node:http` loads `fetch`, HTTP/2 and TLS.
 */
function requireInstead() {
  const prefix = "\0require:";
  return {
    name: "require-instead",
    resolveId(id) {
      const isRequired = isBuiltin(id) ? id !== "node:module" : isDependency(id) && isCommonJs(id);
      return isRequired ? prefix + id : null;
    },
    load(id) {
      if (!id.startsWith(prefix)) return null;
      const name = id.slice(prefix.length);
      const names = Object.keys(require(name)).filter(isIdentifier);
      // Each by itself, so that only those are read that are used.
      return `import { createRequire } from "node:module";
        const required = createRequire(import.meta.url)(${JSON.stringify(name)});
        export default required;
        const read = (name) => required[name];
        ${names.map((key) => `const _${key} = /* @__PURE__ */ read("${key}");`).join("\n")}
        export { ${names.map((key) => `_${key} as ${key}`).join(", ")} };`;
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
