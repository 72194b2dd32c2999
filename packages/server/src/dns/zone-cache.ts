// Remembers what was proven about zones, until its time ends or too many others were used since.

export type ZoneCache<Entry> = {
  /** Nothing whose time has ended. */
  get(zone: string): Entry | undefined;
  keep(zone: string, entry: Entry): void;
};

/** `now` and `freshUntil` in epoch seconds. The one not used for longest goes first. */
export function createZoneCache<Entry extends { readonly freshUntil: number }>(setup: {
  now: () => number;
  maxZones: number;
}): ZoneCache<Entry> {
  const { now, maxZones } = setup;
  const kept = new Map<string, Entry>();

  function keep(zone: string, entry: Entry): void {
    kept.delete(zone);
    if (entry.freshUntil <= now()) return;
    kept.set(zone, entry);
    const [oldest] = kept.keys();
    if (kept.size > maxZones && oldest !== undefined) kept.delete(oldest);
  }

  return {
    get(zone) {
      const entry = kept.get(zone);
      if (!entry) return undefined;
      keep(zone, entry);
      return kept.get(zone);
    },
    keep,
  };
}
