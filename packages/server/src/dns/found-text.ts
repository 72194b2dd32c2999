// What a look found at a name, as it may be remembered and shown to a person.

import type { FoundRecord, RecordProblem } from "domain-signin-verify/record";

/** A value at the name, and what keeps it from being used. */
export type FoundText = { readonly value: string; readonly problems: readonly FoundProblem[] };

/** As in a record, an alias that is not followed, or a value that was made from a wildcard. */
export type FoundProblem =
  | RecordProblem
  | { readonly code: "alias_leads_away" | "wildcard"; readonly about?: never };

// The owner of a zone decides how many records it has: keep no more than a person can read.
const maxTexts = 16;
const maxLength = 1024;
const maxProblems = 8;

export function foundTexts(found: readonly FoundRecord[]): FoundText[] {
  return [...found.filter(isOurs), ...found.filter((one) => !isOurs(one))]
    .slice(0, maxTexts)
    .map(({ value, problems }) => ({
      value: bounded(value),
      problems: problems.slice(0, maxProblems),
    }));
}

/** These come first: other records must not push them out. */
function isOurs({ problems }: FoundRecord): boolean {
  return !problems.some(({ code }) => code === "not_ours");
}

/** The values alone. */
export function foundValues(values: readonly string[]): string[] {
  return values.slice(0, maxTexts).map(bounded);
}

function bounded(value: string): string {
  return value.length > maxLength ? copied(`${value.slice(0, maxLength)}…`) : value;
}

/** A substring keeps the whole string in memory, so copy it. */
function copied(part: string): string {
  return Buffer.from(part).toString();
}

export function foundAlias(target: string): FoundText {
  return { value: `CNAME ${target}`, problems: [{ code: "alias_leads_away" }] };
}

/** A value that was made from a wildcard. */
export function foundWildcard({ value, problems }: FoundText): FoundText {
  return { value, problems: [...problems, { code: "wildcard" }] };
}
