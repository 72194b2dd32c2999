// Logouts: which clients a session signed in to, and which of them were notified of its end.
//
// There is no queue: what is due follows from the ends of sessions and accounts, so that no end can be
// forgotten, by whatever node or command it came.

import type { JoinedWrite } from "../database/engine.ts";
import { type Sql, write, writeWhen } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";

/** A client that signed in with a session. */
export interface SessionClient {
  readonly sid: string;
  readonly clientId: string;
}

export interface CountedLogout extends SessionClient {
  /** How often an attempt was claimed, or the session signed in again to a client that had been notified. */
  readonly claims: number;
}

/** A client that is to be notified of the end of a session. */
export interface NotifiedClient extends SessionClient {
  /** The host of its logout URI. */
  readonly host: string;
}

/** A client that has to be notified, and about whom. */
export interface DueLogout extends CountedLogout {
  readonly accountId: string;
  readonly domain: string;
  /** The host of its logout URI when it signed in; null if an earlier version stored the row. */
  readonly host: string | null;
  /** How many notifications of the client are not delivered yet. */
  readonly pending: number;
}

/** One attempt, of which nobody else has the number `claims`. */
export interface ClaimedLogout extends CountedLogout {
  /** From 1 on. */
  readonly attempt: number;
}

/** Clients are notified within this time, or never. */
export const LOGOUT_DELIVERY_WINDOW_S = 86_400;

/** No attempt is postponed for longer than all attempts take: a clock that was ahead dated it. */
const isDue = (now: string) =>
  `(next_at <= ${now} OR next_at > ${now} + ${LOGOUT_DELIVERY_WINDOW_S + CLOCK_TOLERANCE_S})`;

/** To how many clients that want to be notified one session can sign in. None is dropped for another. */
export const CLIENTS_OF_SESSION = 100;

const IS_NOTED = "SELECT 1 AS noted FROM session_clients WHERE sid = ?1 AND client_id = ?2";

// A session that was asleep may sign in again after its end was sent. Not a write for each sign-in.
const NOTE = `
  INSERT INTO session_clients (sid, client_id, host, next_at, attempts, claims)
  SELECT ?1, ?2, CAST(?3 AS TEXT), 0, 0, 0
  WHERE EXISTS (${IS_NOTED})
    OR (SELECT count(*) FROM session_clients AS noted WHERE noted.sid = ?1) < ${CLIENTS_OF_SESSION}
  ON CONFLICT (sid, client_id) DO UPDATE
    SET told_at = NULL, host = ?3, next_at = 0, attempts = 0, claims = session_clients.claims + 1
    WHERE session_clients.told_at IS NOT NULL OR session_clients.next_at > 0
      OR session_clients.host IS DISTINCT FROM ?3
  RETURNING 1 AS noted`;

// Sessions of an account that two lookups a day apart did not find, or that has ended, end with it.
const PENDING = `
  ended AS (
    SELECT sid, account_id, ended_at FROM sessions WHERE ended_at > ?1
    UNION ALL
    SELECT sessions.sid, accounts.id,
      CASE WHEN accounts.ended_at > ?1 THEN accounts.ended_at ELSE accounts.lost_confirmed_at END
    FROM accounts JOIN sessions ON sessions.account_id = accounts.id
    WHERE accounts.lost_confirmed_at > ?1 OR accounts.ended_at > ?1),
  ends AS (
    SELECT sid, account_id, MIN(ended_at) AS ended_at FROM ended GROUP BY sid, account_id),
  pending AS (
    SELECT session_clients.sid, client_id, account_id, host, claims, next_at, ended_at,
      CASE WHEN next_at > ended_at THEN next_at ELSE ended_at END AS due_at
    FROM ends JOIN session_clients ON session_clients.sid = ends.sid
    WHERE told_at IS NULL)`;

// Clients of one host take turns, and so do hosts. The notification that has waited longest is next, retry or not.
const DUE = `
  WITH ${PENDING},
  by_client AS (
    SELECT pending.*, COUNT(*) OVER (PARTITION BY client_id) AS pending,
      ROW_NUMBER() OVER (PARTITION BY client_id ORDER BY due_at, sid) AS turn
    FROM pending),
  by_host AS (
    SELECT by_client.*, ROW_NUMBER() OVER (
      PARTITION BY COALESCE(host, client_id) ORDER BY turn, due_at, sid, client_id) AS host_turn
    FROM by_client WHERE turn <= ?3 AND ${isDue("?2")})
  SELECT by_host.sid, client_id, account_id, domain, host, claims, pending
  FROM by_host JOIN accounts ON accounts.id = by_host.account_id
  WHERE host_turn <= ?3
  ORDER BY host_turn, due_at, by_host.sid, client_id LIMIT ?4`;

const DROP = `
  UPDATE session_clients SET told_at = ?2
  WHERE client_id = ?3 AND told_at IS NULL AND sid IN (
    WITH ${PENDING}
    SELECT sid FROM (
      SELECT sid, ROW_NUMBER() OVER (ORDER BY ended_at DESC, sid) AS place
      FROM pending WHERE client_id = ?3) AS placed
    WHERE place > ?4)
  RETURNING 1 AS dropped`;

const CLAIM = `
  UPDATE session_clients SET next_at = ?1, attempts = attempts + 1, claims = claims + 1
  WHERE sid = ?2 AND client_id = ?3 AND claims = ?5 AND told_at IS NULL AND ${isDue("?4")}
  RETURNING sid, client_id, claims, attempts AS attempt`;

const OF_CLAIM = "sid = ?2 AND client_id = ?3 AND claims = ?4";

const FINISH = `UPDATE session_clients SET told_at = ?1 WHERE ${OF_CLAIM}`;

const POSTPONE = `UPDATE session_clients SET next_at = ?1 WHERE ${OF_CLAIM}`;

const MOVE = `
  UPDATE session_clients SET next_at = ?1, host = ?5, attempts = attempts - 1 WHERE ${OF_CLAIM}`;

/**
 * Notes that the session signed in to a client that is to be notified of its end, even after an earlier notification: a
 * session goes on when the record of its account returns. Idempotent. An attempt in flight has no effect then. Ends
 * the array if the session has too many other clients: it must not sign in to this one, which would not be notified.
 */
export function writeSessionClient({ sid, clientId, host }: NotifiedClient): JoinedWrite[] {
  return [write(NOTE, sid, clientId, host), writeWhen(IS_NOTED, sid, clientId)];
}

const IS_FULL = `
  SELECT 1 AS is_full WHERE NOT EXISTS (${IS_NOTED})
    AND (SELECT count(*) FROM session_clients WHERE sid = ?1) >= ${CLIENTS_OF_SESSION}`;

/** Whether the session has too many other clients to sign in to this one. */
export const hasNoRoomFor = (sql: Sql, { sid, clientId }: SessionClient) =>
  sql.returnsRow(IS_FULL, sid, clientId);

export type LogoutStore = ReturnType<typeof logoutStore>;

export function logoutStore({ engine, run, rows, first, all }: Sql) {
  return {
    /** See `writeSessionClient`. False if the session has too many other clients. */
    noteSessionClient: async (client: NotifiedClient) =>
      (await engine.commit(writeSessionClient(client))) !== null,

    /**
     * The due notifications: at most `each` of one client and of one host, and `all` together. The cost grows with
     * the ends of the last day, found by `ended_at`: to sort 100,000 takes SQLite about half a second, and
     * `dropLogouts` bounds them. An index on `next_at`, which changes with each attempt, would slow sign-ins.
     */
    dueLogouts: (now: number, { each, all: total }: { each: number; all: number }) =>
      all<DueLogout>(DUE, now - LOGOUT_DELIVERY_WINDOW_S, now, each, total),

    /** Gives up undelivered notifications of a client but the newest `kept`. Of concurrent callers one counts each. */
    async dropLogouts({ clientId, kept, now }: { clientId: string; kept: number; now: number }) {
      const since = now - LOGOUT_DELIVERY_WINDOW_S;
      return (await rows(DROP, since, now, clientId, kept)).length;
    },

    /**
     * Claims one attempt until `until`. Null if another node has claimed it since it was found due, the client was
     * notified, or the session has signed in to it again. Of concurrent callers one gets the attempt.
     */
    claimLogout: (
      { sid, clientId, claims }: CountedLogout,
      { now, until }: { now: number; until: number },
    ) => first<ClaimedLogout>(CLAIM, until, sid, clientId, now, claims),

    /** The next attempt is not before `at`. Only the last claim has an effect, here and in the next two. */
    postponeLogout: ({ sid, clientId, claims }: ClaimedLogout, at: number) =>
      run(POSTPONE, at, sid, clientId, claims),

    /** The logout URI has another host. The attempt did not take place, and is due `at`. */
    moveLogout: ({ sid, clientId, claims }: ClaimedLogout, to: { host: string; at: number }) =>
      run(MOVE, to.at, sid, clientId, claims, to.host),

    /** The client was notified, or does not ask for it any more. */
    finishLogout: ({ sid, clientId, claims }: ClaimedLogout, now: number) =>
      run(FINISH, now, sid, clientId, claims),
  };
}
