// One look at a name through several resolvers: what they agree on, and with which assurance.

import { isAtOrBelow } from "domain-signin-verify/dns/name";
import type { AcceptedRecord, RememberedDomain } from "../store/remembered.ts";
import type { Events } from "../telemetry/events.ts";
import { type Assurance, RESOLVERS_FOR_A_MAJORITY } from "./assurance.ts";
import type { Hold } from "./bounded.ts";
import { askSources, type MajorityVerdict, reportedOutcome } from "./majority.ts";
import type { Unusable } from "./record-source.ts";
import type { SignedBefore } from "./signed-before.ts";
import type { AnsweredView, Found, View } from "./view.ts";

/** Looks up `name` through one resolver. Never rejects. Asks nothing more once `over` is aborted. */
export type LookSource = (name: string, label: string, over: AbortSignal) => Promise<View>;

/** What one resolver said, with what was read in it. */
export type Voice<Reading> = (AnsweredView & Reading) | Unusable;

/** The answers that agree with their assurance, or why there are none. */
export type AssuredVerdict<Reading> = MajorityVerdict<
  AnsweredView & Reading,
  { readonly assurance: Assurance; readonly isUnregistered?: boolean }
>;

interface Keyed {
  readonly key: string;
}

export interface Question<Reading extends Keyed> {
  readonly domain: string;
  readonly label: string;
  readonly read: (found: Found) => Reading;
  readonly accepted: AcceptedRecord | null;
  readonly remembered: RememberedDomain;
  /** Whether to find out why there are no records: is the domain registered? */
  readonly mayBeUnregistered?: boolean;
  /** Set for a diagnosis: all sources are asked, and it receives what each says, in their order. */
  readonly onVoices?: ((voices: readonly Voice<Reading>[]) => void) | undefined;
}

/** Without `hold`, the requester has got no turn: nothing is asked. */
export type AssuredLook = <Reading extends Keyed>(
  question: Question<Reading>,
  hold: Hold | null,
) => Promise<AssuredVerdict<Reading>>;

export type LookEvents = Pick<Events, "lookedUp" | "bogus" | "unavailable">;

interface Deps {
  readonly sources: readonly LookSource[];
  readonly minAssurance: Assurance;
  readonly signedBefore: Omit<SignedBefore, "lookAgain"> | null;
  readonly isUnregistered?: (domain: string) => Promise<boolean>;
  readonly events?: LookEvents | undefined;
  /** Moves sources that probably do not answer to the end. */
  readonly inOrder?: (sources: readonly LookSource[]) => readonly LookSource[];
}

const TOO_MANY = { outcome: "indeterminate", reason: "busy" } as const;

export function createAssuredLook(deps: Deps): AssuredLook {
  const { sources, minAssurance, signedBefore, isUnregistered, events } = deps;
  const { inOrder = (all) => all } = deps;
  const needed = minAssurance === "single" && sources.length === 1 ? 1 : 2;

  async function look<Reading extends Keyed>(
    question: Question<Reading>,
    hold: Hold,
  ): Promise<AssuredVerdict<Reading>> {
    const { domain, label, read, accepted, onVoices } = question;
    const name = `${label}.${domain}`;
    const over = new AbortController();
    const asked = new Map<LookSource, Promise<Voice<Reading>>>();
    const ask = (source: LookSource) => {
      const voice = source(name, label, over.signal).then((seen): Voice<Reading> => {
        const view = belowDomain(seen, domain);
        return "found" in view ? { ...view, ...read(view.found) } : view;
      });
      asked.set(source, voice);
      hold(voice);
      return voice;
    };
    const verdict = await askSources(inOrder(sources), ask, { needed, accepted });
    onVoices?.(await Promise.all(sources.map((source) => asked.get(source) ?? ask(source))));
    // The other sources settle after the one question that each of them has in flight.
    over.abort();
    if (verdict.outcome !== "agreed") return verdict;
    const { answers } = verdict;
    const isSecure = answers[0].security === "secure";
    // An absence may be proven by the zone above, before the domain has a zone at all.
    const hasRecords = answers.some(({ found }) => found.values.length > 0 || found.aliasTarget);
    if (isSecure && hasRecords) await signedBefore?.note(domain);
    // The domain is still signed if only the target of an alias is insecure.
    const isAlias = answers.every(
      (answer) => "insecureName" in answer && answer.insecureName !== name,
    );
    const { signed } = question.remembered;
    if (!isSecure && !isAlias && signedBefore && !(await signedBefore.mayBeInsecure(signed))) {
      const reason = `${domain} was signed until recently, and now it is not`;
      const againAt = await signedBefore.secondLookAt(domain);
      return { outcome: "bogus", cause: "was_signed", reason, againAt };
    }
    const isMajority = answers.length > 1 && sources.length >= RESOLVERS_FOR_A_MAJORITY;
    const assurance = isSecure ? "secure" : isMajority ? "corroborated" : "single";
    if (hasRecords || !question.mayBeUnregistered || !isUnregistered)
      return { ...verdict, assurance };
    return { ...verdict, assurance, isUnregistered: await isUnregistered(domain) };
  }

  return async (question, hold) => {
    const began = performance.now();
    const { domain } = question;
    const verdict = hold === null ? TOO_MANY : await look(question, hold);
    const milliseconds = performance.now() - began;
    const assurance = verdict.outcome === "agreed" ? verdict.assurance : "single";
    events?.lookedUp({ outcome: metricLabel(verdict), assurance, milliseconds });
    if (verdict.outcome === "bogus") {
      const { outcome: _, ...why } = verdict;
      events?.bogus({ domain, ...why });
    }
    if (verdict.outcome === "indeterminate") {
      const { outcome: _, ...why } = verdict;
      events?.unavailable({ domain, ...why });
    }
    return verdict;
  };
}

function metricLabel(verdict: AssuredVerdict<unknown>): string {
  if (verdict.outcome !== "agreed") return reportedOutcome(verdict.outcome);
  if (verdict.isUnregistered) return "unregistered";
  const isAliasInvalid = verdict.answers.every(({ found }) => found.aliasTarget !== null);
  return isAliasInvalid ? "alias_invalid" : "values";
}

/**
 * Below a signed domain, records of a zone without DNSSEC do not count: they would escape the domain's signatures. So a
 * signed denial of everything but such a zone proves that there is no record, or only what a wildcard makes.
 */
function belowDomain(view: View, domain: string): View {
  if (view.security !== "insecure") return view;
  const { insecureZone: zone, found, optOut } = view;
  if (zone === domain || !isAtOrBelow(zone, domain)) return view;
  if (optOut) return { security: "secure", found, proof: null, ...optOut };
  const reason = `insecure_zone: ${zone} is delegated without DNSSEC`;
  return { security: "bogus", cause: "unsigned_subzone", reason };
}

/** The newest signature, the longest valid proof and the TTL in seconds of answers that agree. */
export function sharedBy(answers: readonly AnsweredView[]) {
  const secure = answers.filter((answer) => answer.security === "secure");
  const proofs = secure.flatMap(({ proof }) => proof ?? []);
  const [newest] = secure.toSorted((one, other) => other.inception - one.inception);
  return {
    ttl: Math.min(...answers.map(({ found }) => found.ttl)),
    proof: proofs.toSorted((one, other) => other.notAfter - one.notAfter)[0] ?? null,
    signature: newest ? { inception: newest.inception, expiration: newest.expiration } : null,
    isUnsupported: answers.some((answer) => "isUnsupported" in answer && answer.isUnsupported),
  };
}
