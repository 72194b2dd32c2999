// Reads the JSON file of settings, or says why it cannot be read.

import { readFileSync } from "node:fs";

/** What a file that cannot be read is told as, after its name. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "permission denied",
  EISDIR: "is a directory",
};

const TOKEN = "Unexpected token";

/** The members of the object in the file, or a mistake in words for the operator. */
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
    : { mistake: `${path} does not hold an object of settings` };
}

/** The text of a file, or why there is none. */
export function readText(path: string): { readonly text: string } | { readonly mistake: string } {
  try {
    return { text: readFileSync(path, "utf8") };
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    return { mistake: `cannot read ${path}: ${REASONS[code] ?? messageOf(cause)}` };
  }
}

/** The parser's words without the text that it quotes, which may be the secret, and the place. */
function syntaxMistake(text: string, message: string): string {
  const unquoted = message.split(/ in JSON| at position|"/, 1)[0] || TOKEN;
  const reason = message.startsWith(TOKEN) ? TOKEN : unquoted;
  const before = text.slice(0, placeOf(text, message));
  const column = before.length - before.lastIndexOf("\n");
  return `${reason}, line ${before.split("\n").length} column ${column}`;
}

function placeOf(text: string, message: string): number {
  const [, told] = /at position (\d+)/.exec(message) ?? [];
  if (told !== undefined) return Number(told);
  if (!message.startsWith(TOKEN)) return text.length;
  // It says no place where it quotes: the token ends the shortest beginning in which it is met.
  let [without, having] = [0, text.length];
  while (having - without > 1) {
    const middle = (without + having) >> 1;
    if (complaintAbout(text.slice(0, middle)).startsWith(TOKEN)) having = middle;
    else without = middle;
  }
  return having - 1;
}

function complaintAbout(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (cause) {
    return messageOf(cause);
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
