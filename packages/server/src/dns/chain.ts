// Chains from a record set up to the DNS root: built from the answers of a resolver, proven by the verifier.

import type { DnsRecord } from "domain-signin-verify/dns/message";
import { canonicalName } from "domain-signin-verify/dns/name";
import { type VerifiedRrset, verifiedRrset } from "domain-signin-verify/dnssec/chain";
import { proveInsecure, proveRrset } from "domain-signin-verify/dnssec/prove";
import { rrsetsOf, writeRrsets } from "domain-signin-verify/dnssec/rrsets";
import { rootTrustAnchors, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import type { Insecure, Zone } from "domain-signin-verify/dnssec/zones";
import { VerificationError } from "domain-signin-verify/errors";
import { createCache } from "../lib/cache.ts";
import { BogusError, createRecordSources, IndeterminateError } from "./record-source.ts";
import type { DnsAnswer, DnsFailureReason } from "./resolver.ts";

export type Chains = {
  prove(name: string, type: number, answers: readonly DnsRecord[]): Promise<ChainOutcome>;
  delegation(apex: string): Promise<Delegation>;
};

export type NoChain =
  | { readonly outcome: "unsigned"; readonly zone: string | null }
  | { readonly outcome: "bogus"; readonly reason: string }
  | { readonly outcome: "unavailable"; readonly reason: DnsFailureReason };

export type ChainOutcome =
  | { readonly outcome: "secure"; readonly chain: Uint8Array; readonly verified: VerifiedRrset }
  | NoChain;

export type Delegation =
  | { readonly outcome: "signed" }
  | { readonly outcome: "unsigned" }
  | Exclude<NoChain, { readonly outcome: "unsigned" }>;

const MAX_REASON_LENGTH = 200;
const MAX_ZONES = 500;

/** `now` in epoch seconds; `trustAnchors` instead of those that IANA publishes for the root. */
export function createChains(setup: {
  query: (name: string, type: number) => Promise<DnsAnswer>;
  now: () => number;
  trustAnchors?: readonly TrustAnchor[];
}): Chains {
  const { query, now, trustAnchors = rootTrustAnchors } = setup;
  const clock = { milliseconds: () => now() * 1000 };
  const kept = createCache<Zone | Insecure>({ clock, maxEntries: MAX_ZONES });
  const zones = {
    get: (name: string) => kept.get(name),
    set: (name: string, zone: Zone | Insecure, lifetime: number) => {
      kept.set(name, zone, lifetime * 1000);
    },
  };
  const beginLook = createRecordSources(query);

  return {
    async prove(text, type, answers) {
      const name = canonicalName(text);
      const look = beginLook();
      try {
        const given = rrsetsOf(answers);
        const source = {
          rrsets: async (at: string, of: number) => (of === type ? given : look.rrsets(at, of)),
        };
        const at = now();
        const proof = await proveRrset({
          source,
          name,
          type,
          now: at,
          trustAnchors,
          signatures: "any",
          zones,
        });
        if (proof.insecure) return { outcome: "unsigned", zone: proof.insecure.insecure };
        if (!proof.answer) return { outcome: "bogus", reason: "no_answer" };
        const chain = writeRrsets([...proof.sets, ...proof.zoneSets]);
        return { outcome: "secure", chain, verified: verifiedRrset(proof, proof.answer, at) };
      } catch (error) {
        return noChain(error);
      }
    },

    async delegation(apex) {
      const name = canonicalName(apex);
      try {
        const source = beginLook();
        const found = await proveInsecure({
          source,
          name,
          now: now(),
          trustAnchors,
          signatures: "any",
          zones,
        });
        return { outcome: found ? "unsigned" : "signed" };
      } catch (error) {
        return noChain(error);
      }
    },
  };
}

function noChain(error: unknown): Exclude<NoChain, { outcome: "unsigned" }> {
  if (error instanceof IndeterminateError) return { outcome: "unavailable", reason: error.reason };
  if (error instanceof BogusError) return { outcome: "bogus", reason: error.message };
  if (!(error instanceof VerificationError)) throw error;
  const { code, message } = error;
  return { outcome: "bogus", reason: `${code}: ${message}`.slice(0, MAX_REASON_LENGTH) };
}
