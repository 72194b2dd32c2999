// Counts the lines of each function, without those of the functions inside it.

import { parseAst } from "rolldown/parseAst";

/** A syntax node, as far as this file reads it. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const FUNCTIONS = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/**
 * One line for each function that has more lines of its own than the limit, for example `a.ts:12 has 51 lines`. Blank
 * lines and doc comments, which stand between the functions of a factory, are not its own.
 */
export function longFunctions(
  { path, text }: { readonly path: string; readonly text: string },
  limit: number,
): string[] {
  const lineAt = lineCounter(text);
  const between = linesBetween(text);
  const findings: string[] = [];

  /** Checks the functions below the node. The numbers of the lines that belong to one of them. */
  function linesBelow(node: Node): Set<number> {
    const lines = new Set<number>();
    for (const child of childrenOf(node)) {
      const inner = FUNCTIONS.test(child.type) ? linesOf(child) : linesBelow(child);
      for (const line of inner) lines.add(line);
    }
    return lines;
  }

  function linesOf(node: Node): Set<number> {
    const inner = linesBelow(node);
    const [first, last] = [lineAt(node.start), lineAt(node.end)];
    const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const own = all.filter((line) => !inner.has(line) && !between.has(line));
    if (own.length > limit) findings.push(`${path}:${first} has ${own.length} lines`);
    // A function that is only a part of a line takes no line from the function around it.
    return new Set(all.length === 1 ? [] : all);
  }

  const program: Node = parseAst(text, { lang: "ts" });
  linesBelow(program);
  return findings;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** The numbers of the blank lines, and of the lines of doc comments. */
function linesBetween(text: string): Set<number> {
  const lines = new Set<number>();
  let isComment = false;
  for (const [index, line] of text.split("\n").entries()) {
    const words = line.trim();
    isComment ||= words.startsWith("/**");
    if (isComment || words === "") lines.add(index + 1);
    if (words.endsWith("*/")) isComment = false;
  }
  return lines;
}

/** The number of the line, from 1, in which the character is. */
function lineCounter(text: string): (offset: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at);
  return (offset) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
