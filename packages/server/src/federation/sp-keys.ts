// The keys of external SPs, from the jwks_uri of their metadata alone, remembered.

import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import { SpFailure } from "./sp-problem.ts";

export interface SpKeys {
  /** The key set as JSON text. With `isAgain` past what is remembered, at most every few seconds. */
  read(jwksUri: string, options: { isAgain: boolean; signal: AbortSignal }): Promise<string>;
}

const REMEMBERED_MS = 3_600_000;
const READ_AGAIN_EVERY_MS = 5000;
const MAX_KEY_SETS = 500;

export function createSpKeys({ fetch, clock }: { fetch: GuardedFetch; clock: Clock }): SpKeys {
  const known = createCache<{ text: string; readAtMs: number }>({
    clock,
    maxEntries: MAX_KEY_SETS,
  });
  return {
    async read(jwksUri, { isAgain, signal }) {
      const remembered = known.get(jwksUri);
      const lasts = isAgain ? READ_AGAIN_EVERY_MS : REMEMBERED_MS;
      if (remembered && clock.milliseconds() - remembered.readAtMs < lasts) return remembered.text;
      const response = await fetch(jwksUri, { signal });
      if (response.status !== 200) {
        throw new SpFailure("bad_answer", `its keys are answered with status ${response.status}`);
      }
      const text = await response.text();
      if (!isKeySet(text)) throw new SpFailure("bad_answer", "its jwks_uri holds no key set");
      known.set(jwksUri, { text, readAtMs: clock.milliseconds() }, REMEMBERED_MS);
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
