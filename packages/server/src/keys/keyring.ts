// Our keys with their lives: which one is current at a time, which one has an id.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { KeyStore } from "../store/key-store.ts";
import type { Seal } from "./seal.ts";

/** What a key is for; a key serves one purpose only. */
export type KeyPurpose = "grant-token";

export interface MacKey {
  /** One octet: it travels in every token. */
  readonly id: number;
  readonly key: Buffer;
  /** Epoch seconds from which on it is the one to make tokens with. */
  readonly currentFrom: number;
}

export interface Keyring {
  /** The key that was (or is) current at a time, in epoch seconds. */
  currentAt(purpose: KeyPurpose, time: number): MacKey;
  /** The key with this id; an unknown id makes the ring read the store again, at most once a second. */
  find(purpose: KeyPurpose, id: number): Promise<MacKey | null>;
}

/** Opens the ring, and makes the first key of each purpose on a first start. */
export async function openKeyring(parts: {
  store: KeyStore;
  seal: Seal;
  clock: Clock;
  random: Random;
}): Promise<Keyring> {
  const { store, seal, clock, random } = parts;
  let keys: ReadonlyMap<string, readonly MacKey[]> = new Map();
  let readAt = 0;

  async function read(): Promise<void> {
    const begunAt = clock.milliseconds();
    const next = new Map<string, MacKey[]>();
    for (const row of await store.readKeys()) {
      const key = seal.open(labelOf(row.purpose, row.id), row.sealed);
      if (key === null) {
        throw new OperatorError(
          "the secret does not open the keys in the database: it is not the one the database was made with",
        );
      }
      const ring = next.get(row.purpose) ?? [];
      ring.push({ id: row.id, key, currentFrom: row.currentFrom });
      next.set(row.purpose, ring);
    }
    keys = next;
    readAt = begunAt;
  }

  /** One reading at a time, shared by all who wait for it; a failed one counts as none. */
  let reading: Promise<void> | null = null;
  function readAgain(): Promise<void> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  await read();
  if (!keys.has("grant-token")) {
    // It is current from the beginning of time: a moved clock must not leave us without a key.
    const sealed = seal.close(labelOf("grant-token", 1), random(32));
    await store.addKey({ purpose: "grant-token", id: 1, sealed, currentFrom: 0 });
    await read();
  }

  return {
    currentAt(purpose, time) {
      const current = keys.get(purpose)?.findLast((key) => key.currentFrom <= time);
      if (current === undefined) throw new Error(`no current key for ${purpose}`);
      return current;
    },
    async find(purpose, id) {
      const known = () => keys.get(purpose)?.find((key) => key.id === id) ?? null;
      if (known() === null && clock.milliseconds() - readAt >= 1000) await readAgain();
      return known();
    },
  };
}

function labelOf(purpose: string, id: number): string {
  return `${purpose}/${id}`;
}
