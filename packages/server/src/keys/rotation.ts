// Key rotation: adds the next key of a purpose a day before it becomes current.

import { nextCurrentFrom } from "./key-lives.ts";
import { addNewKey, type KeyDeps, type KeyPurpose, openKeys } from "./stored-keys.ts";

/**
 * The id of a MAC key is one octet of each token. Ids are never reused, since an old token would then be
 * checked with a different key. Ids begin at 1, so 254 rotations are possible.
 */
export const LAST_MAC_KEY_ID = 255;

export type Rotation =
  /** The key was added. `currentFrom` is in epoch seconds. */
  | { readonly outcome: "rotated"; readonly id: number; readonly currentFrom: number }
  /** There is a next key already, possibly added by another process just now. */
  | { readonly outcome: "has_next" }
  /** The service has never run with this database. */
  | { readonly outcome: "no_keys" }
  | { readonly outcome: "ids_used_up" };

/**
 * Adds the next key. Of concurrent callers, on all nodes, one gets "rotated". Rejects with `OperatorError`
 * if the secret does not open the existing keys.
 */
export async function rotate(purpose: KeyPurpose, now: number, deps: KeyDeps): Promise<Rotation> {
  const keys = openKeys(await deps.store.readKeys(), deps.seal);
  const newest = keys.findLast(({ row }) => row.purpose === purpose)?.row;
  if (newest === undefined) return { outcome: "no_keys" };
  if (newest.currentFrom > now) return { outcome: "has_next" };
  if (purpose === "grant-token" && newest.id >= LAST_MAC_KEY_ID) return { outcome: "ids_used_up" };
  const key = { id: newest.id + 1, currentFrom: nextCurrentFrom(now) };
  const added = await addNewKey({ purpose, ...key, madeAt: now }, deps);
  return added ? { outcome: "rotated", ...key } : { outcome: "has_next" };
}
