// Sessions: browsers remembered as signed in to an account.

import { ACCOUNT_COLUMNS, ACCOUNT_IS_LIVE, type Account } from "./accounts.ts";
import { type Sql, toRecord } from "./rows.ts";

export interface Session {
  readonly idHash: string;
  readonly accountId: string;
  readonly authTime: number;
  readonly amr: string;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** A session ends if it is not used for this long. */
export const SESSION_IDLE_LIFETIME_S = 14 * 86400;

const START = `
  INSERT INTO sessions (id_hash, account_id, auth_time, amr, last_used_at, expires_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6)`;

const FIND = `
  SELECT sessions.*, ${ACCOUNT_COLUMNS}
  FROM sessions JOIN accounts ON accounts.id = sessions.account_id
  WHERE sessions.id_hash = ?1 AND sessions.expires_at > ?2 AND sessions.last_used_at > ?3
    AND ${ACCOUNT_IS_LIVE}`;

const OF_ACCOUNT = `
  SELECT 1 AS live FROM sessions WHERE account_id = ?1 AND expires_at > ?2 AND last_used_at > ?3`;

const TOUCH = "UPDATE sessions SET last_used_at = ?1 WHERE id_hash = ?2 AND last_used_at < ?1";

export type SessionStore = ReturnType<typeof sessionStore>;

export function sessionStore({ rows, run }: Sql) {
  return {
    startSession: ({ idHash, accountId, authTime, amr, lastUsedAt, expiresAt }: Session) =>
      run(START, idHash, accountId, authTime, amr, lastUsedAt, expiresAt),

    /** Null if the session has ended, or its account is not the live one of its domain. */
    async findSession(idHash: string, now: number) {
      const [row] = await rows(FIND, idHash, now, now - SESSION_IDLE_LIFETIME_S);
      if (row === undefined) return null;
      return { session: toRecord<Session>(row), account: toRecord<Account>(row, "account__") };
    },

    /** Ends all sessions of the account, on all nodes at once. Returns their number; of concurrent callers one counts each. */
    endSessionsOf: async (accountId: string, _reason: "owner" | "operator") =>
      (await rows("DELETE FROM sessions WHERE account_id = ?1 RETURNING 1 AS ended", accountId))
        .length,

    /** How many sessions of the account have not ended. */
    countSessionsOf: async (accountId: string, now: number) =>
      (await rows(OF_ACCOUNT, accountId, now, now - SESSION_IDLE_LIFETIME_S)).length,

    touchSession: (idHash: string, now: number) => run(TOUCH, now, idHash),
  };
}
