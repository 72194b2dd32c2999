// Changes of stored keys: creation, rotation, the promotion of a standby, the end of a key, and a change of the secret.

import { UnavailableError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { KeyRow, KeyStore } from "../store/keys.ts";
import { isMisdated, type KeyTimes, nextCurrentFrom, promotedOf, STANDBY } from "./key-lives.ts";
import type { Seal } from "./seal.ts";
import { makeSigningKey, readSigningKey } from "./signing-key.ts";
import {
  type KeyPurpose,
  LAST_MAC_KEY_ID,
  labelOf,
  openKeys,
  type RotatedPurpose,
  SIGNING_PURPOSES,
  type StoredKey,
} from "./stored-keys.ts";

export type KeyChanges = ReturnType<typeof createKeyChanges>;

export interface KeyDeps {
  readonly keys: KeyStore;
  readonly seal: Seal;
  readonly random: Random;
  readonly makeKey?: typeof makeSigningKey | undefined;
}

interface NewKey extends KeyTimes {
  readonly purpose: KeyPurpose;
  readonly madeAt: number;
}

const STATEMENT = "provider-statement";
const PROMOTION_INTERVAL_S = 86_400;
const MAX_ATTEMPTS = 10;

/** Safe on several nodes at once. Rejects with `OperatorError` if the secret is wrong. */
export function createKeyChanges({ keys, seal, random, makeKey = makeSigningKey }: KeyDeps) {
  /** Creates and adds a key. False if another process has taken its id. */
  async function add(key: NewKey): Promise<boolean> {
    const { purpose } = key;
    const plain = purpose === "grant-token" ? random(32) : await makeKey(SIGNING_PURPOSES[purpose]);
    return keys.addKey({ ...key, sealed: seal.close(labelOf(key), plain) });
  }

  /** Seals keys of the previous secret with the current one. */
  async function resealPrevious(stored: readonly StoredKey[]): Promise<void> {
    for (const key of stored.filter(({ isPrevious }) => isPrevious)) {
      const { purpose, id, sealed: from, plain } = key;
      await keys.resealKey({ purpose, id, from, to: seal.close(labelOf(key), plain) });
    }
  }

  /** Adds the next key. Of concurrent callers one gets "rotated". */
  async function rotate(purpose: RotatedPurpose, now: number) {
    const ring = openKeys(await keys.readKeys(), seal).filter((key) => key.purpose === purpose);
    const newest = ring.at(-1);
    // The service has never run with this database.
    if (newest === undefined) return { outcome: "no_keys" } as const;
    const next = ring.findLast(({ currentFrom }) => !isMisdated(currentFrom, now));
    if (next !== undefined && next.currentFrom > now) return { outcome: "has_next" } as const;
    const areUsedUp = purpose === "grant-token" && newest.id >= LAST_MAC_KEY_ID;
    if (areUsedUp) return { outcome: "ids_used_up" } as const;
    const key = { id: newest.id + 1, currentFrom: nextCurrentFrom(now) };
    const isAdded = await add({ purpose, ...key, madeAt: now });
    // If it was not added, another process has just added the next key.
    return isAdded ? ({ outcome: "rotated", ...key } as const) : ({ outcome: "has_next" } as const);
  }

  /**
   * Ends a key of a purpose that rotates; other nodes apply this within a minute. First its successor, the next key or
   * a new one, becomes current as of the time when the ended key did: so there is a current key at every moment and by
   * every clock. Each step is conditional and can be repeated after a crash. Of concurrent callers one gets "ended".
   * Rejects with `UnavailableError` if other processes keep changing the keys.
   */
  async function end(
    { purpose, id }: { readonly purpose: RotatedPurpose; readonly id: number },
    now: number,
  ): Promise<"ended" | "no_key" | "ids_used_up"> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const ring = openKeys(await keys.readKeys(), seal).filter((key) => key.purpose === purpose);
      const key = ring.find((one) => one.id === id);
      if (key === undefined) return "no_key";
      const { currentFrom } = key;
      const successor = ring.find((one) => one.id > id);
      if (successor === undefined) {
        if (purpose === "grant-token" && id >= LAST_MAC_KEY_ID) return "ids_used_up";
        await add({ purpose, id: id + 1, currentFrom, madeAt: now });
      } else if (successor.currentFrom > currentFrom) {
        await keys.changeCurrentFrom(successor, currentFrom);
      } else {
        await keys.recordEndedKey(key, now);
        if (await keys.removeEndedKey(key)) return "ended";
      }
    }
    throw new UnavailableError("other processes are changing the keys: try again");
  }

  // Statement keys: the current one and its standby. Records list both, so only the operator changes them.

  /** Makes the standby if there is none. Returns whether the caller has to read the keys again. */
  async function ensureStandby(ring: readonly KeyTimes[], now: number): Promise<boolean> {
    const newest = ring.at(-1);
    if (newest === undefined || newest.currentFrom === STANDBY) return false;
    await add({ purpose: STATEMENT, id: newest.id + 1, currentFrom: STANDBY, madeAt: now });
    return true;
  }

  async function readStatementKeys() {
    const rows = (await keys.readKeys()).filter(({ purpose }) => purpose === STATEMENT);
    return openKeys(rows, seal).map((key) => ({
      ...key,
      kid: readSigningKey(key.plain, key.currentFrom).kid,
    }));
  }

  async function statementKeysWithStandby(now: number) {
    const ring = await readStatementKeys();
    return (await ensureStandby(ring, now)) ? readStatementKeys() : ring;
  }

  /** Of concurrent callers with the same standby, one gets true. False if it is no longer there. */
  async function promote(standby: KeyRow, now: number): Promise<boolean> {
    const isPromoted = await keys.changeCurrentFrom(standby, now);
    if (isPromoted) await ensureStandby([{ id: standby.id, currentFrom: now }], now);
    return isPromoted;
  }

  /**
   * Makes the standby current at once, since records list it already, and makes a new standby. At most once a day, so
   * that a repeated command does not end the keys that records list. Of concurrent callers one gets "promoted".
   */
  async function promoteStandby(now: number) {
    const ring = await readStatementKeys();
    const standby = ring.at(-1);
    if (standby === undefined) return { outcome: "no_keys" } as const;
    if (await ensureStandby(ring, now)) return { outcome: "no_standby" } as const;
    const currentFrom = promotedOf(ring)?.currentFrom ?? 0;
    const isSoon = currentFrom > now - PROMOTION_INTERVAL_S && !isMisdated(currentFrom, now);
    if (isSoon) return { outcome: "too_soon" } as const;
    if (!(await promote(standby, now))) return { outcome: "overtaken" } as const;
    return { outcome: "promoted", kid: standby.kid } as const;
  }

  /**
   * Removes the statement key with this thumbprint; all nodes stop signing with it within a minute. If it is current,
   * the standby takes its place first. Records its end, and returns whether this call removed it. Rejects with
   * `UnavailableError` if other processes keep changing the keys.
   */
  async function revokeStatementKey(kid: string, now: number): Promise<boolean> {
    // Both statements fail if another process has changed the key since it was read.
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const ring = await statementKeysWithStandby(now);
      const [key, standby] = [ring.find((one) => one.kid === kid), ring.at(-1)];
      if (key === undefined || standby === undefined) return false;
      if (key === promotedOf(ring)) {
        await promote(standby, now);
      } else {
        await keys.recordEndedKey(key, now);
        if (!(await keys.removeKey(key))) continue;
        await statementKeysWithStandby(now);
        return true;
      }
    }
    throw new UnavailableError("other processes are changing the statement keys: try again");
  }

  return { add, resealPrevious, rotate, end, ensureStandby, promoteStandby, revokeStatementKey };
}
