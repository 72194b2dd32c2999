// Statement keys: the current one and its standby. Records list both, so only the operator changes them.

import type { KeyRow } from "../store/keys.ts";
import { currentOf, STANDBY } from "./key-lives.ts";
import { readSigningKey } from "./signing-key.ts";
import { addNewKey, type KeyDeps, openKeys } from "./stored-keys.ts";

const PURPOSE = "provider-statement";

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
 * callers, on all nodes, one gets "promoted". Rejects with `OperatorError` if the secret does not open the
 * existing keys.
 */
export async function promoteStandby(now: number, deps: KeyDeps) {
  const ring = await readRing(deps);
  const standby = ring.at(-1);
  // The service has never run with this database.
  if (standby === undefined) return { outcome: "no_keys" } as const;
  if (await ensureStandby(ring, now, deps)) return { outcome: "no_standby" } as const;
  const { id, kid } = standby;
  const change = { purpose: PURPOSE, id, from: STANDBY, to: now };
  if (!(await deps.store.changeCurrentFrom(change))) return { outcome: "overtaken" } as const;
  await ensureStandby([{ id, currentFrom: now }], now, deps);
  return { outcome: "promoted", kid } as const;
}

/**
 * Removes the key with this thumbprint: it signs nothing more, anywhere, from the minute in which nodes read
 * the keys again. If it is current, the standby takes its place first. Whether this call removed it.
 */
export async function revokeStatementKey(
  kid: string,
  now: number,
  deps: KeyDeps,
): Promise<boolean> {
  const ring = await readRing(deps);
  const key = ring.find((one) => one.kid === kid);
  if (key === undefined) return false;
  if (key === currentOf(ring, now)) {
    await ensureStandby(ring, now, deps);
    // If this is overtaken, another process has just promoted the standby.
    await promoteStandby(now, deps);
  }
  const isRemoved = await deps.store.removeKey(key);
  await ensureStandby(await readRing(deps), now, deps);
  return isRemoved;
}

async function readRing({ store, seal }: KeyDeps) {
  const rows = (await store.readKeys()).filter(({ purpose }) => purpose === PURPOSE);
  return openKeys(rows, seal).map((key) => ({
    ...key,
    kid: readSigningKey(key.plain, key.currentFrom).kid,
  }));
}
