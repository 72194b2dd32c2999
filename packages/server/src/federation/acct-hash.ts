// The `acct` of an account at a provider that knows nothing about domains: a hash of issuer, sub and domain.

import { scrypt } from "node:crypto";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { BusyError } from "../lib/errors.ts";
import { createFairQueue, createSharedGate, SERVICE } from "../lib/fair-queue.ts";
import { type Random, sha256 } from "../lib/random.ts";
import type { SpCall } from "./provider.ts";

export interface AccountAt {
  readonly issuer: string;
  readonly sub: string;
  readonly domain: string;
}

/** RFC 7914. A provider may number its accounts, so each guess of a sub in a public record costs 50 ms and 16 MiB. */
const SCRYPT = { N: 16_384, r: 8, p: 1 };
const SALT_OCTETS = 16;
const HASH_OCTETS = 32;

/** In base64url. The former form, which has no salt, has 43 characters. */
const SALTED_LENGTH = 64;

export function canBeHash(acct: string): boolean {
  return acct.length === SALTED_LENGTH || acct.length === 43;
}

/** Base64url of the salt and the scrypt hash of the account under it. A pure function. */
export async function saltedAcct(account: AccountAt, salt: Uint8Array): Promise<string> {
  const hash = await new Promise<Buffer>((resolve, reject) => {
    scrypt(lines(account), salt, HASH_OCTETS, SCRYPT, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
  return Buffer.concat([salt, hash]).toString("base64url");
}

/** The `acct` to publish for the account: each call has a salt of its own. */
export function newAcct(account: AccountAt, random: Random): Promise<string> {
  return saltedAcct(account, random(SALT_OCTETS));
}

/** The former form, base64url SHA-256, which records may still have. */
export function unsaltedAcct(account: AccountAt): string {
  return sha256(lines(account));
}

/** Neither an issuer nor a domain contains an LF, so two different accounts never have the same lines. */
function lines({ issuer, sub, domain }: AccountAt): string {
  return `${issuer}\n${sub}\n${domain}`;
}

/** Each takes a thread of Node's four, which DNS and signatures need too. */
const MAX_COMPUTATIONS = 2;
const MAX_WAITING = 1000;
const WAIT_MS = 2000;
const MAX_REMEMBERED = 10_000;

export type AcctCheck = ReturnType<typeof createAcctCheck>;

/** Each requester has one computation at a time. An account that matched once needs none. */
export function createAcctCheck({ clock, random }: { clock: Clock; random: Random }) {
  const gate = createSharedGate(MAX_COMPUTATIONS, undefined, 1);
  const queue = createFairQueue([{ gate, capacity: MAX_WAITING }], clock);
  const matched = createCache<true>({ clock, maxEntries: MAX_REMEMBERED });
  return {
    /** Null if `acct` is a hash of the account, else the `acct` that would be. Rejects with `BusyError`. */
    async mismatch(
      account: AccountAt,
      acct: string,
      { from = SERVICE }: SpCall,
    ): Promise<string | null> {
      if (unsaltedAcct(account) === acct) return null;
      const key = sha256(`${lines(account)}\n${acct}`);
      if (matched.get(key)) return null;
      const salt =
        acct.length === SALTED_LENGTH
          ? Buffer.from(acct, "base64url").subarray(0, SALT_OCTETS)
          : random(SALT_OCTETS);
      const end = await queue.enter([{ lane: 0, ...from }], { waitMs: WAIT_MS });
      if (end === null) throw new BusyError();
      const hash = await saltedAcct(account, salt).finally(end);
      if (hash !== acct) return hash;
      matched.set(key, true);
      return null;
    },
  };
}
