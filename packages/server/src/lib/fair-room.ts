// A bounded amount of something, shared so that the largest user gives way.
//
// A user is a network or a returning browser. Its keys form a path from the widest network to the narrowest, so a flood
// from many addresses of one network is one large user, beside which an address of another network is a small one.

import type { MonotonicClock } from "./clock.ts";
import { append, type Order, type Ordered, unlink } from "./order.ts";

/** What somebody holds of a room. `size` is in the unit of the room's capacity. */
export interface Holding {
  /** From the widest network to the narrowest. No path of keys is the beginning of another one. */
  readonly keys: readonly string[];
  /** Of users that are equally large, those of the largest group give way. */
  readonly group?: string;
  readonly size: number;
  /** Called when the holding is taken away, to make room for somebody who holds less. */
  readonly evict: () => void;
}

/** The place of a holding. */
export interface Place {
  /** The browser of the holding has sent a further request: other holdings of its network give way first. */
  touch(): void;
  /** May be called more than once. */
  leave(): void;
}

/** Where a room is shown to the operator. */
export interface Budget {
  show(room: ShownRoom): void;
  evicted(): void;
  refused(): void;
}

interface ShownRoom {
  readonly capacity: number;
  held(): number;
  /** The networks that hold most. */
  largest(): readonly string[];
}

export type FairRoom<H extends Holding = Holding> = ReturnType<typeof createFairRoom<H>>;

/** A key with all holdings below it. */
interface User<H> extends Ordered<User<H>> {
  readonly key: string;
  readonly parent: User<H> | null;
  readonly group: string;
  weight: number;
  /** The sum of all holdings. */
  size: number;
  /** How many holdings have not been touched. */
  strange: number;
  /** Null for a user with holdings of its own. */
  users: Users<H> | null;
  /** How many turns are left before the next user has its turn. */
  turns: number;
  position: number;
  /** Hashes of the keys that this user stands for. Null for one key. */
  readonly merged: Set<number> | null;
  /** Its own holdings. The first one has been without a request for the longest time. */
  readonly strangers: Order<Stay<H>>;
  readonly touched: Order<Stay<H>>;
}

interface Users<H> {
  readonly byKey: Map<string, User<H>>;
  readonly byTurn: Order<User<H>>;
  /** The largest first: a binary heap, in which each user knows its position. */
  readonly bySize: User<H>[];
}

interface Stay<H> extends Ordered<Stay<H>> {
  readonly holding: H;
  readonly user: User<H>;
  readonly sinceMs: number;
  /** Where it is now; null once it has left. */
  list: Order<Stay<H>> | null;
}

/** So many users are remembered at the widest level, and so many below. Further ones are merged. */
const MAX_USERS = 5000;
const MERGED = "";
/** To how many values the keys of merged users are hashed. */
const HASHES = 1024;
/** By default, a holding is not taken away for so long if there is an older one. */
const YOUNG_MS = 60_000;
/** Of equally large users, so many are compared. */
const COMPARED = 8;
/** How many of the largest users are named. */
const NAMED = 3;
/** Keys that begin with this are of browsers, which the operator is not shown. */
export const UNNAMED = "#";

/**
 * `weightOf` is how much more than others a key may hold: a whole number of at least 1.
 *
 * @example
 * const room = createFairRoom({ capacity: 200_000_000, clock });
 * const evict = () => interactions.dropUnproved(id);
 * const place = room.enter({ keys: ["203.0.113.0/24", "203.0.113.7"], size: octets, evict });
 */
export function createFairRoom<H extends Holding = Holding>({
  capacity,
  clock,
  weightOf = () => 1,
  random = Math.random,
  budget,
  youngMs = YOUNG_MS,
}: {
  readonly capacity: number;
  readonly clock: MonotonicClock;
  readonly weightOf?: ((key: string) => number) | undefined;
  readonly random?: () => number;
  readonly budget?: Budget | undefined;
  readonly youngMs?: number | undefined;
}) {
  const root = createUser<H>(null, "", 1, "");
  /** How many users there are at the widest level and below. */
  const count = { widest: 0, below: 0 };
  const groups = new Map<string, number>();
  const held = () => root.size;
  budget?.show({ capacity, held, largest });
  return { enter, next, held };

  /**
   * What the largest user holds is taken away until there is room; within one user, the holding that has been without a
   * request for the longest time. Nobody who holds nothing is refused or gives way, however large the holding is.
   */
  function enter(holding: H): Place {
    for (let victim = victimOf(holding); victim !== null; victim = victimOf(holding)) {
      remove(victim);
      budget?.evicted();
      victim.holding.evict();
    }
    const user = userOf(holding);
    const list = user.strangers;
    const sinceMs = clock.monotonic();
    const held: Stay<H> = { holding, user, sinceMs, list, before: null, after: null };
    append(list, held);
    change(user, holding.size, 1);
    return { touch: () => touch(held), leave: () => remove(held) };
  }

  /** Takes the next holding that is ready out of the room: users take turns, and so do the users below each. */
  function next(isReady: (holding: H) => boolean = () => true): H | null {
    const held = nextOf(root, isReady);
    if (held === null) return null;
    for (let user = held.user; user.parent !== null; user = user.parent) {
      user.turns--;
      const turns = user.parent.users?.byTurn;
      if (user.turns > 0 || turns === undefined) continue;
      user.turns = user.weight;
      unlink(turns, user);
      append(turns, user);
    }
    remove(held);
    return held.holding;
  }

  function nextOf(user: User<H>, isReady: (holding: H) => boolean): Stay<H> | null {
    for (let below = user.users?.byTurn.first ?? null; below !== null; below = below.after) {
      const held = nextOf(below, isReady);
      if (held !== null) return held;
    }
    for (const { first } of [user.touched, user.strangers]) {
      for (let held = first; held !== null; held = held.after) {
        if (isReady(held.holding)) return held;
      }
    }
    return null;
  }

  /** The keys of the largest users: of each, the narrowest network that holds more than half of what the user holds. */
  function largest(): readonly string[] {
    const top = (root.users?.bySize ?? []).slice(0, 2 * NAMED).sort((a, b) => b.size - a.size);
    return top.slice(0, NAMED).map((user) => {
      let named = user;
      for (let below = user.users?.bySize[0]; below; below = below.users?.bySize[0]) {
        const isShown = below.key !== MERGED && !below.key.startsWith(UNNAMED);
        if (below.size * 2 <= user.size || !isShown) break;
        named = below;
      }
      if (named.key === MERGED) return "many small networks";
      return named.key.startsWith(UNNAMED) ? "returning browsers of one domain" : named.key;
    });
  }

  function touch(held: Stay<H>): void {
    const { user, list } = held;
    if (list === null) return;
    unlink(list, held);
    append(user.touched, held);
    held.list = user.touched;
    if (list === user.strangers) change(user, 0, -1);
  }

  function remove(held: Stay<H>): void {
    const { user, list, holding } = held;
    if (list === null) return;
    unlink(list, held);
    held.list = null;
    change(user, -holding.size, list === user.strangers ? -1 : 0);
  }

  /** Null if there is room. Where the newcomer itself is the largest user, one of the users below that gives way. */
  function victimOf({ keys, size }: H): Stay<H> | null {
    if (root.size === 0 || root.size + size <= capacity) return null;
    let user = root;
    let own: User<H> | null = root;
    for (let depth = 0; user.users !== null; depth++) {
      const mine: User<H> | null = own && childOf(own, keys[depth]);
      const largest = largestOf(user.users);
      user = mine !== null && shareOf(mine, size) > shareOf(largest) ? mine : largest;
      own = user === mine ? mine : null;
    }
    return oldestOf(user);
  }

  function oldestOf({ strangers, touched }: User<H>): Stay<H> | null {
    const [stranger, other] = [strangers.first, touched.first];
    const isOld = (held: Stay<H> | null) =>
      held !== null && clock.monotonic() - held.sinceMs > youngMs;
    const isOtherFirst = stranger === null || (!isOld(stranger) && isOld(other));
    return isOtherFirst ? other : stranger;
  }

  /** Of equally large users, one with holdings that were not touched, of a large group. */
  function largestOf(users: Users<H>): User<H> {
    const { bySize } = users;
    let largest = bySize[0] as User<H>;
    while (isReweighed(users, largest)) largest = bySize[0] as User<H>;
    const share = shareOf(largest);
    const isTied = [1, 2].some((at) => at < bySize.length && shareOf(bySize[at]) === share);
    for (let compared = 0; isTied && compared < COMPARED; compared++) {
      const other = bySize[Math.floor(random() * bySize.length)] ?? largest;
      if (shareOf(other) === share && rankOf(other) >= rankOf(largest)) largest = other;
    }
    return largest;
  }

  function rankOf({ strange, group }: User<H>): number {
    return (groups.get(group) ?? 0) + (strange > 0 ? capacity : 0);
  }

  function userOf({ keys, group = "" }: H): User<H> {
    let user = root;
    for (const key of keys) {
      const known = knownBelow(user, key);
      if (known === undefined && isCrowded(user)) return mergedIn(user, key);
      user = known ?? userBelow(user, key, weightOf(key), group);
    }
    return user;
  }

  function isCrowded(parent: User<H>): boolean {
    return (parent === root ? count.widest : count.below) >= MAX_USERS;
  }

  function childOf(user: User<H>, key = MERGED): User<H> | null {
    const merged = isCrowded(user) ? user.users?.byKey.get(MERGED) : null;
    return knownBelow(user, key) ?? merged ?? null;
  }

  function knownBelow({ users }: User<H>, key: string): User<H> | undefined {
    const known = users?.byKey.get(key);
    if (known !== undefined && users !== null) isReweighed(users, known);
    return known;
  }

  /** A weight may be learnt while its user is here. */
  function isReweighed({ bySize }: Users<H>, user: User<H>): boolean {
    const weight = user.merged === null ? weightOf(user.key) : 1;
    if (user.weight === weight) return false;
    user.weight = weight;
    settle(bySize, user);
    return true;
  }

  function mergedIn(parent: User<H>, key: string): User<H> {
    const user = parent.users?.byKey.get(MERGED) ?? userBelow(parent, MERGED, 1, "");
    user.merged?.add(hashOf(key));
    return user;
  }

  function userBelow(parent: User<H>, key: string, weight: number, group: string): User<H> {
    const user = createUser(parent, key, weight, parent === root ? group : "");
    parent.users ??= { byKey: new Map(), byTurn: { first: null, last: null }, bySize: [] };
    const { byKey, byTurn, bySize } = parent.users;
    byKey.set(key, user);
    append(byTurn, user);
    bySize.push(user);
    count[parent === root ? "widest" : "below"]++;
    return user;
  }

  /** Changes the sums of the user and of all above it, and forgets those without holdings. */
  function change(from: User<H>, size: number, strange: number): void {
    for (let user = from; user.parent !== null; user = user.parent) {
      const { parent } = user;
      user.size += size;
      user.strange += strange;
      if (parent === root && size !== 0) addTo(groups, user.group, size);
      if (parent.users === null) continue;
      if (user.size > 0) settle(parent.users.bySize, user);
      else forget(user, parent, parent.users);
    }
    root.size += size;
  }

  function forget(user: User<H>, parent: User<H>, { byKey, byTurn, bySize }: Users<H>): void {
    byKey.delete(user.key);
    unlink(byTurn, user);
    count[parent === root ? "widest" : "below"]--;
    const last = bySize.pop();
    if (bySize.length === 0) parent.users = null;
    if (last === undefined || last === user) return;
    last.position = user.position;
    settle(bySize, last);
  }
}

function createUser<H>(
  parent: User<H> | null,
  key: string,
  weight: number,
  group: string,
): User<H> {
  return {
    ...{ key, parent, group, weight, size: 0, strange: 0, users: null, turns: weight },
    position: parent?.users?.bySize.length ?? 0,
    merged: key === MERGED && parent !== null ? new Set() : null,
    strangers: { first: null, last: null },
    touched: { first: null, last: null },
    before: null,
    after: null,
  };
}

/** A user that stands for several counts as one of them. */
function shareOf<H>(user: User<H> | null | undefined, more = 0): number {
  if (!user) return more;
  return (user.size + more) / (user.weight * Math.max(1, user.merged?.size ?? 1));
}

/** Moves the user to its place in the heap. */
function settle<H>(heap: User<H>[], user: User<H>): void {
  const share = shareOf(user);
  let at = user.position;
  for (let up = (at - 1) >> 1; at > 0; up = (at - 1) >> 1) {
    const above = heap[up] as User<H>;
    if (shareOf(above) >= share) break;
    heap[at] = above;
    above.position = at;
    at = up;
  }
  for (let down = 2 * at + 1; down < heap.length; down = 2 * at + 1) {
    if (down + 1 < heap.length && shareOf(heap[down + 1]) > shareOf(heap[down])) down++;
    const below = heap[down] as User<H>;
    if (below === user || shareOf(below) <= share) break;
    heap[at] = below;
    below.position = at;
    at = down;
  }
  heap[at] = user;
  user.position = at;
}

function addTo(sums: Map<string, number>, key: string, more: number): void {
  const sum = (sums.get(key) ?? 0) + more;
  if (sum > 0) sums.set(key, sum);
  else sums.delete(key);
}

/** FNV-1a, to one of few values. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % HASHES;
}
