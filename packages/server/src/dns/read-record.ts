// What the TXT values at a name mean as SP records, or as answers to a challenge.

import { challengeProblems } from "domain-signin-verify/challenge-record";
import {
  formatSpRecord,
  type IssuerOptions,
  parseSpRecord,
  type RecordKeys,
  readSpRecordSet,
  type SpRecordSet,
} from "domain-signin-verify/record";
import { OperatorError } from "../lib/errors.ts";
import { type FoundText, foundAlias, foundTexts, foundWildcard } from "./found-text.ts";
import type { Found } from "./view.ts";

/** An issuer with a port allows ports in records. Throws `OperatorError` if no record can name the issuer. */
export function issuerOptions(issuer: string, allowLoopbackIssuer: boolean): IssuerOptions {
  const options = { allowLoopbackIssuer, allowIssuerPort: new URL(issuer).port !== "" };
  const record = formatSpRecord({ sp: issuer, acct: "a".repeat(22) });
  if (parseSpRecord(record, options).outcome === "ok") return options;
  throw new OperatorError(`no record can name the issuer ${issuer}: its host must contain a dot`);
}

/** What the records that one resolver returned mean. */
export interface ReadRecord {
  /** The outcome, `sp` and `acct`. Keys may differ: those that all have count. */
  readonly key: string;
  readonly outcome: RecordOutcome;
  readonly records: readonly FoundText[];
}

export type RecordOutcome =
  | { readonly outcome: "absent" }
  | ({ readonly outcome: "own"; readonly acct: string } & RecordKeys)
  | ({ readonly outcome: "external"; readonly sp: string; readonly acct: string } & RecordKeys)
  | { readonly outcome: "disabled" | "invalid" | "ambiguous" | "unsupported" }
  | { readonly outcome: "alias_invalid"; readonly target: string };

export function readRecord(
  { values, aliasTarget, isWildcard }: Found,
  issuer: string,
  options: IssuerOptions,
): ReadRecord {
  if (aliasTarget !== null) {
    const outcome = { outcome: "alias_invalid", target: aliasTarget } as const;
    return { key: keyOf(outcome), outcome, records: [] };
  }
  const set = readSpRecordSet(values, options);
  const records = foundTexts(set.found);
  // A wildcard is not an SP record. A wildcard for other purposes is no mistake.
  if (isWildcard) {
    const outcome = { outcome: set.outcome === "none" ? "absent" : "invalid" } as const;
    return { key: keyOf(outcome), outcome, records: records.map(foundWildcard) };
  }
  const outcome = outcomeOf(set, issuer);
  return { key: keyOf(outcome), outcome, records };
}

function keyOf(of: RecordOutcome): string {
  const { outcome, sp, acct } = { sp: null, acct: null, ...of };
  return JSON.stringify([outcome, sp, acct]);
}

export function readChallenge(
  { values, aliasTarget, isWildcard }: Omit<Found, "ttl">,
  expected: { readonly sp: string; readonly chal: string },
  options: IssuerOptions,
): { key: string; isSeen: boolean; records: readonly FoundText[] } {
  if (aliasTarget !== null) {
    return { key: "not_seen", isSeen: false, records: [foundAlias(aliasTarget)] };
  }
  const found = values.map((value) => ({
    value,
    problems: challengeProblems(value, expected, options),
  }));
  const isSeen = !isWildcard && found.some(({ problems }) => problems.length === 0);
  return { key: isSeen ? "seen" : "not_seen", isSeen, records: foundTexts(found) };
}

/** Issuers are compared by code point. */
function outcomeOf(set: SpRecordSet, issuer: string): RecordOutcome {
  if (set.outcome === "none") return { outcome: "absent" };
  if (set.outcome !== "one") return { outcome: set.outcome };
  const { record } = set;
  if (record.sp === "none") return { outcome: "disabled" };
  const { sp, ...named } = record;
  return sp === issuer ? { outcome: "own", ...named } : { outcome: "external", sp, ...named };
}

/** Keys count only if all agreeing answers have them. */
export function withSharedKeys(
  outcome: RecordOutcome,
  answers: readonly ReadRecord[],
): RecordOutcome {
  if (!("jkt" in outcome)) return outcome;
  const shared = (tag: keyof RecordKeys) =>
    outcome[tag].filter((key) =>
      answers.every((answer) => "jkt" in answer.outcome && answer.outcome[tag].includes(key)),
    );
  return { ...outcome, jkt: shared("jkt"), spk: shared("spk") };
}
