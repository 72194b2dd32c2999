// The format `v=dsi1; name=value; …` of the SP record and the challenge record.

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

export const MAX_OCTETS = 1024;
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
    return invalid(problem("not_ascii"));
  }
  if (text.length > MAX_OCTETS) {
    return invalid(problem("too_long", String(text.length)));
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
    problems.push(problem("malformed_version", first));
  }
  for (const part of rest) {
    if (problems.length >= MAX_PROBLEMS) break;
    const [, name, value] = TAG_RE.exec(part) ?? [];
    if (name === undefined || value === undefined) {
      problems.push(problem("malformed_tag", part));
    } else if (names.has(name)) {
      problems.push(problem("repeated_tag", name));
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
      return [problem("unsupported_version", `dsi${parsed.version}`)];
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
