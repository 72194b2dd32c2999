// The form `v=dsi1; name=value; …` that the SP record and the challenge record share.

/**
 * One thing that is wrong: a stable code, a sentence in English for the person who edits the zone,
 * and the part of the record that it is about, for the same sentence in another language.
 */
export type RecordProblem = {
  readonly code: RecordProblemCode;
  readonly message: string;
  readonly about?: string;
};

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
  | "missing_chal"
  | "bad_chal"
  | "other_sp"
  | "other_chal";

/** Why a text is not a usable record: another thing, another version, or one of ours with mistakes. */
export type UnusableRecord =
  | { readonly outcome: "not_ours" }
  | { readonly outcome: "unsupported"; readonly version: string }
  | { readonly outcome: "invalid"; readonly problems: readonly RecordProblem[] };

export type Tags = ReadonlyMap<string, string>;

export type TagList = { readonly outcome: "tags"; readonly tags: Tags } | UnusableRecord;

const maxOctets = 1024;
/** More mistakes than a person would read are not looked for: a hostile record is all mistakes. */
const maxProblems = 8;

// The version's letters match in either case, as quoted strings of ABNF do (RFC 5234 §2.3).
const versionStart = /^v[ \t]*=[ \t]*dsi(\d+)/i;
const versionTag = /^v[ \t]*=[ \t]*dsi1$/i;
const tagForm = /^([a-z][a-z0-9-]{0,15})[ \t]*=[ \t]*([\x21-\x3a\x3c-\x7e]+)$/;

export function readTagList(text: string): TagList {
  const version = versionStart.exec(text)?.[1];
  if (version === undefined) return { outcome: "not_ours" };
  if (version !== "1") return { outcome: "unsupported", version };
  if (/[^\t\x20-\x7e]/.test(text)) {
    return invalid(
      problem("not_ascii", "The record holds characters that are not printable ASCII."),
    );
  }
  if (text.length > maxOctets) {
    const message = `The record is ${text.length} octets long; at most ${maxOctets} are allowed.`;
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
  if (!versionTag.test(first)) {
    problems.push(
      problem("malformed_version", `A semicolon must follow v=dsi1 in ${quote(first)}.`, first),
    );
  }
  for (const part of rest) {
    if (problems.length >= maxProblems) break;
    const [, name, value] = tagForm.exec(part) ?? [];
    if (name === undefined || value === undefined) {
      const message = `${quote(part)} is not of the form name=value.`;
      problems.push(problem("malformed_tag", message, part));
    } else if (names.has(name)) {
      problems.push(problem("repeated_tag", `The tag ${name} stands more than once.`, name));
    } else {
      names.add(name);
      tags.set(name, value);
    }
  }
  return problems.length > 0 ? invalid(...problems) : { outcome: "tags", tags };
}

/** White space belongs to a separator only: before the first and after the last part it stays, as a mistake. */
function splitAtSeparators(text: string): string[] {
  const parts = text.split(";");
  return parts.map((part, index) => {
    const start = index === 0 ? part : part.replace(/^[ \t]+/, "");
    return index === parts.length - 1 ? start : start.replace(/[ \t]+$/, "");
  });
}

/** What keeps a value that was parsed from being used, for those who have to see each value found. */
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
          `Version dsi${parsed.version} is not known here.`,
          `dsi${parsed.version}`,
        ),
      ];
    case "not_ours":
      return [problem("not_ours", /v\s*=\s*dsi1/i.test(value) ? notFirst : otherRecord)];
  }
}

const notFirst = "The record must begin with v=dsi1: remove what stands before it.";
const otherRecord = "The record does not begin with v=dsi1: it is another record, ignored here.";

export function problem(code: RecordProblemCode, message: string, about?: string): RecordProblem {
  return { code, message, ...(about !== undefined && { about: shortened(about) }) };
}

export function invalid(...problems: RecordProblem[]): UnusableRecord {
  return { outcome: "invalid", problems };
}

function quote(text: string): string {
  return `"${shortened(text)}"`;
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
