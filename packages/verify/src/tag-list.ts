// The format `v=dsi1 name=value …` of the SP record and the challenge record: one parser for both versions.

/**
 * One problem: a stable code, and the part of the record that it is about or the rule that this part breaks.
 * `describeProblem` in record-problems.ts has a sentence for each.
 */
export interface RecordProblem {
  readonly code: RecordProblemCode;
  readonly about?: string;
}

export type RecordProblemCode =
  | "not_ours"
  | "is_challenge"
  | "is_sp_record"
  | "unsupported_version"
  | "not_alone"
  | "too_long"
  | "curly_quotes"
  | "not_ascii"
  | "quotes"
  | "before_version"
  | "upper_case_version"
  | "spaced_version"
  | "malformed_version"
  | "upper_case_tag"
  | "malformed_tag"
  | "repeated_tag"
  | "missing_sp"
  | "bad_sp"
  | "own_sp_scheme"
  | "own_sp_path"
  | "missing_acct"
  | "bad_acct"
  | "bad_jkt"
  | "bad_spk"
  | "key_in_both"
  | "missing_chal"
  | "bad_chal"
  | "other_sp"
  | "other_chal";

/** Of the SP record, and of the answer to a challenge. */
export type RecordVersion = "dsi1" | "dsi1-chal";

/**
 * Why a text is not a usable record. "other_version": it is the other of the two, which has a name of its own.
 * "unsupported": of a newer version. "invalid": it was meant as a record, so it must not count as absent.
 */
export type UnusableRecord =
  | { readonly outcome: "not_ours" }
  | { readonly outcome: "other_version"; readonly version: RecordVersion }
  | { readonly outcome: "unsupported"; readonly version: string }
  | { readonly outcome: "invalid"; readonly problems: readonly RecordProblem[] };

export type Tags = ReadonlyMap<string, string>;

export type TagList = { readonly outcome: "tags"; readonly tags: Tags } | UnusableRecord;

export const MAX_OCTETS = 1024;
/** A hostile record can have any number of problems: report no more than a person would read. */
const MAX_PROBLEMS = 8;

/** Panels add, drop and escape semicolons. */
const GAP = /(?:[ \t;]|\\;)+/;
/** Panels that kept their own splitting of a value leave these where one string ended and the next began. */
const SPLIT = /"[ \t]+"/g;
/** "dsi" and a digit within the first 16 octets. */
const LOOK_ALIKE = /^[\s\S]{0,12}dsi\d/i;
/** As people write it by mistake. */
const VERSION_TAG = /v[ \t]*=[ \t]*dsi\d/i;
const NEWER = /^v=(dsi(?:[2-9]|[1-9]\d+)(?:-[a-z0-9-]+)?)$/;
const NAME = /^[a-z][a-z0-9-]{0,15}$/;
/** Printable ASCII without white space, `"`, `;`, `<` and `\`. */
const VALUE = /^[!#-:=-[\]-~]+$/;
/** In a decoded text, and in one with a character for each octet. */
const CURLY = /[\u2018-\u201f]|\u00e2\u0080[\u0098-\u009f]/;

/** `text` has one character for each octet. In a decoded text, more counts as meant for a record. */
export function readTagList(text: string, version: RecordVersion): TagList {
  const list = withoutArtefacts(text);
  if (!LOOK_ALIKE.test(list)) return { outcome: "not_ours" };
  const [first = ""] = list.split(GAP, 1);
  const newer = NEWER.exec(first)?.[1];
  if (newer !== undefined) return { outcome: "unsupported", version: newer };
  const other = version === "dsi1" ? "dsi1-chal" : "dsi1";
  if (first === `v=${other}`) return { outcome: "other_version", version: other };
  if (text.length > MAX_OCTETS) return invalid(problem("too_long", String(text.length)));
  if (CURLY.test(list)) return invalid(problem("curly_quotes"));
  if (/[^\t -~]/.test(list)) return invalid(problem("not_ascii"));
  if (list.includes('"')) return invalid(problem("quotes"));
  if (first !== `v=${version}`) return invalid(...versionProblems(list, first));
  return readTags(list);
}

function withoutArtefacts(text: string): string {
  const trimmed = trim(text);
  const isQuoted = trimmed.startsWith('"') && trimmed.endsWith('"');
  const inner = isQuoted ? trim(trimmed.slice(1, -1)) : trimmed;
  return inner.replace(SPLIT, "");
}

/** A pattern for the end would take quadratic time. */
function trim(text: string): string {
  const isWhite = (at: number) => text[at] === " " || text[at] === "\t";
  let [start, end] = [0, text.length];
  while (start < end && isWhite(start)) start += 1;
  while (end > start && isWhite(end - 1)) end -= 1;
  return text.slice(start, end);
}

function versionProblems(list: string, first: string): RecordProblem[] {
  const found = VERSION_TAG.exec(list);
  const tag = found?.[0] ?? "";
  const problems: RecordProblem[] = [];
  if (found && found.index > 0) problems.push(problem("before_version"));
  if (/[A-Z]/.test(tag)) problems.push(problem("upper_case_version"));
  if (/[ \t]/.test(tag)) problems.push(problem("spaced_version"));
  return problems.length > 0 ? problems : [problem("malformed_version", first)];
}

function readTags(list: string): TagList {
  const [, ...parts] = list.split(GAP);
  if (parts.at(-1) === "") parts.pop();
  const tags = new Map<string, string>();
  const names = new Set(["v"]);
  const problems: RecordProblem[] = [];
  for (const part of parts) {
    if (problems.length >= MAX_PROBLEMS) break;
    const equals = part.indexOf("=");
    const [name, value] = [part.slice(0, Math.max(equals, 0)), part.slice(equals + 1)];
    const isTag = NAME.test(name.toLowerCase()) && isValue(value);
    if (!isTag) {
      problems.push(problem("malformed_tag", part));
    } else if (!NAME.test(name)) {
      problems.push(problem("upper_case_tag", name));
    } else if (names.has(name)) {
      problems.push(problem("repeated_tag", name));
    } else {
      names.add(name);
      tags.set(name, value);
    }
  }
  return problems.length > 0 ? invalid(...problems) : { outcome: "tags", tags };
}

/** An "=" at either end belongs to a mistake such as `sp==` or to padding. */
function isValue(text: string): boolean {
  return VALUE.test(text) && !text.startsWith("=") && !text.endsWith("=");
}

/** Why a parsed value cannot be used; empty if it can. */
export function problemsOf(
  value: string,
  parsed: { readonly outcome: "ok" } | UnusableRecord,
): readonly RecordProblem[] {
  switch (parsed.outcome) {
    case "ok":
      return [];
    case "invalid":
      return parsed.problems;
    case "other_version":
      return [problem(parsed.version === "dsi1" ? "is_sp_record" : "is_challenge")];
    case "unsupported":
      return [problem("unsupported_version", parsed.version)];
    case "not_ours":
      return [problem("not_ours", /v\s*=\s*dsi1/i.exec(value)?.[0])];
  }
}

export function problem(code: RecordProblemCode, about?: string): RecordProblem {
  return { code, ...(about !== undefined && { about: truncate(about) }) };
}

export function invalid(...problems: RecordProblem[]): UnusableRecord {
  return { outcome: "invalid", problems };
}

function truncate(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
