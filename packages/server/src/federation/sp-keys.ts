// Fetches and caches the key sets of external SPs.

import { z } from "zod";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import { SpFailure } from "./sp-problem.ts";

const keySet = z.object({ keys: z.array(z.unknown()) });
type KeySet = z.infer<typeof keySet>;

export type SpKeys = ReturnType<typeof createSpKeys>;

const CACHE_LIFETIME_MS = 3_600_000;
const MIN_REFRESH_INTERVAL_MS = 5000;
const MAX_KEY_SETS = 500;

export function createSpKeys({ fetch, clock }: { fetch: GuardedFetch; clock: Clock }) {
  const known = createCache<KeySet & { readAtMs: number }>({ clock, maxEntries: MAX_KEY_SETS });
  return {
    /** With `forceRefresh`, uses the cache only for the last 5 s. Throws `SpFailure`. */
    async read(
      jwksUri: string,
      { forceRefresh, signal }: { forceRefresh: boolean; signal: AbortSignal },
    ): Promise<KeySet> {
      const cached = known.get(jwksUri);
      const maxAgeMs = forceRefresh ? MIN_REFRESH_INTERVAL_MS : CACHE_LIFETIME_MS;
      if (cached && clock.milliseconds() - cached.readAtMs < maxAgeMs) return cached;
      const response = await fetch(jwksUri, { signal });
      if (response.status !== 200) {
        throw new SpFailure("bad_answer", `the jwks_uri responded with status ${response.status}`);
      }
      const read = keySet.safeParse(await response.json().catch(() => undefined));
      if (!read.success) {
        throw new SpFailure("bad_answer", "the jwks_uri did not return a JWK Set");
      }
      known.set(jwksUri, { ...read.data, readAtMs: clock.milliseconds() }, CACHE_LIFETIME_MS);
      return read.data;
    },
  };
}
