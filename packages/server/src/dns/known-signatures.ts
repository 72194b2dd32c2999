// Signatures that were found to be good: they stay so, whichever resolver returns them.

import { createHash } from "node:crypto";
import { isSignatureBy } from "domain-signin-verify/dnssec/signature";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";

const MAX_SIGNATURES = 2000;

/**
 * Checks whether a key made a signature, once for all who ask: two resolvers return the same records.
 * When a signature is valid is checked elsewhere, each time.
 */
export function createKnownSignatures(
  clock: Pick<Clock, "monotonic">,
  check = isSignatureBy,
): typeof isSignatureBy {
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
