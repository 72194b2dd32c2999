// Fetches and caches the key sets of external SPs.

import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import { SpFailure } from "./sp-problem.ts";

export interface SpKeys {
  /** The key set as JSON. With `forceRefresh`, uses the cache only for the last 5 s. Throws `SpFailure`. */
  read(jwksUri: string, options: { forceRefresh: boolean; signal: AbortSignal }): Promise<string>;
}

const CACHE_LIFETIME_MS = 3_600_000;
const MIN_REFRESH_INTERVAL_MS = 5000;
const MAX_KEY_SETS = 500;

export function createSpKeys({ fetch, clock }: { fetch: GuardedFetch; clock: Clock }): SpKeys {
  const known = createCache<{ text: string; readAtMs: number }>({
    clock,
    maxEntries: MAX_KEY_SETS,
  });
  return {
    async read(jwksUri, { forceRefresh, signal }) {
      const cached = known.get(jwksUri);
      const maxAgeMs = forceRefresh ? MIN_REFRESH_INTERVAL_MS : CACHE_LIFETIME_MS;
      if (cached && clock.milliseconds() - cached.readAtMs < maxAgeMs) return cached.text;
      const response = await fetch(jwksUri, { signal });
      if (response.status !== 200) {
        throw new SpFailure("bad_answer", `the jwks_uri responded with status ${response.status}`);
      }
      const text = await response.text();
      if (!isKeySet(text))
        throw new SpFailure("bad_answer", "the jwks_uri did not return a JWK Set");
      known.set(jwksUri, { text, readAtMs: clock.milliseconds() }, CACHE_LIFETIME_MS);
      return text;
    },
  };
}

function isKeySet(text: string): boolean {
  try {
    const set: { readonly keys?: unknown } | null = JSON.parse(text);
    return Array.isArray(set?.keys);
  } catch {
    return false;
  }
}
