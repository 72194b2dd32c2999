// Validates the answers of one resolver (RFC 4035 §4.3): secure, insecure, bogus or indeterminate.

import { insecurity, proveInsecure } from "domain-signin-verify/dnssec/insecurity";
import { type Proof, type ProofRequest, proveRrset } from "domain-signin-verify/dnssec/prove";
import { checkChainSize } from "domain-signin-verify/dnssec/rrsets";
import type { Insecure, Zone } from "domain-signin-verify/dnssec/run";
import { rootTrustAnchors, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { createZoneMemory } from "domain-signin-verify/dnssec/zone-memory";
import { VerificationError } from "domain-signin-verify/errors";
import { createCache } from "../lib/cache.ts";
import { bogusCauseOf } from "./bogus.ts";
import { createRecordSources, type Unusable, UnusableError } from "./record-source.ts";
import type { DnsAnswer } from "./resolver.ts";

export type { Unusable } from "./record-source.ts";

export type Validated =
  | {
      readonly security: "secure" | "insecure";
      readonly proof: Proof;
      readonly validatedAt: number;
    }
  | Unusable;

/**
 * Each resolver has a validator of its own: one that hides a delegation must not do so for others. All
 * names are canonical.
 */
export interface Validator {
  /**
   * Reads and validates the records of `type` at `name`. Does not prove an end that is not accepted. Once
   * `over` is aborted, it asks nothing more, and ends as indeterminate.
   */
  validate(
    name: string,
    type: number,
    accepts?: (name: string) => boolean,
    over?: AbortSignal,
  ): Promise<Validated>;
  /** Whether the zone of `name` is proven to be insecure. */
  isInsecure(name: string): Promise<boolean | Unusable>;
}

const MAX_REASON_LENGTH = 200;
const MAX_ZONES = 500;

/**
 * `now` in epoch seconds; `monotonic` in milliseconds, for what is remembered. Default trust anchors: those that
 * IANA publishes for the root.
 */
export function createValidator(deps: {
  readonly query: (name: string, type: number) => Promise<DnsAnswer>;
  readonly now: () => number;
  readonly monotonic?: () => number;
  readonly trustAnchors?: readonly TrustAnchor[] | undefined;
  readonly isSignatureBy?: ProofRequest["isSignatureBy"];
}): Validator {
  const { query, now, trustAnchors = rootTrustAnchors, isSignatureBy } = deps;
  const clock = { monotonic: deps.monotonic ?? (() => now() * 1000) };
  const kept = createCache<Zone | Insecure>({ clock, maxEntries: MAX_ZONES });
  const memory = createZoneMemory({
    get: kept.get,
    set: (name, zone, lifetime) => {
      kept.set(name, zone, lifetime * 1000);
    },
  });
  const sourceOfLook = createRecordSources({ query, clock });
  const request = (name: string, over?: AbortSignal) => {
    const source = sourceOfLook(over);
    const rules = { trustAnchors, signatures: "any", memory, insecurity, isSignatureBy } as const;
    return { source, name, now: now(), ...rules };
  };

  return {
    async validate(name, type, accepts, over) {
      const asked = request(name, over);
      try {
        const proof = await proveRrset({ ...asked, type, ...(accepts && { accepts }) });
        // Zones that were verified for an earlier proof count too.
        checkChainSize([...proof.sets, ...proof.zoneSets]);
        const security = proof.insecure ? "insecure" : "secure";
        return { security, proof, validatedAt: asked.now };
      } catch (error) {
        return unusable(error);
      }
    },

    async isInsecure(name) {
      try {
        return (await proveInsecure(request(name))) !== null;
      } catch (error) {
        return unusable(error);
      }
    },
  };
}

function unusable(error: unknown): Unusable {
  if (error instanceof UnusableError) return error.unusable;
  if (!(error instanceof VerificationError)) throw error;
  const { code, message } = error;
  const reason = `${code}: ${message}`.slice(0, MAX_REASON_LENGTH);
  return { security: "bogus", cause: bogusCauseOf(code), reason };
}
