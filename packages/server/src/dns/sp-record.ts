// Looks up the SP record of a domain, or its answer to a challenge.

import { type IssuerOptions, readSpRecordSet } from "domain-signin-verify/record";
import type { Clock } from "../lib/clock.ts";
import type { AcceptedAnswer } from "../store/accepted-answers.ts";
import type { Account } from "../store/accounts.ts";
import type { AcceptedRecord, RememberedDomain } from "../store/remembered.ts";
import { OWN_SP } from "../store/shared-values.ts";
import { type Assurance, isAtLeast } from "./assurance.ts";
import type { AssuredLook, Failed, Question, ReadAnswer } from "./assured-look.ts";
import type { BogusCause } from "./bogus.ts";
import { type FoundText, foundTexts } from "./found-text.ts";
import { createLookCache, type Freshness, type KeptLook } from "./look-cache.ts";
import {
  issuerOptions,
  type ReadRecord,
  type RecordOutcome,
  readChallenge,
  readRecord,
  withSharedKeys,
} from "./read-record.ts";
import type { SourceAnswer } from "./verdict.ts";
import type { ChainProof, Found } from "./view.ts";

export type { LookFailureReason } from "./assured-look.ts";
export type { FoundText } from "./found-text.ts";
export type { Freshness } from "./look-cache.ts";

/** What a look found. */
export type SpRecordLook = {
  /** The requested name. */
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
export type LookFailure =
  | "unavailable"
  | "busy"
  | "unconfirmed"
  | "contradictory"
  | "blocked"
  | "stale"
  | "no_authority"
  | BogusCause;

export interface SpRecords {
  /** Concurrent looks at a name share one. What is remembered is returned only if `isEnough` says so. */
  look(
    domain: string,
    freshness: Freshness,
    isEnough?: (remembered: SpRecordLook) => boolean,
  ): Promise<SpRecordLook>;
  /**
   * The same where DNS alone decides: a record with less than the required assurance is "unavailable",
   * or "not_permitted" if only signed zones may sign in.
   */
  lookToDecide(
    domain: string,
    freshness: Freshness,
    /** What is remembered of the domain, if the caller has read it. */
    remembered?: RememberedDomain,
  ): Promise<SpRecordLook>;
  /** The same for a diagnosis: asks every resolver, and also returns what each of them said. */
  lookAtSources(domain: string): Promise<{ look: SpRecordLook; voices: readonly RecordVoice[] }>;
  /** A look that reports no record yet. `values` come from name servers and authenticate nobody. */
  absentRecord(domain: string, values: readonly string[]): SpRecordLook & { outcome: "absent" };
  /** Which account the values at a name server name, if they do; they authenticate nobody. */
  namedBy(values: readonly string[]): Pick<Account, "sp" | "acct"> | null;
  challengeNotYet(domain: string, chal: string, values: readonly string[]): ChallengeLook;
  /** Asks each time whether a record with our issuer and `chal` is there, with enough assurance. */
  lookForChallenge(domain: string, chal: string): Promise<ChallengeLook>;
}

/** What one resolver said. */
export type RecordVoice = SourceAnswer<ReadAnswer<ReadRecord>>;

const RECORD_LABEL = "_domain-signin";
const CHALLENGE_LABEL = "_domain-signin-challenge";

/** Some zones sign each answer anew. A newer signature of the same data is noted after this time. */
const NOTED_EVERY_S = 3600;
const MAX_POSITIVE_TTL_S = 300;
const MAX_NEGATIVE_TTL_S = 60;
const MAX_ENTRIES = 4000;
/** Most chains have two or three thousand octets. A domain with a larger one is looked up each time. */
const MAX_CACHED_CHAIN_OCTETS = 8192;

/** Where the SP record is published. */
export function spRecordName(domain: string): string {
  return `${RECORD_LABEL}.${domain}`;
}

/** Where the answer to a challenge is published. */
export function challengeName(domain: string): string {
  return `${CHALLENGE_LABEL}.${domain}`;
}

interface Deps {
  readonly lookUp: AssuredLook;
  /** The assurance that a record needs where DNS alone decides. */
  readonly minAssurance: Assurance;
  /** Reads what a look is compared with. */
  readonly rememberedOf: (domain: string) => Promise<RememberedDomain>;
  /** Keeps what a look accepted that differs from what was accepted before. */
  readonly noteAccepted?: ((answer: AcceptedAnswer) => Promise<void>) | undefined;
  readonly issuer: string;
  readonly clock: Pick<Clock, "seconds">;
  readonly allowLoopbackIssuer: boolean;
}

export function createSpRecords(deps: Deps): SpRecords {
  const { lookUp, minAssurance, rememberedOf, issuer, clock } = deps;
  const options = issuerOptions(issuer, deps.allowLoopbackIssuer);
  const cache = createLookCache<SpRecordLook>({ now: clock.seconds, maxEntries: MAX_ENTRIES });
  const ask = createAsk(deps, options);

  const look: SpRecords["look"] = (domain, freshness, isEnough) =>
    cache.look(domain, freshness, () => ask(domain), isEnough);

  return {
    look,

    async lookToDecide(domain, freshness, remembered) {
      const asking = () => ask(domain, { remembered });
      return decided(await cache.look(domain, freshness, asking), minAssurance);
    },

    async lookAtSources(domain) {
      let voices: readonly RecordVoice[] = [];
      const onVoices = (heard: readonly RecordVoice[]) => {
        voices = heard;
      };
      const { look } = await ask(domain, { onVoices });
      return { look: decided(look, minAssurance), voices };
    },

    absentRecord(domain, values) {
      const head = { name: spRecordName(domain), checkedAt: clock.seconds() };
      const records = foundTexts(readSpRecordSet(values, options).found);
      return { ...head, ...UNPROVEN, outcome: "absent", records };
    },

    namedBy(values) {
      const found = { values, aliasTarget: null, isWildcard: false, ttl: 0 };
      const { outcome: named } = readRecord(found, issuer, options);
      if (named.outcome === "own") return { sp: OWN_SP, acct: named.acct };
      return named.outcome === "external" ? { sp: named.sp, acct: named.acct } : null;
    },

    challengeNotYet(domain, chal, values) {
      const head = { name: challengeName(domain), checkedAt: clock.seconds() };
      const found = { values, aliasTarget: null, isWildcard: false };
      const { records } = readChallenge(found, { sp: issuer, chal }, options);
      return { ...head, outcome: "not_seen", records };
    },

    async lookForChallenge(domain, chal) {
      const head = { name: challengeName(domain), checkedAt: clock.seconds() };
      const read = (found: Found) => readChallenge(found, { sp: issuer, chal }, options);
      const remembered = await rememberedOf(domain);
      const question = { domain, label: CHALLENGE_LABEL, read, accepted: null, remembered };
      const looked = await lookUp(question);
      if (looked.outcome !== "agreed") return { ...head, ...looked };
      const { isSeen, records } = looked.answers[0];
      if (!isSeen) return { ...head, outcome: "not_seen", records };
      if (isAtLeast(looked.assurance, minAssurance)) return { ...head, outcome: "seen" };
      return { ...head, ...notEnough(minAssurance, looked.isUnsupported) };
    },
  };
}

const UNPROVEN = { assurance: "single", resolvers: 0, proof: null, inception: null } as const;

type Ask = (
  domain: string,
  more?: Pick<Question<ReadRecord>, "onVoices"> & {
    readonly remembered?: RememberedDomain | undefined;
  },
) => Promise<KeptLook<SpRecordLook>>;

/** Asks each time. */
function createAsk(deps: Deps, options: IssuerOptions): Ask {
  const { lookUp, rememberedOf, noteAccepted, issuer, clock } = deps;
  const read = (found: Found) => readRecord(found, issuer, options);

  return async (domain, { remembered: known, ...diagnosis } = {}) => {
    const head = { name: spRecordName(domain), checkedAt: clock.seconds() };
    const remembered = known ?? (await rememberedOf(domain));
    const { accepted } = remembered;
    const mayBeUnregistered = accepted === null;
    const asked = { domain, label: RECORD_LABEL, read, accepted, remembered, mayBeUnregistered };
    const looked = await lookUp({ ...asked, ...diagnosis });
    if (looked.outcome !== "agreed") {
      return { look: { ...head, ...UNPROVEN, records: [], ...looked }, keepSeconds: null };
    }
    const { assurance, answers, ttl, proof, signature, isUnregistered, isUnsupported } = looked;
    const { key, outcome, records } = answers[0];
    const inception = signature?.inception ?? null;
    const shared = withSharedKeys(outcome, answers);
    const spk = "spk" in shared ? shared.spk.join() : "";
    if (signature && isNews({ key, spk, ...signature }, accepted)) {
      const { checkedAt } = head;
      await noteAccepted?.({ domain, checkedAt, key, spk, ...signature });
    }
    const found = { ...head, assurance, records, resolvers: answers.length, proof, inception };
    const named = isUnregistered ? ({ outcome: "unregistered" } as const) : shared;
    const look = { ...found, ...(isUnsupported && { isUnsupported }), ...named };
    const max = outcome.outcome === "absent" ? MAX_NEGATIVE_TTL_S : MAX_POSITIVE_TTL_S;
    const isTooLarge = proof !== null && proof.chain.length > MAX_CACHED_CHAIN_OCTETS;
    return { look, keepSeconds: isTooLarge ? null : Math.min(ttl, max) };
  };
}

/** The same look where DNS alone decides. */
function decided(found: SpRecordLook, minAssurance: Assurance): SpRecordLook {
  const { outcome, name, checkedAt, assurance, records, resolvers, proof, inception } = found;
  const isRecord = outcome === "own" || outcome === "external";
  const isTooLow = isRecord && !isAtLeast(assurance, minAssurance);
  // Otherwise the user would publish a record first, and then be rejected.
  const isInVain = minAssurance === "secure" && outcome === "absent" && assurance !== "secure";
  if (!isTooLow && !isInVain) return found;
  // Without the account: it must not be used by mistake.
  const head = { name, checkedAt, assurance, records, resolvers, proof, inception };
  return { ...head, ...notEnough(minAssurance, found.isUnsupported) };
}

function notEnough(minAssurance: Assurance, isUnsupported = false) {
  if (minAssurance !== "secure") return { outcome: "unavailable", reason: "unconfirmed" } as const;
  const reason = isUnsupported ? "unsupported_dnssec" : "unsigned";
  return { outcome: "not_permitted", reason } as const;
}

/**
 * Whether an answer must be noted. For the same data, only a newer signature is noted: a replayed older one
 * would allow data that is older still.
 */
function isNews(answer: AcceptedRecord, accepted: AcceptedRecord | null): boolean {
  if (accepted === null || answer.key !== accepted.key) return true;
  if (answer.spk !== (accepted.spk ?? "")) return true;
  return answer.inception >= accepted.inception + NOTED_EVERY_S;
}

/** The reason of a failed look; null if it found out what DNS contains. */
export function failureOf(look: SpRecordLook | ChallengeLook): LookFailure | null {
  if (look.outcome === "bogus") return look.cause;
  if (look.outcome !== "unavailable") return null;
  switch (look.reason) {
    case "busy":
    case "unconfirmed":
    case "contradictory":
    case "blocked":
    case "stale":
    case "no_authority":
    case "unsupported_dnssec":
      return look.reason;
    default:
      return "unavailable";
  }
}

/** Whether the record names an account, which `sp` and `acct` identify together. */
export function namesAccount(
  look: SpRecordLook,
  account: { readonly sp: string; readonly acct: string },
): look is Extract<SpRecordLook, { outcome: "own" | "external" }> {
  if (look.outcome !== "own" && look.outcome !== "external") return false;
  const sp = look.outcome === "own" ? OWN_SP : look.sp;
  return sp === account.sp && look.acct === account.acct;
}
