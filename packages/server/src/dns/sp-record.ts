// Looks at a domain's SP record, or for its answer to a challenge, and tells what stands there.

import { challengeProblems } from "domain-signin-verify/challenge-record";
import {
  formatSpRecord,
  parseSpRecord,
  readSpRecordSet,
  type SpRecordSet,
} from "domain-signin-verify/record";
import { OperatorError } from "../lib/errors.ts";
import type { Events } from "../lib/events.ts";
import { within } from "../lib/within.ts";
import { type FoundText, foundAlias, foundTexts } from "./found-text.ts";
import { createLookCache, type Freshness, type KeptLook } from "./look-cache.ts";
import type { DnsFailureReason, Resolver } from "./resolver.ts";
import { lookUpTxt, type TxtLook } from "./txt.ts";

export type { FoundText } from "./found-text.ts";
export type { Freshness } from "./look-cache.ts";

/** What one look found: `name` was asked, `checkedAt` (epoch seconds) is when the asking began. */
export type SpRecordLook = {
  readonly name: string;
  readonly assurance: "single";
  readonly checkedAt: number;
  readonly records: readonly FoundText[];
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
  | { readonly outcome: "unavailable"; readonly reason: DnsFailureReason }
  | { readonly outcome: "bogus"; readonly reason: string }
  | { readonly outcome: "not_permitted" };

export type ChallengeLook = { readonly name: string; readonly checkedAt: number } & (
  | { readonly outcome: "seen" }
  | { readonly outcome: "not_seen"; readonly records: readonly FoundText[] }
  | { readonly outcome: "unavailable"; readonly reason: DnsFailureReason | "bogus" }
);

export type SpRecords = {
  /** One look per name is on its way at a time, and shared by all who ask meanwhile. */
  look(domain: string, freshness: Freshness): Promise<SpRecordLook>;
  /** Asks each time whether the record with our issuer and `chal` is there. */
  lookForChallenge(domain: string, chal: string): Promise<ChallengeLook>;
};

const recordLabel = "_domain-signin";
const challengeLabel = "_domain-signin-challenge";

const maxPositiveSeconds = 300;
const maxNegativeSeconds = 60;

const maxEntries = 4000;
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
  resolver: Resolver;
  issuer: string;
  /** Epoch seconds. */
  now: () => number;
  allowLoopbackIssuer: boolean;
  /** Told of each look that asked DNS. */
  events?: Pick<Events, "lookedUp">;
}): SpRecords {
  const { resolver, issuer, now, allowLoopbackIssuer, events } = setup;
  // An operator whose own issuer has a port gives leave for ports by that.
  const options = { allowLoopbackIssuer, allowIssuerPort: new URL(issuer).port !== "" };
  if (
    parseSpRecord(formatSpRecord({ sp: issuer, acct: "a".repeat(22) }), options).outcome !== "ok"
  ) {
    throw new OperatorError(`no record can name the issuer ${issuer}: it needs a host with a dot`);
  }
  const cache = createLookCache<SpRecordLook>({ now, maxEntries });

  /** A person waits: a chain of aliases does not get the time of a query for each of them. */
  async function lookUp(name: string, label: string): Promise<TxtLook> {
    const began = performance.now();
    const txt: TxtLook = (await within(patienceMs, lookUpTxt(resolver, name, label))) ?? {
      outcome: "unavailable",
      reason: "timeout",
    };
    events?.lookedUp({ outcome: txt.outcome, milliseconds: performance.now() - began });
    return txt;
  }

  async function ask(name: string): Promise<KeptLook<SpRecordLook>> {
    const head = { name, assurance: "single", checkedAt: now(), records: [] } as const;
    const txt = await lookUp(name, recordLabel);
    switch (txt.outcome) {
      case "unavailable":
      case "bogus":
        return { look: { ...head, ...txt }, keepSeconds: null };
      case "alias_invalid": {
        const { outcome, target, ttl } = txt;
        return {
          look: { ...head, outcome, target },
          keepSeconds: Math.min(ttl, maxPositiveSeconds),
        };
      }
      case "values": {
        const set = readSpRecordSet(txt.values, options);
        const look = { ...head, records: foundTexts(set.found), ...outcomeOf(set, issuer) };
        const most = look.outcome === "absent" ? maxNegativeSeconds : maxPositiveSeconds;
        return { look, keepSeconds: Math.min(txt.ttl, most) };
      }
    }
  }

  return {
    look(domain, freshness) {
      const name = spRecordName(domain);
      return cache.look(name, freshness, () => ask(name));
    },

    async lookForChallenge(domain, chal) {
      const head = { name: challengeName(domain), checkedAt: now() };
      const txt = await lookUp(head.name, challengeLabel);
      switch (txt.outcome) {
        case "unavailable":
          return { ...head, outcome: "unavailable", reason: txt.reason };
        case "bogus":
          return { ...head, outcome: "unavailable", reason: "bogus" };
        case "alias_invalid":
          return { ...head, outcome: "not_seen", records: [foundAlias(txt.target)] };
        case "values": {
          const found = txt.values.map((value) => ({
            value,
            problems: challengeProblems(value, { sp: issuer, chal }, options),
          }));
          return found.some(({ problems }) => problems.length === 0)
            ? { ...head, outcome: "seen" }
            : { ...head, outcome: "not_seen", records: foundTexts(found) };
        }
      }
    },
  };
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
