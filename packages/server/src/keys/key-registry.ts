// Lists and rotates keys for the operator.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { KeyRow, KeyStore } from "../store/keys.ts";
import { publishedUntil, stateOf } from "./key-lives.ts";
import type { Seal } from "./seal.ts";
import { readSigningKey } from "./signing-key.ts";
import {
  isSigningPurpose,
  type KeyPurpose,
  openKeys,
  rotate,
  SELF_ROTATING,
} from "./stored-keys.ts";

export type KeyRegistry = ReturnType<typeof keyRegistry>;

/** A key as the JSON of `keys list`. */
export type ListedKey = Awaited<ReturnType<KeyRegistry["list"]>>[number];

export function keyRegistry(deps: {
  store: KeyStore;
  clock: Clock;
  random: Random;
  /** Without a seal, `list` shows no `kid`, and `rotate` rejects. */
  seal: Seal | null;
  /** The database can be used once this has resolved. */
  ready: Promise<unknown>;
}) {
  const { store, clock, random, seal, ready } = deps;
  return {
    /** Times are in epoch seconds. Rejects with `OperatorError` if the secret does not open the keys. */
    async list() {
      await ready;
      const rows = await store.readKeys();
      const keys: readonly (KeyRow & { plain?: Buffer })[] =
        seal === null ? rows : openKeys(rows, seal);
      return keys.map((key) => {
        const { purpose, id, currentFrom, plain } = key;
        const ring = keys.filter((other) => other.purpose === purpose);
        const signingKey = plain && isSigningPurpose(purpose) && readSigningKey(plain, currentFrom);
        const isSelfRotating = SELF_ROTATING.some((other) => other === purpose);
        return {
          purpose,
          id,
          /** Null for MAC keys, and for all keys if the secret is not set. */
          kid: signingKey ? signingKey.kid : null,
          state: stateOf(key, ring, clock.seconds()),
          /** 0 for the first key of its purpose. */
          current_from: currentFrom,
          /** Null for keys that are not removed, and for keys without a successor. */
          published_until: isSelfRotating ? publishedUntil(key, ring) : null,
        };
      });
    },
    /** Adds the next key, which becomes current a day later. Rejects with `OperatorError` without the right secret. */
    async rotate(purpose: KeyPurpose) {
      await ready;
      if (seal === null) {
        throw new OperatorError(
          "the secret is missing: set DOMAIN_SIGNIN_SECRET or DOMAIN_SIGNIN_SECRET_FILE, or run this command in the directory of domain-signin.secret",
        );
      }
      return rotate(purpose, clock.seconds(), { store, seal, random });
    },
  };
}
