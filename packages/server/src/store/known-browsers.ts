// The browsers that an account knows: by the last secret of its sessions there, for 400 days, also signed out.

import type { Sql } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { ending } from "./ending.ts";
import type { SessionLifetimes } from "./session-lifetimes.ts";
import { BROWSER_KNOWN_S, REPLACED_ACCEPTED_S } from "./shared-values.ts";

/** A browser that an account knows, and in which it has no session. */
export interface KnownBrowser {
  /** Identifies the browser in the account. No secret. */
  readonly deviceId: string;
  /** Its name at the last authentication, such as `firefox linux`. */
  readonly browser: string;
  /** Epoch seconds of the first authentication in it. */
  readonly since: number;
  readonly lastUsedAt: number;
}

/** When the secret in this row was replaced: when the browser first sent a later one; or null. */
export const replacedAt = (row: string) => `
  (SELECT MIN(later.presented_at) FROM sessions AS later
   WHERE later.device_id = ${row}.device_id AND later.number > ${row}.number)`;

/** Whether the time is after another one, and not in the future: a wrong clock dated it then. */
export const isRecent = (time: string, { now, after }: { now: string; after: string }) =>
  `(${time} > ${after} AND ${time} <= ${now} + ${CLOCK_TOLERANCE_S})`;

/** Whether nobody has signed this browser out from elsewhere, at or since the session of this row. */
export const notForgotten = (row: string) => `
  NOT EXISTS (SELECT 1 FROM sessions AS any_of
    WHERE any_of.sid = ${row}.sid AND any_of.end_reason IN ('elsewhere', 'operator'))`;

const KNOWS = `
  SELECT sid, ${replacedAt("sessions")} AS replaced_at FROM sessions
  WHERE secret_hash = ?1 AND account_id = ?2 AND issued_at > ?3 AND ${notForgotten("sessions")}`;

/** Whether the account ?1 knows a browser by this secret; see `knowsBrowser`. */
const IS_KNOWN = `account_id = ?1 AND issued_at > ?2 AND ${notForgotten("sessions")}
    AND ${isRecent(`COALESCE(${replacedAt("sessions")}, ?3)`, { now: "?3", after: "?4" })}`;

const COUNT_BROWSERS = `
  SELECT count(DISTINCT device_id) AS browsers FROM sessions WHERE ${IS_KNOWN}`;

const KNOWN_BROWSERS = `
  SELECT device_id, MAX(last_used_at) AS last_used_at,
    (SELECT MIN(first.issued_at) FROM sessions AS first
      WHERE first.device_id = sessions.device_id) AS since,
    (SELECT last.browser FROM sessions AS last WHERE last.device_id = sessions.device_id
      ORDER BY last.number DESC LIMIT 1) AS browser
  FROM sessions
  WHERE ${IS_KNOWN}
    AND NOT EXISTS (SELECT 1 FROM sessions AS live
      WHERE live.device_id = sessions.device_id AND live.expires_at > ?3 AND live.last_used_at > ?5
        AND NOT EXISTS (SELECT 1 FROM sessions AS any_of
          WHERE any_of.sid = live.sid AND any_of.ended_at IS NOT NULL))
  GROUP BY device_id ORDER BY last_used_at DESC, device_id LIMIT 100`;

const CAN_BE_FORGOTTEN = "COALESCE(end_reason, 'signed_out') IN ('signed_out', 'reused')";
// Ended and not deleted, so that the clients of the sessions are notified.
const FORGET = `
  UPDATE sessions SET ended_at = COALESCE(ended_at, ?1), end_reason = 'elsewhere'`;

const FORGET_BROWSER = `${FORGET}
  WHERE device_id = ?2 AND account_id = ?3
    AND ${CAN_BE_FORGOTTEN}
  RETURNING 1 AS forgotten`;

/** How many browsers an account knows, and how many rows it has. Those that were used longest ago go first. */
export const KNOWN_BROWSERS_OF_ACCOUNT = 100;
export const SESSION_ROWS_OF_ACCOUNT = 1000;

const FORGET_SURPLUS = `${FORGET}
  WHERE account_id = ?2 AND ${CAN_BE_FORGOTTEN} AND device_id IN (
    SELECT device_id FROM sessions WHERE account_id = ?2 AND ${CAN_BE_FORGOTTEN}
    GROUP BY device_id
    ORDER BY MAX(CASE WHEN secret_hash = ?3 THEN 1 ELSE 0 END) DESC, MAX(last_used_at) DESC, device_id
    LIMIT 100000 OFFSET ${KNOWN_BROWSERS_OF_ACCOUNT})`;

const REMOVE_SURPLUS = `
  DELETE FROM sessions WHERE secret_hash IN (
    SELECT secret_hash FROM sessions WHERE account_id = ?1
    ORDER BY CASE WHEN secret_hash = ?2 THEN 0 ELSE 1 END, issued_at DESC, secret_hash
    LIMIT 100000 OFFSET ${SESSION_ROWS_OF_ACCOUNT})`;

/** Forgets browsers beyond the limit, and removes the oldest of the forgotten rows at once. */
export async function dropSurplus(
  { run }: Sql,
  { accountId, secretHash, now }: { accountId: string; secretHash: string; now: number },
  stored: number,
): Promise<void> {
  // PostgreSQL does not count the new row.
  if (stored >= KNOWN_BROWSERS_OF_ACCOUNT) await run(FORGET_SURPLUS, now, accountId, secretHash);
  if (stored >= SESSION_ROWS_OF_ACCOUNT) await run(REMOVE_SURPLUS, accountId, secretHash);
}

const FORGET_BROWSERS = `
  UPDATE sessions SET end_reason = ?1
  WHERE account_id = ?2 AND end_reason IN ('signed_out', 'reused')`;

/** The parameters ?2 to ?4 of `IS_KNOWN`. */
function knownAt(now: number): [number, number, number] {
  return [now - BROWSER_KNOWN_S, now, now - REPLACED_ACCEPTED_S];
}

export function knownBrowserStore(
  { rows, run, returnsRow, all }: Sql,
  { idleS }: SessionLifetimes,
) {
  return {
    /**
     * Whether the account knows the browser that sent this secret, even after its session. Not by a `replaced`
     * secret: the browser has a later one, so this is a copy. `slack`: by how many seconds the clock may be ahead.
     */
    async knowsBrowser(
      { secretHash, accountId }: { readonly secretHash: string; readonly accountId: string },
      now: number,
      slack = 0,
    ): Promise<
      { readonly known: "yes" | "no" } | { readonly known: "replaced"; readonly sid: string }
    > {
      const [row] = await rows(KNOWS, secretHash, accountId, now - BROWSER_KNOWN_S);
      if (row === undefined) return { known: "no" };
      const { sid, replaced_at } = row;
      const isReplaced =
        replaced_at !== null &&
        (Number(replaced_at) <= now - slack - REPLACED_ACCEPTED_S ||
          Number(replaced_at) > now + CLOCK_TOLERANCE_S);
      return isReplaced ? { known: "replaced", sid: String(sid) } : { known: "yes" };
    },

    async countBrowsersOf(accountId: string, now: number): Promise<number> {
      const [row] = await rows(COUNT_BROWSERS, accountId, ...knownAt(now));
      return Number(row?.browsers ?? 0);
    },

    /** The browsers that the account knows although it has no session there, the last used one first, at most 100. */
    knownBrowsersOf: (accountId: string, now: number) =>
      all<KnownBrowser>(KNOWN_BROWSERS, accountId, ...knownAt(now), now - idleS),

    /** Forgets the browser, and ends a session that it has begun meanwhile. True for the one call that forgot it. */
    forgetBrowser: ending((of: { deviceId: string; accountId: string; now: number }) =>
      returnsRow(FORGET_BROWSER, of.now, of.deviceId, of.accountId),
    ),

    /** After `endSessionsOf`: those that had ended before no longer show that the account knows their browser. */
    forgetBrowsersOf: ending((accountId: string, reason: "elsewhere" | "operator") =>
      run(FORGET_BROWSERS, reason, accountId),
    ),
  };
}
