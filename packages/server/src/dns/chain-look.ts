// One look for a chain: what it may still cost, and its questions, which looks at the same time share.

import type { DnsRecord } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { maxSignatureChecks } from "domain-signin-verify/dnssec/bounds";
import { within } from "../lib/within.ts";
import type { CheckBudget } from "./chain-signature.ts";
import type { DnsAnswer, DnsFailureReason } from "./resolver.ts";

/** Why there is no chain, where that is not in what was said but in what was not. */
export type NoChain =
  | { readonly outcome: "unsigned"; readonly zone: string | null }
  | { readonly outcome: "bogus"; readonly reason: string }
  | { readonly outcome: "unavailable"; readonly reason: DnsFailureReason };

export type Look = CheckBudget & {
  /** Epoch seconds, the same for the whole look. */
  readonly now: number;
  /**
   * The records of an answer, and those that say why there are none; the same however often it is
   * asked.
   */
  ask(zone: string, type: number): Promise<readonly DnsRecord[] | NoChain>;
  /** Whether the look asked for all that there is about a zone. */
  hasAsked(zone: string): boolean;
  /** To be called at last: until then others share what was asked for here. */
  end(): void;
};

const maxQueries = 32;
/** A resolver settles sooner; one that never does must not keep all later looks waiting. */
const queryMs = 3000;
const lookMs = 10_000;

/** `now` in epoch seconds. */
export function createLooks(setup: {
  query: (name: string, type: number) => Promise<DnsAnswer>;
  now: () => number;
}): () => Look {
  const underWay = new Map<string, Promise<DnsAnswer>>();

  async function askOne(zone: string, type: number): Promise<DnsAnswer> {
    const answer = await within(queryMs, setup.query(zone, type));
    return answer ?? { outcome: "failed", reason: "timeout" };
  }

  return () => {
    const endsAt = performance.now() + lookMs;
    const asked = new Map<string, Promise<DnsAnswer>>();
    const begunHere = new Set<string>();

    /** Null for one question too many. */
    function answerTo(zone: string, type: number): Promise<DnsAnswer> | null {
      const key = keyOf(zone, type);
      const known = asked.get(key);
      if (known !== undefined) return known;
      if (asked.size === maxQueries) return null;
      const shared = underWay.get(key);
      const answer = shared ?? askOne(zone, type);
      asked.set(key, answer);
      if (shared === undefined) {
        underWay.set(key, answer);
        begunHere.add(key);
      }
      return answer;
    }

    return {
      checksLeft: maxSignatureChecks,
      now: setup.now(),

      async ask(zone, type) {
        if (performance.now() >= endsAt) return { outcome: "unavailable", reason: "timeout" };
        const answer = await answerTo(zone, type);
        switch (answer?.outcome) {
          case undefined:
            return { outcome: "bogus", reason: `too_many_queries: more than ${maxQueries}` };
          case "failed":
            return { outcome: "unavailable", reason: answer.reason };
          case "bogus":
            return answer;
          case "answer":
          case "nxdomain":
            return [...answer.records, ...answer.authorities];
        }
      },

      hasAsked(zone) {
        const types = [recordType.DNSKEY, ...(zone === "" ? [] : [recordType.DS])];
        return types.every((type) => asked.has(keyOf(zone, type)));
      },

      end() {
        for (const key of begunHere) underWay.delete(key);
      },
    };
  };
}

function keyOf(zone: string, type: number): string {
  return `${type} ${zone}`;
}
