// Remembers looks at DNS for a while, and lets all who ask for the same name share one look.

import { createCache } from "../lib/cache.ts";
import { clockFrom } from "../lib/clock.ts";
import type { Requester } from "../lib/fair-queue.ts";
import type { Hold, Turns } from "./bounded.ts";

/** "cached" takes what is remembered, "recent" only what is at most 3 s old, "now" nothing. */
export type Freshness = "cached" | "recent" | "now";

/** How new a look must be, and for whom it is made. */
export interface LookFor {
  readonly freshness: Freshness;
  readonly from: Requester;
}

/** A look with the seconds for which it may be remembered; null for a failure, which never is. */
export interface KeptLook<Look> {
  readonly look: Look;
  readonly keepSeconds: number | null;
}

const RECENT_S = 3;

/** `now` in epoch seconds. At most `maxEntries` looks are kept. */
export function createLookCache<Look extends { readonly checkedAt: number }>(
  now: () => number,
  maxEntries: number,
  turns: Turns,
) {
  const clock = clockFrom(() => now() * 1000);
  const kept = createCache<{ look: Look; freshUntil: number }>({ clock, maxEntries });

  function remembered(name: string, freshness: Freshness): Look | undefined {
    const entry = freshness === "now" ? undefined : kept.get(name);
    // A look of the future was made before the clock was set back.
    if (entry === undefined || entry.look.checkedAt > now()) return undefined;
    const { look, freshUntil } = entry;
    const end = freshness === "cached" ? freshUntil : look.checkedAt + RECENT_S + 1;
    return now() < end ? look : undefined;
  }

  async function askAndKeep(name: string, asking: Promise<KeptLook<Look>>) {
    const { look, keepSeconds } = await asking;
    // A failure says nothing about the zone: what was remembered stays until its own time.
    if (keepSeconds === null) return { look, freshUntil: 0 };
    const entry = { look, freshUntil: look.checkedAt + keepSeconds };
    const end = Math.max(entry.freshUntil, look.checkedAt + RECENT_S + 1);
    kept.set(name, entry, (end - now()) * 1000);
    return entry;
  }

  return {
    /** What is remembered is returned only if `isEnough` says so. Rejects with `BusyError`. */
    async look(
      name: string,
      { freshness, from }: LookFor,
      ask: (hold: Hold) => Promise<KeptLook<Look>>,
      isEnough: (remembered: Look) => boolean = () => true,
    ): Promise<Look> {
      const known = remembered(name, freshness);
      if (known && isEnough(known)) return known;
      const read = (hold: Hold) => askAndKeep(name, ask(hold));
      return (await turns.share(kept, { key: name, from }, read)).look;
    },
  };
}
