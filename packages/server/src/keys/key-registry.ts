// Lists and rotates keys for the operator.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { KeyStore } from "../store/keys.ts";
import { type KeyState, publishedUntil, stateOf } from "./key-lives.ts";
import type { Seal } from "./seal.ts";
import { readSigningKey } from "./signing-key.ts";
import {
  isSigningPurpose,
  type KeyPurpose,
  openKeys,
  type Rotation,
  rotate,
  SELF_ROTATING,
} from "./stored-keys.ts";

/** A key as the JSON of `keys list`. */
export interface ListedKey {
  readonly purpose: string;
  readonly id: number;
  /** Null for MAC keys, and for all keys if the secret is not set. */
  readonly kid: string | null;
  readonly state: KeyState;
  /** Epoch seconds; 0 for the first key of its purpose. */
  readonly current_from: number;
  /**
   * Epoch seconds. Null for MAC keys, for keys of owner statements, which are never removed, and for
   * keys without a successor.
   */
  readonly published_until: number | null;
}

export type KeyRegistry = ReturnType<typeof keyRegistry>;

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
    /** Rejects with `OperatorError` if the secret does not open the keys. */
    async list(): Promise<readonly ListedKey[]> {
      await ready;
      const rows = await store.readKeys();
      const kids = new Map(
        (seal === null ? [] : openKeys(rows, seal))
          .filter(({ row }) => isSigningPurpose(row.purpose))
          .map(({ row, plain }) => [row, readSigningKey(plain, row.currentFrom).kid]),
      );
      return rows.map((row) => {
        const { purpose, id, currentFrom } = row;
        const ring = rows.filter((other) => other.purpose === purpose);
        const isSelfRotating = SELF_ROTATING.some((other) => other === purpose);
        return {
          purpose,
          id,
          kid: kids.get(row) ?? null,
          state: stateOf(row, ring, clock.seconds()),
          current_from: currentFrom,
          published_until: isSelfRotating ? publishedUntil(row, ring) : null,
        };
      });
    },
    /** Adds the next key, which becomes current a day later. Rejects with `OperatorError` without the right secret. */
    async rotate(purpose: KeyPurpose): Promise<Rotation> {
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
