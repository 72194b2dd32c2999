// What an operator ended: keys and client secrets, so that `restored` can end them again in an older database.

import type { KeyRow } from "./keys.ts";
import type { Sql } from "./rows.ts";

const AS_READ = "purpose = ?1 AND id = ?2 AND sealed = ?3 AND current_from = ?4";

const RECORD_KEY = `
  INSERT INTO ended_keys (purpose, key_id, made_at, ended_at)
  SELECT purpose, id, COALESCE(made_at, 0), CAST(?5 AS BIGINT) FROM keys WHERE ${AS_READ}
  ON CONFLICT DO NOTHING`;

// The successor keeps the id from being used again, and is current whenever the key would be, by any clock.
const REMOVE_KEY = `
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

export function endingStore({ run, returnsRow }: Sql) {
  return {
    /** Records that the key ends, if it is still as it was read. The first record of a key stands. */
    recordEndedKey: ({ purpose, id, sealed, currentFrom }: KeyRow, endedAt: number) =>
      run(RECORD_KEY, purpose, id, sealed, currentFrom, endedAt),

    /**
     * Removes the key, if it is still as it was read, its end is recorded, and a later key has taken its place.
     * Of concurrent callers one gets true.
     */
    removeEndedKey: ({ purpose, id, sealed, currentFrom }: KeyRow) =>
      returnsRow(REMOVE_KEY, purpose, id, sealed, currentFrom),

    /** Records that a secret of the client ends, before it does. The first record of a secret stands. */
    recordEndedSecret: (clientId: string, secretHash: string, endedAt: number) =>
      run(RECORD_SECRET, clientId, secretHash, endedAt),
  };
}
