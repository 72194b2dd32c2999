// The lives of the keys of one purpose: which is next, current or retired, and what is due.

/** Seconds for which a new key is known to everybody before it is the current one. */
const AHEAD = 86_400;
/** Seconds for which a key stays published after its successor became current: far more than what it signed lives. */
const BEHIND = 86_400;
/** Seconds for which a key stays in the store after that. */
const KEPT_AFTER = 7 * 86_400;
/** Seconds after which a current signing key gets a successor. */
const TERM = 90 * 86_400;

/** What of a key is asked here; keys of one purpose come in the order of their ids. */
export interface KeyTimes {
  readonly id: number;
  readonly currentFrom: number;
}

export interface KeyAge extends KeyTimes {
  readonly madeAt: number | null;
}

export type KeyState = "next" | "current" | "retired";

/** When a key that is made now becomes current. */
export function nextCurrentFrom(now: number): number {
  return now + AHEAD;
}

/**
 * The one that is (or was) current at a time. If none is, the oldest: a clock that is behind must not
 * leave us without a key. Undefined only without any.
 */
export function currentOf<T extends KeyTimes>(keys: readonly T[], time: number): T | undefined {
  return keys.findLast(({ currentFrom }) => currentFrom <= time) ?? keys[0];
}

export function stateOf(key: KeyTimes, keys: readonly KeyTimes[], time: number): KeyState {
  const { id } = currentOf(keys, time) ?? key;
  if (key.id === id) return "current";
  return key.id > id ? "next" : "retired";
}

/** When a signing key ceases to be published, in epoch seconds; null while it has no successor. */
export function publishedUntil(key: KeyTimes, keys: readonly KeyTimes[]): number | null {
  const successor = keys.find(({ id }) => id > key.id);
  return successor === undefined ? null : successor.currentFrom + BEHIND;
}

/** The keys that are published at a time, the current one first: some readers take the first. */
export function publishedOf<T extends KeyTimes>(keys: readonly T[], time: number): T[] {
  const current = currentOf(keys, time);
  const published = keys.filter((key) => (publishedUntil(key, keys) ?? Infinity) > time);
  return published.sort((one, other) => Number(other === current) - Number(one === current));
}

/**
 * By when a successor must have been current, so that a key may be removed for good: so late that a
 * node whose clock is days ahead takes no key from the others.
 */
export function successorCurrentBy(now: number): number {
  return now - BEHIND - KEPT_AFTER;
}

/** Whether any of the keys may be removed for good. */
export function isAnyOver(keys: readonly KeyTimes[], now: number): boolean {
  return keys.slice(1).some(({ currentFrom }) => currentFrom <= successorCurrentBy(now));
}

/** Whether the newest key is the current one, and old enough for a successor. */
export function isSuccessorDue(keys: readonly KeyAge[], now: number): boolean {
  const newest = keys.at(-1);
  if (newest === undefined || newest.currentFrom > now) return false;
  // The first key is current from the beginning of time; it is as old as it was made.
  return now - Math.max(newest.currentFrom, newest.madeAt ?? 0) > TERM;
}
