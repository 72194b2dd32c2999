// What a look in DNS came to, in words for the person who waits for it.

import type { Diagnosis } from "../dns/diagnosis.ts";
import {
  type ChallengeLook,
  type FoundText,
  failureOf,
  type SpRecordLook,
} from "../dns/sp-record.ts";
import type { Messages } from "../pages/messages.ts";
import type { Look, Notice } from "../pages/notice.ts";

/** Why a domain cannot go on, with every record that was found. */
export function explain(messages: Messages, look: SpRecordLook, domain: string): Notice {
  const outcome = look.outcome === "own" ? "own_unknown" : (failureOf(look) ?? look.outcome);
  return {
    ...messages.lookOutcomes[outcome](domain),
    records: foundRecords(messages, look.records),
  };
}

/** What a look for the record of a set-up saw. */
export function describeSetUpLook(
  messages: Messages,
  look: SpRecordLook,
  diagnosis: Diagnosis,
  domain: string,
): Look {
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

/** What a look for the record of a challenge saw. */
export function describeChallengeLook(
  messages: Messages,
  look: ChallengeLook,
  diagnosis: Diagnosis,
  domain: string,
): Look {
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
 * The words of the mistake that the servers' answers show, else those for the look itself; and what
 * each server said.
 */
function withDiagnosis(
  messages: Messages,
  seen: { look: SpRecordLook | ChallengeLook; diagnosis: Diagnosis; domain: string },
  itself: () => Notice,
): Look {
  const { look, diagnosis, domain } = seen;
  const { name, asked: answers } = diagnosis;
  const notice = itself();
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

/** Some servers have the record, others that answered do not. */
export function disagree({ asked }: Pick<Diagnosis, "asked">): boolean {
  const has = (...what: string[]) => asked.some(({ found }) => what.includes(found));
  return has("wanted") && has("other", "absent");
}

/** What to do about a usual mistake. */
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
      // The panel puts this zone behind whatever it is told.
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
