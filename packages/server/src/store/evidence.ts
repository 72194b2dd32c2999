// Evidence: the DNS data with which a grant was issued.

import type { SqlEngine } from "./engine.ts";
import { firstRecord } from "./rows.ts";

/** `body` is JSON that `oauth/evidence` writes and reads. */
export interface Evidence {
  readonly grantId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly body: string;
}

const KEEP = `
  INSERT INTO evidence (grant_id, expires_at, body) VALUES (?1, ?2, ?3)
  ON CONFLICT (grant_id) DO NOTHING`;

const READ = "SELECT * FROM evidence WHERE grant_id = ?1 AND expires_at > ?2";

export type EvidenceStore = ReturnType<typeof evidenceStore>;

export function evidenceStore(engine: SqlEngine) {
  return {
    /** Stores the evidence for a grant. Only the first call for a grant has an effect. */
    async keepEvidence({ grantId, expiresAt, body }: Evidence): Promise<void> {
      await engine.execute(KEEP, [grantId, expiresAt, body]);
    },

    /** Null after it has expired. */
    async readEvidence(grantId: string, now: number): Promise<Evidence | null> {
      return firstRecord(await engine.execute(READ, [grantId, now]));
    },
  };
}
