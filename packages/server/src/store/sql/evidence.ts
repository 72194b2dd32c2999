// The statements on evidence.

import type { Evidence, EvidenceStore } from "../evidence-store.ts";
import type { SqlEngine } from "./engine.ts";
import { firstRecord } from "./rows.ts";

export function evidenceStatements(engine: SqlEngine): EvidenceStore {
  return {
    async keepEvidence({ grantId, expiresAt, body }) {
      await engine.execute(
        `INSERT INTO evidence (grant_id, expires_at, body) VALUES (?1, ?2, ?3)
         ON CONFLICT (grant_id) DO NOTHING`,
        [grantId, expiresAt, body],
      );
    },

    async readEvidence(grantId, now) {
      const rows = await engine.execute(
        "SELECT * FROM evidence WHERE grant_id = ?1 AND expires_at > ?2",
        [grantId, now],
      );
      return firstRecord<Evidence>(rows);
    },
  };
}
