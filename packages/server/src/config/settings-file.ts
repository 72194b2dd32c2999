// Reads the JSON file of settings.

import { readFileSync } from "node:fs";
import { messageOf } from "../lib/errors.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "permission denied",
  EISDIR: "is a directory",
};

const TOKEN = "Unexpected token";

/** The members of the object in the file, or a message for the operator. */
export function readSettingsFile(
  path: string,
): { readonly members: object } | { readonly mistake: string } {
  const read = readText(path);
  if ("mistake" in read) return read;
  let parsed: unknown;
  try {
    parsed = JSON.parse(read.text);
  } catch (cause) {
    return { mistake: `${path} is not JSON: ${syntaxMistake(read.text, messageOf(cause))}` };
  }
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
    ? { members: parsed }
    : { mistake: `${path} must contain a JSON object` };
}

export function readText(path: string): { readonly text: string } | { readonly mistake: string } {
  try {
    return { text: readFileSync(path, "utf8") };
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    return { mistake: `cannot read ${path}: ${REASONS[code] ?? messageOf(cause)}` };
  }
}

/** The parser's message with line and column, but without the quoted text, which may be the secret. */
function syntaxMistake(text: string, message: string): string {
  const unquoted = message.split(/ in JSON| at position|"/, 1)[0] || TOKEN;
  const reason = message.startsWith(TOKEN) ? TOKEN : unquoted;
  const before = text.slice(0, placeOf(text, message));
  const column = before.length - before.lastIndexOf("\n");
  return `${reason}, line ${before.split("\n").length} column ${column}`;
}

function placeOf(text: string, message: string): number {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  if (!message.startsWith(TOKEN)) return text.length;
  // A message that quotes the text has no position. A binary search finds the shortest prefix with the token.
  let [low, high] = [0, text.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (parseErrorOf(text.slice(0, middle)).startsWith(TOKEN)) high = middle;
    else low = middle;
  }
  return high - 1;
}

function parseErrorOf(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (cause) {
    return messageOf(cause);
  }
}
