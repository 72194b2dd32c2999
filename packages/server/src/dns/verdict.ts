// The verdict of several resolvers about one question. Pure functions.
//
// A signature proves that a zone said something, not that it still says it: one resolver can replay
// an older answer. So the majority decides, and an older signature needs all.

import { BOGUS_CAUSES, type Bogus } from "./bogus.ts";
import { DNS_FAILURE_REASONS, type DnsFailure } from "./resolver.ts";
import type { Unusable } from "./validator.ts";

/** What one source said. Answers with equal keys agree. */
export type SourceAnswer<Answer> =
  | {
      readonly security: "secure" | "insecure";
      readonly key: string;
      /** Epoch seconds; null if it is not signed. */
      readonly inception: number | null;
      readonly answer: Answer;
    }
  | Unusable;

/** What the last deciding look accepted. */
export interface Accepted {
  readonly key: string;
  readonly inception: number;
}

export type Verdict<Answer> =
  /** `answers` are those that agree, at least one. */
  | {
      readonly verdict: "agreed";
      readonly security: "secure" | "insecure";
      readonly answers: readonly Answer[];
    }
  | { readonly verdict: "contradictory" }
  /** Fewer sources than needed answered, and nobody contradicted. */
  | { readonly verdict: "unconfirmed" }
  | ({ readonly verdict: "bogus" } & Bogus)
  | ({ readonly verdict: "unavailable" } & DnsFailure);

export interface Rules {
  /** How many sources must say the same: two, or one if only one is configured. */
  readonly needed: number;
  readonly accepted: Accepted | null;
}

/** `pending` were asked and have not answered yet; `unasked` can still be asked. */
export interface Outstanding {
  readonly pending: number;
  readonly unasked: number;
}

/** Null while sources that have not answered could change the verdict. */
export function judge<Answer>(
  voices: readonly SourceAnswer<Answer>[],
  rules: Rules,
  { pending, unasked }: Outstanding,
): Verdict<Answer> | null {
  const votes = votesOf(voices);
  const groups = groupsOf(votes);
  const [largest] = groups;
  if (largest) {
    const votesAgainst = votes.length - largest.voices.length;
    // "Bogus" is a vote, but no answer: one that says it must not veto what all others say.
    const answers = votes.filter(({ security }) => security !== "bogus");
    const isUnanimous = answers.length === largest.voices.length && pending + unasked === 0;
    // After a proof, answers without one change nothing.
    const isFinal = pending === 0 || largest.security === "secure";
    const isMajority =
      largest.voices.length >= rules.needed && largest.voices.length > votesAgainst + pending;
    if (isMajority && (mustBeUnanimous(largest, rules) ? isUnanimous : isFinal)) {
      const { security } = largest;
      return { verdict: "agreed", security, answers: largest.voices.map(({ answer }) => answer) };
    }
  }
  return pending + unasked > 0 ? null : undecided(votes, groups, voices);
}

/** A voice that is an answer. */
type AnswerVoice<Answer> = Exclude<SourceAnswer<Answer>, Unusable>;
interface Group<Answer> {
  readonly key: string;
  readonly security: "secure" | "insecure";
  readonly voices: readonly AnswerVoice<Answer>[];
}

/** The voices that count. A proof beats any number of answers without one. Failures do not count; "bogus" does. */
function votesOf<Answer>(voices: readonly SourceAnswer<Answer>[]): SourceAnswer<Answer>[] {
  const isSecure = voices.some(({ security }) => security === "secure");
  return voices.filter(
    ({ security }) =>
      security === "bogus" || security === "secure" || (security === "insecure" && !isSecure),
  );
}

/** Those that agree; the largest group first. */
function groupsOf<Answer>(votes: readonly SourceAnswer<Answer>[]): Group<Answer>[] {
  const groups = new Map<string, AnswerVoice<Answer>[]>();
  for (const voice of votes) {
    if (voice.security === "bogus" || voice.security === "indeterminate") continue;
    groups.set(voice.key, [...(groups.get(voice.key) ?? []), voice]);
  }
  return [...groups]
    .map(([key, voices]) => ({ key, security: voices[0]?.security ?? "insecure", voices }))
    .sort((one, other) => other.voices.length - one.voices.length);
}

/** Whether the group contradicts what was accepted, and too few of its voices are at least as new as that. */
function mustBeUnanimous<Answer>(
  { key, voices }: Group<Answer>,
  { accepted, needed }: Rules,
): boolean {
  if (accepted === null || accepted.key === key) return false;
  const isNew = ({ inception }: AnswerVoice<Answer>) =>
    inception === null || inception >= accepted.inception;
  return voices.filter(isNew).length < needed;
}

function undecided<Answer>(
  votes: readonly SourceAnswer<Answer>[],
  groups: readonly Group<Answer>[],
  voices: readonly SourceAnswer<Answer>[],
): Verdict<Answer> {
  // The order of arrival does not matter.
  const [bogus] = votes
    .filter((voice) => voice.security === "bogus")
    .sort((one, other) => BOGUS_CAUSES.indexOf(one.cause) - BOGUS_CAUSES.indexOf(other.cause));
  if (groups.length > 1 || (groups.length === 1 && bogus)) return { verdict: "contradictory" };
  if (bogus) {
    const { security: verdict, ...why } = bogus;
    return { verdict, ...why };
  }
  const [group] = groups;
  if (group) {
    // All sources that answer agree, but too few of them answer.
    return { verdict: "unconfirmed" };
  }
  const rank = ({ reason }: DnsFailure) => DNS_FAILURE_REASONS.indexOf(reason);
  const [failed] = voices
    .filter((voice) => voice.security === "indeterminate")
    .sort((one, other) => rank(one) - rank(other));
  if (!failed) return { verdict: "unavailable", reason: "timeout" };
  const { security: _, ...why } = failed;
  return { verdict: "unavailable", ...why };
}
