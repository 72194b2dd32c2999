// The statements on keys and on facts about the installation.

import type { KeyRow, KeyStore } from "../key-store.ts";
import type { SqlEngine } from "./engine.ts";
import { toRecord } from "./rows.ts";

export function keyStatements(engine: SqlEngine): KeyStore {
  return {
    async readKeys() {
      const rows = await engine.execute("SELECT * FROM keys ORDER BY purpose, id", []);
      return rows.map((row) => toRecord<KeyRow>(row));
    },

    async addKey(key) {
      const rows = await engine.execute(
        `INSERT INTO keys (purpose, id, sealed, current_from, made_at) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO NOTHING RETURNING id`,
        [key.purpose, key.id, key.sealed, key.currentFrom, key.madeAt],
      );
      return rows.length > 0;
    },

    async resealKey({ purpose, id, from, to }) {
      const rows = await engine.execute(
        "UPDATE keys SET sealed = ?1 WHERE purpose = ?2 AND id = ?3 AND sealed = ?4 RETURNING id",
        [to, purpose, id, from],
      );
      return rows.length > 0;
    },

    async removeRetiredKeys(purpose, successorCurrentBy) {
      const rows = await engine.execute(
        `DELETE FROM keys WHERE purpose = ?1 AND EXISTS (
           SELECT 1 FROM keys AS successor
           WHERE successor.purpose = keys.purpose AND successor.id > keys.id
             AND successor.current_from <= ?2)
         RETURNING id`,
        [purpose, successorCurrentBy],
      );
      return rows.length;
    },

    async claimFact(name, value) {
      await engine.execute(
        "INSERT INTO facts (name, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        [name, value],
      );
      const rows = await engine.execute("SELECT value FROM facts WHERE name = ?1", [name]);
      return String(rows[0]?.value);
    },
  };
}
