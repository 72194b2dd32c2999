// The statements on sessions: a browser remembered as signed in to an account.

import type { Account, AccountStore, Session } from "../store.ts";
import { ACCOUNT_COLUMNS, ACCOUNT_IS_LIVE } from "./accounts.ts";
import type { SqlEngine } from "./engine.ts";
import { toRecord } from "./rows.ts";

/** Seconds without use after which a session is worth nothing. */
export const SESSION_IDLE = 14 * 86400;

const FIND = `
  SELECT sessions.*, ${ACCOUNT_COLUMNS}
  FROM sessions JOIN accounts ON accounts.id = sessions.account_id
  WHERE sessions.id_hash = ?1 AND sessions.expires_at > ?2 AND sessions.last_used_at > ?3
    AND ${ACCOUNT_IS_LIVE}`;

type SessionVerbs = Pick<AccountStore, "startSession" | "findSession" | "touchSession">;

export function sessionStatements(engine: SqlEngine): SessionVerbs {
  return {
    async startSession(session) {
      await engine.execute(
        `INSERT INTO sessions (id_hash, account_id, auth_time, amr, last_used_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
        [
          session.idHash,
          session.accountId,
          session.authTime,
          session.amr,
          session.lastUsedAt,
          session.expiresAt,
        ],
      );
    },

    async findSession(idHash, now) {
      const row = (await engine.execute(FIND, [idHash, now, now - SESSION_IDLE]))[0];
      if (row === undefined) return null;
      return { session: toRecord<Session>(row), account: toRecord<Account>(row, "account__") };
    },

    async touchSession(idHash, now) {
      await engine.execute(
        "UPDATE sessions SET last_used_at = ?1 WHERE id_hash = ?2 AND last_used_at < ?1",
        [now, idHash],
      );
    },
  };
}
