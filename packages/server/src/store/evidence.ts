// Evidence: the DNS data with which a grant was issued.

import { type Sql, sqlOf } from "../database/rows.ts";
import { RAN_S } from "./floor.ts";

/** `body` is JSON that `oauth/control-evidence` writes and reads. */
export interface Evidence {
  readonly grantId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly body: string;
}

const KEEP = `
  INSERT INTO evidence (grant_id, expires_at, body, made_ran) VALUES (?1, ?2, ?3, ${RAN_S})
  ON CONFLICT (grant_id) DO NOTHING`;

const READ = "SELECT * FROM evidence WHERE grant_id = ?1 AND expires_at > ?2";

export type EvidenceStore = ReturnType<typeof evidenceStore>;

export function evidenceStore({ run, engine }: Sql) {
  // For token requests, which can be repeated.
  const { first } = sqlOf(engine, { isUrgent: true });
  return {
    /** Stores the evidence for a grant. Only the first call for a grant has an effect. */
    keepEvidence: ({ grantId, expiresAt, body }: Evidence) => run(KEEP, grantId, expiresAt, body),

    /** Null after it has expired. */
    readEvidence: (grantId: string, now: number) => first<Evidence>(READ, grantId, now),
  };
}
