// How a session starts: the secret of an authentication, and what it continues of the browser's former secret.

import type { JoinedWrite, SqlRow } from "../database/engine.ts";
import { type Sql, toRecord, write, writeWhen } from "../database/rows.ts";
import { dropSurplus, isRecent, notForgotten, replacedAt } from "./known-browsers.ts";
import { type PasskeyUse, useWrite } from "./passkeys.ts";
import type { SessionLifetimes } from "./session-lifetimes.ts";
import { BROWSER_KNOWN_S, REPLACED_ACCEPTED_S } from "./shared-values.ts";

/** The secret of an authentication, which starts or continues a session. */
export interface NewSession {
  readonly secretHash: string;
  readonly accountId: string;
  readonly authTime: number;
  readonly amr: string;
  readonly newSid: string;
  readonly browser: string;
  readonly now: number;
  readonly expiresAt: number;
  /** Of the secret that the browser sent. */
  readonly formerHash: string | null;
}

/** By what an authentication counts once, beside its proof; null for nothing. */
export interface StartedBy {
  /** The hash of a challenge. */
  readonly challengeHash: string | null;
  /** The interaction that recorded the authentication, and that has determined the `sid`. */
  readonly interactionId: string | null;
}

export interface StartedSession {
  readonly sid: string;
  readonly noticesFrom: number | null;
  readonly isNewBrowser: boolean;
}

/**
 * The parameters of statements that find what the browser's secret continues: the hash of the secret, the account,
 * the time, and the earliest use, replacement or issue of a secret that still counts.
 */
export type FormerAt = Readonly<
  Record<"hash" | "account" | "now" | "notIdle" | "notReplaced" | "known", `?${number}`>
>;

/** The `device_id` of the former secret, if by it the account knows the browser. */
const formerDevice = ({ hash, account, now, notReplaced, known }: FormerAt) => `
  (SELECT former.device_id FROM sessions AS former
   WHERE former.secret_hash = ${hash} AND former.account_id = ${account} AND former.issued_at > ${known}
     AND ${notForgotten("former")} AND ${isRecent(`COALESCE(${replacedAt("former")}, ${now})`, { now, after: notReplaced })})`;

/** The session of the former secret, if that is still accepted for the account. */
export const formerSid = ({ hash, account, now, notIdle, notReplaced }: FormerAt) => `
  (SELECT former.sid FROM sessions AS former
   WHERE former.secret_hash = ${hash} AND former.account_id = ${account} AND former.ended_at IS NULL
     AND former.expires_at > ${now} AND ${isRecent("former.last_used_at", { now, after: notIdle })}
     AND ${isRecent(`COALESCE(${replacedAt("former")}, ${now})`, { now, after: notReplaced })})`;

/** When the first event happened elsewhere that the browser of the former secret has not shown yet. */
export const formerNotices = (at: FormerAt) => `
  (SELECT MIN(earlier.notices_from) FROM sessions AS earlier
   WHERE earlier.device_id = ${formerDevice(at)})`;

const START_AT: FormerAt = {
  ...{ hash: "?8", account: "?3", now: "?6", notIdle: "?9", notReplaced: "?10", known: "?12" },
};
const FORMER_DEVICE = formerDevice(START_AT);

const START = `
  INSERT INTO sessions
    (secret_hash, sid, device_id, number, account_id, auth_time, amr, issued_at, last_used_at,
      expires_at, browser, notices_from, notices_to, started_by)
  VALUES (?1, COALESCE((SELECT recorded.sid FROM interactions AS recorded WHERE recorded.id = ?13),
      ${formerSid(START_AT)}, ?2), COALESCE(${FORMER_DEVICE}, ?2),
    COALESCE((SELECT MAX(earlier.number) FROM sessions AS earlier
      WHERE earlier.device_id = ${FORMER_DEVICE}), 0) + 1,
    ?3, ?4, ?5, ?6, ?6, ?7, ?11,
    ${formerNotices(START_AT)},
    (SELECT MAX(notices_to) FROM sessions AS earlier WHERE earlier.device_id = ${FORMER_DEVICE}), ?14)
  ON CONFLICT (started_by) WHERE started_by IS NOT NULL DO NOTHING
  RETURNING sid, device_id, notices_from,
    (SELECT count(*) FROM sessions AS stored WHERE stored.account_id = ?3) AS stored`;

// Of two sign-ins in new browsers at once, the second sees the session of the first, and notices it.
const IN_TURN = `
  UPDATE accounts SET acct = acct
  WHERE id = ?1 AND ${formerDevice({
    ...{ hash: "?2", account: "?1", now: "?3", notIdle: "?3", notReplaced: "?4", known: "?5" },
  })} IS NULL`;

/** Those of the account ?2 have to show what happened at ?1. */
export const notice = (whom: string) => `
  UPDATE sessions SET notices_from = COALESCE(notices_from, ?1),
    notices_to = CASE WHEN notices_to > ?1 THEN notices_to ELSE ?1 END
  WHERE account_id = ?2 AND ${whom}`;
/** Of a browser that is new if its row, that with the secret ?3, has the device ?4. */
const NOTICE_NEW = notice(`device_id <> ?4
    AND EXISTS (SELECT 1 FROM sessions AS own WHERE own.secret_hash = ?3 AND own.device_id = ?4)`);

/** What `START` returns. `stored`: how many secrets the account had before, or with this one. */
type StartedRow = Omit<StartedSession, "isNewBrowser"> & { deviceId: string; stored: number };

/** The write that goes before all others of an array that starts a session. */
export function takeTurn({ accountId, formerHash, now }: NewSession): JoinedWrite {
  return write(
    ...([IN_TURN, accountId, formerHash, now] as const),
    ...[now - REPLACED_ACCEPTED_S, now - BROWSER_KNOWN_S],
  );
}

/** The last writes of an array that starts a session. If it is a new browser, the others of the account show it. */
export function startWrites(
  input: NewSession,
  { challengeHash, interactionId }: StartedBy,
  { idleS }: SessionLifetimes,
): readonly JoinedWrite[] {
  const { secretHash, newSid, accountId, authTime, amr, now, expiresAt, formerHash } = input;
  const authentication = [secretHash, newSid, accountId, authTime, amr, now, expiresAt];
  const former = [formerHash, now - idleS, now - REPLACED_ACCEPTED_S];
  const more = [input.browser, now - BROWSER_KNOWN_S, interactionId, challengeHash];
  return [
    writeWhen(START, ...authentication, ...former, ...more),
    write(NOTICE_NEW, now, accountId, secretHash, newSid),
  ];
}

/** A session that a challenge starts which is stored nowhere else, with the use of a passkey if there is one. */
export interface StartedOnce {
  readonly session: NewSession;
  readonly challengeHash: string | null;
  readonly use: PasskeyUse | null;
}

/** The writes of that session, as an array of their own or before others. */
export function startOnceWrites(
  { session, challengeHash, use }: StartedOnce,
  lifetimes: SessionLifetimes,
): readonly JoinedWrite[] {
  const by = { challengeHash, interactionId: null };
  const used = use === null ? [] : [useWrite(use)];
  return [...used, takeTurn(session), ...startWrites(session, by, lifetimes)];
}

/** What the writes of `startWrites` have returned. Removes what the account has too many of. */
export async function startedIn(
  sql: Sql,
  { accountId, secretHash, newSid, now }: NewSession,
  rows: readonly (readonly SqlRow[])[],
): Promise<StartedSession> {
  const [row] = rows.at(-2) ?? [];
  if (row === undefined) throw new Error("an array that was committed has started no session");
  const { sid, deviceId, noticesFrom, stored } = toRecord<StartedRow>(row);
  await dropSurplus(sql, { accountId, secretHash, now }, stored);
  return { sid, isNewBrowser: deviceId === newSid, noticesFrom };
}
