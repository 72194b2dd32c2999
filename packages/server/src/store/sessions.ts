// Sessions: accounts that are signed in in a browser, and the browsers that an account knows.
//
// Each authentication gives the browser a new secret. Each secret has a row: the rows of one session share its `sid`,
// those of one account in one browser their `device_id`. A replaced secret stays, so that the use of a copy is
// noticed. A row outlives its session, because the last secret still shows that the account knows the browser.

import type { JoinedWrite } from "../database/engine.ts";
import { type Sql, toRecord, write, writeWhen } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { ACCOUNT_COLUMNS, ACCOUNT_IS_LIVE, type Account } from "./accounts.ts";
import { consentedScopes, scopesIn } from "./consents.ts";
import { ending } from "./ending.ts";
import { knownBrowserStore, replacedAt } from "./known-browsers.ts";
import type { SessionLifetimes } from "./session-lifetimes.ts";
import {
  type NewSession,
  notice,
  type StartedSession,
  startedIn,
  startOnceWrites,
} from "./session-start.ts";

/** Ended by the user here or elsewhere, by the operator, or because a replaced secret was used: there is a copy. */
export type EndReason = "signed_out" | "elsewhere" | "operator" | "reused";

export interface AccountSession {
  /** The same for all secrets of this account in this browser. Sent to apps in ID tokens. */
  readonly sid: string;
  readonly accountId: string;
}

/** One secret of a session. Times are in epoch seconds. */
export interface Session extends AccountSession {
  readonly secretHash: string;
  /** Of the authentication that this secret was issued for. */
  readonly authTime: number;
  readonly amr: string;
  /** The name of the browser, such as `firefox linux`; see `readUserAgent`. */
  readonly browser: string;
  readonly issuedAt: number;
  /** When the browser first sent the secret. */
  readonly presentedAt: number | null;
  /** When the browser first sent a later secret, of this session or the next. This one is accepted for another 60 seconds. */
  readonly replacedAt: number | null;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
  /** When the session ended, whichever secret was used to end it. */
  readonly endedAt: number | null;
  readonly endReason: EndReason | null;
  /** When the first event happened elsewhere that this browser has not shown yet; null if there is none. */
  readonly noticesFrom: number | null;
}

/** A session in the list of its account's sessions. */
export interface ListedSession {
  readonly sid: string;
  readonly lastUsedAt: number;
  /** Its name at the last authentication. */
  readonly browser: string;
  /** Epoch seconds of the first authentication of which a secret is kept. */
  readonly since: number;
}

export interface FoundSession {
  readonly session: Session;
  readonly account: Account;
  /** The scopes for which the account has a consent to the client of the request. */
  readonly consented: ReadonlySet<string>;
}

const STARTED_BY = "SELECT sid FROM sessions WHERE started_by = ?1";

const COLUMNS = [
  ...["secret_hash", "sid", "account_id", "auth_time", "amr", "browser", "issued_at"],
  ...["presented_at", "last_used_at", "expires_at", "notices_from"],
].map((column) => `sessions.${column}`);

const CONSENTED = consentedScopes({ account: "sessions.account_id", client: "?1" });

// An authentication at the moment of a sign-out may add a row to the ended session. It has ended too.
const find = (count: number) => `
  SELECT ${COLUMNS.join(", ")}, ${ACCOUNT_COLUMNS}, ${CONSENTED} AS consent__scopes,
    ${replacedAt("sessions")} AS replaced_at,
    (SELECT MIN(ended_at) FROM sessions AS any_of WHERE any_of.sid = sessions.sid) AS ended_at,
    (SELECT MIN(end_reason) FROM sessions AS any_of WHERE any_of.sid = sessions.sid) AS end_reason
  FROM sessions JOIN accounts ON accounts.id = sessions.account_id
  WHERE sessions.secret_hash IN (${Array.from({ length: count }, (_, index) => `?${index + 2}`).join(", ")})`;

const PRESENT =
  "UPDATE sessions SET presented_at = ?1 WHERE secret_hash = ?2 AND presented_at IS NULL";

// Only the first secret of this account in a browser, so it replaces no other.
const REPLACE_LOST = `
  UPDATE sessions SET secret_hash = ?1
  WHERE sid = ?2 AND account_id = ?3 AND presented_at IS NULL AND ended_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM sessions AS other
      WHERE other.device_id = sessions.device_id AND other.number <> sessions.number)
  RETURNING 1 AS replaced`;

const TOUCH = `
  UPDATE sessions SET last_used_at = ?1
  WHERE secret_hash = ?2 AND (last_used_at < ?1 OR last_used_at > ?1 + ${CLOCK_TOLERANCE_S})`;

const IS_USABLE = `
  SELECT 1 AS usable FROM sessions JOIN accounts ON accounts.id = sessions.account_id
  WHERE sessions.secret_hash = ?1 AND sessions.sid = ?2 AND sessions.account_id = ?3
    AND sessions.auth_time = CAST(?4 AS BIGINT) AND sessions.expires_at > CAST(?5 AS BIGINT)
    AND ${ACCOUNT_IS_LIVE}
    AND NOT EXISTS (SELECT 1 FROM sessions AS any_of
      WHERE any_of.sid = sessions.sid AND any_of.ended_at IS NOT NULL)`;

/** Whether an authentication that recorded this `sid` counts no more: its session has ended, or was removed. */
export const isWithoutSession = (sid: `?${number}` | "interactions.sid") => `(
  NOT EXISTS (SELECT 1 FROM sessions WHERE sid = ${sid})
  OR EXISTS (SELECT 1 FROM sessions WHERE sid = ${sid} AND ended_at IS NOT NULL))`;
const IS_WITHOUT_SESSION = `SELECT 1 AS without WHERE ${isWithoutSession("?1")}`;

const END = `
  UPDATE sessions SET ended_at = ?1, end_reason = ?2
  WHERE sid = ?3 AND account_id = ?4 AND ended_at IS NULL RETURNING 1 AS ended`;

const END_AS_REUSED = `
  UPDATE sessions SET ended_at = COALESCE(ended_at, ?1), end_reason = 'reused'
  WHERE sid = ?2 AND account_id = ?3 AND COALESCE(end_reason, 'signed_out') = 'signed_out'
  RETURNING 1 AS ended`;

const DEVICE_OF =
  "(SELECT own.device_id FROM sessions AS own WHERE own.sid = ?3 AND own.account_id = ?2 LIMIT 1)";

const NOTICE_OTHERS = notice(`device_id IS DISTINCT FROM ${DEVICE_OF}`);

// What happened after the page was shown is news the next time.
const CLEAR_NOTICES = `
  UPDATE sessions SET
    notices_from = CASE WHEN notices_to > ?1 THEN CAST(?1 AS BIGINT) ELSE NULL END
  WHERE account_id = ?2 AND device_id = ${DEVICE_OF} AND notices_from <= ?1
  RETURNING notices_from`;

const OF_ACCOUNT = `
  SELECT sid, MIN(issued_at) AS since, MAX(last_used_at) AS last_used_at,
    (SELECT last.browser FROM sessions AS last WHERE last.sid = sessions.sid
      ORDER BY last.number DESC LIMIT 1) AS browser
  FROM sessions
  WHERE account_id = ?1 AND expires_at > ?2 AND last_used_at > ?3
    AND NOT EXISTS (SELECT 1 FROM sessions AS any_of
      WHERE any_of.sid = sessions.sid AND any_of.ended_at IS NOT NULL)
  GROUP BY sid ORDER BY last_used_at DESC, sid LIMIT 100`;

const END_OF_ACCOUNT = `
  UPDATE sessions SET ended_at = ?1, end_reason = ?2
  WHERE account_id = ?3 AND ended_at IS NULL AND sid <> ?4
  RETURNING sid, CASE WHEN expires_at > ?1 AND last_used_at > ?5 THEN 1 ELSE 0 END AS was_live`;

export type SessionStore = ReturnType<typeof sessionStore>;

export function sessionStore(sql: Sql, lifetimes: SessionLifetimes) {
  const { rows, run, first, returnsRow } = sql;

  return {
    sessionLifetimes: lifetimes,

    /**
     * Adds the secret of an authentication and returns the `sid` of its session: that of `formerHash`, the browser's
     * secret, if it is still accepted for this account; otherwise `newSid`. An interaction that recorded the
     * authentication has determined `sid` in the same way. The account knows the browser by the new secret; the
     * browser is new unless `formerHash` was of a known one. Nothing is replaced yet: the response may get lost.
     */
    async startSession(session: NewSession): Promise<StartedSession> {
      const by = { session, challengeHash: null, use: null };
      const committed = await sql.engine.commit(startOnceWrites(by, lifetimes));
      if (committed === null) throw new Error("a session without a challenge was not started");
      return startedIn(sql, session, committed);
    },

    /** The session that a challenge has started; null if it has started none. */
    async sidStartedBy(challengeHash: string): Promise<string | null> {
      const [row] = await rows(STARTED_BY, challengeHash);
      return row === undefined ? null : String(row.sid);
    },

    /**
     * The secrets that are known, in no order, also those of sessions that have ended or expired, with the consents of
     * their accounts to a client.
     */
    async findSessions(hashes: readonly string[], clientId = ""): Promise<readonly FoundSession[]> {
      if (hashes.length === 0) return [];
      const found = await rows(find(hashes.length), clientId, ...hashes);
      return found.map((row) => ({
        session: toRecord<Session>(row),
        account: toRecord<Account>(row, "account__"),
        consented: scopesIn(row.consent__scopes),
      }));
    },

    /** Records the first use of a secret by the browser. 60 seconds later, the earlier secrets of the session are refused. */
    presentSession: (secretHash: string, now: number) => run(PRESENT, now, secretHash),

    /** The same with others. */
    writePresented: (secretHash: string, now: number) => write(PRESENT, now, secretHash),

    /** Replaces a secret of a set-up that the browser never sent: its response was lost. True if it is replaced. */
    replaceLostSecret: (of: { secretHash: string; sid: string; accountId: string }) =>
      returnsRow(REPLACE_LOST, of.secretHash, of.sid, of.accountId),

    /**
     * Something happened in the browser of session `sid` (empty: by somebody without a session), and the other browsers
     * of the account have to show it. Of concurrent events, the first that a browser has not shown sets its time.
     */
    noticeOthers: ({ accountId, sid, at }: AccountSession & { at: number }) =>
      run(NOTICE_OTHERS, at, accountId, sid),

    /**
     * The browser of session `sid` has shown what happened up to `shownAt`. Later events are still to be shown:
     * returns since when. Null if there was nothing to show, or all of it happened later.
     */
    clearNotices: ({ accountId, sid, shownAt }: AccountSession & { shownAt: number }) =>
      first<{ noticesFrom: number | null }>(CLEAR_NOTICES, shownAt, accountId, sid),

    /** A write that stops those beside it unless the session that was read still counts, and its account is awake. */
    requireSession({ secretHash, sid, accountId, authTime }: Session, now: number): JoinedWrite {
      return writeWhen(IS_USABLE, secretHash, sid, accountId, authTime, now);
    },

    touchSession: (secretHash: string, now: number) => run(TOUCH, now, secretHash),

    /** The same as a write beside others. */
    writeTouch: (secretHash: string, now: number): JoinedWrite => write(TOUCH, now, secretHash),

    ...sessionEnds(sql, lifetimes),
    ...knownBrowserStore(sql, lifetimes),
  };
}

/** How sessions end, and those of an account. */
function sessionEnds({ rows, returnsRow, all }: Sql, { idleS }: SessionLifetimes) {
  return {
    /** Whether the session has ended, or was removed. */
    isWithoutSession: (sid: string) => returnsRow(IS_WITHOUT_SESSION, sid),

    /** Ends the account's session on all nodes. True for the one call that ended it. */
    endSession: ending(
      ({ sid, accountId }: AccountSession, reason: Exclude<EndReason, "reused">, now: number) =>
        returnsRow(END, now, reason, sid, accountId),
    ),

    /** A replaced secret was used: ends the session, or marks one that was signed out. True for one call. */
    endReusedSession: ending(({ sid, accountId }: AccountSession, now: number) =>
      returnsRow(END_AS_REUSED, now, sid, accountId),
    ),

    /** The sessions of an account that have not ended, the last used one first, at most 100. */
    sessionsOf: (accountId: string, now: number) =>
      all<ListedSession>(OF_ACCOUNT, accountId, now, now - idleS),

    countSessionsOf: async (accountId: string, now: number) =>
      (await rows(OF_ACCOUNT, accountId, now, now - idleS)).length,

    /** Ends all sessions of the account but `keptSid`. Returns the `sid` of each that was neither expired nor idle. */
    endSessionsOf: ending(
      async (
        accountId: string,
        { reason, now, keptSid = "" }: { reason: EndReason; now: number; keptSid?: string },
      ): Promise<readonly string[]> => {
        const ended = await rows(END_OF_ACCOUNT, now, reason, accountId, keptSid, now - idleS);
        const live = ended.filter((row) => row.was_live === 1);
        return [...new Set(live.map(({ sid }) => String(sid)))];
      },
    ),
  };
}
