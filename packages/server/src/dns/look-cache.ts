// Remembers looks at DNS for a while, and lets all who ask for the same name share one look.

/** "cached" takes what is remembered, "recent" only what is at most 3 s old, "now" nothing. */
export type Freshness = "cached" | "recent" | "now";

/** A look with the seconds for which it may be remembered; null for a failure, which never is. */
export type KeptLook<Look> = { readonly look: Look; readonly keepSeconds: number | null };

export type LookCache<Look> = {
  look(name: string, freshness: Freshness, ask: () => Promise<KeptLook<Look>>): Promise<Look>;
};

const recentSeconds = 3;

/** `now` in epoch seconds. At most `maxEntries` looks are kept; the one made first goes first. */
export function createLookCache<Look extends { readonly checkedAt: number }>(setup: {
  now: () => number;
  maxEntries: number;
}): LookCache<Look> {
  const { now, maxEntries } = setup;
  const kept = new Map<string, { look: Look; freshUntil: number }>();
  const underWay = new Map<string, Promise<Look>>();

  function remembered(name: string, freshness: Freshness): Look | undefined {
    const entry = kept.get(name);
    if (!entry) return undefined;
    const isRecent = now() - entry.look.checkedAt <= recentSeconds;
    const isFresh = now() < entry.freshUntil;
    if (!isRecent && !isFresh) kept.delete(name);
    if (freshness === "cached") return isFresh ? entry.look : undefined;
    return freshness === "recent" && isRecent ? entry.look : undefined;
  }

  function start(name: string, ask: () => Promise<KeptLook<Look>>): Promise<Look> {
    const look = askAndKeep(name, ask).finally(() => underWay.delete(name));
    underWay.set(name, look);
    return look;
  }

  async function askAndKeep(name: string, ask: () => Promise<KeptLook<Look>>): Promise<Look> {
    const { look, keepSeconds } = await ask();
    // A failure says nothing about the zone: what was remembered stays until its own time.
    if (keepSeconds === null) return look;
    kept.delete(name);
    kept.set(name, { look, freshUntil: look.checkedAt + keepSeconds });
    const [oldest] = kept.keys();
    if (kept.size > maxEntries && oldest !== undefined) kept.delete(oldest);
    return look;
  }

  return {
    async look(name, freshness, ask) {
      return remembered(name, freshness) ?? underWay.get(name) ?? start(name, ask);
    },
  };
}
