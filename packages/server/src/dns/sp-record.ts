// Looks up the SP record of a domain, or its answer to a challenge.

import { challengeProblems } from "domain-signin-verify/challenge-record";
import {
  formatSpRecord,
  type IssuerOptions,
  parseSpRecord,
  type RecordKeys,
  readSpRecordSet,
} from "domain-signin-verify/record";
import type { Clock } from "../lib/clock.ts";
import { OperatorError, unlessBusy } from "../lib/errors.ts";
import type { Requester } from "../lib/fair-queue.ts";
import { isLoopbackIssuer } from "../lib/loopback-issuer.ts";
import type { AcceptedAnswer, AcceptedRecord, RememberedDomain } from "../store/remembered.ts";
import { OWN_SP } from "../store/shared-values.ts";
import { type Assurance, isAtLeast } from "./assurance.ts";
import { type AssuredLook, sharedBy, type Voice } from "./assured-look.ts";
import type { BogusCause } from "./bogus.ts";
import type { Hold, Turns } from "./bounded.ts";
import {
  type FoundText,
  foundAlias,
  foundTexts,
  foundWildcard,
  octetsOfText,
} from "./found-text.ts";
import { createLookCache, type KeptLook, type LookFor } from "./look-cache.ts";
import type { Failed } from "./majority.ts";
import type { ChainProof, Found } from "./view.ts";

export type { FoundText } from "./found-text.ts";
export type { Freshness, LookFor } from "./look-cache.ts";

export type SpRecordLook = {
  readonly name: string;
  /** Epoch seconds: when the look began. */
  readonly checkedAt: number;
  readonly assurance: Assurance;
  readonly records: readonly FoundText[];
  /** How many resolvers agreed. */
  readonly resolvers: number;
  /** Null unless the assurance is "secure" and there is a record. */
  readonly proof: ChainProof | null;
  /** Epoch seconds: when the answer was signed; null unless it is secure. */
  readonly inception: number | null;
  /** Whether the zone is signed, but only in ways that are not supported here. */
  readonly isUnsupported?: boolean;
} & SpRecordOutcome;

/** "unregistered": absent, and so is the domain itself. */
export type SpRecordOutcome =
  | RecordOutcome
  | { readonly outcome: "unregistered" }
  | NotPermitted
  | Failed;

/** What the values at a name mean. */
export type RecordOutcome =
  | { readonly outcome: "absent" }
  | ({ readonly outcome: "own"; readonly acct: string } & RecordKeys)
  | ({ readonly outcome: "external"; readonly sp: string; readonly acct: string } & RecordKeys)
  | { readonly outcome: "disabled" | "invalid" | "ambiguous" | "unsupported" }
  | { readonly outcome: "alias_invalid"; readonly target: string };

/** Only signed zones may sign in. */
interface NotPermitted {
  readonly outcome: "not_permitted";
  readonly reason: "unsigned" | "unsupported_dnssec";
}

export type ChallengeLook = { readonly name: string; readonly checkedAt: number } & (
  | { readonly outcome: "seen" }
  | { readonly outcome: "not_seen"; readonly records: readonly FoundText[] }
  | NotPermitted
  | Failed
);

/** Why a look did not find out what DNS contains. Each has a sentence on the pages. */
export type LookFailure = "indeterminate" | (typeof NAMED_REASONS)[number] | BogusCause;

const NAMED_REASONS = [
  "busy",
  "unconfirmed",
  "contradictory",
  "blocked",
  "stale",
  "no_authority",
  "unsupported_dnssec",
] as const;

/** What was read in the values that one resolver returned. */
interface RecordReading {
  /** The outcome, `sp` and `acct`. Keys may differ: those that all have count. */
  readonly key: string;
  readonly record: RecordOutcome;
  readonly records: readonly FoundText[];
}

export type RecordVoice = Voice<RecordReading>;

export type SpRecords = ReturnType<typeof createSpRecords>;

const RECORD_LABEL = "_domain-signin";
const CHALLENGE_LABEL = "_domain-signin-challenge";

/** Some zones sign each answer anew. A newer signature of the same data is noted after this time. */
const NOTED_EVERY_S = 3600;
const MAX_POSITIVE_TTL_S = 300;
const MAX_NEGATIVE_TTL_S = 60;
const MAX_ENTRIES = 4000;
/** Most chains have two or three thousand octets. A domain with a larger one is looked up each time. */
const MAX_CACHED_CHAIN_OCTETS = 8192;
const UNPROVEN = { assurance: "single", resolvers: 0, proof: null, inception: null } as const;
/** What name servers said, as it may be shown. */
const unproven = (values: readonly string[]): Found => ({
  ...{ aliasTarget: null, isWildcard: false, ttl: 0 },
  values: values.map(octetsOfText),
});

export function spRecordName(domain: string): string {
  return `${RECORD_LABEL}.${domain}`;
}

export function challengeName(domain: string): string {
  return `${CHALLENGE_LABEL}.${domain}`;
}

interface Deps {
  readonly lookUp: AssuredLook;
  /** For the looks in flight. */
  readonly turns: Turns;
  /** The assurance that a record needs where DNS alone decides. */
  readonly minAssurance: Assurance;
  readonly rememberedOf: (domain: string) => Promise<RememberedDomain>;
  /** Keeps what a look accepted that differs from what was accepted before. */
  readonly noteAccepted?: ((answer: AcceptedAnswer) => Promise<void>) | undefined;
  readonly issuer: string;
  readonly clock: Clock;
}

interface LookOptions {
  readonly remembered?: RememberedDomain | undefined;
  readonly isEnough?: ((remembered: SpRecordLook) => boolean) | undefined;
}

export function createSpRecords(deps: Deps) {
  const { lookUp, turns, minAssurance, rememberedOf, noteAccepted, issuer, clock } = deps;
  const options = issuerOptions(issuer);
  const cache = createLookCache<SpRecordLook>(clock.seconds, MAX_ENTRIES, turns);
  const readRecord = (found: Found) => recordReading(found, issuer, options);

  const headOf = (name: string) => ({ name, checkedAt: clock.seconds() });

  async function ask(
    domain: string,
    hold: Hold | null,
    known?: RememberedDomain,
    onVoices?: (voices: readonly RecordVoice[]) => void,
  ): Promise<KeptLook<SpRecordLook>> {
    const head = headOf(spRecordName(domain));
    const remembered = known ?? (await rememberedOf(domain));
    const { accepted } = remembered;
    const question = { domain, label: RECORD_LABEL, read: readRecord, accepted, remembered };
    // Also for a domain with an account: what a stranger reads must not depend on accounts.
    const verdict = await lookUp({ ...question, mayBeUnregistered: true, onVoices }, hold);
    if (verdict.outcome !== "agreed") {
      return { look: { ...head, ...UNPROVEN, records: [], ...verdict }, keepSeconds: null };
    }
    const { answers, assurance, isUnregistered } = verdict;
    const [{ key, record, records }] = answers;
    const { ttl, proof, signature, isUnsupported } = sharedBy(answers);
    const shared = withSharedKeys(record, answers);
    const spk = "spk" in shared ? shared.spk.join() : "";
    if (signature && isNews({ key, spk, ...signature }, accepted)) {
      await noteAccepted?.({ domain, checkedAt: head.checkedAt, key, spk, ...signature });
    }
    const inception = signature?.inception ?? null;
    const facts = { ...head, assurance, records, resolvers: answers.length, proof, inception };
    const outcome = isUnregistered ? ({ outcome: "unregistered" } as const) : shared;
    const look = { ...facts, ...(isUnsupported && { isUnsupported }), ...outcome };
    const max = record.outcome === "absent" ? MAX_NEGATIVE_TTL_S : MAX_POSITIVE_TTL_S;
    const isTooLarge = proof !== null && proof.chain.length > MAX_CACHED_CHAIN_OCTETS;
    return { look, keepSeconds: isTooLarge ? null : Math.min(ttl, max) };
  }

  async function lookOrBusy(
    domain: string,
    wanted: LookFor,
    { remembered, isEnough }: LookOptions,
  ): Promise<SpRecordLook> {
    const asked = (hold: Hold | null) => ask(domain, hold, remembered);
    const made = await unlessBusy(cache.look(domain, wanted, asked, isEnough));
    return made?.value ?? (await asked(null)).look;
  }

  /** The same look where DNS alone decides. */
  function decided(look: SpRecordLook): SpRecordLook {
    const { outcome, name, checkedAt, assurance, records, resolvers, proof, inception } = look;
    const isRecord = outcome === "own" || outcome === "external";
    const isTooLow = isRecord && !isAtLeast(assurance, minAssurance);
    // Otherwise the user would publish a record first, and then be rejected.
    const isInVain = minAssurance === "secure" && outcome === "absent" && assurance !== "secure";
    if (!isTooLow && !isInVain) return look;
    // Without the account: it must not be used by mistake.
    const facts = { name, checkedAt, assurance, records, resolvers, proof, inception };
    return { ...facts, ...notEnough(look.isUnsupported) };
  }

  function notEnough(isUnsupported = false) {
    if (minAssurance !== "secure")
      return { outcome: "indeterminate", reason: "unconfirmed" } as const;
    const reason = isUnsupported ? "unsupported_dnssec" : "unsigned";
    return { outcome: "not_permitted", reason } as const;
  }

  return {
    /** Concurrent looks at a name share one. What is remembered is returned only if `isEnough` says so. */
    look: (
      domain: string,
      wanted: LookFor,
      isEnough?: LookOptions["isEnough"],
    ): Promise<SpRecordLook> => lookOrBusy(domain, wanted, { isEnough }),

    /**
     * The same where DNS alone decides: a record with less than the required assurance is "indeterminate",
     * or "not_permitted" if only signed zones may sign in. `remembered` is given if the caller has read it.
     */
    lookToDecide: async (
      domain: string,
      wanted: LookFor,
      remembered?: RememberedDomain,
    ): Promise<SpRecordLook> => decided(await lookOrBusy(domain, wanted, { remembered })),

    /** The same for a diagnosis: asks every resolver, and also returns what each of them said. */
    async lookAtSources(domain: string) {
      const voices: RecordVoice[] = [];
      const { look } = await ask(
        domain,
        () => {},
        undefined,
        (all) => void voices.push(...all),
      );
      return { look: decided(look), voices };
    },

    /** A look that reports no record yet, and the account in the values of name servers, which authenticate nobody. */
    absentRecord(domain: string, values: readonly string[]) {
      const { record, records } = readRecord(unproven(values));
      const facts = { ...headOf(spRecordName(domain)), ...UNPROVEN };
      return {
        look: { ...facts, outcome: "absent", records } as const,
        account: accountIn(record),
      };
    },

    /** A look that reports no answer to the challenge yet. `values` come from name servers. */
    challengeNotYet(domain: string, chal: string, values: readonly string[]): ChallengeLook {
      const { records } = challengeReading(unproven(values), { sp: issuer, chal }, options);
      return { ...headOf(challengeName(domain)), outcome: "not_seen", records };
    },

    /** Asks each time whether a record with our issuer and `chal` is there, with enough assurance. */
    async lookForChallenge(domain: string, chal: string, from: Requester): Promise<ChallengeLook> {
      const head = headOf(challengeName(domain));
      const read = (found: Found) => challengeReading(found, { sp: issuer, chal }, options);
      const remembered = await rememberedOf(domain);
      const question = { domain, label: CHALLENGE_LABEL, read, accepted: null, remembered };
      const made = await unlessBusy(turns.run(from, (hold) => lookUp(question, hold)));
      const verdict = made?.value ?? (await lookUp(question, null));
      if (verdict.outcome !== "agreed") return { ...head, ...verdict };
      const [{ isSeen, records }] = verdict.answers;
      if (!isSeen) return { ...head, outcome: "not_seen", records };
      if (isAtLeast(verdict.assurance, minAssurance)) return { ...head, outcome: "seen" };
      return { ...head, ...notEnough(sharedBy(verdict.answers).isUnsupported) };
    },
  };
}

/** An issuer with a port allows ports in records. Throws `OperatorError` if no record can name the issuer. */
function issuerOptions(issuer: string): IssuerOptions {
  const allowIssuerPort = new URL(issuer).port !== "";
  const allowLoopbackIssuer = isLoopbackIssuer(issuer);
  const options = { allowLoopbackIssuer, allowIssuerPort, ownIssuer: issuer };
  const record = formatSpRecord({ sp: issuer, acct: "a".repeat(22) });
  if (parseSpRecord(record, options).outcome === "ok") return options;
  throw new OperatorError(`no record can name the issuer ${issuer}: its host must contain a dot`);
}

export function recordReading(
  { values, aliasTarget, isWildcard }: Found,
  issuer: string,
  options: IssuerOptions,
): RecordReading {
  const reading = (record: RecordOutcome, records: readonly FoundText[]) => {
    const { outcome, sp, acct } = { sp: null, acct: null, ...record };
    return { key: JSON.stringify([outcome, sp, acct]), record, records };
  };
  if (aliasTarget !== null) return reading({ outcome: "alias_invalid", target: aliasTarget }, []);
  const set = readSpRecordSet(values, options);
  const records = foundTexts(set.found);
  // A wildcard is not an SP record. A wildcard for other purposes is no mistake.
  if (isWildcard) {
    const outcome = set.outcome === "none" ? "absent" : "invalid";
    return reading({ outcome }, records.map(foundWildcard));
  }
  if (set.outcome === "none") return reading({ outcome: "absent" }, records);
  if (set.outcome !== "one") return reading({ outcome: set.outcome }, records);
  if (set.record.sp === "none") return reading({ outcome: "disabled" }, records);
  const { sp, ...named } = set.record;
  // Issuers are compared by code point.
  const isOwn = sp === issuer;
  return reading(
    isOwn ? { outcome: "own", ...named } : { outcome: "external", sp, ...named },
    records,
  );
}

function challengeReading(
  { values, aliasTarget, isWildcard }: Found,
  expected: { readonly sp: string; readonly chal: string },
  options: IssuerOptions,
): { key: string; isSeen: boolean; records: readonly FoundText[] } {
  if (aliasTarget !== null) {
    return { key: "not_seen", isSeen: false, records: [foundAlias(aliasTarget)] };
  }
  const problemsOf = (value: string) => challengeProblems(value, expected, options);
  const found = values.map((value) => ({ value, problems: problemsOf(value) }));
  const isSeen = !isWildcard && found.some(({ problems }) => problems.length === 0);
  return { key: isSeen ? "seen" : "not_seen", isSeen, records: foundTexts(found) };
}

/** Keys count only if all agreeing answers have them. */
function withSharedKeys(record: RecordOutcome, answers: readonly RecordReading[]): RecordOutcome {
  if (!("jkt" in record)) return record;
  const shared = (tag: keyof RecordKeys) =>
    record[tag].filter((key) =>
      answers.every((answer) => "jkt" in answer.record && answer.record[tag].includes(key)),
    );
  return { ...record, jkt: shared("jkt"), spk: shared("spk") };
}

/** Of the same data, only a newer signature is noted: a replayed older one would allow data that is older still. */
function isNews(answer: AcceptedRecord, accepted: AcceptedRecord | null): boolean {
  if (accepted === null || answer.key !== accepted.key) return true;
  if (answer.spk !== (accepted.spk ?? "")) return true;
  return answer.inception >= accepted.inception + NOTED_EVERY_S;
}

/** The reason of a failed look; null if it found out what DNS contains. */
export function failureOf(look: SpRecordLook | ChallengeLook): LookFailure | null {
  if (look.outcome === "bogus") return look.cause;
  if (look.outcome !== "indeterminate") return null;
  return NAMED_REASONS.find((reason) => reason === look.reason) ?? "indeterminate";
}

/** What identifies an account in records. */
export interface RecordAccount {
  readonly sp: string;
  readonly acct: string;
}

function accountIn(record: SpRecordOutcome): RecordAccount | null {
  if (record.outcome === "own") return { sp: OWN_SP, acct: record.acct };
  return record.outcome === "external" ? record : null;
}

export function namesAccount(
  look: SpRecordLook,
  account: RecordAccount,
): look is Extract<SpRecordLook, { outcome: "own" | "external" }> {
  const named = accountIn(look);
  return named?.sp === account.sp && named.acct === account.acct;
}
