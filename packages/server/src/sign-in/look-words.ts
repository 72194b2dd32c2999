// What a look in DNS came to, in words for the person who waits for it.

import type { ChallengeLook, SpRecordLook } from "../dns/sp-record.ts";
import type { Messages } from "../pages/messages/en.ts";
import type { Look, Notice } from "../pages/notice.ts";

/** Why a domain cannot go on, with every record that was found. */
export function explain(messages: Messages, look: SpRecordLook, domain: string): Notice {
  return {
    ...messages.lookOutcomes[look.outcome === "own" ? "own_unknown" : look.outcome](domain),
    records: copied(look.records),
  };
}

/** What a look for the record of a set-up saw. */
export function describeSetUpLook(messages: Messages, look: SpRecordLook, domain: string): Look {
  const checkedAt = timeOf(look.checkedAt);
  switch (look.outcome) {
    case "absent":
      return { ...messages.looks.absent(look.name), checkedAt };
    case "own":
    case "external":
    case "disabled":
      return { ...messages.looks.otherValue(look.name), records: copied(look.records), checkedAt };
    default:
      return { ...explain(messages, look, domain), checkedAt };
  }
}

/** What a look for the record of a challenge saw. */
export function describeChallengeLook(
  messages: Messages,
  look: ChallengeLook,
  domain: string,
): Look {
  const checkedAt = timeOf(look.checkedAt);
  switch (look.outcome) {
    case "unavailable":
      return { ...messages.lookOutcomes.unavailable(domain), checkedAt };
    case "not_seen":
      return look.records.length === 0
        ? { ...messages.looks.absent(look.name), checkedAt }
        : { ...messages.looks.otherValue(look.name), records: copied(look.records), checkedAt };
    case "seen":
      return { ...messages.looks.notYet(), checkedAt };
  }
}

function copied(records: SpRecordLook["records"]): Notice["records"] {
  return records.map(({ value, problems }) => ({ value, problems: [...problems] }));
}

function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(11, 19)} UTC`;
}
