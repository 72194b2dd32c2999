// Lists and rotates keys for the operator.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { KeyRow, KeyStore } from "../store/keys.ts";
import type { AcceptedAnswerStore } from "../store/remembered.ts";
import { createKeyChanges } from "./key-changes.ts";
import { publishedUntil, STANDBY, stateOf } from "./key-lives.ts";
import type { Seal } from "./seal.ts";
import { readSigningKey } from "./signing-key.ts";
import { isSigningPurpose, openKeys, type RotatedPurpose, SELF_ROTATING } from "./stored-keys.ts";

export type KeyRegistry = ReturnType<typeof keyRegistry>;

/** A key as the JSON of `keys list`. */
export type ListedKey = Awaited<ReturnType<KeyRegistry["list"]>>[number];

export function keyRegistry(deps: {
  keys: KeyStore;
  acceptedAnswers: AcceptedAnswerStore;
  clock: Clock;
  random: Random;
  /** Without a seal, `list` shows no `kid`, and what changes keys rejects with `OperatorError`. */
  seal: Seal | null;
  /** The database can be used once this has resolved. */
  ready: Promise<unknown>;
}) {
  const { keys, acceptedAnswers, clock, random, seal, ready } = deps;

  /** Rejects with `OperatorError` without the secret. */
  async function changes() {
    await ready;
    if (seal !== null) return createKeyChanges({ keys, seal, random });
    throw new OperatorError(
      "the secret is missing: set DOMAIN_SIGNIN_SECRET or DOMAIN_SIGNIN_SECRET_FILE, or run this command in the directory of domain-signin.secret",
    );
  }

  return {
    /** Times are in epoch seconds. Rejects with `OperatorError` if the secret does not open the keys. */
    async list() {
      await ready;
      const rows = await keys.readKeys();
      const opened: readonly (KeyRow & { plain?: Buffer })[] =
        seal === null ? rows : openKeys(rows, seal);
      return opened.map((key) => {
        const { purpose, id, currentFrom, plain } = key;
        const ring = opened.filter((other) => other.purpose === purpose);
        const signingKey = plain && isSigningPurpose(purpose) && readSigningKey(plain, currentFrom);
        const isSelfRotating = SELF_ROTATING.some((other) => other === purpose);
        return {
          purpose,
          id,
          /** Null for MAC keys, and for all keys if the secret is not set. */
          kid: signingKey ? signingKey.kid : null,
          state: stateOf(key, ring, clock.seconds()),
          /** 0 for the first key of its purpose; null for a standby. */
          current_from: currentFrom === STANDBY ? null : currentFrom,
          /** Null for keys that are not removed, and for keys without a successor. */
          published_until: isSelfRotating ? publishedUntil(key, ring) : null,
        };
      });
    },
    /** Adds the next key, which becomes current a day later. Rejects with `OperatorError` without the right secret. */
    rotate: async (purpose: RotatedPurpose) => (await changes()).rotate(purpose, clock.seconds()),
    promote: async () => (await changes()).promoteStandby(clock.seconds()),
    /** Ends a key of a purpose that rotates. Its successor is current at once. */
    end: async (key: { purpose: RotatedPurpose; id: number }) =>
      (await changes()).end(key, clock.seconds()),
    /** Ends the statement key with this thumbprint. False if there is none. */
    revoke: async (kid: string) => (await changes()).revokeStatementKey(kid, clock.seconds()),
    /** The domains whose record lists this key, or does not. */
    domainsListing: acceptedAnswers.domainsListing,
    domainsNotListing: acceptedAnswers.domainsNotListing,
  };
}
