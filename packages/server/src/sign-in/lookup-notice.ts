// The result of a DNS lookup as text for the user.

import type { Diagnosis } from "../dns/diagnosis.ts";
import {
  type ChallengeLook,
  type FoundText,
  failureOf,
  type SpRecordLook,
} from "../dns/sp-record.ts";
import type { Translate } from "../pages/messages.ts";
import type { CheckResult, Notice } from "../pages/notice.ts";

/** Why the sign-in cannot continue, with every record that was found. */
export function explain(t: Translate, look: SpRecordLook, domain: string): Notice {
  const outcome = look.outcome === "own" ? "own_unknown" : (failureOf(look) ?? look.outcome);
  return {
    ...t.explanation(`lookOutcomes-${outcome}`, { domain }),
    records: foundRecords(t, look.records),
  };
}

/** The result of the lookup of a set-up's record. */
export function describeSetUpLook(
  t: Translate,
  look: SpRecordLook,
  diagnosis: Diagnosis,
  domain: string,
): CheckResult {
  return withDiagnosis(t, { look, diagnosis, domain }, () => {
    switch (look.outcome) {
      case "absent":
        return t.explanation("looks-absent", { name: look.name });
      case "own":
      case "external":
      case "disabled":
        return otherValue(t, look.name, look.records);
      default:
        return explain(t, look, domain);
    }
  });
}

/** The result of the lookup of a challenge's record. */
export function describeChallengeLook(
  t: Translate,
  look: ChallengeLook,
  diagnosis: Diagnosis,
  domain: string,
): CheckResult {
  return withDiagnosis(t, { look, diagnosis, domain }, () => {
    switch (look.outcome) {
      case "unavailable":
      case "bogus":
      case "not_permitted":
        return t.explanation(`lookOutcomes-${failureOf(look) ?? "not_permitted"}`, { domain });
      case "not_seen":
        return look.records.length === 0
          ? t.explanation("looks-absent", { name: look.name })
          : otherValue(t, look.name, look.records);
      case "seen":
        return t.explanation("looks-seen");
    }
  });
}

/**
 * The notice about the mistake that the answers of the servers show, or else about the lookup itself;
 * with the answer of each server.
 */
function withDiagnosis(
  t: Translate,
  result: { look: SpRecordLook | ChallengeLook; diagnosis: Diagnosis; domain: string },
  lookupNotice: () => Notice,
): CheckResult {
  const { look, diagnosis, domain } = result;
  const { name, asked: answers } = diagnosis;
  const notice = lookupNotice();
  const { summary, details } =
    mistakeNotice(t, diagnosis, domain) ??
    (disagree(diagnosis) ? t.explanation("looks-notCertain") : notice);
  return {
    ...notice,
    summary,
    details,
    checkedAt: timeOf(look.checkedAt),
    servers: answers.length === 0 ? undefined : { name, answers },
  };
}

/** Whether some servers return the record, and others answer without it. */
export function disagree({ asked }: Pick<Diagnosis, "asked">): boolean {
  const has = (...what: string[]) => asked.some(({ found }) => what.includes(found));
  return has("wanted") && has("other", "absent");
}

/** How to fix a common mistake in the zone; null if there is none. */
export function mistakeNotice(
  t: Translate,
  { name, mistake }: Pick<Diagnosis, "name" | "mistake">,
  domain: string,
): Notice | null {
  switch (mistake?.kind) {
    case "at_domain":
    case "at_parent":
      return t.explanation("looks-atDomain", { domain: mistake.name, name });
    case "doubled_name": {
      // The DNS panel appends this zone to every name.
      const zone = mistake.name.slice(name.length + 1);
      const entry = name.slice(0, -zone.length - 1);
      return t.explanation("looks-doubledName", { name: mistake.name, entry });
    }
    case "cut_at_semicolon":
      return t.explanation("looks-cutAtSemicolon");
    case "quoted":
      return t.explanation("looks-inQuotes");
    case "several":
      return t.explanation("lookOutcomes-ambiguous", { domain });
    case "old_value":
      return mistake.seconds === null
        ? t.explanation("looks-notCertain")
        : t.explanation("looks-oldValue", { seconds: mistake.seconds });
    case undefined:
      return null;
  }
}

function otherValue(t: Translate, name: string, records: readonly FoundText[]): Notice {
  return { ...t.explanation("looks-otherValue", { name }), records: foundRecords(t, records) };
}

function foundRecords(t: Translate, records: readonly FoundText[]): Notice["records"] {
  return records.map(({ value, problems }) => ({
    value,
    problems: problems.map(t.recordProblem),
  }));
}

function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(11, 19)} UTC`;
}
