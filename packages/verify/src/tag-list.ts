// The format `v=dsi1; name=value; …` of the SP record and the challenge record.

/**
 * One problem: a stable code, an English sentence for the person who edits the zone, and the part of
 * the record that it is about, for translations of the sentence.
 */
export interface RecordProblem {
  readonly code: RecordProblemCode;
  readonly message: string;
  readonly about?: string;
}

export type RecordProblemCode =
  | "not_ours"
  | "unsupported_version"
  | "not_alone"
  | "not_ascii"
  | "too_long"
  | "malformed_version"
  | "malformed_tag"
  | "repeated_tag"
  | "missing_sp"
  | "bad_sp"
  | "missing_acct"
  | "bad_acct"
  | "bad_jkt"
  | "bad_spk"
  | "key_in_both"
  | "missing_chal"
  | "bad_chal"
  | "other_sp"
  | "other_chal";

/** Why a text is not a usable record: another kind, another version, or one with problems. */
export type UnusableRecord =
  | { readonly outcome: "not_ours" }
  | { readonly outcome: "unsupported"; readonly version: string }
  | { readonly outcome: "invalid"; readonly problems: readonly RecordProblem[] };

export type Tags = ReadonlyMap<string, string>;

export type TagList = { readonly outcome: "tags"; readonly tags: Tags } | UnusableRecord;

const MAX_OCTETS = 1024;
/** A hostile record can have any number of problems: report no more than a person would read. */
const MAX_PROBLEMS = 8;

// The version is case-insensitive, like every quoted string in ABNF (RFC 5234 §2.3).
const VERSION_START = /^v[ \t]*=[ \t]*dsi(\d+)/i;
const VERSION_TAG = /^v[ \t]*=[ \t]*dsi1$/i;
const TAG_RE = /^([a-z][a-z0-9-]{0,15})[ \t]*=[ \t]*([\x21-\x3a\x3c-\x7e]+)$/;

export function readTagList(text: string): TagList {
  const version = VERSION_START.exec(text)?.[1];
  if (version === undefined) return { outcome: "not_ours" };
  if (version !== "1") return { outcome: "unsupported", version };
  if (/[^\t\x20-\x7e]/.test(text)) {
    return invalid(
      problem("not_ascii", "The record contains characters that are not printable ASCII."),
    );
  }
  if (text.length > MAX_OCTETS) {
    const message = `The record is ${text.length} octets long; at most ${MAX_OCTETS} are allowed.`;
    return invalid(problem("too_long", message, String(text.length)));
  }
  return readTags(text);
}

function readTags(text: string): TagList {
  const [first = "", ...rest] = splitAtSeparators(text);
  if (rest.at(-1) === "") rest.pop();
  const tags = new Map<string, string>();
  const names = new Set(["v"]);
  const problems: RecordProblem[] = [];
  if (!VERSION_TAG.test(first)) {
    problems.push(
      problem("malformed_version", `A semicolon must follow v=dsi1 in ${quote(first)}.`, first),
    );
  }
  for (const part of rest) {
    if (problems.length >= MAX_PROBLEMS) break;
    const [, name, value] = TAG_RE.exec(part) ?? [];
    if (name === undefined || value === undefined) {
      const message = `${quote(part)} is not of the form name=value.`;
      problems.push(problem("malformed_tag", message, part));
    } else if (names.has(name)) {
      problems.push(problem("repeated_tag", `The tag ${name} occurs more than once.`, name));
    } else {
      names.add(name);
      tags.set(name, value);
    }
  }
  return problems.length > 0 ? invalid(...problems) : { outcome: "tags", tags };
}

/** Strips white space around separators only: at the start and the end of the text it is an error. */
function splitAtSeparators(text: string): string[] {
  const parts = text.split(";");
  return parts.map((part, index) => {
    const start = index === 0 ? part : part.replace(/^[ \t]+/, "");
    return index === parts.length - 1 ? start : start.replace(/[ \t]+$/, "");
  });
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
    case "unsupported":
      return [
        problem(
          "unsupported_version",
          `Version dsi${parsed.version} is not supported.`,
          `dsi${parsed.version}`,
        ),
      ];
    case "not_ours":
      return [problem("not_ours", /v\s*=\s*dsi1/i.test(value) ? NOT_FIRST : OTHER_RECORD)];
  }
}

const NOT_FIRST = "The record must begin with v=dsi1: remove everything before it.";
const OTHER_RECORD = "The record does not begin with v=dsi1: it is another record and is ignored.";

export function problem(code: RecordProblemCode, message: string, about?: string): RecordProblem {
  return { code, message, ...(about !== undefined && { about: truncate(about) }) };
}

export function invalid(...problems: RecordProblem[]): UnusableRecord {
  return { outcome: "invalid", problems };
}

function quote(text: string): string {
  return `"${truncate(text)}"`;
}

function truncate(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
