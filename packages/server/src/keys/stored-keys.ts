// Keys as the store holds them: made, sealed, opened, and sealed anew after a change of the secret.

import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { KeyRow, KeyStore } from "../store/key-store.ts";
import type { Seal } from "./seal.ts";
import { makeSigningKey } from "./signing-key.ts";

/** MACs of codes and tokens. */
export type MacPurpose = "grant-token";
/** Signatures that others check, with ES256. */
export type SigningPurpose = "es256";
/** What a key is for; a key serves one purpose only. */
export type KeyPurpose = MacPurpose | SigningPurpose;

export const KEY_PURPOSES = ["grant-token", "es256"] as const satisfies readonly KeyPurpose[];

export interface KeyParts {
  readonly store: KeyStore;
  readonly seal: Seal;
  readonly random: Random;
}

export interface StoredKey {
  readonly row: KeyRow;
  /** Octets of a MAC key, PKCS#8 of a signing key. */
  readonly plain: Buffer;
  /** Only the previous secret opens it. */
  readonly isFormer: boolean;
}

/** Rejects with `OperatorError` for rows of another secret: all or none, so that no key goes missing unseen. */
export function openKeys(rows: readonly KeyRow[], seal: Seal): StoredKey[] {
  return rows.map((row) => {
    const plain = seal.open(labelOf(row), row.sealed);
    if (plain !== null) return { row, plain, isFormer: false };
    const former = seal.openFormer(labelOf(row), row.sealed);
    if (former !== null) return { row, plain: former, isFormer: true };
    throw new OperatorError(
      `the secret does not open the keys in the database: it is not the one that they were sealed with${
        seal.hasFormer
          ? ", and neither is previous_secret"
          : "; after a change of the secret, give the old one as previous_secret"
      }`,
    );
  });
}

/** Of nodes that do so at once one changes the row; the others opened the same key. */
export async function resealFormer(
  keys: readonly StoredKey[],
  { store, seal }: KeyParts,
): Promise<void> {
  for (const { row, plain, isFormer } of keys) {
    const { purpose, id, sealed: from } = row;
    if (isFormer) await store.resealKey({ purpose, id, from, to: seal.close(labelOf(row), plain) });
  }
}

/** Adds a new key. True unless another process took its id. */
export function addNewKey(
  key: { purpose: KeyPurpose; id: number; currentFrom: number; madeAt: number },
  { store, seal, random }: KeyParts,
): Promise<boolean> {
  const plain = key.purpose === "es256" ? makeSigningKey() : random(32);
  return store.addKey({ ...key, sealed: seal.close(labelOf(key), plain) });
}

function labelOf({ purpose, id }: Pick<KeyRow, "purpose" | "id">): string {
  return `${purpose}/${id}`;
}
