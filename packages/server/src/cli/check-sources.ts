// What each DNS resolver said about a record, and what a sign-in would change, as `check` prints it.

import { type Assurance, isAtLeast } from "../dns/assurance.ts";
import { reportedOutcome } from "../dns/majority.ts";
import { failureOf, namesAccount, type RecordVoice, type SpRecordLook } from "../dns/sp-record.ts";
import { isoTime } from "../lib/iso-time.ts";
import type { Account } from "../store/accounts.ts";
import { OWN_SP } from "../store/shared-values.ts";

/** What one resolver said. Times in epoch seconds, `age` in seconds. */
export function sourceReport(voice: RecordVoice, resolver: string, checkedAt: number) {
  const { security } = voice;
  if (security === "bogus" || security === "indeterminate") {
    const outcome = reportedOutcome(security);
    return { resolver, security, outcome, ...failureReport(voice) } as const;
  }
  const { record } = voice;
  const named = { sp: null, acct: null, ...record };
  const isSecure = voice.security === "secure";
  return {
    resolver,
    security,
    outcome: record.outcome,
    sp: named.sp,
    acct: named.acct,
    /** Of the signatures of the answer: the oldest inception, and the first expiration. */
    inception: isSecure ? voice.inception : null,
    expiration: isSecure ? voice.expiration : null,
    age: isSecure ? checkedAt - voice.inception : null,
    ...(!isSecure && voice.isUnsupported && { unsupported_dnssec: true }),
  } as const;
}

type SourceReport = ReturnType<typeof sourceReport>;

/** The cause of a failure, and the error by which the resolver explained it. */
export function failureReport(failure: {
  readonly cause?: string;
  readonly reason: string;
  readonly extendedError?: { readonly code: number; readonly name: string } | undefined;
}) {
  const { cause, reason, extendedError: { code, name } = {} } = failure;
  return {
    ...(cause !== undefined && { cause }),
    reason,
    ...(code !== undefined && { extended_error: { code, name } }),
  };
}

export function sourceLine(source: SourceReport): string {
  const { resolver, security, outcome } = source;
  const head = `resolver ${resolver} says ${outcome}, ${security}`;
  if ("reason" in source) {
    const { cause, reason, extended_error: error } = source;
    const words = [cause, reason, error && `EDE ${error.code} ${error.name}`];
    return `${head}: ${words.filter((word) => word !== undefined).join(", ")}`;
  }
  const { inception, expiration, age } = source;
  if (inception === null || expiration === null || age === null) return head;
  const period = `${isoTime(inception)} to ${isoTime(expiration)}`;
  return `${head}: signed ${period}, ${Math.floor(age / 60)} minutes ago`;
}

/** What a look that decides would do with an account, and why. */
export function changeOf(look: SpRecordLook, account: Account, minAssurance: Assurance) {
  const { sp, acct, asleepSince } = account;
  const isAsleep = asleepSince !== null;
  const head = { sp: sp === OWN_SP ? null : sp, acct, asleep: isAsleep };
  const failure = failureOf(look);
  if (failure !== null)
    return { ...head, would: "nothing", because: reportedOutcome(failure) } as const;
  if (namesAccount(look, account)) {
    return { ...head, would: isAsleep ? "wake" : "nothing", because: "named" } as const;
  }
  const isEnough = isAtLeast(look.assurance, minAssurance);
  if (isAsleep) return { ...head, would: "nothing", because: "not_named" } as const;
  if (!isEnough) return { ...head, would: "nothing", because: "unconfirmed" } as const;
  return { ...head, would: "sleep", because: "not_named" } as const;
}

export function changeLine({ acct, asleep, would, because }: ReturnType<typeof changeOf>): string {
  const state = asleep ? "asleep" : "live";
  return `account ${acct} is ${state}; effect of a sign-in: ${would} (${because})`;
}
