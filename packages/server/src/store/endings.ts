// Keys and client secrets that an operator ended, and how they are ended again in a restored database.

import type { Sql } from "../database/rows.ts";
import type { KeyRow } from "./keys.ts";

export interface EndedKey extends Pick<KeyRow, "purpose"> {
  readonly keyId: number;
  /** 0 for a key from before this was recorded. */
  readonly madeAt: number;
  readonly endedAt: number;
}

export interface EndedSecret {
  readonly clientId: string;
  readonly secretHash: string;
  readonly endedAt: number;
}

/**
 * Takes the place of the hash of an ended secret, so that the client does not become a public one. As long as a hash in
 * base64url, but none: it contains a character that base64url does not have.
 */
export const ENDED_SECRET_HASH = "ended".padEnd(43, ".");

const REMOVE_KEY = `
  DELETE FROM keys WHERE purpose = ?1 AND id = ?2 AND COALESCE(made_at, 0) = ?3 RETURNING id`;

// The right-hand sides read the values from before the update.
const END_SECRET = `
  UPDATE clients SET
    secret_hash = CASE WHEN secret_hash = ?2 THEN ?3 ELSE secret_hash END,
    former_secret_hash = CASE WHEN former_secret_hash = ?2 THEN NULL ELSE former_secret_hash END
  WHERE id = ?1 AND (secret_hash = ?2 OR former_secret_hash = ?2) RETURNING id`;

const KEEP_KEY = `
  INSERT INTO ended_keys (purpose, key_id, made_at, ended_at) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT DO NOTHING`;

const KEEP_SECRET = `
  INSERT INTO ended_secrets (client_id, secret_hash, ended_at) VALUES (?1, ?2, ?3)
  ON CONFLICT DO NOTHING`;

const AS_READ = "purpose = ?1 AND id = ?2 AND sealed = ?3 AND current_from = ?4";

const RECORD_KEY = `
  INSERT INTO ended_keys (purpose, key_id, made_at, ended_at)
  SELECT purpose, id, COALESCE(made_at, 0), CAST(?5 AS BIGINT) FROM keys WHERE ${AS_READ}
  ON CONFLICT DO NOTHING`;

// The successor keeps the id from being used again, and is current whenever the key would be, by any clock.
const REMOVE_ENDED_KEY = `
  DELETE FROM keys WHERE ${AS_READ}
    AND EXISTS (
      SELECT 1 FROM keys AS successor
      WHERE successor.purpose = keys.purpose AND successor.id > keys.id
        AND successor.current_from <= keys.current_from)
    AND EXISTS (
      SELECT 1 FROM ended_keys
      WHERE ended_keys.purpose = keys.purpose AND key_id = keys.id
        AND ended_keys.made_at = COALESCE(keys.made_at, 0))
  RETURNING id`;

// The secret must be one of the client, or the row would end one that nobody had.
const RECORD_SECRET = `
  INSERT INTO ended_secrets (client_id, secret_hash, ended_at)
  SELECT id, CAST(?2 AS TEXT), CAST(?3 AS BIGINT) FROM clients
  WHERE id = ?1 AND (secret_hash = ?2 OR former_secret_hash = ?2)
  ON CONFLICT DO NOTHING`;

export type EndingStore = ReturnType<typeof endingStore>;

export function endingStore({ run, returnsRow, all }: Sql) {
  return {
    endedKeys: () => all<EndedKey>("SELECT * FROM ended_keys ORDER BY purpose, key_id, made_at"),

    endedSecrets: () =>
      all<EndedSecret>("SELECT * FROM ended_secrets ORDER BY client_id, secret_hash"),

    /** Records that the key was ended, and removes it if it is there. True for the one call that removed it. */
    async endKeyAgain({ purpose, keyId, madeAt, endedAt }: EndedKey): Promise<boolean> {
      await run(KEEP_KEY, purpose, keyId, madeAt, endedAt);
      return returnsRow(REMOVE_KEY, purpose, keyId, madeAt);
    },

    /**
     * Records that the secret was ended. It no longer authenticates the client, whether it is the current or the former one.
     * True for the one call that ended it.
     */
    async endSecretAgain({ clientId, secretHash, endedAt }: EndedSecret): Promise<boolean> {
      await run(KEEP_SECRET, clientId, secretHash, endedAt);
      return returnsRow(END_SECRET, clientId, secretHash, ENDED_SECRET_HASH);
    },

    /** Records that the key ends, if it is still as it was read. The first record of a key stands. */
    recordEndedKey: ({ purpose, id, sealed, currentFrom }: KeyRow, endedAt: number) =>
      run(RECORD_KEY, purpose, id, sealed, currentFrom, endedAt),

    /**
     * Removes the key, if it is still as it was read, its end is recorded, and a later key has taken its place.
     * Of concurrent callers one gets true.
     */
    removeEndedKey: ({ purpose, id, sealed, currentFrom }: KeyRow) =>
      returnsRow(REMOVE_ENDED_KEY, purpose, id, sealed, currentFrom),

    /** Records that a secret of the client ends, before it does. The first record of a secret stands. */
    recordEndedSecret: (clientId: string, secretHash: string, endedAt: number) =>
      run(RECORD_SECRET, clientId, secretHash, endedAt),
  };
}
