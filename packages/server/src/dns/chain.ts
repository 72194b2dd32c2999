// Chains from a record set up to the DNS root: built out of what a resolver says, proven by the verifier.

import type { DnsRecord } from "domain-signin-verify/dns/message";
import { canonicalName } from "domain-signin-verify/dns/name";
import type { VerifiedRrset } from "domain-signin-verify/dnssec/chain";
import { refusal } from "domain-signin-verify/dnssec/rrsets";
import { rootTrustAnchors, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { VerificationError } from "domain-signin-verify/errors";
import { createLooks, type NoChain } from "./chain-look.ts";
import { type Way, wayOf } from "./chain-sets.ts";
import { createZones, type SignedSet, type ZonesLook } from "./chain-zones.ts";
import type { DnsAnswer } from "./resolver.ts";

/** What builds and proves chains; all looks of a process share one. */
export type Chains = {
  /**
   * Proves what `name` holds of `type` (16 for TXT). `answers` are the records of the answer sections
   * on the way from `name` to its end, aliases followed over several replies included, with their
   * RRSIG records, as one resolver gave them; a way without its end is bogus. Asks for at most two
   * sets of each zone up to the root, and for none that is remembered. Rejects only with
   * DnsMessageError, for a `name` that is no domain name.
   */
  prove(name: string, type: number, answers: readonly DnsRecord[]): Promise<ChainOutcome>;
  /**
   * Whether the zone at `apex` has a secure delegation: to be asked where signatures are missing.
   * Rejects as `prove` does.
   */
  delegation(apex: string): Promise<Delegation>;
};

/**
 * With a `zone`, "unsigned" is proven: the zone above has signed that it names no keys for it, or none
 * that can be read, or is itself proven unsigned. With null a set on the way has no signature at all,
 * and whether that may be is for `delegation` to say.
 *
 * The reason of "bogus" is for logs and operators: the code of a VerificationError first, if it was
 * the verifier who refused.
 */
export type ChainOutcome =
  | { readonly outcome: "secure"; readonly chain: Uint8Array; readonly verified: VerifiedRrset }
  | NoChain;

/** "unsigned" is proven, from the anchors down; without any anchor all is unsigned. */
export type Delegation =
  | { readonly outcome: "signed" }
  | { readonly outcome: "unsigned" }
  | Exclude<NoChain, { readonly outcome: "unsigned" }>;

const maxReasonLength = 200;

/** `now` in epoch seconds; `trustAnchors` instead of those that IANA publishes for the root. */
export function createChains(setup: {
  query: (name: string, type: number) => Promise<DnsAnswer>;
  now: () => number;
  trustAnchors?: readonly TrustAnchor[];
}): Chains {
  const { query, now, trustAnchors = rootTrustAnchors } = setup;
  const beginLook = createLooks({ query, now });
  const lookAtZones = createZones({ now, trustAnchors });

  async function withLook<T>(work: (zones: ZonesLook) => Promise<T>): Promise<T | Bogus> {
    const look = beginLook();
    try {
      return await work(lookAtZones(look));
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      return bogus(error);
    } finally {
      look.end();
    }
  }

  return {
    async prove(name, type, answers) {
      const start = canonicalName(name);
      return withLook(async (zones): Promise<ChainOutcome> => {
        const way = wayOf(answers, start, type);
        const sets = await signedSets(zones, way);
        if ("outcome" in sets) return sets;
        return { outcome: "secure", ...(await zones.verify(start, type, sets)) };
      });
    },

    async delegation(apex) {
      const zone = canonicalName(apex);
      return withLook(async (zones): Promise<Delegation> => {
        const why = await zones.whyNotSigned(zone);
        if (!why) return { outcome: "signed" };
        return why.outcome === "unsigned" ? { outcome: "unsigned" } : why;
      });
    },
  };
}

/** Again when a zone was renewed meanwhile: all sets of a chain need the same state of it. */
async function signedSets(zones: ZonesLook, way: Way): Promise<readonly SignedSet[] | NoChain> {
  for (;;) {
    const before = zones.renewals();
    const sets = await signedSetsOnce(zones, way);
    if (zones.renewals() === before) return sets;
  }
}

/** An alias that nobody signed well must not lead to where nothing is signed: that is told first. */
async function signedSetsOnce(zones: ZonesLook, way: Way): Promise<readonly SignedSet[] | NoChain> {
  const signed: SignedSet[] = [];
  let unsigned: NoChain | null = null;
  for (const set of way.sets) {
    const isBare = set.signatures.length === 0;
    const found = isBare ? ({ outcome: "unsigned", zone: null } as const) : await zones.signed(set);
    if (!("outcome" in found)) signed.push(found);
    else if (found.outcome !== "unsigned") return found;
    else unsigned ??= { outcome: "unsigned", zone: found.zone };
  }
  const last = way.sets.at(-1);
  if (!unsigned && !(way.isDname && last)) return signed;
  for (const one of signed) {
    if (!one.chosen.isGood) await zones.verify(one.set.name, one.set.type, [one]);
  }
  if (unsigned) return unsigned;
  throw last ? refusal("dname", last, "are not followed") : new Error("a way has no set");
}

type Bogus = { readonly outcome: "bogus"; readonly reason: string };

function bogus({ code, message }: VerificationError): Bogus {
  return { outcome: "bogus", reason: `${code}: ${message}`.slice(0, maxReasonLength) };
}
