// What is wrong with a record at the right name, compared with the value that its owner was told to publish.

import { parseChallengeRecord } from "domain-signin-verify/challenge-record";
import {
  type IssuerOptions,
  parseSpRecord,
  type RecordProblem,
  type RecordProblemCode,
} from "domain-signin-verify/record";
import { differenceOf, type ValuePiece, withoutGaps } from "./difference.ts";

export type ValueMistake =
  | {
      readonly kind:
        | "cut_at_semicolon"
        | "quoted"
        | "curly_quotes"
        | "spaces_lost"
        | "space_inside"
        | "wrong_case"
        | "wrong_character"
        | "incomplete"
        | "too_long"
        /** The value of a set-up that the same browser began before. */
        | "own_earlier"
        | "other_service";
    }
  | { readonly kind: "malformed"; readonly problem: RecordProblem };

/** The service and the account, or the challenge, that a value names; or what is wrong with the value. */
export type ReadValue =
  | { readonly outcome: "ok"; readonly sp: string; readonly id: string | null }
  | { readonly outcome: "invalid"; readonly problems: readonly RecordProblem[] }
  | { readonly outcome: "not_ours" };

// The issuer in the wanted value was accepted already, whatever the rules for issuers are here.
const ANY_ISSUER = { allowLoopbackIssuer: true, allowIssuerPort: true };

/** Reads an SP record or, if the value has the version of a challenge, a challenge record. */
export function readValue(value: string, ownIssuer?: string): ReadValue {
  return readAs(isOfChallenge(value) ? "challenge" : "sp_record", value, ownIssuer);
}

function isOfChallenge(value: string): boolean {
  return parseSpRecord(value).outcome === "other_version";
}

function readAs(kind: "challenge" | "sp_record", value: string, ownIssuer?: string): ReadValue {
  const options: IssuerOptions = { ...ANY_ISSUER, ...(ownIssuer !== undefined && { ownIssuer }) };
  const parsed =
    kind === "challenge" ? parseChallengeRecord(value, options) : parseSpRecord(value, options);
  if (parsed.outcome === "invalid") return parsed;
  if (parsed.outcome !== "ok") return { outcome: "not_ours" };
  const { record } = parsed;
  return {
    outcome: "ok",
    sp: record.sp,
    id: "chal" in record ? record.chal : (record.acct ?? null),
  };
}

/** Nothing but the version: a panel that cuts a value often leaves the opening quotation mark. */
const CUT = /^[\s"'“”„]*v\s*=\s*dsi1(?:-chal)?[\s\\;"'“”„]*$/i;

/** Of a value that was meant as a record; null for a valid record of another account or challenge. */
export function valueMistake(
  value: string,
  /** `value` is null if it is not known. `earlier` are the accounts of set-ups that the browser began before. */
  wanted: { readonly value: string | null; readonly earlier: readonly string[] },
): ValueMistake | null {
  const ours = wanted.value === null ? null : readValue(wanted.value);
  const sp = ours?.outcome === "ok" ? ours.sp : undefined;
  if (CUT.test(value)) return { kind: "cut_at_semicolon" };
  const marks = problemsIn(readValue(value));
  if (marks.has("curly_quotes")) return { kind: "curly_quotes" };
  if (marks.has("quotes")) return { kind: "quoted" };
  const kind = wanted.value !== null && isOfChallenge(wanted.value) ? "challenge" : "sp_record";
  const read = readAs(kind, value, sp);
  const problems = problemsIn(read);
  // The length is not told: values are shortened before.
  if (problems.has("too_long")) return { kind: "too_long" };
  if (read.outcome === "ok" && read.sp === sp && wanted.earlier.includes(read.id ?? "")) {
    return { kind: "own_earlier" };
  }
  // The parser says how to correct our issuer, which may be only one character away.
  const ofService = problems.get("own_sp_path") ?? problems.get("own_sp_scheme");
  if (ofService !== undefined) return { kind: "malformed", problem: ofService };
  const misspelt = wanted.value === null ? null : misspelling(value, wanted.value);
  if (misspelt !== null) return { kind: misspelt };
  if (MISSING.some((code) => problems.has(code))) return { kind: "incomplete" };
  if (read.outcome === "ok" && sp !== undefined && read.sp !== sp) return { kind: "other_service" };
  const [problem] = problems.values();
  return problem === undefined ? null : { kind: "malformed", problem };
}

const MISSING: readonly RecordProblemCode[] = ["missing_sp", "missing_acct", "missing_chal"];

/** By their codes, in the order in which the parser found them. */
function problemsIn(read: ReadValue): ReadonlyMap<RecordProblemCode, RecordProblem> {
  const problems = new Map<RecordProblemCode, RecordProblem>();
  for (const problem of read.outcome === "invalid" ? read.problems : []) {
    if (!problems.has(problem.code)) problems.set(problem.code, problem);
  }
  return problems;
}

/** How the value differs from the wanted one, if they are nearly the same. Takes linear time. */
function misspelling(value: string, wanted: string) {
  const [found, whole] = [withoutGaps(value), withoutGaps(wanted)];
  if (found === whole) {
    const isInside = differenceOf(value, wanted).some(isDifferentGap);
    return isInside ? "space_inside" : "spaces_lost";
  }
  if (found.toLowerCase() === whole.toLowerCase()) return "wrong_case";
  if (whole.startsWith(found)) return "incomplete";
  return isOneCharacterAway(found, whole) ? "wrong_character" : null;
}

const isDifferentGap = ({ text, isDifferent }: ValuePiece) =>
  isDifferent && withoutGaps(text) === "";

/** One character is another, is missing, or is too many. */
function isOneCharacterAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [longer, shorter] = one.length > other.length ? [one, other] : [other, one];
  const isMissing = longer.length > shorter.length;
  return longer.slice(start + 1) === shorter.slice(isMissing ? start : start + 1);
}
