// Sealed keys, and facts about the installation.

import type { Sql } from "../database/rows.ts";

export interface KeyRow {
  readonly purpose: string;
  readonly id: number;
  readonly sealed: string;
  /** Epoch seconds; the key is current from then on. */
  readonly currentFrom: number;
  /** Epoch seconds; null for keys from before this column existed. */
  readonly madeAt: number | null;
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

const CLAIM_FACT = "INSERT INTO facts (name, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING";

export type KeyStore = ReturnType<typeof keyStore>;

export function keyStore({ rows, run, returnsRow, all }: Sql) {
  return {
    /** All keys, by purpose and then by id. */
    readKeys: () => all<KeyRow>("SELECT * FROM keys ORDER BY purpose, id"),

    /** Adds the key unless its purpose and id are taken. Of concurrent starts or rotations, one gets true. */
    addKey: ({ purpose, id, sealed, currentFrom, madeAt }: KeyRow) =>
      returnsRow(ADD, purpose, id, sealed, currentFrom, madeAt),

    /** Replaces the sealed form of a key if it is still `from`. Of concurrent callers one gets true. */
    resealKey: (key: { purpose: string; id: number; from: string; to: string }) =>
      returnsRow(RESEAL, key.to, key.purpose, key.id, key.from),

    /** Changes when the key becomes current, if it is still as it was read. Of concurrent callers one gets true. */
    changeCurrentFrom: ({ purpose, id, sealed, currentFrom }: KeyRow, to: number) =>
      returnsRow(CHANGE_CURRENT_FROM, purpose, id, sealed, currentFrom, to),

    /** Removes the key, if it is still as it was read. Of concurrent callers one gets true. */
    removeKey: ({ purpose, id, sealed, currentFrom }: KeyRow) =>
      returnsRow(REMOVE, purpose, id, sealed, currentFrom),

    /**
     * Removes the keys of a purpose with a successor that became current by the given time, so never the
     * current key. Returns their number; each is counted for one caller.
     */
    removeRetiredKeys: async (purpose: string, successorCurrentBy: number) =>
      (await rows(REMOVE_RETIRED, purpose, successorCurrentBy)).length,

    /** Sets a fact about the installation unless it is set. Returns the stored value. */
    async claimFact(name: string, value: string) {
      await run(CLAIM_FACT, name, value);
      const [row] = await rows("SELECT value FROM facts WHERE name = ?1", name);
      return String(row?.value);
    },
  };
}
