// Looks at a domain's SP record, or for its answer to a challenge, and tells what stands there.

import { challengeProblems } from "domain-signin-verify/challenge-record";
import {
  formatSpRecord,
  parseSpRecord,
  readSpRecordSet,
  type SpRecordSet,
} from "domain-signin-verify/record";
import { OperatorError } from "../lib/errors.ts";
import { within } from "../lib/within.ts";
import { OWN_SP } from "../store/shared-values.ts";
import type { Events } from "../telemetry/events.ts";
import { type Assurance, isAtLeast } from "./assurance.ts";
import type { AssuredLook, AssuredTxt } from "./assured-txt.ts";
import { type FoundText, foundAlias, foundTexts } from "./found-text.ts";
import { createLookCache, type Freshness, type KeptLook } from "./look-cache.ts";
import type { DnsFailureReason } from "./resolver.ts";
import type { SignedBefore } from "./signed-before.ts";
import type { Failed, Proof } from "./view.ts";

export type { FoundText } from "./found-text.ts";
export type { Freshness } from "./look-cache.ts";

/**
 * What one look found: `name` was asked, `checkedAt` (epoch seconds) is when the asking began.
 * `resolvers` is how many of them said the same; `proof` is there exactly with "secure".
 */
export type SpRecordLook = {
  readonly name: string;
  readonly assurance: Assurance;
  readonly checkedAt: number;
  readonly records: readonly FoundText[];
  readonly resolvers: number;
  readonly proof: Proof | null;
} & SpRecordOutcome;

export type SpRecordOutcome =
  | { readonly outcome: "absent" }
  | { readonly outcome: "own"; readonly acct: string; readonly jkt: readonly string[] }
  | {
      readonly outcome: "external";
      readonly sp: string;
      readonly acct: string;
      readonly jkt: readonly string[];
    }
  | { readonly outcome: "disabled" }
  | { readonly outcome: "invalid" }
  | { readonly outcome: "ambiguous" }
  | { readonly outcome: "unsupported" }
  | { readonly outcome: "alias_invalid"; readonly target: string }
  | { readonly outcome: "unavailable"; readonly reason: LookFailureReason }
  | { readonly outcome: "bogus"; readonly reason: string }
  | { readonly outcome: "not_permitted"; readonly reason: "unsigned" };

/**
 * "disagreement": the resolvers contradict each other. "unconfirmed": too few of them say it for DNS
 * to decide alone.
 */
export type LookFailureReason = DnsFailureReason | "disagreement" | "unconfirmed";

export type ChallengeLook = { readonly name: string; readonly checkedAt: number } & (
  | { readonly outcome: "seen" }
  | { readonly outcome: "not_seen"; readonly records: readonly FoundText[] }
  | { readonly outcome: "unavailable"; readonly reason: LookFailureReason }
  | { readonly outcome: "bogus"; readonly reason: string }
  | { readonly outcome: "not_permitted"; readonly reason: "unsigned" }
);

/** Why a look told nothing that may be believed. */
export type LookFailure = "unavailable" | "unconfirmed" | "bogus";

export type SpRecords = {
  /** One look per name is on its way at a time, and shared by all who ask meanwhile. */
  look(domain: string, freshness: Freshness): Promise<SpRecordLook>;
  /**
   * The same where DNS decides alone: a record that is worth less than the operator wants is
   * "unavailable", or "not_permitted" where only signed zones can sign in.
   */
  lookToDecide(domain: string, freshness: Freshness): Promise<SpRecordLook>;
  /** Asks each time whether the record with our issuer and `chal` is there, and worth enough. */
  lookForChallenge(domain: string, chal: string): Promise<ChallengeLook>;
};

const recordLabel = "_domain-signin";
const challengeLabel = "_domain-signin-challenge";

const maxPositiveSeconds = 300;
const maxNegativeSeconds = 60;

const maxEntries = 4000;
/** Octets: a usual chain has two or three thousand, and whoever makes one larger is asked again. */
const maxKeptChain = 8192;
const patienceMs = 2500;

/** Where the SP record is published. */
export function spRecordName(domain: string): string {
  return `${recordLabel}.${domain}`;
}

/** Where the answer to a challenge is published. */
export function challengeName(domain: string): string {
  return `${challengeLabel}.${domain}`;
}

export function createSpRecords(setup: {
  lookAt: AssuredLook;
  /** What a record must be worth for DNS to decide alone. */
  least: Assurance;
  /** Whether nothing but signatures can be enough. */
  signedOnly: boolean;
  /** Whether it is proven that a domain has none. */
  isUnsigned: (domain: string) => Promise<boolean>;
  /** Null where nothing is remembered. */
  signedBefore: SignedBefore | null;
  issuer: string;
  /** Epoch seconds. */
  now: () => number;
  allowLoopbackIssuer: boolean;
  /** Told of each look that asked DNS. */
  events?: Pick<Events, "lookedUp" | "bogus">;
}): SpRecords {
  const { lookAt, least, signedOnly, isUnsigned, signedBefore, issuer, now, events } = setup;
  const { allowLoopbackIssuer } = setup;
  // An operator whose own issuer has a port gives leave for ports by that.
  const options = { allowLoopbackIssuer, allowIssuerPort: new URL(issuer).port !== "" };
  if (
    parseSpRecord(formatSpRecord({ sp: issuer, acct: "a".repeat(22) }), options).outcome !== "ok"
  ) {
    throw new OperatorError(`no record can name the issuer ${issuer}: it needs a host with a dot`);
  }
  const notEnough = signedOnly
    ? ({ outcome: "not_permitted", reason: "unsigned" } as const)
    : ({ outcome: "unavailable", reason: "unconfirmed" } as const);
  const cache = createLookCache<SpRecordLook>({ now, maxEntries });

  /** A person waits: neither a chain of aliases nor one of signatures gets all the time it may want. */
  async function lookUp(domain: string, label: string): Promise<AssuredTxt> {
    const began = performance.now();
    const looked = lookAt(`${label}.${domain}`, label);
    const seen = await within(
      patienceMs,
      looked.then((told) => believable(domain, told)),
    );
    const found = seen ?? failed({ outcome: "unavailable", reason: "timeout" });
    const { txt, assurance } = found;
    const milliseconds = performance.now() - began;
    events?.lookedUp({ outcome: txt.outcome, assurance, milliseconds });
    if (txt.outcome === "bogus") events?.bogus({ domain, reason: txt.reason });
    return found;
  }

  /** What is there without signatures, at a domain that had them, is not believed for a while. */
  async function believable(domain: string, seen: AssuredTxt): Promise<AssuredTxt> {
    const { txt, assurance } = seen;
    if (assurance === "secure") await signedBefore?.note(domain);
    const isThere = txt.outcome === "values" && txt.values.length > 0;
    if (assurance === "secure" || !isThere || !signedBefore) return seen;
    // The domain is signed as ever; where its alias leads to never was its own.
    if (seen.isAliasSigned) return seen;
    if (await signedBefore.mayBeUnsigned(domain)) return seen;
    const reason = `${domain} was signed until recently, and now it is not`;
    return failed({ outcome: "bogus", reason });
  }

  async function ask(domain: string): Promise<KeptLook<SpRecordLook>> {
    const checkedAt = now();
    const { txt, assurance, resolvers, proof } = await lookUp(domain, recordLabel);
    const head = { name: spRecordName(domain), checkedAt, assurance, resolvers, proof };
    switch (txt.outcome) {
      case "unavailable":
      case "bogus":
        return { look: { ...head, records: [], ...txt }, keepSeconds: null };
      case "alias_invalid": {
        const { outcome, target, ttl } = txt;
        return {
          look: { ...head, records: [], outcome, target },
          keepSeconds: Math.min(ttl, maxPositiveSeconds),
        };
      }
      case "values": {
        const set = readSpRecordSet(txt.values, options);
        const look = { ...head, records: foundTexts(set.found), ...outcomeOf(set, issuer) };
        const most = look.outcome === "absent" ? maxNegativeSeconds : maxPositiveSeconds;
        const isTooLarge = proof !== null && proof.chain.length > maxKeptChain;
        return { look, keepSeconds: isTooLarge ? null : Math.min(txt.ttl, most) };
      }
    }
  }

  async function look(domain: string, freshness: Freshness): Promise<SpRecordLook> {
    return cache.look(domain, freshness, () => ask(domain));
  }

  return {
    look,

    async lookToDecide(domain, freshness) {
      const seen = await look(domain, freshness);
      const { outcome } = seen;
      const decides = outcome === "own" || outcome === "external";
      const isTooLittle = decides && !isAtLeast(seen.assurance, least);
      // Nobody should publish a record first, and be told afterwards.
      const isVain = signedOnly && outcome === "absent" && (await isUnsigned(domain));
      if (!isTooLittle && !isVain) return seen;
      const { name, checkedAt, assurance, records, resolvers, proof } = seen;
      return { name, checkedAt, assurance, records, resolvers, proof, ...notEnough };
    },

    async lookForChallenge(domain, chal) {
      const head = { name: challengeName(domain), checkedAt: now() };
      const { txt, assurance } = await lookUp(domain, challengeLabel);
      switch (txt.outcome) {
        case "unavailable":
        case "bogus":
          return { ...head, ...txt };
        case "alias_invalid":
          return { ...head, outcome: "not_seen", records: [foundAlias(txt.target)] };
        case "values": {
          const found = txt.values.map((value) => ({
            value,
            problems: challengeProblems(value, { sp: issuer, chal }, options),
          }));
          const isSeen = found.some(({ problems }) => problems.length === 0);
          if (!isSeen) return { ...head, outcome: "not_seen", records: foundTexts(found) };
          if (isAtLeast(assurance, least)) return { ...head, outcome: "seen" };
          return { ...head, ...notEnough };
        }
      }
    },
  };
}

/** Null if it told something. */
export function failureOf(look: SpRecordLook | ChallengeLook): LookFailure | null {
  if (look.outcome === "bogus") return "bogus";
  if (look.outcome !== "unavailable") return null;
  const isContradicted = look.reason === "disagreement" || look.reason === "unconfirmed";
  return isContradicted ? "unconfirmed" : "unavailable";
}

/** Whether the record is that of an account, which `sp` and `acct` name together. */
export function namesAccount(
  look: SpRecordLook,
  account: { readonly sp: string; readonly acct: string },
): look is Extract<SpRecordLook, { outcome: "own" | "external" }> {
  if (look.outcome !== "own" && look.outcome !== "external") return false;
  const sp = look.outcome === "own" ? OWN_SP : look.sp;
  return sp === account.sp && look.acct === account.acct;
}

function failed(txt: Failed): AssuredTxt {
  return { txt, assurance: "single", resolvers: 0, proof: null, isAliasSigned: false };
}

/** Issuers are compared by code point. */
function outcomeOf(set: SpRecordSet, issuer: string): SpRecordOutcome {
  switch (set.outcome) {
    case "none":
      return { outcome: "absent" };
    case "one": {
      const { record } = set;
      if (record.sp === "none") return { outcome: "disabled" };
      const { sp, acct, jkt } = record;
      return sp === issuer ? { outcome: "own", acct, jkt } : { outcome: "external", sp, acct, jkt };
    }
    case "invalid":
    case "ambiguous":
    case "unsupported":
      return { outcome: set.outcome };
  }
}
