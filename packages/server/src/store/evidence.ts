// Evidence: the DNS data with which a grant was issued.

import type { JoinedWrite } from "../database/engine.ts";
import { type Sql, sqlOf, write } from "../database/rows.ts";
import { RAN_S } from "./floor.ts";

/** `body` is JSON that `oauth/control-evidence` writes and reads. */
export interface Evidence {
  readonly grantId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly body: string;
  /** See `http/stored-room`. */
  readonly networks?: string | null;
}

const KEEP = `
  INSERT INTO evidence (grant_id, expires_at, body, networks, made_ran)
  VALUES (?1, ?2, ?3, ?4, ${RAN_S})
  ON CONFLICT (grant_id) DO NOTHING`;

/** The size is about that of the row, with its keys and free space in the pages of the database. */
const AFTER = `
  SELECT grant_id AS id, networks AS caused_by, 400 + LENGTH(body) AS octets FROM evidence
  WHERE grant_id > ?1 ORDER BY grant_id LIMIT CAST(?2 AS BIGINT)`;

const READ = "SELECT * FROM evidence WHERE grant_id = ?1 AND expires_at > ?2";

/** Stores the evidence for a grant. Only the first for a grant has an effect. */
export function writeEvidence({
  grantId,
  expiresAt,
  body,
  networks = null,
}: Evidence): JoinedWrite {
  return write(KEEP, grantId, expiresAt, body, networks);
}

export type EvidenceStore = ReturnType<typeof evidenceStore>;

export function evidenceStore({ run, all, engine }: Sql) {
  // For token requests, which can be repeated.
  const { first } = sqlOf(engine, { isUrgent: true });
  return {
    keepEvidence: async (evidence: Evidence) =>
      void (await engine.commit([writeEvidence(evidence)])),

    /** All evidence in the order of the ids of its grants; `octets` is the size. */
    evidenceAfter: (grantId: string, limit: number) =>
      all<{ id: string; causedBy: string | null; octets: number }>(AFTER, grantId, limit),

    /** The grant stays, without validation data. */
    dropEvidence: (grantId: string) => run("DELETE FROM evidence WHERE grant_id = ?1", grantId),

    /** Null after it has expired. */
    readEvidence: (grantId: string, now: number) => first<Evidence>(READ, grantId, now),
  };
}
