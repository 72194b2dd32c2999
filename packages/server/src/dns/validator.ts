// Validates the answers of one resolver (RFC 4035 §4.3): secure, insecure, bogus or indeterminate.

import { createHash } from "node:crypto";
import { insecurity, proveInsecure } from "domain-signin-verify/dnssec/insecurity";
import { type Proof, type ProofRequest, proveRrset } from "domain-signin-verify/dnssec/prove";
import { checkChainSize } from "domain-signin-verify/dnssec/rrsets";
import type { Insecure, Zone } from "domain-signin-verify/dnssec/run";
import { isSignatureBy } from "domain-signin-verify/dnssec/signature";
import { rootTrustAnchors, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { createZoneMemory } from "domain-signin-verify/dnssec/zone-memory";
import { VerificationError } from "domain-signin-verify/errors";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { bogusCauseOf } from "./bogus.ts";
import { createRecordSources, type Unusable, UnusableError } from "./record-source.ts";
import type { Query } from "./resolver.ts";

/** The proof of an answer, or of an absence. */
export type Validated =
  | ({ readonly security: "secure" | "insecure"; readonly validatedAt: number } & Proof)
  | Unusable;

export type Validator = ReturnType<typeof createValidator>;

const MAX_REASON_LENGTH = 200;
const MAX_ZONES = 500;
const MAX_SIGNATURES = 2000;

interface Deps {
  readonly query: Query;
  readonly clock: Clock;
  /** Default: those that IANA publishes for the root. */
  readonly trustAnchors?: readonly TrustAnchor[] | undefined;
  readonly isSignatureBy?: ProofRequest["isSignatureBy"];
}

/** Each resolver has its own: one that hides a delegation must not hide it for others. All names are canonical. */
export function createValidator(deps: Deps) {
  const { query, clock, trustAnchors = rootTrustAnchors, isSignatureBy } = deps;
  const zones = createCache<Zone | Insecure>({ clock, maxEntries: MAX_ZONES });
  const memory = createZoneMemory({
    get: zones.get,
    set: (name, zone, lifetime) => zones.set(name, zone, lifetime * 1000),
  });
  const sourceOfLook = createRecordSources({ query, clock });
  const request = (name: string, over?: AbortSignal) => {
    const source = sourceOfLook(over);
    const rules = { trustAnchors, signatures: "any", memory, insecurity, isSignatureBy } as const;
    return { source, name, now: clock.seconds(), ...rules };
  };

  return {
    /** Does not prove an end that is not accepted. Once `over` is aborted, asks nothing and ends as indeterminate. */
    async validate(
      name: string,
      type: number,
      accepts?: (name: string) => boolean,
      over?: AbortSignal,
    ): Promise<Validated> {
      const asked = request(name, over);
      try {
        const proof = await proveRrset({ ...asked, type, ...(accepts && { accepts }) });
        // Zones that were verified for an earlier proof count too.
        checkChainSize([...proof.sets, ...proof.zoneSets]);
        const security = proof.insecure ? "insecure" : "secure";
        return { security, validatedAt: asked.now, ...proof };
      } catch (error) {
        return unusable(error);
      }
    },

    /** Whether the zone of `name` is proven to be insecure. */
    isInsecure: (name: string): Promise<boolean | Unusable> =>
      proveInsecure(request(name)).then((proof) => proof !== null, unusable),
  };
}

function unusable(error: unknown): Unusable {
  if (error instanceof UnusableError) return error.unusable;
  if (!(error instanceof VerificationError)) throw error;
  const { code, message } = error;
  const reason = `${code}: ${message}`.slice(0, MAX_REASON_LENGTH);
  return { security: "bogus", cause: bogusCauseOf(code), reason };
}

/** Remembers good signatures for all validators. When a signature is valid is checked elsewhere, each time. */
export function createKnownSignatures(clock: Clock, check = isSignatureBy): typeof isSignatureBy {
  const good = createCache<boolean>({ clock, maxEntries: MAX_SIGNATURES });
  return async (key, signed, signature) => {
    const id = digestOf([Uint8Array.of(key.algorithm), key.publicKey, signature, signed]);
    if (good.get(id)) return true;
    return good.share(id, async () => {
      const isGood = await check(key, signed, signature);
      if (isGood) good.set(id, true);
      return isGood;
    });
  };
}

/** With their lengths, so that no octet can move from one part to the next. */
function digestOf(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest("base64url");
}
