// The keys in their operator's hands: listed with their lives, rotated at a word.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { KeyStore } from "../store/keys.ts";
import { type KeyState, publishedUntil, stateOf } from "./key-lives.ts";
import { type Rotation, rotate } from "./rotation.ts";
import type { Seal } from "./seal.ts";
import { readSigningKey } from "./signing-key.ts";
import { isSigningPurpose, type KeyPurpose, openKeys, SELF_ROTATING } from "./stored-keys.ts";

/** What `keys list` says of a key, in the names of its JSON. */
export interface ListedKey {
  readonly purpose: string;
  readonly id: number;
  /** Null for a MAC key, which nobody else knows, and for all without the secret. */
  readonly kid: string | null;
  readonly state: KeyState;
  /** In epoch seconds; 0 for the first of its purpose. */
  readonly current_from: number;
  /**
   * In epoch seconds; null for a MAC key, for one that signs statements as long as a record lists it,
   * and for a key without a successor.
   */
  readonly published_until: number | null;
}

export interface KeyRegistry {
  /** Changes nothing. Rejects with `OperatorError` for a secret that does not open the keys. */
  list(): Promise<readonly ListedKey[]>;
  /** Adds the next key, current a day later. Rejects with `OperatorError` without the right secret. */
  rotate(purpose: KeyPurpose): Promise<Rotation>;
}

export function keyRegistry(parts: {
  store: KeyStore;
  clock: Clock;
  random: Random;
  /** Null shows no `kid`, and rotates nothing. */
  seal: Seal | null;
  /** The database can be used once this has resolved. */
  ready: Promise<unknown>;
}): KeyRegistry {
  const { store, clock, random, seal, ready } = parts;
  return {
    async list() {
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
        return {
          ...{ purpose, id, kid: kids.get(row) ?? null },
          state: stateOf(row, ring, clock.seconds()),
          current_from: currentFrom,
          published_until: isPublishedForAWhile(purpose) ? publishedUntil(row, ring) : null,
        };
      });
    },
    async rotate(purpose) {
      await ready;
      if (seal === null) {
        throw new OperatorError(
          "the secret is missing: set DOMAIN_SIGNIN_SECRET or DOMAIN_SIGNIN_SECRET_FILE, or run this beside ./domain-signin.secret",
        );
      }
      return rotate(purpose, clock.seconds(), { store, seal, random });
    },
  };
}

function isPublishedForAWhile(purpose: string): boolean {
  return SELF_ROTATING.some((other) => other === purpose);
}
