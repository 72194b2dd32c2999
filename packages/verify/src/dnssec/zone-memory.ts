// Remembers verified zones from one proof to the next, in a cache that the caller provides.

import type { Rrset } from "./rrsets.ts";
import { validityOf } from "./rrsig.ts";
import type { Insecure, Run, Zone, ZoneMemory } from "./run.ts";
import { zoneOf } from "./zones.ts";

export interface ZoneCache {
  get(name: string): Zone | Insecure | undefined;
  /** `lifetime` in seconds. */
  set(name: string, value: Zone | Insecure, lifetime: number): void;
}

const MAX_ZONE_LIFETIME_S = 3600;
const INSECURE_LIFETIME_S = 60;

export function createZoneMemory(cache: ZoneCache): ZoneMemory {
  return {
    async recall(run, name) {
      const kept = run.usesMemory ? cache.get(name) : undefined;
      if (kept === undefined) return null;
      if ("keys" in kept && kept.parent) {
        if ((await zoneOf(run, kept.parent.name)) !== kept.parent) return null;
      }
      run.isFromMemory = true;
      return kept;
    },

    keep(run, found) {
      const { name, sets, parent } = found;
      const kept = cache.get(name);
      if (kept && "keys" in kept && kept.parent === parent && isSame(kept, sets)) return kept;
      const ends = sets.map((set) => freshness(run, set));
      const freshUntil = Math.min(...ends, parent?.freshUntil ?? Infinity);
      const zone = { ...found, freshUntil };
      cache.set(name, zone, freshUntil - run.now);
      return zone;
    },

    keepInsecure: (name, found) => cache.set(name, found, INSECURE_LIFETIME_S),
  };
}

function isSame(kept: Zone, sets: readonly Rrset[]): boolean {
  return sets.every((set, index) => String(set.rdatas) === String(kept.sets[index]?.rdatas));
}

/** Seconds since 1970 at which a verified set must be read again. */
function freshness({ now }: Run, set: Rrset): number {
  const lifetime = Math.min(set.ttl, MAX_ZONE_LIFETIME_S);
  const ends = set.signatures.map((rrsig) =>
    Math.min(now + rrsig.originalTtl, validityOf(rrsig, now).notAfter),
  );
  return Math.min(now + lifetime, ...ends);
}
