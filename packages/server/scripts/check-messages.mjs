// Checks the catalogues in `messages/` against the English one: `node scripts/check-messages.mjs [folder]`.
//
// Prints each mistake as `file:line: description` and exits with status 1 if there are any: invalid Fluent,
// missing, unknown or duplicate messages, missing attributes, missing or unknown variables, and a
// declaration of the English messages that is out of date. With `--write`, writes that declaration.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse, Visitor } from "@fluent/syntax";

const REFERENCE = "en.ftl";
const DECLARATION = "en.d.ts";
/** English pages show the parser's own messages instead. */
const ONLY_IN_TRANSLATIONS = /^recordProblem-/;

const args = process.argv.slice(2);
const folder =
  args.find((arg) => arg !== "--write") ?? fileURLToPath(new URL("../messages", import.meta.url));
const mistakes = [];
const files = readdirSync(folder).filter((name) => name.endsWith(".ftl"));
const catalogues = new Map(files.map((file) => [file, readCatalogue(file)]));
const english = catalogues.get(REFERENCE);
if (english === undefined) mistakes.push(`${REFERENCE}: the English catalogue is missing`);
else {
  for (const [file, messages] of catalogues) if (file !== REFERENCE) compare(file, messages);
  if (args.includes("--write")) writeFileSync(`${folder}/${DECLARATION}`, declare(english));
  else checkDeclaration(declare(english));
}
for (const mistake of mistakes) console.error(mistake);
process.exitCode = mistakes.length === 0 ? 0 : 1;

/** The messages of a file by id, each with its line, parts and variables. */
function readCatalogue(file) {
  const text = readFileSync(`${folder}/${file}`, "utf8");
  const lineAt = (offset) => text.slice(0, offset).split("\n").length;
  const messages = new Map();
  for (const entry of parse(text, { withSpans: true }).body) {
    const line = lineAt(entry.span.start);
    if (entry.type === "Junk") {
      const [{ message, span }] = entry.annotations;
      mistakes.push(`${file}:${lineAt(span.start)}: this is not Fluent: ${message}`);
    }
    if (entry.type !== "Message") continue;
    const id = entry.id.name;
    if (messages.has(id)) mistakes.push(`${file}:${line}: ${id} is defined twice`);
    messages.set(id, { line, parts: partsOf(entry), values: valuesOf(entry) });
  }
  return messages;
}

function compare(file, messages) {
  for (const [id, { line }] of english) {
    if (!messages.has(id)) mistakes.push(`${file}: ${id} is missing (${REFERENCE}:${line})`);
  }
  for (const [id, { line, parts, values }] of messages) {
    const wanted = english.get(id);
    if (wanted === undefined) {
      if (!ONLY_IN_TRANSLATIONS.test(id)) mistakes.push(`${file}:${line}: ${id} is unknown`);
      continue;
    }
    for (const part of wanted.parts) {
      if (!parts.has(part)) mistakes.push(`${file}:${line}: ${id} lacks its ${part}`);
    }
    for (const name of wanted.values.keys()) {
      if (!values.has(name)) mistakes.push(`${file}:${line}: ${id} lacks { $${name} }`);
    }
    for (const name of values.keys()) {
      if (!wanted.values.has(name)) {
        mistakes.push(`${file}:${line}: ${id} has unknown { $${name} }`);
      }
    }
  }
}

/** Its text and the kinds of its attributes: a language may need fewer or more paragraphs. */
function partsOf({ value, attributes }) {
  const kinds = attributes.map(({ id }) => `.${id.name.replace(/\d+$/, "")}`);
  return new Set(value === null ? kinds : ["text", ...kinds]);
}

/** The types of the variables by name. A variable that `NUMBER` or a selector reads is a number. */
function valuesOf(message) {
  const types = new Map();
  class Values extends Visitor {
    visitVariableReference({ id }) {
      if (!types.has(id.name)) types.set(id.name, "string");
    }
    visitFunctionReference(node) {
      this.markNumber(node.arguments.positional[0]);
      this.genericVisit(node);
    }
    visitSelectExpression(node) {
      this.markNumber(node.selector);
      this.genericVisit(node);
    }
    markNumber(node) {
      if (node?.type === "VariableReference") types.set(node.id.name, "number");
    }
  }
  new Values().visit(message);
  return types;
}

/** The TypeScript declaration of the messages: the names of their arguments, and the types of those. */
function declare(messages) {
  const rows = [...messages].map(([id, { values }]) => {
    const names = [...values.keys()].sort().map((name) => JSON.stringify(name));
    return `  ${JSON.stringify(id)}: ${names.join(" | ") || "never"};`;
  });
  const types = new Map([...messages.values()].flatMap(({ values }) => [...values]));
  const values = [...types].sort().map(([name, type]) => `  ${name}: ${type};`);
  return `// Written from ${REFERENCE} by \`npm run messages -- --write\`: the English messages.

/** The names of the arguments of each message. */
export interface MessageArguments {
${rows.join("\n")}
}

/** The type of each argument. */
export interface MessageValues {
${values.join("\n")}
}
`;
}

function checkDeclaration(wanted) {
  const found = existsSync(`${folder}/${DECLARATION}`)
    ? readFileSync(`${folder}/${DECLARATION}`, "utf8")
    : "";
  if (found === wanted) return;
  const lines = found.split("\n");
  const line = wanted.split("\n").findIndex((text, index) => text !== lines[index]) + 1;
  mistakes.push(
    `${DECLARATION}:${line}: differs from ${REFERENCE}; to update it: npm run messages -- --write`,
  );
}
