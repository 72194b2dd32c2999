// Stored keys: their purposes, and how they are opened with the secret of the operator.

import { OperatorError } from "../lib/errors.ts";
import type { KeyRow } from "../store/keys.ts";
import type { Opened, Seal } from "./seal.ts";
import type { SigningAlg } from "./signing-key.ts";

/** MAC keys of codes and tokens. */
export type MacPurpose = "grant-token";
/** Keys of signatures that others verify. */
export type SigningPurpose = keyof typeof SIGNING_PURPOSES;
/** What a key is for; a key serves one purpose only. */
export type KeyPurpose = MacPurpose | SigningPurpose;

/** Statement keys are promoted instead: records must list a key before it signs. */
export type RotatedPurpose = MacPurpose | SelfRotating;
type SelfRotating = Exclude<SigningPurpose, "provider-statement">;

export const SIGNING_PURPOSES = {
  /** Attestations, and ID tokens of clients registered for ES256. */
  es256: "ES256",
  /** ID tokens. */
  rs256: "RS256",
  /** ID tokens of clients registered for EdDSA. */
  eddsa: "EdDSA",
  /** private_key_jwt, for client authentication at SPs. */
  "client-assertion": "ES256",
  /** Statements in provider proofs. Records list the thumbprints of the current key and of its standby. */
  "provider-statement": "ES256",
} as const satisfies Record<string, SigningAlg>;

/** False for MAC keys, and for purposes that a later version has added. */
export function isSigningPurpose(purpose: string): purpose is SigningPurpose {
  return Object.hasOwn(SIGNING_PURPOSES, purpose);
}

/** Published in /.well-known/jwks.json. ES256 is first, for clients that use the first key for attestations. */
export const PUBLISHED: readonly SelfRotating[] = ["es256", "rs256", "eddsa"];

/** Purposes that rotate automatically. Their keys are published while their signatures can be valid. */
export const SELF_ROTATING: readonly SelfRotating[] = [...PUBLISHED, "client-assertion"];

export const KEY_PURPOSES = ["grant-token", ...SELF_ROTATING, "provider-statement"] as const;

/** One octet of each token, from 1. Ids are not reused: another key would check old tokens. So 254 rotations are possible. */
export const LAST_MAC_KEY_ID = 255;

/** `plain` is the octets of a MAC key, or the PKCS#8 encoding of a signing key. */
export type StoredKey = KeyRow & Opened;

/** Throws `OperatorError` if any key does not open, so that no key is silently missing. */
export function openKeys(rows: readonly KeyRow[], seal: Seal): StoredKey[] {
  return rows.map((row) => {
    const opened = seal.open(labelOf(row), row.sealed);
    if (opened !== null) return { ...row, ...opened };
    throw new OperatorError(
      `the secret does not open the keys in the database: they were sealed with a different one${
        seal.hasPrevious
          ? ", and previous_secret does not open them either"
          : "; after a change of the secret, set previous_secret to the old one"
      }`,
    );
  });
}

/** What the sealed form of a key is bound to. */
export function labelOf({ purpose, id }: { readonly purpose: string; readonly id: number }) {
  return `${purpose}/${id}`;
}
