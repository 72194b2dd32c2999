// One look at a name through several resolvers: what they agree on, and with which assurance.

import { isAtOrBelow } from "domain-signin-verify/dns/name";
import type { Events } from "../telemetry/events.ts";
import { askSources } from "./ask-sources.ts";
import type { Assurance } from "./assurance.ts";
import type { DnsFailureReason } from "./resolver.ts";
import type { SignedBefore } from "./signed-before.ts";
import type { Accepted, Verdict, Voice } from "./verdict.ts";
import type { ChainProof, Found, SignaturePeriod, View } from "./view.ts";

/** Looks up `name` through one resolver. Never rejects. */
export type Source = (name: string, label: string) => Promise<View>;

/** Why a look did not find out what DNS contains. */
export type LookFailureReason = DnsFailureReason | "contradictory" | "unconfirmed";

export type Failed =
  | { readonly outcome: "unavailable"; readonly reason: LookFailureReason }
  | { readonly outcome: "bogus"; readonly reason: string };

/** What the agreeing resolvers said. */
export interface Agreed<Read> {
  readonly outcome: "agreed";
  readonly assurance: Assurance;
  /** One for each resolver that agreed, at least one. */
  readonly answers: readonly [Read, ...Read[]];
  /** Whether an alias leads to a name that is not accepted. */
  readonly isAliasInvalid: boolean;
  /** Seconds. */
  readonly ttl: number;
  /** The one that holds longest, if the answer is secure and not an absence. */
  readonly proof: ChainProof | null;
  /** The newest of the answers' signatures; null if the answer is not secure. */
  readonly signature: SignaturePeriod | null;
}

/** Answers with equal keys agree. */
export interface Keyed {
  readonly key: string;
}

export interface Question<Read extends Keyed> {
  readonly domain: string;
  readonly label: string;
  /** Reads what one resolver returned. */
  readonly read: (found: Found) => Read;
  readonly accepted: Accepted | null;
}

export type AssuredLook = <Read extends Keyed>(
  question: Question<Read>,
) => Promise<Agreed<Read> | Failed>;

interface Heard<Read> {
  readonly read: Read;
  readonly view: Extract<View, { found: Found }>;
}

/** With so many resolvers, two that agree outvote a third. */
export const RESOLVERS_FOR_A_MAJORITY = 3;

export function createAssuredLook(deps: {
  readonly sources: readonly Source[];
  readonly minAssurance: Assurance;
  readonly signedBefore: SignedBefore | null;
  readonly events?: Pick<Events, "lookedUp" | "bogus"> | undefined;
}): AssuredLook {
  const { sources, minAssurance, signedBefore, events } = deps;
  const needed = minAssurance === "single" && sources.length === 1 ? 1 : 2;

  async function look<Read extends Keyed>(
    question: Question<Read>,
  ): Promise<Agreed<Read> | Failed> {
    const { domain, label, accepted } = question;
    const name = `${label}.${domain}`;
    const ask = async (source: Source) => voiceOf(await source(name, label), question);
    const verdict = await askSources(sources, ask, { needed, accepted });
    if (verdict.verdict !== "agreed") return failedOf(verdict);
    const views = verdict.answers.map(({ view }) => view);
    const isSigned = verdict.security === "secure";
    if (isSigned) await signedBefore?.note(domain);
    // Signed as before: only what an alias leads to is not.
    const isAlias = views.every((view) => "insecureName" in view && view.insecureName !== name);
    if (!isSigned && !isAlias && signedBefore && !(await signedBefore.mayBeInsecure(domain))) {
      return { outcome: "bogus", reason: `${domain} was signed until recently, and now it is not` };
    }
    return agreedOn(verdict.answers, sources.length);
  }

  return async (question) => {
    const began = performance.now();
    const looked = await look(question);
    const milliseconds = performance.now() - began;
    const assurance = looked.outcome === "agreed" ? looked.assurance : "single";
    events?.lookedUp({ outcome: outcomeLabel(looked), assurance, milliseconds });
    if (looked.outcome === "bogus") {
      events?.bogus({ domain: question.domain, reason: looked.reason });
    }
    return looked;
  };
}

/** The label of the metric. */
function outcomeLabel(looked: Agreed<unknown> | Failed) {
  if (looked.outcome !== "agreed") return looked.outcome;
  return looked.isAliasInvalid ? "alias_invalid" : "values";
}

function voiceOf<Read extends Keyed>(
  view: View,
  { domain, read }: Question<Read>,
): Voice<Heard<Read>> {
  if (view.security === "bogus" || view.security === "indeterminate") return view;
  if (view.security === "insecure") {
    const { insecureZone: zone } = view;
    // Whoever answers for the domain's own zone could claim it, to get rid of its signatures.
    if (zone !== domain && isAtOrBelow(zone, domain)) {
      return { security: "bogus", reason: `insecure_zone: ${zone} is delegated without DNSSEC` };
    }
  }
  const answer = read(view.found);
  const inception = view.security === "secure" ? view.inception : null;
  return { security: view.security, key: answer.key, inception, answer: { read: answer, view } };
}

function failedOf(verdict: Exclude<Verdict<unknown>, { verdict: "agreed" }>): Failed {
  switch (verdict.verdict) {
    case "bogus":
      return { outcome: "bogus", reason: verdict.reason };
    case "unavailable":
      return { outcome: "unavailable", reason: verdict.reason };
    case "contradictory":
    case "unconfirmed":
      return { outcome: "unavailable", reason: verdict.verdict };
  }
}

function newestOf(periods: readonly SignaturePeriod[]): SignaturePeriod | null {
  const [newest] = periods.toSorted((one, other) => other.inception - one.inception);
  return newest ? { inception: newest.inception, expiration: newest.expiration } : null;
}

function agreedOn<Read>(heard: readonly Heard<Read>[], resolvers: number): Agreed<Read> | Failed {
  const [first, ...others] = heard.map(({ read }) => read);
  if (first === undefined) throw new Error("a verdict has no answer");
  const views = heard.map(({ view }) => view);
  const secure = views.flatMap((view) => (view.security === "secure" ? [view] : []));
  const isMajority = heard.length > 1 && resolvers >= RESOLVERS_FOR_A_MAJORITY;
  const proofs = secure.flatMap(({ proof }) => proof ?? []);
  return {
    outcome: "agreed",
    assurance: secure.length > 0 ? "secure" : isMajority ? "corroborated" : "single",
    answers: [first, ...others],
    isAliasInvalid: views.every(({ found }) => found.aliasTarget !== null),
    ttl: Math.min(...views.map(({ found }) => found.ttl)),
    proof: proofs.toSorted((one, other) => other.notAfter - one.notAfter)[0] ?? null,
    signature: newestOf(secure),
  };
}
