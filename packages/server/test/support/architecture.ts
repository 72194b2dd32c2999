// The rules about how source files may stand to each other, as pure functions from texts to findings.

import { posix } from "node:path";
import { readImports } from "./imports.ts";

export interface Source {
  /** From the repository's root, with forward slashes. */
  path: string;
  text: string;
}

/** For each room, what it may import: a room, one file of it, or `type …` for its types alone. */
export type ImportTable = Record<string, readonly string[]>;

const server = "packages/server/src/";
const verifier = "packages/verify/src/";
const resource = "packages/resource/src/";
const demo = "packages/demo/";
/** By their names alone: what a package does not export, no host may use. */
const demoPackages = /^(?:domain-signin$|domain-signin-verify(?:\/|$)|node:)/;

/** Imports between the rooms of the server that the table does not grant. */
export function roomFindings(sources: Source[], table: ImportTable): string[] {
  return productImports(sources, server).flatMap(({ path, specifier, typeOnly }) => {
    const from = unitOf(path);
    const to = targetUnit(path, specifier);
    if (to === undefined) return [];
    const row = table[roomOf(from)];
    if (row === undefined) return [`${from}: the room ${roomOf(from)} has no row in the table`];
    const mayNameIt = (entry: string) => entry === to || entry === roomOf(to);
    if (roomOf(from) === roomOf(to) || row.some(mayNameIt)) return [];
    if (!row.some((entry) => mayNameIt(entry.replace("type ", ""))))
      return [`${from} may not import ${to}`];
    return typeOnly ? [] : [`${from} may import ${to} with "import type" alone`];
  });
}

/** Grants of the table that no import uses, or that are used for types alone. */
export function unusedGrantFindings(sources: Source[], table: ImportTable): string[] {
  const imports = productImports(sources, server).flatMap(({ path, specifier, typeOnly }) => {
    const to = targetUnit(path, specifier);
    return to === undefined ? [] : [{ from: roomOf(unitOf(path)), to, typeOnly }];
  });
  return Object.entries(table).flatMap(([room, row]) =>
    row.flatMap((grant) => {
      const name = grant.replace("type ", "");
      const used = imports.filter(
        ({ from, to }) => from === room && (to === name || roomOf(to) === name),
      );
      if (used.length === 0) return [`${room} does not import ${name}`];
      const needsTypesAlone = grant === name && used.every(({ typeOnly }) => typeOnly);
      return needsTypesAlone ? [`${room} imports nothing but types of ${name}`] : [];
    }),
  );
}

/** Imports of a database engine from anywhere but the composition root and the room of the database. */
export function engineFindings(sources: Source[], engines: readonly string[]): string[] {
  return productImports(sources, server).flatMap(({ path, specifier }) => {
    const from = unitOf(path);
    const to = targetUnit(path, specifier);
    const isEngine = to !== undefined && engines.includes(to);
    return isEngine && from !== "service" && roomOf(from) !== "database"
      ? [`${from} may not import the engine ${to}`]
      : [];
  });
}

/** Imports of the verifier that leave its own folder: it must run in any browser, alone. */
export function verifierFindings(sources: Source[]): string[] {
  return productImports(sources, verifier).flatMap(({ path, specifier }) =>
    specifier !== undefined && resolved(path, specifier)?.startsWith(verifier)
      ? []
      : [`${path} imports ${specifier ?? "a computed path"}: the verifier imports only itself`],
  );
}

/** Imports of the middleware for APIs that are neither its own nor jose: it must run where Node does not. */
export function resourceFindings(sources: Source[]): string[] {
  return productImports(sources, resource).flatMap(({ path, specifier }) =>
    specifier === "jose" || (specifier && resolved(path, specifier)?.startsWith(resource))
      ? []
      : [`${path} imports ${specifier ?? "a computed path"}: it may import only itself and jose`],
  );
}

/**
 * Imports by which the demo is more than a host: of files that are not its own, of what the server does
 * not export, and of packages that it does not declare. Its tests may use the tools of tests.
 */
export function demoFindings(
  sources: Source[],
  { dependencies = {}, peerDependencies = {} }: Manifest,
): string[] {
  return sources
    .filter(({ path }) => path.startsWith(demo))
    .flatMap(({ path, text }) => importsOf(path, text).map((found) => ({ path, ...found })))
    .filter(({ path, specifier }) => {
      if (specifier === undefined) return true;
      const own = resolved(path, specifier);
      if (isTest(path)) return own?.startsWith(server) || specifier.startsWith("domain-signin/");
      if (own !== undefined) return !own.startsWith(`${demo}src/`);
      const name = packageOf(specifier) ?? "";
      const isLibrary =
        (name in dependencies || name in peerDependencies) && !name.startsWith("domain-signin");
      return !isLibrary && !demoPackages.test(specifier);
    })
    .map(({ path, specifier }) => `${path} may not import ${specifier ?? "a computed path"}`);
}

/** One line for each cycle: `a.ts -> b.ts -> a.ts`. Types count, since a reader follows them too. */
export function cycleFindings(sources: Source[]): string[] {
  const next = new Map<string, string[]>();
  for (const { path, specifier } of productImports(sources, "packages/")) {
    const to = specifier === undefined ? undefined : resolved(path, specifier);
    if (to !== undefined) next.set(path, [...(next.get(path) ?? []), to]);
  }
  const findings: string[] = [];
  const done = new Set<string>();
  function visit(path: string, way: string[]): void {
    const before = way.indexOf(path);
    if (before >= 0) findings.push([...way.slice(before), path].join(" -> "));
    if (before >= 0 || done.has(path)) return;
    for (const to of next.get(path) ?? []) visit(to, [...way, path]);
    done.add(path);
  }
  for (const path of next.keys()) visit(path, []);
  return findings;
}

/** One line for each pair of rooms that import each other, whether directly or through other rooms. */
export function roomCycleFindings(sources: Source[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const { path, specifier } of productImports(sources, server)) {
    const to = targetUnit(path, specifier);
    const isOwn = specifier !== undefined && resolved(path, specifier)?.startsWith(server);
    const from = roomOf(unitOf(path));
    if (!isOwn || to === undefined || roomOf(to) === from) continue;
    next.set(from, (next.get(from) ?? new Set()).add(roomOf(to)));
  }
  function reach(room: string, seen = new Set<string>()): Set<string> {
    for (const to of next.get(room) ?? []) if (!seen.has(to)) reach(to, seen.add(to));
    return seen;
  }
  const rooms = [...next.keys()].sort();
  return rooms.flatMap((room) =>
    [...reach(room)]
      .filter((other) => room < other && reach(other).has(room))
      .map((other) => `${room} and ${other} import each other`),
  );
}

/** File names that exist in several rooms, other than those of a handler and its page. */
export function sameNameFindings(sources: Source[]): string[] {
  const paths = new Map<string, string[]>();
  for (const { path } of sources) {
    if (!path.startsWith(server) || !path.endsWith(".ts") || isTest(path)) continue;
    const name = posix.basename(path);
    paths.set(name, [...(paths.get(name) ?? []), unitOf(path)]);
  }
  return [...paths.values()]
    .map((units) => units.filter((unit) => roomOf(unit) !== "pages"))
    .filter(({ length }) => length > 1)
    .map((units) => units.join(" and "));
}

/** Types of one name in several files of the server. Each factory has its own `Deps`. */
export function sameTypeFindings(sources: Source[]): string[] {
  const units = new Map<string, string[]>();
  for (const { path, text } of sources) {
    if (!path.startsWith(server) || !path.endsWith(".ts") || isTest(path)) continue;
    for (const [, name = ""] of text.matchAll(/^(?:export )?(?:interface|type) (\w+)/gm)) {
      if (name !== "Deps") units.set(name, [...(units.get(name) ?? []), unitOf(path)]);
    }
  }
  return [...units]
    .filter(([, { length }]) => length > 1)
    .map(([name, all]) => `${name} is declared in ${all.join(" and ")}`);
}

export function lengthFindings(sources: Source[], limit: number): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: text.replace(/\n$/, "").split("\n").length }))
    .filter(({ lines }) => lines > limit)
    .map(({ path, lines }) => `${path} has ${lines} lines`);
}

/** Files of the server and the demo that hold no code of their own. */
export function barrelFindings(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith(server) || path.startsWith(`${demo}src/`))
    .filter(({ path }) => /\.[mc]?[jt]s$/.test(path))
    .filter(({ text }) => !readImports(text).hasOwnCode)
    .map(({ path }) => `${path} only passes on what other files export`);
}

/** Files that do not say what they are for in their first line. */
export function firstLineFindings(sources: Source[]): string[] {
  return sources
    .filter(({ text }) => !/^(?:#!.*\n)?(?:\/\/ \S|\/\*\*?(?: \S|\n))/.test(text))
    .map(({ path }) => `${path} does not begin with a comment`);
}

export interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Packages that the product imports and its own package.json does not declare. */
export function dependencyFindings(
  sources: Source[],
  manifests: Record<string, Manifest>,
): string[] {
  return Object.entries(manifests).flatMap(([folder, manifest]) => {
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    const declared = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    return productImports(sources, `${folder}/src/`)
      .map(({ path, specifier }) => ({ path, name: packageOf(specifier) }))
      .filter(({ name }) => name !== undefined && !(name in declared))
      .map(({ path, name }) => `${path} imports ${name}, which ${manifest.name} does not declare`);
  });
}

/** The imports of every file below the folder, tests left out. */
function productImports(sources: Source[], folder: string) {
  return sources
    .filter(({ path }) => path.startsWith(folder) && /\/src\/.*\.[mc]?[jt]s$/.test(path))
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, text }) => importsOf(path, text).map((found) => ({ path, ...found })));
}

/** Also what only tests use. */
function isTest(path: string): boolean {
  return /\.test\.[mc]?[jt]s$|^packages\/[^/]+\/test\//.test(path);
}

function importsOf(path: string, text: string) {
  try {
    return readImports(text).imports;
  } catch (cause) {
    throw new Error(`${path} cannot be read`, { cause });
  }
}

/** A file's path without the package and the extension: `oauth/token`. */
function unitOf(path: string): string {
  return path.replace(server, "").replace(/\.[mc]?[jt]s$/, "");
}

/** The top-level folder or file that a unit lives in. */
function roomOf(unit: string): string {
  return unit.split("/", 1)[0] ?? unit;
}

/** `undefined` for platform modules and other people's packages, which no row speaks of. */
function targetUnit(path: string, specifier: string | undefined): string | undefined {
  if (specifier === undefined) return "a computed path";
  const own = resolved(path, specifier);
  if (own !== undefined) return unitOf(own);
  return packageOf(specifier) === "domain-signin-verify" ? "domain-signin-verify" : undefined;
}

function resolved(path: string, specifier: string): string | undefined {
  return specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : undefined;
}

function packageOf(specifier: string | undefined): string | undefined {
  if (specifier === undefined || /^(?:\.|node:)/.test(specifier)) return undefined;
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
