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
  resealPrevious,
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

/** The keys as they were last read from the store. */
function createReader({ deps, clock }: { readonly deps: KeyParts; readonly clock: Clock }) {
  const keys = { mac: [] as readonly MacKey[], signing: [] as readonly RingSigningKey[] };
  let begunAt = 0;
  /** What the last reading failed with. */
  let failure: { readonly cause: unknown } | null = null;
  /** One reading at a time, shared by all who wait for it. */
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    begunAt = clock.milliseconds();
    try {
      const stored = openKeys(await deps.store.readKeys(), deps.seal);
      await resealPrevious(stored, deps);
      keys.mac = stored.filter(({ row }) => row.purpose === "grant-token").map(toMacKey);
      keys.signing = stored.filter(({ row }) => isSigningPurpose(row.purpose)).map(toSigningKey);
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

  /** For an id that is not known here: another node may have made the key a moment ago. */
  async function readForUnknown(): Promise<void> {
    const isSoon = clock.milliseconds() - begunAt < READ_FOR_UNKNOWN_EVERY;
    if (reading !== null || !isSoon) await readAgain().catch(() => {});
    // Not an absence: a key that could not be read may be the very one.
    if (failure !== null) throw new UnavailableError("the keys cannot be read", failure);
  }

  const ringOf = (purpose: SigningPurpose) => keys.signing.filter((key) => key.purpose === purpose);

  return { keys, ringOf, read, readAgain, readForUnknown };
}

type Reader = ReturnType<typeof createReader>;

/**
 * Opens the ring, and makes the first key of each purpose that has none: on a first start, and on the
 * first one after an upgrade. Rejects with `OperatorError` if the secret does not open the keys.
 */
export async function openKeyring(deps: KeyParts & { readonly clock: Clock }): Promise<Keyring> {
  const { clock } = deps;
  const reader = createReader({ deps, clock });
  const { keys, ringOf } = reader;
  await makeFirstKeys(reader, deps);

  const publishedKeys = (purpose: SigningPurpose, time: number) =>
    publishedOf(ringOf(purpose), time).map(({ jwk }) => jwk);

  function signingKeyAt(purpose: SigningPurpose, time: number): SigningKey {
    const current = currentOf(ringOf(purpose), time);
    if (current === undefined) throw new Error(`no current key for ${purpose}`);
    return current.signingKey;
  }

  return {
    currentAt(purpose, time) {
      const current = currentOf(keys.mac, time);
      if (current === undefined) throw new Error(`no current key for ${purpose}`);
      return current;
    },
    async find(_, id) {
      const find = () => keys.mac.find((key) => key.id === id) ?? null;
      if (find() === null) await reader.readForUnknown();
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
    tend: () => tend(reader, deps),
  };
}

async function makeFirstKeys(
  { keys, ringOf, read }: Reader,
  deps: KeyParts & { readonly clock: Clock },
): Promise<void> {
  await read();
  for (const purpose of KEY_PURPOSES) {
    const ring = purpose === "grant-token" ? keys.mac : ringOf(purpose);
    if (ring.length > 0) continue;
    // It is current from the beginning of time: a moved clock must not leave us without a key.
    await addNewKey({ purpose, id: 1, currentFrom: 0, madeAt: deps.clock.seconds() }, deps);
    // Before the next purpose: a racing start with another secret stops here, with nothing of its own.
    await read();
  }
}

/** Reads the keys, makes the successors that are due and removes what has ended. */
async function tend(
  { ringOf, readAgain }: Reader,
  deps: KeyParts & { readonly clock: Clock },
): Promise<void> {
  await readAgain();
  const now = deps.clock.seconds();
  let changed = false;
  for (const purpose of SELF_ROTATING) {
    const ring = ringOf(purpose);
    if (isSuccessorDue(ring, now)) {
      await rotate(purpose, now, deps);
      changed = true;
    }
    if (isAnyOver(ring, now)) {
      await deps.store.removeRetiredKeys(purpose, successorCurrentBy(now));
      changed = true;
    }
  }
  if (changed) await readAgain();
}

function toMacKey({ row: { id, currentFrom }, plain }: StoredKey): MacKey {
  return { id, key: plain, currentFrom };
}

function toSigningKey({ row, plain }: StoredKey): RingSigningKey {
  const { purpose, id, currentFrom, madeAt } = row;
  const signingKey = readSigningKey(plain, currentFrom);
  return { purpose, id, currentFrom, madeAt, signingKey, jwk: publicJwkOf(signingKey.privateKey) };
}
