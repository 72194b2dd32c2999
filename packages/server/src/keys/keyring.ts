// Our keys with their lives: which one is current at a time, which one has an id, which are published.

import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import {
  currentOf,
  isAnyOver,
  isSuccessorDue,
  type KeyAge,
  publishedOf,
  successorCurrentBy,
} from "./key-lives.ts";
import { rotate } from "./rotation.ts";
import { type PublicJwk, publicJwkOf, readSigningKey, type SigningKey } from "./signing-key.ts";
import {
  addNewKey,
  isSigningPurpose,
  KEY_PURPOSES,
  type KeyParts,
  type MacPurpose,
  openKeys,
  resealFormer,
  SELF_ROTATING,
  type SigningPurpose,
  type StoredKey,
} from "./stored-keys.ts";

export interface MacKey {
  /** One octet: it travels in every token. */
  readonly id: number;
  readonly key: Buffer;
  /** Epoch seconds from which on it is the one to make tokens with. */
  readonly currentFrom: number;
}

export interface MacKeyring {
  /** The key that was (or is) current at a time, in epoch seconds. */
  currentAt(purpose: MacPurpose, time: number): MacKey;
  /**
   * The key with this id; an unknown id makes the ring read the store again, at most once a second.
   * Rejects as long as that fails.
   */
  find(purpose: MacPurpose, id: number): Promise<MacKey | null>;
}

export interface Keyring extends MacKeyring {
  /** The key to sign with at a time, in epoch seconds. */
  signingKeyAt(purpose: SigningPurpose, time: number): SigningKey;
  /**
   * What is published at a time of attestations and ID tokens: of each algorithm the current key, the
   * next, and those whose signatures may still live.
   */
  publicKeys(time: number): readonly PublicJwk[];
  /** The same of the keys by which we authenticate as a client: published apart. */
  clientAssertionKeys(time: number): readonly PublicJwk[];
  /** The newest key for owners' statements with one of these thumbprints (`jkt` of a record), or null. */
  statementKeyFor(jkts: readonly string[]): SigningKey | null;
  /** The thumbprint that a record lists which is made at a time. */
  statementJkt(time: number): string;
  /**
   * What has to be done again and again: reads what other nodes changed, adds the signing key that is
   * due, removes those that are no longer published. Safe on any number of nodes.
   */
  tend(): Promise<void>;
}

/** What apps check by /.well-known/jwks.json; readers that take the first key want an attestation's. */
const PUBLISHED = ["es256", "rs256", "eddsa"] as const satisfies readonly SigningPurpose[];

/** Milliseconds between two readings for the sake of unknown ids. */
const READ_FOR_UNKNOWN_EVERY = 1000;

interface RingSigningKey extends KeyAge {
  readonly purpose: string;
  readonly signingKey: SigningKey;
  readonly jwk: PublicJwk;
}

/**
 * Opens the ring, and makes the first key of each purpose that has none: on a first start, and on the
 * first one after an upgrade. Rejects with `OperatorError` if the secret does not open the keys.
 */
export async function openKeyring(parts: KeyParts & { readonly clock: Clock }): Promise<Keyring> {
  const { store, seal, clock } = parts;
  let macKeys: readonly MacKey[] = [];
  let signingKeys: readonly RingSigningKey[] = [];
  let begunAt = 0;
  /** What the last reading failed with. */
  let failure: { readonly cause: unknown } | null = null;

  async function read(): Promise<void> {
    begunAt = clock.milliseconds();
    try {
      const stored = openKeys(await store.readKeys(), seal);
      await resealFormer(stored, parts);
      macKeys = stored.filter(({ row }) => row.purpose === "grant-token").map(toMacKey);
      signingKeys = stored.filter(({ row }) => isSigningPurpose(row.purpose)).map(toSigningKey);
      failure = null;
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
  }

  /** One reading at a time, shared by all who wait for it. */
  let reading: Promise<void> | null = null;
  function readAgain(): Promise<void> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  async function readForUnknown(): Promise<void> {
    const isSoon = clock.milliseconds() - begunAt < READ_FOR_UNKNOWN_EVERY;
    if (reading !== null || !isSoon) await readAgain().catch(() => {});
    // Not an absence: a key that could not be read may be the very one.
    if (failure !== null) throw new UnavailableError("the keys cannot be read", failure);
  }

  const ringOf = (purpose: SigningPurpose) => signingKeys.filter((key) => key.purpose === purpose);
  const publishedKeys = (purpose: SigningPurpose, time: number) =>
    publishedOf(ringOf(purpose), time).map(({ jwk }) => jwk);

  function signingKeyAt(purpose: SigningPurpose, time: number): SigningKey {
    const current = currentOf(ringOf(purpose), time);
    if (current === undefined) throw new Error(`no current key for ${purpose}`);
    return current.signingKey;
  }

  await read();
  for (const purpose of KEY_PURPOSES) {
    const ring = purpose === "grant-token" ? macKeys : ringOf(purpose);
    if (ring.length > 0) continue;
    // It is current from the beginning of time: a moved clock must not leave us without a key.
    await addNewKey({ purpose, id: 1, currentFrom: 0, madeAt: clock.seconds() }, parts);
    // Before the next purpose: a racing start with another secret stops here, with nothing of its own.
    await read();
  }

  return {
    currentAt(purpose, time) {
      const current = currentOf(macKeys, time);
      if (current === undefined) throw new Error(`no current key for ${purpose}`);
      return current;
    },
    async find(_, id) {
      const find = () => macKeys.find((key) => key.id === id) ?? null;
      if (find() === null) await readForUnknown();
      return find();
    },
    signingKeyAt,
    publicKeys: (time) => PUBLISHED.flatMap((purpose) => publishedKeys(purpose, time)),
    clientAssertionKeys: (time) => publishedKeys("client-assertion", time),
    statementKeyFor(jkts) {
      const listed = ringOf("owner-statement").findLast(({ jwk }) => jkts.includes(jwk.kid));
      return listed?.signingKey ?? null;
    },
    statementJkt: (time) => signingKeyAt("owner-statement", time).kid,
    async tend() {
      await readAgain();
      const now = clock.seconds();
      let changed = false;
      for (const purpose of SELF_ROTATING) {
        const ring = ringOf(purpose);
        if (isSuccessorDue(ring, now)) {
          await rotate(purpose, now, parts);
          changed = true;
        }
        if (isAnyOver(ring, now)) {
          await store.removeRetiredKeys(purpose, successorCurrentBy(now));
          changed = true;
        }
      }
      if (changed) await readAgain();
    },
  };
}

function toMacKey({ row: { id, currentFrom }, plain }: StoredKey): MacKey {
  return { id, key: plain, currentFrom };
}

function toSigningKey({ row, plain }: StoredKey): RingSigningKey {
  const { purpose, id, currentFrom, madeAt } = row;
  const signingKey = readSigningKey(plain, currentFrom);
  return { purpose, id, currentFrom, madeAt, signingKey, jwk: publicJwkOf(signingKey.privateKey) };
}
