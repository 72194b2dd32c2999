// Sealed keys, and the keys that an operator ended, so that they can be ended again in a restored database.

import type { PlainSql } from "../database/rows.ts";
import { ending } from "./ending.ts";

export interface KeyRow {
  readonly purpose: string;
  readonly id: number;
  readonly sealed: string;
  /** Epoch seconds; the key is current from then on. */
  readonly currentFrom: number;
  /** Epoch seconds; null for keys from before this column existed. */
  readonly madeAt: number | null;
}

export interface EndedKey {
  readonly purpose: string;
  readonly keyId: number;
  /** 0 for a key from before this was recorded. */
  readonly madeAt: number;
  readonly endedAt: number;
}

const ADD = `
  INSERT INTO keys (purpose, id, sealed, current_from, made_at) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT DO NOTHING RETURNING id`;

const RESEAL = `
  UPDATE keys SET sealed = ?1 WHERE purpose = ?2 AND id = ?3 AND sealed = ?4 RETURNING id`;

// An id is used again after its key was removed: what was sealed tells the two apart.
const AS_READ = "purpose = ?1 AND id = ?2 AND sealed = ?3 AND current_from = ?4";
const CHANGE_CURRENT_FROM = `UPDATE keys SET current_from = ?5 WHERE ${AS_READ} RETURNING id`;
const REMOVE = `DELETE FROM keys WHERE ${AS_READ} RETURNING id`;

const REMOVE_RETIRED = `
  DELETE FROM keys WHERE purpose = ?1 AND EXISTS (
    SELECT 1 FROM keys AS successor
    WHERE successor.purpose = keys.purpose AND successor.id > keys.id
      AND successor.current_from <= ?2)
  RETURNING id`;

const REMOVE_AGAIN = `
  DELETE FROM keys WHERE purpose = ?1 AND id = ?2 AND COALESCE(made_at, 0) = ?3 RETURNING id`;

const KEEP_END = `
  INSERT INTO ended_keys (purpose, key_id, made_at, ended_at) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT DO NOTHING`;

const RECORD_END = `
  INSERT INTO ended_keys (purpose, key_id, made_at, ended_at)
  SELECT purpose, id, COALESCE(made_at, 0), CAST(?5 AS BIGINT) FROM keys WHERE ${AS_READ}
  ON CONFLICT DO NOTHING`;

// The successor keeps the id from being used again, and is current whenever the key would be, by any clock.
const REMOVE_ENDED = `
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

export type KeyStore = ReturnType<typeof keyStore>;

export function keyStore({ rows, run, returnsRow, all }: PlainSql) {
  return {
    readKeys: () => all<KeyRow>("SELECT * FROM keys ORDER BY purpose, id"),

    /** Adds the key unless its purpose and id are taken. Of concurrent starts or rotations, one gets true. */
    addKey: ending(({ purpose, id, sealed, currentFrom, madeAt }: KeyRow) =>
      returnsRow(ADD, purpose, id, sealed, currentFrom, madeAt),
    ),

    /** Replaces the sealed form of a key if it is still `from`. Of concurrent callers one gets true. */
    resealKey: (key: { purpose: string; id: number; from: string; to: string }) =>
      returnsRow(RESEAL, key.to, key.purpose, key.id, key.from),

    /** Changes when the key becomes current, if it is still as it was read. Of concurrent callers one gets true. */
    changeCurrentFrom: ending(({ purpose, id, sealed, currentFrom }: KeyRow, to: number) =>
      returnsRow(CHANGE_CURRENT_FROM, purpose, id, sealed, currentFrom, to),
    ),

    /** Removes the key, if it is still as it was read. Of concurrent callers one gets true. */
    removeKey: ending(({ purpose, id, sealed, currentFrom }: KeyRow) =>
      returnsRow(REMOVE, purpose, id, sealed, currentFrom),
    ),

    /** Removes keys whose successor was current by then, so never the current key. Each is counted for one caller. */
    removeRetiredKeys: async (purpose: string, successorCurrentBy: number) =>
      (await rows(REMOVE_RETIRED, purpose, successorCurrentBy)).length,

    endedKeys: () => all<EndedKey>("SELECT * FROM ended_keys ORDER BY purpose, key_id, made_at"),

    /** Records that the key was ended, and removes it if it is there. True for the one call that removed it. */
    async endKeyAgain({ purpose, keyId, madeAt, endedAt }: EndedKey): Promise<boolean> {
      await run(KEEP_END, purpose, keyId, madeAt, endedAt);
      return returnsRow(REMOVE_AGAIN, purpose, keyId, madeAt);
    },

    /** Records that the key ends, if it is still as it was read. The first record of a key stands. */
    recordEndedKey: ({ purpose, id, sealed, currentFrom }: KeyRow, endedAt: number) =>
      run(RECORD_END, purpose, id, sealed, currentFrom, endedAt),

    /** Removes the key as it was read, if its end is recorded and a later key replaces it. One caller gets true. */
    removeEndedKey: ending(({ purpose, id, sealed, currentFrom }: KeyRow) =>
      returnsRow(REMOVE_ENDED, purpose, id, sealed, currentFrom),
    ),
  };
}
