// Asks several resolvers the same question, as few as the majority needs, and judges their answers.
//
// A signature proves that a zone said something, not that it still says it: one resolver can replay
// an older answer. So the majority decides, and an older signature needs all.

import type { AcceptedRecord } from "../store/remembered.ts";
import { BOGUS_CAUSES, type Bogus } from "./bogus.ts";
import type { Unusable } from "./record-source.ts";
import { DNS_FAILURE_REASONS, type DnsFailure, type DnsFailureReason } from "./resolver.ts";

/** What the majority needs to know of an answer. Answers with equal keys agree. */
export interface Vote {
  readonly security: "secure" | "insecure";
  readonly key: string;
  /** Epoch seconds, if it is signed. */
  readonly inception?: number;
}

/** Why a look did not find out what DNS contains. */
export type Failed =
  | (Omit<DnsFailure, "reason"> & {
      readonly outcome: "indeterminate";
      /** "unconfirmed": fewer resolvers than needed answered, and nobody contradicted. */
      readonly reason: DnsFailureReason | "contradictory" | "unconfirmed";
    })
  | ({ readonly outcome: "bogus" } & Bogus);

/** As logs, metrics and commands name an outcome: they say "unavailable" for the "indeterminate" of RFC 4035. */
export function reportedOutcome<Outcome extends string>(outcome: Outcome) {
  return outcome === "indeterminate" ? "unavailable" : outcome;
}

/** `answers` are those that agree. A caller can know `More` about them. */
export type MajorityVerdict<Answer, More = unknown> =
  | ({ readonly outcome: "agreed"; readonly answers: readonly [Answer, ...Answer[]] } & More)
  | Failed;

export interface Rules {
  /** How many resolvers must say the same: two, or one if only one is configured. */
  readonly needed: number;
  /** What the last deciding look accepted. */
  readonly accepted: AcceptedRecord | null;
}

/** If a source has not answered after this time, another source is asked too. */
const LATE_MS = 400;
/** After this time, sources that have not answered count as silent. */
const TIMEOUT_MS = 1700;

/** Asks as many sources as must agree, in their order, and another for each that fails, is late or contradicts. */
export function askSources<Source, Answer extends Vote>(
  sources: readonly Source[],
  ask: (source: Source) => Promise<Answer | Unusable>,
  rules: Rules,
): Promise<MajorityVerdict<Answer>> {
  const voices: (Answer | Unusable)[] = [];
  let asked = 0;
  let pending = 0;
  let late = 0;
  let isOver = false;

  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => end(judge(voices, rules, { pending: 0, unasked: 0 })),
      TIMEOUT_MS,
    );

    function end(verdict: MajorityVerdict<Answer> | null): void {
      isOver = true;
      clearTimeout(timer);
      if (verdict) resolve(verdict);
    }

    function askNext(): void {
      const source = sources[asked];
      if (source === undefined) return;
      asked++;
      pending++;
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        late++;
        proceed();
      }, LATE_MS);
      ask(source)
        .then((voice) => {
          clearTimeout(timer);
          pending--;
          if (isLate) late--;
          voices.push(voice);
          proceed();
        })
        .catch((error) => {
          end(null);
          reject(error);
        });
    }

    function proceed(): void {
      if (isOver) return;
      const unasked = sources.length - asked;
      const verdict = judge(voices, rules, { pending, unasked });
      if (verdict) end(verdict);
      else if (mostAlike(voices) + pending - late < rules.needed || pending === 0) askNext();
    }

    for (let count = 0; count < rules.needed; count++) askNext();
  });
}

/** The size of the largest group of answers that agree. */
function mostAlike(voices: readonly (Vote | Unusable)[]): number {
  const keys = voices.flatMap((voice) => ("key" in voice ? [voice.key] : []));
  return Math.max(0, ...keys.map((key) => keys.filter((other) => other === key).length));
}

/** Null while the resolvers that are `pending`, or not asked yet, could change the verdict. */
export function judge<Answer extends Vote>(
  voices: readonly (Answer | Unusable)[],
  rules: Rules,
  { pending, unasked }: { readonly pending: number; readonly unasked: number },
): MajorityVerdict<Answer> | null {
  const isProven = voices.some(({ security }) => security === "secure");
  // A proof beats any number of answers without one.
  const answers = voices
    .filter(isAnswer)
    .filter(({ security }) => security === "secure" || !isProven);
  const unusable = voices.filter((voice) => !isAnswer(voice));
  // Failures do not count. "Bogus" is a vote, but no answer: it must not veto what all others say.
  const bogus = unusable.filter(({ security }) => security === "bogus").length;
  const [largest, second] = groupsOf(answers);
  if (largest) {
    const votesAgainst = answers.length + bogus - largest.length;
    const isUnanimous = answers.length === largest.length && pending + unasked === 0;
    const isFinal = pending === 0 || isProven;
    const isMajority = largest.length >= rules.needed && largest.length > votesAgainst + pending;
    if (isMajority && (mustBeUnanimous(largest, rules) ? isUnanimous : isFinal)) {
      return { outcome: "agreed", answers: largest };
    }
  }
  if (pending + unasked > 0) return null;
  if (second || (largest && bogus > 0))
    return { outcome: "indeterminate", reason: "contradictory" };
  if (largest) return { outcome: "indeterminate", reason: "unconfirmed" };
  return failureOf(unusable);
}

function isAnswer<Answer extends Vote>(voice: Answer | Unusable): voice is Answer {
  return voice.security === "secure" || voice.security === "insecure";
}

/** Groups of answers that agree, the largest first. */
function groupsOf<Answer extends Vote>(answers: readonly Answer[]): [Answer, ...Answer[]][] {
  const groups = new Map<string, [Answer, ...Answer[]]>();
  for (const answer of answers) {
    const group = groups.get(answer.key);
    if (group) group.push(answer);
    else groups.set(answer.key, [answer]);
  }
  return [...groups.values()].sort((one, other) => other.length - one.length);
}

/** Whether the group contradicts what was accepted, and too few of its answers are at least as new as that. */
function mustBeUnanimous(group: readonly [Vote, ...Vote[]], { accepted, needed }: Rules): boolean {
  if (accepted === null || accepted.key === group[0].key) return false;
  const isNew = ({ inception = accepted.inception }: Vote) => inception >= accepted.inception;
  return group.filter(isNew).length < needed;
}

/** Why there is no answer. The order of arrival does not matter. */
function failureOf(unusable: readonly Unusable[]): Failed {
  const [bogus] = unusable
    .filter((voice) => voice.security === "bogus")
    .sort((one, other) => BOGUS_CAUSES.indexOf(one.cause) - BOGUS_CAUSES.indexOf(other.cause));
  if (bogus) {
    const { security: outcome, ...why } = bogus;
    return { outcome, ...why };
  }
  const rank = ({ reason }: DnsFailure) => DNS_FAILURE_REASONS.indexOf(reason);
  const [failed] = unusable
    .filter((voice) => voice.security === "indeterminate")
    .sort((one, other) => rank(one) - rank(other));
  if (!failed) return { outcome: "indeterminate", reason: "timeout" };
  const { security: _, ...why } = failed;
  return { outcome: "indeterminate", ...why };
}
