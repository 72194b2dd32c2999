// One look at a name through several resolvers: what they agree on, and with which assurance.

import { isAtOrBelow } from "domain-signin-verify/dns/name";
import type { RememberedDomain } from "../store/remembered.ts";
import type { Events } from "../telemetry/events.ts";
import { askSources } from "./ask-sources.ts";
import { type Assurance, RESOLVERS_FOR_A_MAJORITY } from "./assurance.ts";
import type { Bogus } from "./bogus.ts";
import type { Bounded } from "./bounded.ts";
import type { DnsFailure, DnsFailureReason } from "./resolver.ts";
import type { SignedBefore } from "./signed-before.ts";
import type { Accepted, SourceAnswer, Verdict } from "./verdict.ts";
import type { ChainProof, Found, SignaturePeriod, View } from "./view.ts";

/** Looks up `name` through one resolver. Never rejects. Asks nothing more once `over` is aborted. */
export type Source = (name: string, label: string, over: AbortSignal) => Promise<View>;

/** Why a look did not find out what DNS contains. */
export type LookFailureReason = DnsFailureReason | "contradictory" | "unconfirmed";

export type Failed =
  | (Omit<DnsFailure, "reason"> & {
      readonly outcome: "unavailable";
      readonly reason: LookFailureReason;
    })
  | ({ readonly outcome: "bogus" } & Bogus);

/** What the agreeing resolvers said. */
export interface Agreed<Read> {
  readonly outcome: "agreed";
  readonly assurance: Assurance;
  /** One for each resolver that agreed, at least one. */
  readonly answers: readonly [Read, ...Read[]];
  /** Whether an alias leads to a name that is not accepted. */
  readonly isAliasInvalid: boolean;
  /** Whether the domain itself does not exist. */
  readonly isUnregistered?: boolean;
  /** Whether the zone is signed, but only in ways that are not supported here. */
  readonly isUnsupported?: boolean;
  /** Seconds. */
  readonly ttl: number;
  /** The proof that is valid for longest; null if the answer is not secure or is an absence. */
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
  /** What is remembered of the domain. */
  readonly remembered: Pick<RememberedDomain, "hasAccount" | "signed">;
  /** Whether to find out why there are no records: is the domain registered? */
  readonly mayBeUnregistered?: boolean;
  /** Set for a diagnosis: all sources are asked, and it receives what each says, in their order. */
  readonly onVoices?: (voices: readonly SourceAnswer<ReadAnswer<Read>>[]) => void;
}

export type AssuredLook = <Read extends Keyed>(
  question: Question<Read>,
) => Promise<Agreed<Read> | Failed>;

export interface ReadAnswer<Read> {
  readonly read: Read;
  readonly view: Extract<View, { found: Found }>;
}

const TOO_MANY = { outcome: "unavailable", reason: "busy" } as const;

export function createAssuredLook(deps: {
  readonly sources: readonly Source[];
  readonly minAssurance: Assurance;
  readonly signedBefore: Omit<SignedBefore, "lookAgain"> | null;
  /** Whether a domain is not registered. */
  readonly isUnregistered?: (domain: string) => Promise<boolean>;
  readonly events?: Pick<Events, "lookedUp" | "bogus" | "unavailable"> | undefined;
  /** Puts those last that probably do not answer. */
  readonly inOrder?: (sources: readonly Source[]) => readonly Source[];
  readonly bounded?: Bounded;
}): AssuredLook {
  const { sources, minAssurance, signedBefore, isUnregistered, events } = deps;
  const { inOrder = (all) => all, bounded = (_, task) => task(() => {}) } = deps;
  const needed = minAssurance === "single" && sources.length === 1 ? 1 : 2;

  async function look<Read extends Keyed>(
    question: Question<Read>,
    hold: (asked: Promise<unknown>) => void,
  ): Promise<Agreed<Read> | Failed> {
    const { domain, label, accepted, onVoices } = question;
    const { signed } = question.remembered;
    const name = `${label}.${domain}`;
    const over = new AbortController();
    const asked = new Map<Source, Promise<SourceAnswer<ReadAnswer<Read>>>>();
    const ask = (source: Source) => {
      const voice = source(name, label, over.signal).then((view) => voiceOf(view, question));
      asked.set(source, voice);
      hold(voice);
      return voice;
    };
    const verdict = await askSources(inOrder(sources), ask, { needed, accepted });
    onVoices?.(await Promise.all(sources.map((source) => asked.get(source) ?? ask(source))));
    // The others settle with the one question that each of them has in flight.
    over.abort();
    if (verdict.verdict !== "agreed") return failedOf(verdict);
    const views = verdict.answers.map(({ view }) => view);
    const isSigned = verdict.security === "secure";
    // An absence may be proven by the zone above, before the domain has a zone at all.
    const hasRecords = views.some(({ found }) => found.values.length > 0 || found.aliasTarget);
    if (isSigned && hasRecords) await signedBefore?.note(domain);
    // The domain is still signed if only the target of an alias is insecure.
    const isAlias = views.every((view) => "insecureName" in view && view.insecureName !== name);
    if (!isSigned && !isAlias && signedBefore && !(await signedBefore.mayBeInsecure(signed))) {
      const reason = `${domain} was signed until recently, and now it is not`;
      const againAt = await signedBefore.secondLookAt(domain);
      return { outcome: "bogus", cause: "was_signed", reason, againAt };
    }
    const agreed = agreedOn(verdict.answers, sources.length);
    if (hasRecords || !question.mayBeUnregistered || !isUnregistered) return agreed;
    return { ...agreed, isUnregistered: await isUnregistered(domain) };
  }

  return async (question) => {
    const began = performance.now();
    const { domain, remembered } = question;
    const task = (hold: (asked: Promise<unknown>) => void) => look(question, hold);
    // Strangers cannot take all the room.
    const looked = (await bounded(domain, task, remembered.hasAccount)) ?? TOO_MANY;
    const milliseconds = performance.now() - began;
    const assurance = looked.outcome === "agreed" ? looked.assurance : "single";
    events?.lookedUp({ outcome: outcomeLabel(looked), assurance, milliseconds });
    if (looked.outcome === "bogus") {
      const { outcome: _, ...why } = looked;
      events?.bogus({ domain, ...why });
    }
    if (looked.outcome === "unavailable") {
      const { outcome: _, ...why } = looked;
      events?.unavailable({ domain, ...why });
    }
    return looked;
  };
}

/** The label of the metric. */
function outcomeLabel(looked: Agreed<unknown> | Failed) {
  if (looked.outcome !== "agreed") return looked.outcome;
  if (looked.isUnregistered) return "unregistered";
  return looked.isAliasInvalid ? "alias_invalid" : "values";
}

function voiceOf<Read extends Keyed>(
  seen: View,
  { domain, read }: Question<Read>,
): SourceAnswer<ReadAnswer<Read>> {
  const view = belowDomain(seen, domain);
  if (view.security === "bogus" || view.security === "indeterminate") return view;
  const answer = read(view.found);
  const inception = view.security === "secure" ? view.inception : null;
  return { security: view.security, key: answer.key, inception, answer: { read: answer, view } };
}

/**
 * Below a signed domain, a zone without DNSSEC would escape the signatures of the domain: its records do not
 * count. So a signed denial of everything but such a zone proves that there is no record, or only what a
 * wildcard makes.
 */
function belowDomain(view: View, domain: string): View {
  if (view.security !== "insecure") return view;
  const { insecureZone: zone, found, optOut } = view;
  if (zone === domain || !isAtOrBelow(zone, domain)) return view;
  if (optOut) return { security: "secure", found, proof: null, ...optOut };
  const reason = `insecure_zone: ${zone} is delegated without DNSSEC`;
  return { security: "bogus", cause: "unsigned_subzone", reason };
}

function failedOf(verdict: Exclude<Verdict<unknown>, { verdict: "agreed" }>): Failed {
  switch (verdict.verdict) {
    case "bogus": {
      const { verdict: outcome, ...why } = verdict;
      return { outcome, ...why };
    }
    case "unavailable": {
      const { verdict: outcome, ...why } = verdict;
      return { outcome, ...why };
    }
    case "contradictory":
    case "unconfirmed":
      return { outcome: "unavailable", reason: verdict.verdict };
  }
}

function newestOf(periods: readonly SignaturePeriod[]): SignaturePeriod | null {
  const [newest] = periods.toSorted((one, other) => other.inception - one.inception);
  return newest ? { inception: newest.inception, expiration: newest.expiration } : null;
}

function agreedOn<Read>(heard: readonly ReadAnswer<Read>[], resolvers: number): Agreed<Read> {
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
    isUnsupported: views.some(
      (view) => view.security === "insecure" && view.isUnsupported === true,
    ),
    isAliasInvalid: views.every(({ found }) => found.aliasTarget !== null),
    ttl: Math.min(...views.map(({ found }) => found.ttl)),
    proof: proofs.toSorted((one, other) => other.notAfter - one.notAfter)[0] ?? null,
    signature: newestOf(secure),
  };
}
