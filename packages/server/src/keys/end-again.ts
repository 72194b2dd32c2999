// Ends keys again that were ended after a backup, in the database that was restored from it.

import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { EndedKey, KeyRow, KeyStore } from "../store/keys.ts";
import { createKeyChanges } from "./key-changes.ts";
import { currentOf, promotedOf, STANDBY } from "./key-lives.ts";
import type { Seal } from "./seal.ts";
import { KEY_PURPOSES, LAST_MAC_KEY_ID, openKeys } from "./stored-keys.ts";

interface EndAgainDeps {
  readonly keys: KeyStore;
  readonly random: Random;
  readonly seal: Seal | null;
}

/**
 * Removes the keys that are still there, by purpose, id and the time when they were made. A current key is replaced
 * first, because an older one must not become current again. Returns how many were removed. Rejects with
 * `OperatorError` if a replacement needs the secret, and it is missing or wrong.
 */
export async function endKeysAgain(
  ended: readonly EndedKey[],
  now: number,
  deps: EndAgainDeps,
): Promise<number> {
  let removed = 0;
  for (const key of ended) {
    await replaceIfCurrent(key, now, deps);
    if (await deps.keys.endKeyAgain(key)) removed++;
  }
  return removed;
}

async function replaceIfCurrent(
  { purpose, keyId, madeAt }: EndedKey,
  now: number,
  { keys, random, seal }: EndAgainDeps,
): Promise<void> {
  const known = KEY_PURPOSES.find((one) => one === purpose);
  const ring = (await keys.readKeys()).filter((key) => key.purpose === purpose);
  const newest = ring.at(-1);
  if (known === undefined || newest === undefined) return;
  const isEnded = (key: KeyRow | undefined) => key?.id === keyId && (key.madeAt ?? 0) === madeAt;
  const isStatement = known === "provider-statement";
  if (!isEnded(isStatement ? promotedOf(ring) : currentOf(ring, now))) return;
  if (isStatement && newest.currentFrom === STANDBY && !isEnded(newest)) {
    // The next start makes a new standby.
    await keys.changeCurrentFrom(newest, now);
    return;
  }
  if (seal === null) {
    throw new OperatorError(
      "a key that was ended after the backup must be replaced, which needs the secret: set DOMAIN_SIGNIN_SECRET or DOMAIN_SIGNIN_SECRET_FILE, or run this command in the directory of domain-signin.secret",
    );
  }
  openKeys(ring, seal);
  if (known === "grant-token" && newest.id >= LAST_MAC_KEY_ID) {
    throw new OperatorError("all 255 ids of grant-token keys are used up");
  }
  // Current since the ended key was, so that no clock makes an older one current.
  const currentFrom = ring.find(isEnded)?.currentFrom ?? now;
  const { add } = createKeyChanges({ keys, seal, random });
  await add({ purpose: known, id: newest.id + 1, currentFrom, madeAt: now });
}
