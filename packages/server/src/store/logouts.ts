// Logouts: which clients a session signed in to, and which of them were told that it has ended.
//
// There is no queue: what is due follows from the ends of sessions and accounts, so that no end can be
// forgotten, by whatever node or command it came.

import type { Sql } from "./rows.ts";

/** A client that has to be told, and about whom. */
export interface DueLogout {
  readonly sid: string;
  readonly clientId: string;
  readonly accountId: string;
  readonly domain: string;
}

/** Clients are notified within this time, or never. */
export const LOGOUT_DELIVERY_WINDOW_S = 86_400;

const NOTE = `
  INSERT INTO session_clients (sid, client_id, next_at, attempts) VALUES (?1, ?2, 0, 0)
  ON CONFLICT DO NOTHING`;

const COLUMNS = "session_clients.sid, session_clients.client_id, accounts.id AS account_id, domain";

const DUE = `
  SELECT DISTINCT ${COLUMNS}, session_clients.next_at
  FROM sessions
    JOIN session_clients ON session_clients.sid = sessions.sid
    JOIN accounts ON accounts.id = sessions.account_id
  WHERE sessions.ended_at > ?1 AND session_clients.told_at IS NULL AND session_clients.next_at <= ?2
  ORDER BY session_clients.next_at, session_clients.sid LIMIT 500`;

// Sessions of an account that two looks a day apart did not find, or that has ended, end with it.
const DUE_BY_ACCOUNT = `
  SELECT DISTINCT ${COLUMNS}, session_clients.next_at
  FROM accounts
    JOIN sessions ON sessions.account_id = accounts.id
    JOIN session_clients ON session_clients.sid = sessions.sid
  WHERE (accounts.lost_confirmed_at > ?1 OR accounts.ended_at > ?1)
    AND session_clients.told_at IS NULL AND session_clients.next_at <= ?2
  ORDER BY session_clients.next_at, session_clients.sid LIMIT 500`;

const CLAIM = `
  UPDATE session_clients SET next_at = ?1, attempts = attempts + 1
  WHERE sid = ?2 AND client_id = ?3 AND told_at IS NULL AND next_at <= ?4 RETURNING attempts`;

const TOLD = "UPDATE session_clients SET told_at = ?1 WHERE sid = ?2 AND client_id = ?3";

const POSTPONE = "UPDATE session_clients SET next_at = ?1 WHERE sid = ?2 AND client_id = ?3";

type Which = Pick<DueLogout, "sid" | "clientId">;

export type LogoutStore = ReturnType<typeof logoutStore>;

export function logoutStore({ run, rows, all }: Sql) {
  return {
    /** Notes that the session signed in to a client that wants to be told of its end. Idempotent. */
    noteSessionClient: ({ sid, clientId }: Which) => run(NOTE, sid, clientId),

    /** Those that are due, the longest waiting first; at most 500 each by sessions and by accounts. */
    async dueLogouts(now: number): Promise<readonly DueLogout[]> {
      const since = now - LOGOUT_DELIVERY_WINDOW_S;
      const bySession = await all<DueLogout>(DUE, since, now);
      const byAccount = await all<DueLogout>(DUE_BY_ACCOUNT, since, now);
      const found = new Map<string, DueLogout>();
      for (const one of [...bySession, ...byAccount]) found.set(`${one.sid} ${one.clientId}`, one);
      return [...found.values()];
    },

    /**
     * Claims one attempt until `until`. Returns the number of this attempt, from 1 on; null if another node has
     * claimed it, or the client was told. Of concurrent callers one gets a number.
     */
    async claimLogout({ sid, clientId }: Which, { now, until }: { now: number; until: number }) {
      const [row] = await rows(CLAIM, until, sid, clientId, now);
      return row === undefined ? null : Number(row.attempts);
    },

    /** The next attempt is not before `at`. For the caller that has claimed the last one. */
    postponeLogout: ({ sid, clientId }: Which, at: number) => run(POSTPONE, at, sid, clientId),

    /** The client was told, or does not want to know any more. */
    finishLogout: ({ sid, clientId }: Which, now: number) => run(TOLD, now, sid, clientId),
  };
}
