// A fair room of rows that nobody has proved: the database keeps them, and memory knows whose they are.

import type { Pause } from "../lib/background.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { type Budget, createFairRoom, type Place } from "../lib/fair-room.ts";
import { networksOf } from "./client-address.ts";

/** `causedBy` is what `networksFor` made of an address. */
export interface UnprovedRow {
  readonly id: string;
  readonly causedBy: string | null;
  readonly octets: number;
}

export type StoredRoom = ReturnType<typeof createStoredRoom>;

interface Deps {
  /** In the unit of `octets`. */
  readonly capacity: number;
  readonly clock: Clock;
  /** A MAC by the key that was current at this time (epoch seconds), which all nodes know. */
  readonly mac: (label: string, at: number) => string;
  /** Rows of any node in the order of their ids, after this one. */
  readonly rowsAfter: (id: string, limit: number) => Promise<readonly UnprovedRow[]>;
  /** Deletes the row, unless somebody has proved it. */
  readonly drop: (id: string) => Promise<unknown>;
  readonly onFailure: (cause: unknown) => void;
  readonly weightOf?: ((key: string) => number) | undefined;
  readonly budget?: Budget | undefined;
  readonly youngMs?: number;
}

interface RowPlace {
  readonly place: Place;
  /** The last walk that has seen the row. */
  walk: number;
}

const DAY_S = 86_400;
/** Of 256 bits: enough to tell networks apart. */
const MAC_CHARS = 8;
const MAX_NAMES = 10_000;
const STEP = { rows: 1000, pauseMs: 250 };
/** Rows of a former version, which do not say whose they are. */
const UNKNOWN = "of a former version";

/**
 * Rows do not hold addresses, but MACs of networks by a key of the day: so nodes and restarts agree on whose a row is. A
 * walk over the table, at a start and every minute, learns of the rows of other nodes, and of those that are gone.
 */
export function createStoredRoom(deps: Deps) {
  const { clock, budget, weightOf = () => 1 } = deps;
  const names = createCache<string>({ clock, maxEntries: MAX_NAMES });
  const macs = createCache<string>({ clock, maxEntries: MAX_NAMES });
  const nameOf = (key: string) => names.get(key) ?? "a network of another node";
  const room = createFairRoom({
    ...{ capacity: deps.capacity, clock, youngMs: deps.youngMs },
    weightOf: (key) => {
      const name = names.get(key);
      return name === undefined ? 1 : weightOf(name);
    },
    budget: budget && {
      ...budget,
      show: (shown) => budget.show({ ...shown, largest: () => shown.largest().map(nameOf) }),
    },
  });
  const places = new Map<string, RowPlace>();
  /** Rows that a walk may have read before they were deleted. */
  const dropped = new Set<string>();
  let walks = 0;
  return { networksFor, enter, touch, leave, walk };

  /** The networks of an address, for a column of the row. */
  function networksFor(clientAddress: string): string {
    const { keys, group } = networksOf(clientAddress);
    return [group, ...keys].map(macOf).join(" ");
  }

  function macOf(key: string): string {
    const day = Math.floor(clock.seconds() / DAY_S);
    const label = `network ${day} ${key}`;
    const mac = macs.get(label) ?? deps.mac(label, day * DAY_S).slice(0, MAC_CHARS);
    macs.set(label, mac);
    names.set(mac, key);
    return mac;
  }

  /** Rows of the largest user are deleted, to make room: call it before the row is stored. */
  function enter({ id, causedBy, octets }: UnprovedRow): void {
    leave(id);
    const [group = "", ...keys] = (causedBy ?? UNKNOWN).split(" ");
    const evict = () => {
      places.delete(id);
      drop(id);
    };
    const place = room.enter({ keys, group, size: octets, evict });
    places.set(id, { place, walk: walks });
  }

  function drop(id: string): void {
    dropped.add(id);
    deps.drop(id).catch(deps.onFailure);
  }

  /** The browser of the row has sent a further request. */
  function touch(id: string): void {
    places.get(id)?.place.touch();
  }

  /** The row is proved or deleted. */
  function leave(id: string): void {
    places.get(id)?.place.leave();
    places.delete(id);
  }

  /** Resolves when the room knows all rows. */
  async function walk(pause: Pause): Promise<void> {
    walks++;
    let rows: readonly UnprovedRow[] = [];
    do {
      if (rows.length > 0) await pause(STEP.pauseMs);
      dropped.clear();
      rows = await deps.rowsAfter(rows.at(-1)?.id ?? "", STEP.rows);
      for (const row of rows) note(row);
    } while (rows.length === STEP.rows);
    dropped.clear();
    for (const [id, { walk }] of places) if (walk < walks) leave(id);
  }

  function note(row: UnprovedRow): void {
    const known = places.get(row.id);
    if (known !== undefined) known.walk = walks;
    else if (!dropped.has(row.id)) enter(row);
  }
}
