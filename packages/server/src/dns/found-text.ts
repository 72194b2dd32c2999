// What a look found at a name, as it may be remembered and shown to a person.

import type { FoundRecord, RecordProblem } from "domain-signin-verify/record";

/** A value at the name, or an alias that is not followed, and what keeps it from being used. */
export interface FoundText {
  readonly value: string;
  readonly problems: readonly (
    | RecordProblem
    | { readonly code: "alias_leads_away" | "wildcard"; readonly about?: never }
  )[];
}

// The owner of a zone decides how many records it has: keep no more than a person can read.
const MAX_TEXTS = 16;
const MAX_LENGTH = 1024;
const MAX_PROBLEMS = 8;

/** Octets that are not UTF-8 become U+FFFD, and a byte order mark stays. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Of values with one character for each octet. Records of ours come first: other records must not push them out. */
export function foundTexts(found: readonly FoundRecord[]): FoundText[] {
  const isOther = ({ problems }: FoundRecord) => problems.some(({ code }) => code === "not_ours");
  return [...found.filter((one) => !isOther(one)), ...found.filter(isOther)]
    .slice(0, MAX_TEXTS)
    .map(({ value, problems }) => ({
      value: shortened(decoder.decode(Buffer.from(value, "latin1"))),
      problems: problems.slice(0, MAX_PROBLEMS),
    }));
}

export function foundValues(values: readonly string[]): string[] {
  return values.slice(0, MAX_TEXTS).map(shortened);
}

/** A substring keeps the whole string in memory, so it is copied. */
function shortened(value: string): string {
  return value.length > MAX_LENGTH
    ? Buffer.from(`${value.slice(0, MAX_LENGTH)}…`).toString()
    : value;
}

export function foundAlias(target: string): FoundText {
  return { value: `CNAME ${target}`, problems: [{ code: "alias_leads_away" }] };
}

export function foundWildcard({ value, problems }: FoundText): FoundText {
  return { value, problems: [...problems, { code: "wildcard" }] };
}

/** A value that may be shown, as the parsers of records read it: with one character for each octet. */
export function octetsOfText(text: string): string {
  return Buffer.from(text).toString("latin1");
}
