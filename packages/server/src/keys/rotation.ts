// Rotation: the next key of a purpose is added, a day before it is the current one.

import { nextCurrentFrom } from "./key-lives.ts";
import { addNewKey, type KeyParts, type KeyPurpose, openKeys } from "./stored-keys.ts";

/**
 * The id of a MAC key is one octet in each token, and none is ever used again, since a token of long
 * ago would then be checked with another key. From 1 on that is room for 254 rotations.
 */
export const LAST_MAC_KEY_ID = 255;

export type Rotation =
  /** The key was added; from when on it is current, in epoch seconds. */
  | { readonly outcome: "rotated"; readonly id: number; readonly currentFrom: number }
  /** There is one already, or another process has just added it. */
  | { readonly outcome: "has_next" }
  /** The service has never run on this database. */
  | { readonly outcome: "no_keys" }
  | { readonly outcome: "ids_used_up" };

/**
 * Adds the next key. Of racing callers, on all nodes, one rotates. Rejects with `OperatorError` if the
 * secret is not the database's: no node could open what it sealed.
 */
export async function rotate(purpose: KeyPurpose, now: number, parts: KeyParts): Promise<Rotation> {
  const keys = openKeys(await parts.store.readKeys(), parts.seal);
  const newest = keys.findLast(({ row }) => row.purpose === purpose)?.row;
  if (newest === undefined) return { outcome: "no_keys" };
  if (newest.currentFrom > now) return { outcome: "has_next" };
  if (purpose === "grant-token" && newest.id >= LAST_MAC_KEY_ID) return { outcome: "ids_used_up" };
  const key = { id: newest.id + 1, currentFrom: nextCurrentFrom(now) };
  const added = await addNewKey({ purpose, ...key, madeAt: now }, parts);
  return added ? { outcome: "rotated", ...key } : { outcome: "has_next" };
}
