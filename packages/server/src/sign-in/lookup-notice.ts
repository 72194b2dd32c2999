// The result of a DNS lookup as text for the user.

import type { Diagnosis } from "../dns/diagnosis.ts";
import {
  type ChallengeLook,
  type FoundText,
  failureOf,
  type SpRecordLook,
} from "../dns/sp-record.ts";
import type { Messages } from "../pages/messages.ts";
import type { CheckResult, Notice } from "../pages/notice.ts";

/** Why the sign-in cannot continue, with every record that was found. */
export function explain(messages: Messages, look: SpRecordLook, domain: string): Notice {
  const outcome = look.outcome === "own" ? "own_unknown" : (failureOf(look) ?? look.outcome);
  return {
    ...messages.lookOutcomes[outcome](domain),
    records: foundRecords(messages, look.records),
  };
}

/** The result of the lookup of a set-up's record. */
export function describeSetUpLook(
  messages: Messages,
  look: SpRecordLook,
  diagnosis: Diagnosis,
  domain: string,
): CheckResult {
  return withDiagnosis(messages, { look, diagnosis, domain }, () => {
    switch (look.outcome) {
      case "absent":
        return messages.looks.absent(look.name);
      case "own":
      case "external":
      case "disabled":
        return otherValue(messages, look.name, look.records);
      default:
        return explain(messages, look, domain);
    }
  });
}

/** The result of the lookup of a challenge's record. */
export function describeChallengeLook(
  messages: Messages,
  look: ChallengeLook,
  diagnosis: Diagnosis,
  domain: string,
): CheckResult {
  return withDiagnosis(messages, { look, diagnosis, domain }, () => {
    switch (look.outcome) {
      case "unavailable":
      case "bogus":
      case "not_permitted":
        return messages.lookOutcomes[failureOf(look) ?? "not_permitted"](domain);
      case "not_seen":
        return look.records.length === 0
          ? messages.looks.absent(look.name)
          : otherValue(messages, look.name, look.records);
      case "seen":
        return messages.looks.seen();
    }
  });
}

/**
 * The notice about the mistake that the answers of the servers show, or else about the lookup itself;
 * with the answer of each server.
 */
function withDiagnosis(
  messages: Messages,
  result: { look: SpRecordLook | ChallengeLook; diagnosis: Diagnosis; domain: string },
  lookupNotice: () => Notice,
): CheckResult {
  const { look, diagnosis, domain } = result;
  const { name, asked: answers } = diagnosis;
  const notice = lookupNotice();
  const { summary, details } =
    mistakeNotice(messages, diagnosis, domain) ??
    (disagree(diagnosis) ? messages.looks.notCertain() : notice);
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
  { looks, lookOutcomes }: Messages,
  { name, mistake }: Pick<Diagnosis, "name" | "mistake">,
  domain: string,
): Notice | null {
  switch (mistake?.kind) {
    case "at_domain":
    case "at_parent":
      return looks.atDomain(mistake.name, name);
    case "doubled_name": {
      // The DNS panel appends this zone to every name.
      const zone = mistake.name.slice(name.length + 1);
      return looks.doubledName(mistake.name, name.slice(0, -zone.length - 1));
    }
    case "cut_at_semicolon":
      return looks.cutAtSemicolon();
    case "quoted":
      return looks.inQuotes();
    case "several":
      return lookOutcomes.ambiguous(domain);
    case "old_value":
      return mistake.seconds === null ? looks.notCertain() : looks.oldValue(mistake.seconds);
    case undefined:
      return null;
  }
}

function otherValue(messages: Messages, name: string, records: readonly FoundText[]): Notice {
  return { ...messages.looks.otherValue(name), records: foundRecords(messages, records) };
}

function foundRecords(messages: Messages, records: readonly FoundText[]): Notice["records"] {
  return records.map(({ value, problems }) => ({
    value,
    problems: problems.map(messages.recordProblem),
  }));
}

function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(11, 19)} UTC`;
}
