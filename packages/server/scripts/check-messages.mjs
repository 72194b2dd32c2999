// Checks the catalogues in `messages/` against the English one: `node scripts/check-messages.mjs [folder]`.
//
// Prints each mistake as `file:line: description` and exits with status 1 if there are any: invalid Fluent,
// missing, unknown or duplicate messages, and missing or unknown variables.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse, Visitor } from "@fluent/syntax";

const REFERENCE = "en.ftl";
/** English pages show the parser's own messages instead. */
const ONLY_IN_TRANSLATIONS = /^recordProblem-/;

const folder = process.argv[2] ?? fileURLToPath(new URL("../messages", import.meta.url));
const mistakes = [];
const files = readdirSync(folder).filter((name) => name.endsWith(".ftl"));
const catalogues = new Map(files.map((file) => [file, readCatalogue(file)]));
const english = catalogues.get(REFERENCE);
if (english === undefined) mistakes.push(`${REFERENCE}: the English catalogue is missing`);
else for (const [file, messages] of catalogues) if (file !== REFERENCE) compare(file, messages);
for (const mistake of mistakes) console.error(mistake);
process.exitCode = mistakes.length === 0 ? 0 : 1;

/** The messages of a file by id, each with its line and variables. */
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
    messages.set(id, { line, values: valuesOf(entry) });
  }
  return messages;
}

function compare(file, messages) {
  for (const [id, { line }] of english) {
    if (!messages.has(id)) mistakes.push(`${file}: ${id} is missing (${REFERENCE}:${line})`);
  }
  for (const [id, { line, values }] of messages) {
    const wanted = english.get(id)?.values;
    if (wanted === undefined) {
      if (!ONLY_IN_TRANSLATIONS.test(id)) mistakes.push(`${file}:${line}: ${id} is unknown`);
      continue;
    }
    for (const name of wanted) {
      if (!values.has(name)) mistakes.push(`${file}:${line}: ${id} lacks { $${name} }`);
    }
    for (const name of values) {
      if (!wanted.has(name)) mistakes.push(`${file}:${line}: ${id} has unknown { $${name} }`);
    }
  }
}

function valuesOf(message) {
  const names = new Set();
  class Values extends Visitor {
    visitVariableReference({ id }) {
      names.add(id.name);
    }
  }
  new Values().visit(message);
  return names;
}
