// Keeps the plan of the house: who may import whom, how long a file may be and how it begins.

import { expect, test } from "vitest";
import {
  barrelFindings,
  cycleFindings,
  dependencyFindings,
  engineFindings,
  firstLineFindings,
  lengthFindings,
  roomCycleFindings,
  roomFindings,
  type Source,
  sameNameFindings,
  sameTypeFindings,
  unusedGrantFindings,
} from "./support/architecture.ts";
import { longFunctions } from "./support/function-lines.ts";
import { importTable } from "./support/import-table.ts";
import { readImports } from "./support/imports.ts";
import { readManifests, readSources } from "./support/repository-sources.ts";

const engines = ["database/sqlite", "database/postgres"];
const longestFile = 400;
/** Of tests: one set-up, and all that is tested with it. */
const longestTest = 400;
/** Without the functions inside it. */
const longestFunction = 50;

const sources = readSources();

test("the scan finds the files and their imports, so that the rules below speak of something", () => {
  const paths = sources.map(({ path }) => path);
  expect(paths).toContain("packages/verify/src/index.ts");
  expect(paths).toContain("packages/resource/src/index.ts");
  expect(paths).toContain("packages/server/src/store/store.ts");
  expect(paths).toContain("packages/demo/src/demo.ts");
  expect(paths).toContain("packages/server/test/architecture.test.ts");
  const self = sources.find(({ path }) => path.endsWith("/architecture.test.ts"));
  const found = readImports(self?.text ?? "").imports.map(({ specifier }) => specifier);
  expect(found).toEqual([
    ...["vitest", "./support/architecture.ts", "./support/function-lines.ts"],
    ...["./support/import-table.ts", "./support/imports.ts", "./support/repository-sources.ts"],
  ]);
});

test("every form of import is found, and no text that only looks like one", () => {
  const text = `#!/usr/bin/env node
    import "a"; import b, { from, type c as d } from 'b'; import * as e from "c" with { type: "json" }
    import type { F } from "d"; import type from "e"; import { type G } from "f";
    export * from "g"; export * as h from "h"; export type { I } from "i"; export { j } from "j";
    const k = await import("k"); type L = import("l").L; const m = require("m"); import(name);
    // import "no"
    /* import "no" */ export const n = { import: 1, from: "no" }; x.import("no"); import.meta.url;
    const o = \`import "no" \${p ? \`\${{ q: await import("o") }}\` : "}"} import "no"\`;
    const r = /["'\`]/.test(s) || t / 2 / u; export { n }; export const v = "import 'no'";
    export default "from"; import "p";`;
  const { imports, hasOwnCode } = readImports(text);
  const specifiers = imports.map(({ specifier }) => specifier ?? "?").join(" ");
  expect(specifiers).toBe("a b c d e f g h i j k l m ? o p");
  const types = imports.filter(({ typeOnly }) => typeOnly).map(({ specifier }) => specifier);
  expect(types).toEqual(["d", "i"]);
  expect(hasOwnCode).toBe(true);
  expect(() => readImports('const a = "open')).toThrow("unterminated string");
});

test("each room of the server imports only what the table grants it", () => {
  const planted = [
    serverFile("oauth/token", `import { a } from "../sign-in/domain.ts";`),
    serverFile("sign-in/domain", `import { b } from "../store/store.ts";`),
    serverFile("sign-in/account", `import type { B } from "../store/store.ts";`),
    serverFile("interaction", `import { sql } from "./store/grants.ts";`),
    serverFile("lib/clock", `import { c } from "domain-signin-verify/record";`),
    serverFile("dns/sp-record", `import { c } from "domain-signin-verify/record";`),
    serverFile("service", `import { d } from "./cli.ts"; import { e } from "./assemble.ts";`),
    serverFile("pages/layout", `const f = await import("../config/config.ts"); import(f);`),
    serverFile("http/form", `import { g } from "../../test/support/g.ts"; import "./cookies.ts";`),
    serverFile("helpers/misc", `import { h } from "../lib/clock.ts";`),
    serverFile("oauth/token.test", `import { i } from "../database/sqlite.ts";`),
  ];
  expect(roomFindings(planted, importTable)).toEqual([
    "oauth/token may not import sign-in/domain",
    'sign-in/domain may import store/store with "import type" alone',
    'interaction may import store/grants with "import type" alone',
    "lib/clock may not import domain-signin-verify",
    "service may not import cli",
    "pages/layout may not import config/config",
    "pages/layout may not import a computed path",
    "http/form may not import packages/server/test/support/g",
    "helpers/misc: the room helpers has no row in the table",
  ]);
  expect(roomFindings(sources, importTable)).toEqual([]);
});

test("the table grants nothing that is not used", () => {
  const planted = [
    serverFile("oauth/pkce", `import { a } from "../http/form.ts"; import "domain-signin-verify";`),
    serverFile("oauth/jwks", `import type { B } from "../store/grants.ts";`),
    serverFile("oauth/token.test", `import { c } from "../dns/resolver.ts";`),
    serverFile("http/form", `import { d } from "../lib/clock.ts";`),
  ];
  const granted = { oauth: ["http", "store", "dns", "type lib", "domain-signin-verify"] };
  expect(unusedGrantFindings(planted, granted)).toEqual([
    "oauth imports nothing but types of store",
    "oauth does not import dns",
    "oauth does not import lib",
  ]);
  expect(unusedGrantFindings(sources, importTable)).toEqual([]);
});

test("only the composition root and the room of the database import an engine", () => {
  const planted = [
    serverFile("routes", `import { open } from "./database/postgres.ts";`),
    serverFile("service/start", `import { open } from "../database/sqlite.ts";`),
    serverFile("service", `import { open } from "./database/sqlite.ts";`),
    serverFile("database/open", `import { open } from "./sqlite.ts";`),
  ];
  expect(engineFindings(planted, engines)).toEqual([
    "routes may not import the engine database/postgres",
    "service/start may not import the engine database/sqlite",
  ]);
  expect(engineFindings(sources, engines)).toEqual([]);
});

test("no files import each other in a circle", () => {
  const planted = [
    verifierFile("a", `import { b } from "./b.ts"; import { d } from "./d.ts";`),
    verifierFile("b", `export * from "./c.ts";`),
    verifierFile("c", `import type { A } from "./a.ts"; import { d } from "./d.ts";`),
    verifierFile("d", `import "./d.ts";`),
  ];
  expect(cycleFindings(planted).map((line) => line.replaceAll("packages/verify/src/", ""))).toEqual(
    ["a.ts -> b.ts -> c.ts -> a.ts", "d.ts -> d.ts"],
  );
  expect(cycleFindings(sources)).toEqual([]);
});

test("no rooms of the server import each other", () => {
  const planted = [
    serverFile("a/one", `import type { B } from "../b/two.ts"; import "node:fs";`),
    serverFile("b/two", `import { c } from "../c.ts"; import { d } from "./three.ts";`),
    serverFile("c", `import { a } from "./a/one.ts"; import { e } from "./e/five.ts";`),
    serverFile("e/five", `import "domain-signin-verify";`),
  ];
  expect(roomCycleFindings(planted)).toEqual([
    "a and b import each other",
    "a and c import each other",
    "b and c import each other",
  ]);
  expect(roomCycleFindings(sources)).toEqual([]);
});

test("at most 12 file names exist in several rooms, apart from a handler and its page", () => {
  const planted = [
    ...["a/x", "b/x", "pages/x", "a/y", "pages/y", "b/z.test"].map((unit) => serverFile(unit, "")),
  ];
  expect(sameNameFindings(planted)).toEqual(["a/x and b/x"]);
  expect(sameNameFindings(sources).slice(12)).toEqual([]);
});

test("no two types of the server have one name, apart from what a factory needs", () => {
  const planted = [
    serverFile("a/x", "export interface Answer {}\ninterface Deps {}\ntype Own = 1;"),
    serverFile("b/y", "type Answer<T> = T;\ninterface Deps {}\nimport { type Own } from 'c';"),
    serverFile("b/z.test", "type Answer = 1;"),
  ];
  expect(sameTypeFindings(planted)).toEqual(["Answer is declared in a/x and b/y"]);
  expect(sameTypeFindings(sources)).toEqual([]);
});

test(`no file is over ${longestFile} lines, and no test over ${longestTest}`, () => {
  const planted = [
    serverFile("long", "x\n".repeat(longestFile + 1)),
    serverFile("just", "x\n".repeat(longestFile)),
  ];
  expect(lengthFindings(planted, longestFile)).toEqual([
    "packages/server/src/long.ts has 401 lines",
  ]);
  const isTest = ({ path }: Source) => path.endsWith(".test.ts");
  expect(sources.some(isTest)).toBe(true);
  expect(lengthFindings(sources.filter(isTest), longestTest)).toEqual([]);
  const others = sources.filter((source) => !isTest(source));
  expect(lengthFindings(others, longestFile)).toEqual([]);
});

test("a nested function counts for itself, and not for the function around it", () => {
  const inner = `  function inner() {\n${"    a();\n".repeat(4)}  }\n`;
  const outer = (own: number) => `function outer() {\n${"  b();\n".repeat(own)}${inner}}\n`;
  expect(longFunctions({ path: "a.ts", text: outer(4) }, 6)).toEqual([]);
  expect(longFunctions({ path: "a.ts", text: outer(5) }, 6)).toEqual(["a.ts:1 has 7 lines"]);
  expect(longFunctions({ path: "a.ts", text: `\n\n${outer(1)}` }, 5)).toEqual([
    "a.ts:5 has 6 lines",
  ]);
  const commented = outer(4).replace("  function", "\n  /**\n   * Why.\n   */\n  function");
  expect(longFunctions({ path: "a.ts", text: commented }, 6)).toEqual([]);
  const short = "const f = () => [\n  1,\n  () => 2,\n];";
  expect(longFunctions({ path: "a.ts", text: short }, 3)).toEqual(["a.ts:1 has 4 lines"]);
});

test(`no function of the packages has more than ${longestFunction} lines of its own`, () => {
  const product = sources.filter(({ path }) =>
    /^packages\/[^/]+\/src\/.*(?<!\.test)\.ts$/.test(path),
  );
  expect(product.flatMap((source) => longFunctions(source, longestFunction))).toEqual([]);
});

test("no file of the server or the demo only passes on what others export", () => {
  const planted = [
    serverFile("oauth/index", `// All of it.\nexport * from "./token.ts";\nexport { a } from "b";`),
    serverFile("keys/index", `import { a } from "./seal.ts";\nexport type B = 1;\nexport { a };`),
    serverFile("dns/index", `import { a } from "./chain.ts";\nexport { a };`),
    demoFile("zones/index", `export * from "./zone.ts";`),
    verifierFile("index", `export * from "./verify.ts";`),
  ];
  expect(barrelFindings(planted)).toEqual([
    "packages/server/src/oauth/index.ts only passes on what other files export",
    "packages/server/src/dns/index.ts only passes on what other files export",
    "packages/demo/src/zones/index.ts only passes on what other files export",
  ]);
  expect(barrelFindings(sources)).toEqual([]);
});

test("every file says in its first line what it is for", () => {
  const planted = [
    serverFile("mute", `import "a";\n// Too late.`),
    serverFile("blank", `//\nimport "a";`),
    serverFile("cli", `#!/usr/bin/env node\n// The command line.`),
    serverFile("doc", `/** The public surface. */`),
  ];
  expect(firstLineFindings(planted)).toEqual([
    "packages/server/src/mute.ts does not begin with a comment",
    "packages/server/src/blank.ts does not begin with a comment",
  ]);
  expect(firstLineFindings(sources)).toEqual([]);
});

test("every package that the product imports is declared by the package that imports it", () => {
  const planted = [
    serverFile(
      "a",
      `import "hono/html"; import "@scope/name/sub"; import "node:fs"; import "./b.ts";`,
    ),
    serverFile("a.test", `import "vitest";`),
    verifierFile("c", `import "hono";`),
  ];
  const manifests = {
    "packages/server": { name: "server", dependencies: { hono: "1" } },
    "packages/verify": { name: "verify" },
  };
  expect(dependencyFindings(planted, manifests)).toEqual([
    "packages/server/src/a.ts imports @scope/name, which server does not declare",
    "packages/verify/src/c.ts imports hono, which verify does not declare",
  ]);
  expect(dependencyFindings(sources, readManifests())).toEqual([]);
});

function serverFile(unit: string, text: string): Source {
  return { path: `packages/server/src/${unit}.ts`, text };
}

function verifierFile(unit: string, text: string): Source {
  return { path: `packages/verify/src/${unit}.ts`, text };
}

function demoFile(unit: string, text: string): Source {
  return { path: `packages/demo/src/${unit}.ts`, text };
}
