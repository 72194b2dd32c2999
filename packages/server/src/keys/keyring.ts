// The keys of this service: the current key at a time, the key with an id, and the published keys.

import type { Clock } from "../lib/clock.ts";
import { OperatorError, UnavailableError } from "../lib/errors.ts";
import type { KeyStore } from "../store/keys.ts";
import { createKeyChanges, type KeyChanges, type KeyDeps } from "./key-changes.ts";
import {
  currentOf,
  hasRemovable,
  isSuccessorDue,
  promotedOf,
  publishedOf,
  successorCurrentBy,
} from "./key-lives.ts";
import type { Seal } from "./seal.ts";
import { type PublicJwk, readSigningKey, type SigningKey } from "./signing-key.ts";
import {
  isSigningPurpose,
  KEY_PURPOSES,
  type MacPurpose,
  openKeys,
  PUBLISHED,
  SELF_ROTATING,
  type SigningPurpose,
  type StoredKey,
} from "./stored-keys.ts";

export interface MacKey {
  /** One octet, which is part of every token. */
  readonly id: number;
  readonly key: Buffer;
  /** Epoch seconds; from then on, tokens are made with this key. */
  readonly currentFrom: number;
}

export type Keyring = Awaited<ReturnType<typeof openKeyring>>;

export interface MacKeyring {
  /** The key that was (or is) current at a time, in epoch seconds. */
  currentAt(purpose: MacPurpose, time: number): MacKey;
  /**
   * The key with this id. A promise for an unknown id, for which the store is read again, at most once a second;
   * rejects with `UnavailableError` while it cannot be read.
   */
  find(purpose: MacPurpose, id: number): MacKey | Promise<MacKey | null>;
}

export interface StatementKeyring {
  /**
   * The only thumbprint of a statement key, current or not, that begins with these octets; null if there is none, or
   * several. Rejects as `MacKeyring.find` does.
   */
  findStatementKey(start: Buffer): Promise<string | null>;
}

/** Minimum time between two reads of the store because of unknown ids. */
const UNKNOWN_ID_READ_INTERVAL_MS = 1000;

type KeyringDeps = KeyDeps & { readonly clock: Clock };

interface RingSigningKey extends SigningKey {
  readonly purpose: string;
  readonly id: number;
  readonly madeAt: number | null;
}

/** The keys as they were last read from the store. */
function createReader({ keys, seal, clock }: KeyringDeps, { resealPrevious }: KeyChanges) {
  const rings = { mac: [] as readonly MacKey[], signing: [] as readonly RingSigningKey[] };
  let begunAt = 0;
  let failure: { readonly cause: unknown } | null = null;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    begunAt = clock.monotonic();
    try {
      const stored = openKeys(await keys.readKeys(), seal);
      await resealPrevious(stored);
      rings.mac = stored.filter(({ purpose }) => purpose === "grant-token").map(toMacKey);
      rings.signing = stored.filter(({ purpose }) => isSigningPurpose(purpose)).map(toSigningKey);
      failure = null;
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
  }

  function readAgain(): Promise<void> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  /** Called for an unknown id, because another node may have added the key. */
  async function readForUnknown(): Promise<void> {
    const isSoon = clock.monotonic() - begunAt < UNKNOWN_ID_READ_INTERVAL_MS;
    if (reading !== null || !isSoon) await readAgain().catch(() => {});
    // The id must not be reported as unknown: its key may be one of the unread keys.
    if (failure !== null) throw new UnavailableError("the keys cannot be read", failure);
  }

  const ringOf = (purpose: SigningPurpose) =>
    rings.signing.filter((key) => key.purpose === purpose);

  return { rings, ringOf, read, readAgain, readForUnknown };
}

/**
 * Reads the keys, and makes the first key of each purpose that has none, on the first start or after an
 * upgrade. Rejects with `OperatorError` if the secret does not open the keys.
 */
export async function openKeyring(deps: KeyringDeps) {
  const { clock } = deps;
  const changes = createKeyChanges(deps);
  const { rings, ringOf, read, readAgain, readForUnknown } = createReader(deps, changes);
  await read();
  for (const purpose of KEY_PURPOSES) {
    const ring = purpose === "grant-token" ? rings.mac : ringOf(purpose);
    if (ring.length > 0) continue;
    // Current from 0 on, so that there is a current key even if the clock is set back.
    await changes.add({ purpose, id: 1, currentFrom: 0, madeAt: clock.seconds() });
    // Before the next purpose: a concurrent start with a different secret fails here and adds no keys.
    await read();
  }
  if (await changes.ensureStandby(ringOf("provider-statement"), clock.seconds())) await read();

  const publishedKeys = (purpose: SigningPurpose, time: number) =>
    publishedOf(ringOf(purpose), time).map(({ jwk }) => jwk);

  const macKeys: MacKeyring = {
    currentAt: (purpose, time) => currentKey(purpose, rings.mac, time),
    find(_, id) {
      const find = () => rings.mac.find((key) => key.id === id) ?? null;
      return find() ?? readForUnknown().then(find);
    },
  };

  return {
    ...macKeys,
    /** The key to sign with at a time, in epoch seconds. */
    signingKeyAt: (purpose: SigningPurpose, time: number): SigningKey =>
      currentKey(purpose, ringOf(purpose), time),
    /** For attestations and ID tokens: the current keys, the next ones, and those with valid signatures. */
    publicKeys: (time: number): readonly PublicJwk[] =>
      PUBLISHED.flatMap((purpose) => publishedKeys(purpose, time)),
    /** The published keys for client authentication at SPs, which have their own JWK Set. */
    clientAssertionKeys: (time: number): readonly PublicJwk[] =>
      publishedKeys("client-assertion", time),
    /** Null if `spk` does not list the current key. Retired keys never sign: they may be stolen. */
    statementKeyFor(spk: readonly string[]): SigningKey | null {
      const key = promotedOf(ringOf("provider-statement"));
      return key !== undefined && spk.includes(key.kid) ? key : null;
    },
    /** The thumbprints to list in a new record: of the current statement key, then of its standby. */
    statementKeys(): readonly string[] {
      const ring = ringOf("provider-statement");
      const current = promotedOf(ring)?.id ?? 0;
      return ring.filter(({ id }) => id >= current).map(({ kid }) => kid);
    },
    async findStatementKey(start: Buffer): Promise<string | null> {
      const find = () => {
        const kids = ringOf("provider-statement").map(({ kid }) => kid);
        const begins = (kid: string) => Buffer.from(kid, "base64url").indexOf(start) === 0;
        const [found, ...more] = kids.filter(begins);
        return more.length === 0 ? (found ?? null) : null;
      };
      return find() ?? readForUnknown().then(find);
    },
    /** Reads the keys again. If the time can be used, adds due keys and removes old ones. Safe on any node. */
    async tend({ mayRotate = true, mayRemove = true } = {}): Promise<void> {
      await readAgain();
      if (!mayRotate) return;
      const now = clock.seconds();
      // A clock that is ahead must neither make nor remove keys.
      const proven = Math.min(now, clock.floor());
      let changed = await changes.ensureStandby(ringOf("provider-statement"), now);
      for (const purpose of SELF_ROTATING) {
        const ring = ringOf(purpose);
        if (isSuccessorDue(ring, now) && isSuccessorDue(ring, proven)) {
          await changes.rotate(purpose, now);
          changed = true;
        }
        if (mayRemove && hasRemovable(ring, proven)) {
          await deps.keys.removeRetiredKeys(purpose, successorCurrentBy(proven));
          changed = true;
        }
      }
      if (changed) await readAgain();
    },
  };
}

/** For a command: makes no keys. Rejects with `OperatorError` without keys or the right secret. */
export async function readSigner(keys: KeyStore, seal: Seal) {
  const stored = openKeys(await keys.readKeys(), seal);
  if (stored.length === 0) {
    throw new OperatorError("the database has no keys: start the service with it once");
  }
  const signing = stored.filter(({ purpose }) => isSigningPurpose(purpose)).map(toSigningKey);
  return {
    signingKeyAt(purpose: SigningPurpose, time: number): SigningKey {
      const ring = signing.filter((key) => key.purpose === purpose);
      return currentKey(purpose, ring, time);
    },
  };
}

function currentKey<T extends MacKey | RingSigningKey>(
  purpose: string,
  keys: readonly T[],
  time: number,
): T {
  const current = currentOf(keys, time);
  if (current === undefined) throw new Error(`no current key for ${purpose}`);
  return current;
}

function toMacKey({ id, currentFrom, plain }: StoredKey): MacKey {
  return { id, key: plain, currentFrom };
}

function toSigningKey({ purpose, id, currentFrom, madeAt, plain }: StoredKey): RingSigningKey {
  return { purpose, id, madeAt, ...readSigningKey(plain, currentFrom) };
}
