// Keys as the store holds them: made, sealed, opened, and sealed anew after a change of the secret.

import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { KeyRow, KeyStore } from "../store/keys.ts";
import type { Seal } from "./seal.ts";
import { makeSigningKey, type SigningAlg } from "./signing-key.ts";

/** MACs of codes and tokens. */
export type MacPurpose = "grant-token";
/** Signatures that others check. */
export type SigningPurpose = keyof typeof SIGNING_PURPOSES;
/** What a key is for; a key serves one purpose only. */
export type KeyPurpose = MacPurpose | SigningPurpose;

/** The algorithm of each purpose. */
export const SIGNING_PURPOSES = {
  /** Attestations, and ID tokens of clients that want ES256. */
  es256: "ES256",
  /** ID tokens. */
  rs256: "RS256",
  /** ID tokens of clients that want EdDSA. */
  eddsa: "EdDSA",
  /** private_key_jwt, by which we authenticate to other services as their client. */
  "client-assertion": "ES256",
  /** Statements on behalf of owners. Their records list its thumbprint, so it is never removed. */
  "owner-statement": "ES256",
} as const satisfies Record<string, SigningAlg>;

/** Not a purpose that a later version may have added: that says nothing to this one. */
export function isSigningPurpose(purpose: string): purpose is SigningPurpose {
  return Object.hasOwn(SIGNING_PURPOSES, purpose);
}

export const KEY_PURPOSES: readonly KeyPurpose[] = [
  "grant-token",
  "es256",
  "rs256",
  "eddsa",
  "client-assertion",
  "owner-statement",
];

/** Those that change by themselves, and that are published for so long as what they signed may live. */
export const SELF_ROTATING = [
  "es256",
  "rs256",
  "eddsa",
  "client-assertion",
] as const satisfies readonly SigningPurpose[];

export interface KeyParts {
  readonly store: KeyStore;
  readonly seal: Seal;
  readonly random: Random;
  /** Another source of new signing keys. */
  readonly makeKey?: typeof makeSigningKey | undefined;
}

export interface StoredKey {
  readonly row: KeyRow;
  /** Octets of a MAC key, PKCS#8 of a signing key. */
  readonly plain: Buffer;
  /** Only the previous secret opens it. */
  readonly isPrevious: boolean;
}

/** Rejects with `OperatorError` for rows of another secret: all or none, so that no key goes missing unseen. */
export function openKeys(rows: readonly KeyRow[], seal: Seal): StoredKey[] {
  return rows.map((row) => {
    const plain = seal.open(labelOf(row), row.sealed);
    if (plain !== null) return { row, plain, isPrevious: false };
    const previous = seal.openPrevious(labelOf(row), row.sealed);
    if (previous !== null) return { row, plain: previous, isPrevious: true };
    throw new OperatorError(
      `the secret does not open the keys in the database: it is not the one that they were sealed with${
        seal.hasPrevious
          ? ", and neither is previous_secret"
          : "; after a change of the secret, give the old one as previous_secret"
      }`,
    );
  });
}

/** Of nodes that do so at once one changes the row; the others opened the same key. */
export async function resealPrevious(
  keys: readonly StoredKey[],
  { store, seal }: KeyParts,
): Promise<void> {
  for (const { row, plain, isPrevious } of keys) {
    const { purpose, id, sealed: from } = row;
    if (isPrevious)
      await store.resealKey({ purpose, id, from, to: seal.close(labelOf(row), plain) });
  }
}

/** Adds a new key. True unless another process took its id. */
export async function addNewKey(
  key: { purpose: KeyPurpose; id: number; currentFrom: number; madeAt: number },
  { store, seal, random, makeKey = makeSigningKey }: KeyParts,
): Promise<boolean> {
  const { purpose } = key;
  const plain = purpose === "grant-token" ? random(32) : await makeKey(SIGNING_PURPOSES[purpose]);
  return store.addKey({ ...key, sealed: seal.close(labelOf(key), plain) });
}

function labelOf({ purpose, id }: Pick<KeyRow, "purpose" | "id">): string {
  return `${purpose}/${id}`;
}
