// The weight of a network: how much more than others it may hold where room is short, by the sign-ins finished there.

import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { SignInCount, SignInCountStore } from "../store/sign-in-counts.ts";
import { networksOf } from "./client-address.ts";

const DAY_S = 86_400;
const DAYS = 7;
const MAX_WEIGHT = 32;
const MAX_NETWORKS = 10_000;
/** Of the addresses from which an account signs in on a day. */
const PLACES = ["first", "second", "third", "fourth"];
const ROWS_PER_STATEMENT = 100;
/** Two pairs with the same number count as one. Of 100,000 pairs in a day, one in a hundred is not counted. */
const PAIRS = 2 ** 22;

export type NetworkWeights = ReturnType<typeof createNetworkWeights>;

/** `macOf` is a MAC by a key that all nodes have, and that stays the same for longer than seven days. */
export function createNetworkWeights({
  signInCounts,
  macOf,
  clock,
}: {
  readonly signInCounts: SignInCountStore;
  readonly macOf: (text: string) => string;
  readonly clock: Clock;
}) {
  /** The number of sign-ins by day, of a network by its MAC. */
  const networks = createCache<Map<number, number>>({ clock, maxEntries: MAX_NETWORKS });
  const macs = createCache<string>({ clock, maxEntries: MAX_NETWORKS });
  const counted = { day: 0, pairs: new Uint8Array(PAIRS) };
  const unsaved = new Map<string, SignInCount>();
  // The clock of the machine can be wrong. By the floor, no network loses its weight before its time.
  const today = () => Math.floor(clock.floor() / DAY_S) * DAY_S;
  const isOver = (day: number) => day <= today() - DAYS * DAY_S;
  return { weightOf, noteSignIn, load, save };

  /** 1 to 32, for a key of `networksOf`. */
  function weightOf(key: string): number {
    let signIns = 0;
    for (const [day, count] of networks.get(macOfKey(key)) ?? [])
      if (!isOver(day)) signIns += count;
    return Math.min(MAX_WEIGHT, Math.floor(1 + Math.sqrt(signIns)));
  }

  /**
   * An owner has signed in. An account counts once a day for a network, and for four addresses: otherwise one account
   * could buy any weight, or double that of any number of networks.
   */
  function noteSignIn(clientAddress: string, accountId: string): void {
    const day = today();
    if (day !== counted.day) counted.pairs.fill(0);
    counted.day = day;
    const keys = networksOf(clientAddress).keys.filter((key) => isFirst(`${accountId} ${key}`));
    const isCounted = keys.length > 0 && PLACES.some((place) => isFirst(`${accountId} ${place}`));
    if (!isCounted) return;
    for (const signIn of keys.map((key) => ({ mac: macOfKey(key), day, count: 1 }))) {
      add(signIn);
      keep(signIn);
    }
  }

  /** Reads what all nodes have saved. */
  async function load(): Promise<void> {
    const since = today() - (DAYS - 1) * DAY_S;
    for (const saved of await signInCounts.readSignIns(since, MAX_NETWORKS)) add(saved);
  }

  /** Saves what was noted since the last call. What a failed call has not saved, the next one saves. */
  async function save(): Promise<void> {
    const rows = [...unsaved.values()];
    unsaved.clear();
    while (rows.length > 0) {
      try {
        await signInCounts.addSignIns(rows.slice(0, ROWS_PER_STATEMENT));
      } catch (cause) {
        for (const row of rows) keep(row);
        throw cause;
      }
      rows.splice(0, ROWS_PER_STATEMENT);
    }
  }

  function add({ mac, day, count }: SignInCount): void {
    const known = networks.get(mac);
    const days = known ?? new Map<number, number>();
    for (const old of days.keys()) if (isOver(old)) days.delete(old);
    days.set(day, (days.get(day) ?? 0) + count);
    if (known === undefined) networks.set(mac, days);
  }

  function keep({ mac, day, count }: SignInCount): void {
    const key = `${mac} ${day}`;
    const before = unsaved.get(key);
    if (before === undefined && unsaved.size >= MAX_NETWORKS) return;
    unsaved.set(key, { mac, day, count: count + (before?.count ?? 0) });
  }

  /** Whether it is the first time today. */
  function isFirst(pair: string): boolean {
    const number = Buffer.from(macOf(pair), "base64url").readUInt32BE() % PAIRS;
    const isKnown = counted.pairs[number] === 1;
    counted.pairs[number] = 1;
    return !isKnown;
  }

  function macOfKey(key: string): string {
    const known = macs.get(key);
    if (known !== undefined) return known;
    const mac = macOf(key);
    macs.set(key, mac);
    return mac;
  }
}
