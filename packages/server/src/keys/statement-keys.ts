// Statement keys: the current one and its standby. Records list both, so only the operator changes them.

import { UnavailableError } from "../lib/errors.ts";
import type { KeyRow } from "../store/keys.ts";
import { isMisdated, promotedOf, STANDBY } from "./key-lives.ts";
import { readSigningKey } from "./signing-key.ts";
import { addNewKey, type KeyDeps, openKeys } from "./stored-keys.ts";

const PURPOSE = "provider-statement";
const PROMOTION_INTERVAL_S = 86_400;
const MAX_ATTEMPTS = 10;

/**
 * Makes the standby if there is none. Safe on several nodes at the same time: one of them adds it. Whether
 * the caller has to read the keys again.
 */
export async function ensureStandby(
  ring: readonly Pick<KeyRow, "id" | "currentFrom">[],
  now: number,
  deps: KeyDeps,
): Promise<boolean> {
  const newest = ring.at(-1);
  if (newest === undefined || newest.currentFrom === STANDBY) return false;
  const key = { purpose: PURPOSE, id: newest.id + 1, currentFrom: STANDBY, madeAt: now } as const;
  await addNewKey(key, deps);
  return true;
}

/**
 * Makes the standby current, at once: records list it already. Then makes a new standby. Of concurrent
 * callers, on all nodes, one gets "promoted". A day later at the soonest, so that a command that is repeated
 * does not end the keys that records list. Rejects with `OperatorError` if the secret does not open the keys.
 */
export async function promoteStandby(now: number, deps: KeyDeps) {
  const ring = await readRing(deps);
  const standby = ring.at(-1);
  // The service has never run with this database.
  if (standby === undefined) return { outcome: "no_keys" } as const;
  if (await ensureStandby(ring, now, deps)) return { outcome: "no_standby" } as const;
  const currentFrom = promotedOf(ring)?.currentFrom ?? 0;
  const isSoon = currentFrom > now - PROMOTION_INTERVAL_S && !isMisdated({ currentFrom }, now);
  if (isSoon) return { outcome: "too_soon" } as const;
  if (!(await promote(standby, now, deps))) return { outcome: "overtaken" } as const;
  return { outcome: "promoted", kid: standby.kid } as const;
}

/**
 * Removes the key with this thumbprint: it signs nothing more once nodes have read the keys again, within a
 * minute. If it is current, the standby takes its place first. Records its end, and returns whether this call
 * removed it. Rejects with
 * `UnavailableError` if other processes change the keys again and again.
 */
export async function revokeStatementKey(
  kid: string,
  now: number,
  deps: KeyDeps,
): Promise<boolean> {
  // Both statements fail if another process has changed the key since it was read.
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const ring = await ringWithStandby(now, deps);
    const [key, standby] = [ring.find((one) => one.kid === kid), ring.at(-1)];
    if (key === undefined || standby === undefined) return false;
    if (key === promotedOf(ring)) {
      await promote(standby, now, deps);
    } else {
      await deps.keys.recordEndedKey(key, now);
      if (!(await deps.keys.removeKey(key))) continue;
      await ringWithStandby(now, deps);
      return true;
    }
  }
  throw new UnavailableError("other processes are changing the statement keys: try again");
}

/** Of concurrent callers with the same standby, one gets true. False if it is no longer there. */
async function promote(standby: KeyRow, now: number, deps: KeyDeps): Promise<boolean> {
  const isPromoted = await deps.keys.changeCurrentFrom(standby, now);
  if (isPromoted) await ensureStandby([{ id: standby.id, currentFrom: now }], now, deps);
  return isPromoted;
}

async function ringWithStandby(now: number, deps: KeyDeps) {
  const ring = await readRing(deps);
  return (await ensureStandby(ring, now, deps)) ? readRing(deps) : ring;
}

async function readRing({ keys, seal }: KeyDeps) {
  const rows = (await keys.readKeys()).filter(({ purpose }) => purpose === PURPOSE);
  return openKeys(rows, seal).map((key) => ({
    ...key,
    kid: readSigningKey(key.plain, key.currentFrom).kid,
  }));
}
