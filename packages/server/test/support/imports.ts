// Reads the import and re-export statements out of the text of a TypeScript module.

export interface ImportFound {
  /** As written between the quotes; `undefined` where the path is computed at run time. */
  specifier: string | undefined;
  /** `import type` or `export type`: nothing of it is left after the build. */
  typeOnly: boolean;
}

export interface ModuleText {
  imports: ImportFound[];
  /** False where the module has nothing but imports, re-exports and export lists. */
  hasOwnCode: boolean;
}

interface Token {
  kind: "word" | "string" | "template" | "other";
  /** A string's text is what stands between its quotes. */
  text: string;
}

/** Throws where the text cannot be told apart into tokens, rather than miss an import. */
export function readImports(text: string): ModuleText {
  const tokens = tokenize(text);
  const imports: ImportFound[] = [];
  let hasOwnCode = false;
  for (let at = 0; at < tokens.length; ) {
    const statement = statementAt(tokens, at) ?? callAt(tokens, at);
    if (statement?.found) imports.push(statement.found);
    hasOwnCode ||= statement === undefined ? !is(tokens[at], ";") : statement.ownCode;
    at = statement?.end ?? at + 1;
  }
  return { imports, hasOwnCode };
}

interface Statement {
  found?: ImportFound;
  ownCode: boolean;
  end: number;
}

/** `import … from "x"`, `import "x"`, `export … from "x"` or `export { … }`. */
function statementAt(tokens: Token[], start: number): Statement | undefined {
  const isImport = is(tokens[start], "import");
  if (!isImport && !is(tokens[start], "export")) return undefined;
  if (is(tokens[start - 1], ".")) return undefined;
  let at = start + 1;
  const typeOnly = is(tokens[at], "type") && !endsClause(tokens, at + 1);
  if (typeOnly) at += 1;
  if (!isImport && !is(tokens[at], "{") && !is(tokens[at], "*")) return undefined;
  while (isClausePart(tokens[at]) && !endsClause(tokens, at)) at += 1;
  if (endsClause(tokens, at)) at += 1;
  else if (!isImport) return { ownCode: false, end: at };
  else if (at !== start + 1) return undefined;
  const source = tokens[at];
  if (source?.kind !== "string") return undefined;
  return {
    found: { specifier: source.text, typeOnly },
    ownCode: false,
    end: afterAttributes(tokens, at + 1),
  };
}

/** `import("x")`, also as a type, and `require("x")`. */
function callAt(tokens: Token[], start: number): Statement | undefined {
  if (!is(tokens[start], "import") && !is(tokens[start], "require")) return undefined;
  if (is(tokens[start - 1], ".") || is(tokens[start - 1], "function")) return undefined;
  if (!is(tokens[start + 1], "(")) return undefined;
  const [argument, after] = tokens.slice(start + 2, start + 4);
  const literal = argument?.kind === "string" && (is(after, ")") || is(after, ","));
  const specifier = literal ? argument.text : undefined;
  return { found: { specifier, typeOnly: false }, ownCode: true, end: start + 2 };
}

/** `from "x"`: the name `from` itself may be imported too, so the string decides. */
function endsClause(tokens: Token[], at: number): boolean {
  return is(tokens[at], "from") && tokens[at + 1]?.kind === "string";
}

function isClausePart(token: Token | undefined): boolean {
  if (token?.kind === "word") return token.text !== "import" && token.text !== "export";
  return token?.kind === "other" && "{},*".includes(token.text);
}

/** Steps over `with { type: "json" }`. */
function afterAttributes(tokens: Token[], at: number): number {
  if (!is(tokens[at], "with") || !is(tokens[at + 1], "{")) return at;
  const close = tokens.findIndex((token, index) => index > at && is(token, "}"));
  return close + 1;
}

function is(token: Token | undefined, text: string): boolean {
  return (token?.kind === "word" || token?.kind === "other") && token.text === text;
}

const skipped = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/uy;
const stringLiteral = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/uy;
const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*|\d[\w.]*/uy;
const regexLiteral = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/uy;
/** From a backtick, or from the brace that ends a substitution, to the next such border. */
const templateChunk = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/uy;
/** After these words a slash begins a regular expression; after any other it divides. */
const beforeExpression =
  /^(?:return|typeof|case|in|of|void|delete|throw|await|yield|else|do|new|instanceof)$/;

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const openBraces: ("block" | "substitution")[] = [];
  let at = text.startsWith("#!") ? text.indexOf("\n") : 0;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    at += match?.length ?? 0;
    return match;
  }

  function takeTemplate(): void {
    const chunk = take(templateChunk);
    if (chunk === undefined) throw new Error(`unterminated template at ${at}`);
    if (chunk.endsWith("`")) tokens.push({ kind: "template", text: "" });
    else openBraces.push("substitution");
  }

  function takePunctuation(): void {
    const mark = text.charAt(at);
    at += 1;
    const closes = mark === "}" ? openBraces.pop() : undefined;
    if (mark === "{") openBraces.push("block");
    if (mark === '"' || mark === "'") throw new Error(`unterminated string at ${at}`);
    if (mark === "`" || closes === "substitution") takeTemplate();
    else tokens.push({ kind: "other", text: mark });
  }

  while (at < text.length) {
    if (take(skipped) !== undefined) continue;
    const string = take(stringLiteral);
    const name = string === undefined ? take(word) : undefined;
    if (string !== undefined) tokens.push({ kind: "string", text: string.slice(1, -1) });
    else if (name !== undefined) tokens.push({ kind: "word", text: name });
    else if (expressionMayBegin(tokens.at(-1)) && take(regexLiteral) !== undefined)
      tokens.push({ kind: "template", text: "" });
    else takePunctuation();
  }
  return tokens;
}

function expressionMayBegin(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === "word") return beforeExpression.test(previous.text);
  return previous.kind === "other" && !")]}".includes(previous.text);
}
