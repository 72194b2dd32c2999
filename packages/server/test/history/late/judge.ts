// Judges a history of honest apps that retry late.

import { check, type Violation } from "../checker.ts";
import type { LateOperation } from "./app.ts";
import type { HonestLoad } from "./honest.ts";

export interface Judgement {
  /** Broken promises about what was acknowledged, but for what is counted below. */
  readonly lost: readonly Violation[];
  /** What worked although something else had used it up or revoked it. */
  readonly validTwice: readonly Violation[];
  /** Refresh tokens of honest apps that were refused. */
  readonly loggedOut: readonly LateOperation[];
  /** Codes that were refused within their ten minutes, after an answer that was no outcome. */
  readonly codesLost: readonly LateOperation[];
  /** Neither an outcome nor 503. */
  readonly otherAnswers: readonly LateOperation[];
  readonly unfinished: readonly string[];
}

const LOST = "nothing acknowledged is lost";
/** No answer, both outcomes, and 503. */
const STATUSES: readonly number[] = [0, 200, 400, 503];

/** `witnessed` are the operations after the load, of which some must be refused. */
export function judge(
  { operations, unfinished }: Pick<HonestLoad, "operations" | "unfinished">,
  witnessed: readonly LateOperation[] = [],
): Judgement {
  const refused = operations.filter(({ outcome }) => outcome === "fail");
  const loggedOut = refused.filter(({ verb }) => verb === "rotate");
  const codesLost = refused.filter(
    ({ verb, input, started }) =>
      verb === "redeem" &&
      operations.some(
        (earlier) =>
          earlier.input === input && earlier.outcome === "unknown" && earlier.started < started,
      ),
  );
  // The apps are honest, so a retry is allowed at any time, as long as the successor is unused.
  const always = { retry: Number.POSITIVE_INFINITY, doubleSubmit: Number.POSITIVE_INFINITY };
  const counted = new Set<unknown>([...loggedOut, ...codesLost]);
  const violations = check([...operations, ...witnessed], always).filter(
    ({ rule, operations: about }) => rule !== LOST || !about.some((one) => counted.has(one)),
  );
  return {
    lost: violations.filter(({ rule }) => rule === LOST),
    validTwice: violations.filter(({ rule }) => rule !== LOST),
    ...{ loggedOut, codesLost, unfinished },
    otherAnswers: operations.filter(
      ({ status, outcome }) =>
        !STATUSES.includes(status) || (status === 400 && outcome === "unknown"),
    ),
  };
}

/** Numbers alone, which must all be 0. */
export function countsOf(judgement: Judgement): Record<keyof Judgement, number> {
  const { lost, validTwice, loggedOut, codesLost, otherAnswers, unfinished } = judgement;
  return {
    ...{ lost: lost.length, validTwice: validTwice.length, loggedOut: loggedOut.length },
    ...{ codesLost: codesLost.length, otherAnswers: otherAnswers.length },
    unfinished: unfinished.length,
  };
}

export const NOTHING: Record<keyof Judgement, number> = {
  ...{ lost: 0, validTwice: 0, loggedOut: 0, codesLost: 0, otherAnswers: 0, unfinished: 0 },
};

/** A line of figures about a fault. */
export function describeLoad(
  title: string,
  { operations, expired }: HonestLoad,
  judgement: Judgement,
): string {
  const count = (is: (operation: LateOperation) => boolean) => operations.filter(is).length;
  const counts = countsOf(judgement);
  const slowest = Math.max(0, ...operations.map(({ started, ended }) => ended - started));
  return [
    `${title}: ${operations.length} requests, ${count(({ outcome }) => outcome === "ok")} acknowledged,`,
    `${count(({ status }) => status === 503)} of them 503, ${count(({ status }) => status === 0)} unanswered,`,
    `the slowest ${(slowest / 1000).toFixed(1)} s,`,
    `${count(({ agedS }) => agedS > 0)} retries, ${count(({ agedS }) => agedS > 30)} later than 30 s,`,
    `${count(({ agedS, wasCommitted }) => agedS > 30 && wasCommitted)} of these after a commit;`,
    `${counts.loggedOut} logged out, ${counts.codesLost} codes lost,`,
    `${counts.lost} acknowledged lost, ${counts.validTwice} valid twice,`,
    `${counts.otherAnswers} other answers, ${counts.unfinished} unfinished, ${expired.length} codes expired`,
  ].join(" ");
}
