// Evidence: what was seen in DNS when a grant was issued, kept beside the grant.

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
    /** Keeps the evidence for a grant; of several calls with one id the first counts. */
    async keepEvidence({ grantId, expiresAt, body }: Evidence): Promise<void> {
      await engine.execute(KEEP, [grantId, expiresAt, body]);
    },

    /** Null once it has expired, whether or not it was removed. */
    async readEvidence(grantId: string, now: number): Promise<Evidence | null> {
      return firstRecord(await engine.execute(READ, [grantId, now]));
    },
  };
}
