// The life cycle of the keys of one purpose: next, current, retired, removed.

import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";

/** A new key is published for this long before it becomes current. */
const PUBLISHED_BEFORE_S = 86_400;
/** A key stays published for this long after its successor became current: longer than any signature is valid. */
const PUBLISHED_AFTER_S = 86_400;
/** A key stays in the store for this long after it is no longer published. */
const KEPT_AFTER_S = 7 * 86_400;
/** A current signing key gets a successor after this time. */
const ROTATION_INTERVAL_S = 90 * 86_400;

/** `currentFrom` of a key that the operator must promote. Both engines and JSON keep it exactly. */
export const STANDBY = Number.MAX_SAFE_INTEGER;

/** Arrays of keys contain the keys of one purpose, ordered by id. Times are epoch seconds. */
export interface KeyTimes {
  readonly id: number;
  readonly currentFrom: number;
}

/** Whether a wrong clock dated the key. Such a key must not keep others from being rotated. */
export function isMisdated(currentFrom: number, now: number): boolean {
  return currentFrom !== STANDBY && currentFrom > nextCurrentFrom(now) + CLOCK_TOLERANCE_S;
}

/** When a key that is created now becomes current. */
export function nextCurrentFrom(now: number): number {
  return now + PUBLISHED_BEFORE_S;
}

/** The current key at a time, or else the oldest: a clock that is behind stops no service. Undefined without keys. */
export function currentOf<T extends KeyTimes>(keys: readonly T[], time: number): T | undefined {
  return keys.findLast(({ currentFrom }) => currentFrom <= time) ?? keys[0];
}

/** The key that was promoted last. Time is ignored: with a slow clock, a retired key would sign. */
export function promotedOf<T extends KeyTimes>(keys: readonly T[]): T | undefined {
  return currentOf(keys, STANDBY - 1);
}

export function stateOf(key: KeyTimes, keys: readonly KeyTimes[], time: number) {
  const hasStandby = keys.at(-1)?.currentFrom === STANDBY;
  const { id } = (hasStandby ? promotedOf(keys) : currentOf(keys, time)) ?? key;
  if (key.currentFrom === STANDBY) return "standby";
  if (key.id === id) return "current";
  return key.id > id ? "next" : "retired";
}

/** Until when a signing key is published, in epoch seconds; null while it has no successor. */
export function publishedUntil(key: KeyTimes, keys: readonly KeyTimes[]): number | null {
  const successor = keys.find(({ id }) => id > key.id);
  return successor === undefined ? null : successor.currentFrom + PUBLISHED_AFTER_S;
}

/** The keys that are published at a time. The current key is first, because some clients use the first. */
export function publishedOf<T extends KeyTimes>(keys: readonly T[], time: number): T[] {
  const current = currentOf(keys, time);
  const published = keys.filter((key) => (publishedUntil(key, keys) ?? Infinity) > time);
  return published.sort((one, other) => Number(other === current) - Number(one === current));
}

/** A key can be removed if its successor became current by this time. Clocks of nodes can be days ahead. */
export function successorCurrentBy(now: number): number {
  return now - PUBLISHED_AFTER_S - KEPT_AFTER_S;
}

export function hasRemovable(keys: readonly KeyTimes[], now: number): boolean {
  return keys.slice(1).some(({ currentFrom }) => currentFrom <= successorCurrentBy(now));
}

/** Whether the newest key is current, and old enough for a successor. */
export function isSuccessorDue(
  keys: readonly (KeyTimes & { readonly madeAt: number | null })[],
  now: number,
): boolean {
  const newest = keys.findLast(({ currentFrom }) => !isMisdated(currentFrom, now));
  if (newest === undefined || newest.currentFrom > now) return false;
  // `currentFrom` of the first key is 0, so its age is counted from `madeAt`.
  const since = Math.max(newest.currentFrom, newest.madeAt ?? 0);
  return now - since > ROTATION_INTERVAL_S || since > now + CLOCK_TOLERANCE_S;
}
