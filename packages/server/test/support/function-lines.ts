// Counts the lines of each function, without those of the functions inside it.

import { parseAst } from "rolldown/parseAst";

/** A syntax node, as far as this file reads it. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const FUNCTIONS = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/** One line for each function that has more lines of its own than the limit, for example `a.ts:12 has 51 lines`. */
export function longFunctions(
  { path, text }: { readonly path: string; readonly text: string },
  limit: number,
): string[] {
  const lineAt = lineCounter(text);
  const findings: string[] = [];

  /** The lines of the functions below the node that are not inside another function below the node. */
  function linesOfFunctions(node: Node): number {
    let lines = 0;
    for (const child of childrenOf(node)) {
      if (FUNCTIONS.test(child.type)) lines += linesOf(child);
      else lines += linesOfFunctions(child);
    }
    return lines;
  }

  /** Checks the function, and returns the number of its lines with those of the functions inside it. */
  function linesOf(node: Node): number {
    const inner = linesOfFunctions(node);
    const first = lineAt(node.start);
    const all = lineAt(node.end) - first + 1;
    const own = all - inner;
    if (own > limit) findings.push(`${path}:${first} has ${own} lines`);
    // A function that is only a part of a line takes no line from the function around it.
    return all === 1 ? 0 : all;
  }

  const program: Node = parseAst(text, { lang: "ts" });
  linesOfFunctions(program);
  return findings;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
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
