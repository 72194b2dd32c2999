// Stored keys: creation, rotation, sealing, opening, and resealing after a change of the secret.

import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { KeyRow, KeyStore } from "../store/keys.ts";
import { isMisdated, nextCurrentFrom } from "./key-lives.ts";
import type { Opened, Seal } from "./seal.ts";
import { makeSigningKey, type SigningAlg } from "./signing-key.ts";

/** MAC keys of codes and tokens. */
export type MacPurpose = "grant-token";
/** Keys of signatures that others verify. */
export type SigningPurpose = keyof typeof SIGNING_PURPOSES;
/** What a key is for; a key serves one purpose only. */
export type KeyPurpose = MacPurpose | SigningPurpose;

/** Statement keys are promoted instead: records must list a key before it signs. */
export type RotatedPurpose = MacPurpose | SelfRotating;
type SelfRotating = Exclude<SigningPurpose, "provider-statement">;

/** The algorithm of each purpose. */
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

export interface KeyDeps {
  readonly keys: KeyStore;
  readonly seal: Seal;
  readonly random: Random;
  readonly makeKey?: typeof makeSigningKey | undefined;
}

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

/** Seals keys of the previous secret with the current one. Safe on several nodes at the same time. */
export async function resealPrevious(stored: readonly StoredKey[], { keys, seal }: KeyDeps) {
  for (const key of stored.filter(({ isPrevious }) => isPrevious)) {
    const { purpose, id, sealed: from, plain } = key;
    await keys.resealKey({ purpose, id, from, to: seal.close(labelOf(key), plain) });
  }
}

/** Creates and adds a key. False if another process has taken its id. */
export async function addNewKey(
  key: { purpose: KeyPurpose; id: number; currentFrom: number; madeAt: number },
  { keys, seal, random, makeKey = makeSigningKey }: KeyDeps,
): Promise<boolean> {
  const { purpose } = key;
  const plain = purpose === "grant-token" ? random(32) : await makeKey(SIGNING_PURPOSES[purpose]);
  return keys.addKey({ ...key, sealed: seal.close(labelOf(key), plain) });
}

/**
 * The id of a MAC key is one octet of each token. Ids are never reused, since an old token would then be
 * checked with a different key. Ids begin at 1, so 254 rotations are possible.
 */
export const LAST_MAC_KEY_ID = 255;

/**
 * Adds the next key. Of concurrent callers, on all nodes, one gets "rotated". Rejects with `OperatorError`
 * if the secret does not open the existing keys.
 */
export async function rotate(purpose: RotatedPurpose, now: number, deps: KeyDeps) {
  const stored = openKeys(await deps.keys.readKeys(), deps.seal);
  const newest = stored.findLast((key) => key.purpose === purpose);
  // The service has never run with this database.
  if (newest === undefined) return { outcome: "no_keys" } as const;
  const next = stored.findLast((key) => key.purpose === purpose && !isMisdated(key, now));
  if (next !== undefined && next.currentFrom > now) return { outcome: "has_next" } as const;
  const areUsedUp = purpose === "grant-token" && newest.id >= LAST_MAC_KEY_ID;
  if (areUsedUp) return { outcome: "ids_used_up" } as const;
  const key = { id: newest.id + 1, currentFrom: nextCurrentFrom(now) };
  const isAdded = await addNewKey({ purpose, ...key, madeAt: now }, deps);
  // If it was not added, another process has just added the next key.
  return isAdded ? ({ outcome: "rotated", ...key } as const) : ({ outcome: "has_next" } as const);
}

function labelOf({ purpose, id }: Pick<KeyRow, "purpose" | "id">): string {
  return `${purpose}/${id}`;
}
