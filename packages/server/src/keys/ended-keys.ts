// Ends a key at once. Its successor takes its place first, so that there is a current key at every moment.

import { UnavailableError } from "../lib/errors.ts";
import {
  addNewKey,
  type KeyDeps,
  LAST_MAC_KEY_ID,
  openKeys,
  type RotatedPurpose,
} from "./stored-keys.ts";

const MAX_ATTEMPTS = 10;

/**
 * Ends a key of a purpose that rotates; other nodes apply this within a minute. The next key, or a new one, becomes
 * current as of the time when the ended key did, so that it is current by every clock. Each step can be repeated after a
 * crash, and is conditional on what was read. Of concurrent callers, on all nodes, one gets "ended". Rejects with
 * `OperatorError` if the secret does not open the keys, and with `UnavailableError` if other processes change
 * them again and again.
 */
export async function endKey(
  { purpose, id }: { purpose: RotatedPurpose; id: number },
  now: number,
  deps: KeyDeps,
): Promise<"ended" | "no_key" | "ids_used_up"> {
  const { keys, seal } = deps;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const ring = openKeys(await keys.readKeys(), seal).filter((key) => key.purpose === purpose);
    const key = ring.find((one) => one.id === id);
    if (key === undefined) return "no_key";
    const { currentFrom } = key;
    const successor = ring.find((one) => one.id > id);
    if (successor === undefined) {
      if (purpose === "grant-token" && id >= LAST_MAC_KEY_ID) return "ids_used_up";
      await addNewKey({ purpose, id: id + 1, currentFrom, madeAt: now }, deps);
    } else if (successor.currentFrom > currentFrom) {
      await keys.changeCurrentFrom(successor, currentFrom);
    } else {
      await keys.recordEndedKey(key, now);
      if (await keys.removeEndedKey(key)) return "ended";
    }
  }
  throw new UnavailableError("other processes are changing the keys: try again");
}
