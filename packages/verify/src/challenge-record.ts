// The challenge record, with which the owner of a domain answers a DNS challenge of one service.

import { type Issuer, type IssuerOptions, readIssuer } from "./issuer.ts";
import {
  invalid,
  problem,
  problemsOf,
  type RecordProblem,
  readTagList,
  type UnusableRecord,
} from "./tag-list.ts";

/** `chal` is the value that the service generated for one browser: at least 128 random bits. */
export type ChallengeRecord = { readonly sp: Issuer; readonly chal: string };

export type ParsedChallengeRecord =
  | { readonly outcome: "ok"; readonly record: ChallengeRecord }
  | UnusableRecord;

const CHAL_RE = /^[A-Za-z0-9_-]{22,64}$/;

/** Reads one TXT value (its strings joined without a separator), with one character for each octet. */
export function parseChallengeRecord(
  text: string,
  options: IssuerOptions = {},
): ParsedChallengeRecord {
  const list = readTagList(text, "dsi1-chal");
  if (list.outcome !== "tags") return list;
  const problems: RecordProblem[] = [];
  const sp = readIssuer(list.tags, options, problems);
  const chal = list.tags.get("chal");
  if (chal === undefined) {
    problems.push(problem("missing_chal"));
  } else if (!CHAL_RE.test(chal)) {
    problems.push(problem("bad_chal"));
  }
  if (sp && chal && problems.length === 0) return { outcome: "ok", record: { sp, chal } };
  return invalid(...problems);
}

/** Formats the value of a record. The caller must pass valid parts. */
export function formatChallengeRecord(record: { sp: string; chal: string }): string {
  return `v=dsi1-chal sp=${record.sp} chal=${record.chal}`;
}

/** Why one TXT value does not answer the challenge `expected`; empty if it does. */
export function challengeProblems(
  text: string,
  expected: { readonly sp: string; readonly chal: string },
  options: IssuerOptions = {},
): readonly RecordProblem[] {
  const parsed = parseChallengeRecord(text, options);
  if (parsed.outcome !== "ok") return problemsOf(text, parsed);
  const { sp, chal } = parsed.record;
  if (sp !== expected.sp) return [problem("other_sp")];
  if (chal !== expected.chal) return [problem("other_chal")];
  return [];
}
