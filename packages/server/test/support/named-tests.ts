// Checks the tests that a document names by file and title: `[`a.test.ts`](../a.test.ts) “title”`.

import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

export interface NamedTest {
  /** Relative to the folder of the documents. */
  readonly path: string;
  /** As in the source, with `%s` or `${…}`; titles of suites around it may precede it, each with ` › ` behind. */
  readonly title: string;
  readonly linkText: string;
}

/** The text of a file, or null if there is none. */
export type ReadFile = (path: string) => string | null;

export const documents = new URL("../../../../docs/", import.meta.url);

export const readFromDocuments: ReadFile = (path) => {
  const file = fileURLToPath(new URL(path, documents));
  return existsSync(file) ? readFileSync(file, "utf8") : null;
};

export function namedTestsIn(text: string): NamedTest[] {
  return [...text.matchAll(/\[`([^`]+)`\]\((\.\.\/[^)]+\.test\.ts)\) “([^”]+)”/g)].map(
    ([, linkText = "", path = "", title = ""]) => ({ linkText, path, title }),
  );
}

/** What is wrong with the name of a test; nothing if it names exactly one. */
export function findingsOf({ path, title, linkText }: NamedTest, read: ReadFile): string[] {
  const text = read(path);
  if (text === null) return [`no such file: ${path}`];
  if (linkText !== basename(path)) return [`the link to ${path} is named ${linkText}`];
  const found = titlesIn(path, text).filter((one) => one === title || one.endsWith(` › ${title}`));
  if (found.length === 1) return [];
  return found.length === 0
    ? [`${path} has no test with the title: ${title}`]
    : [`${path} has ${found.length} tests with the title: ${title}`];
}

const known = new Map<string, { readonly text: string; readonly titles: readonly string[] }>();

/** The titles of all tests of a file, each behind those of its suites. */
function titlesIn(path: string, text: string): readonly string[] {
  const before = known.get(path);
  if (before?.text === text) return before.titles;
  const titles: string[] = [];
  visit(parseAst(text, { lang: "ts" }), [], { text, titles });
  known.set(path, { text, titles });
  return titles;
}

type Node = Readonly<Record<string, unknown>>;

interface Into {
  readonly text: string;
  readonly titles: string[];
}

function visit(node: unknown, suites: readonly string[], into: Into): void {
  if (Array.isArray(node)) for (const one of node) visit(one, suites, into);
  if (!isNode(node)) return;
  const kind = node.type === "CallExpression" ? kindOf(node.callee) : null;
  const title = kind === null ? null : titleOf(node, into.text);
  if (kind !== null && title !== null) {
    const names = [...suites, title];
    if (kind === "test") into.titles.push(names.join(" › "));
    visit(node.arguments, kind === "suite" ? names : suites, into);
    return;
  }
  for (const child of Object.values(node)) visit(child, suites, into);
}

/** `test(…)`, `it.each(…)(…)`, `browserTests(…)`: told by the first name. */
function kindOf(callee: unknown): "test" | "suite" | null {
  if (!isNode(callee)) return null;
  if (callee.type !== "Identifier") return kindOf(callee.callee ?? callee.object ?? callee.tag);
  if (callee.name === "test" || callee.name === "it") return "test";
  return callee.name === "describe" || /Tests$/.test(String(callee.name)) ? "suite" : null;
}

function titleOf({ arguments: sent }: Node, text: string): string | null {
  const [first] = Array.isArray(sent) ? sent : [];
  if (!isNode(first)) return null;
  if (first.type === "Literal" && typeof first.value === "string") return first.value;
  if (first.type !== "TemplateLiteral") return null;
  return text.slice(Number(first.start) + 1, Number(first.end) - 1);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
