// A sign-in that is recorded: the authentication in its interaction, and the session that starts with it.

import type { JoinedWrite, SqlRow } from "../database/engine.ts";
import { type Sql, toRecord, write, writeWhen } from "../database/rows.ts";
import { IS_UNUSED, MARK_USED } from "./code-sets.ts";
import {
  type Authenticated,
  type Authentication,
  columnsOf,
  type Interaction,
  type InteractionRow,
  interactionOf,
  isAuthenticated,
  type Proving,
} from "./interaction-row.ts";
import type { SessionLifetimes } from "./session-lifetimes.ts";
import {
  type FormerAt,
  formerNotices,
  formerSid,
  type NewSession,
  type StartedSession,
  startedIn,
  startWrites,
} from "./session-start.ts";
import { BROWSER_KNOWN_S, FINISHED_AGAIN_S, REPLACED_ACCEPTED_S } from "./shared-values.ts";

const FORMER: FormerAt = {
  ...{ hash: "?11", account: "?1", now: "?8", notIdle: "?12", notReplaced: "?13", known: "?14" },
};

type WaitingAt = Readonly<Record<"id" | "method" | "now" | "statement", `?${number}`>>;

/** Whether the interaction still waits for this proof. */
const isWaiting = ({ id, method, now, statement }: WaitingAt) => `
  id = ${id} AND method = ${method} AND account_id IS NULL AND expires_at > ${now}
    AND (CAST(${statement} AS TEXT) IS NULL
      OR (passkey_statement = ${statement} AND passkey_expires_at > ${now}))`;
const IS_WAITING = `
  SELECT 1 AS waits FROM interactions
  WHERE ${isWaiting({ id: "?1", method: "?2", now: "?3", statement: "?4" })}`;

// The session that the same commit starts reads its `sid` from the row.
const AUTHENTICATE = `
  UPDATE interactions SET account_id = ?1, auth_time = ?2, amr = ?3, control_checked_at = ?4,
    proofs = ?5, sid = COALESCE(${formerSid(FORMER)}, ?6), codes_offered_from = ?9,
    news_from = ${formerNotices(FORMER)}, used_code = ?15, recovery = ?16,
    expires_at = CASE WHEN method = 'dns-setup' AND expires_at < ?17 THEN CAST(?17 AS BIGINT)
      WHEN method = 'dns-challenge' AND expires_at < ?19 THEN CAST(?19 AS BIGINT) ELSE expires_at END
  WHERE ${isWaiting({ id: "?7", method: "?18", now: "?8", statement: "?10" })}
    AND (CAST(?15 AS TEXT) IS NULL OR EXISTS (
      SELECT 1 FROM recovery_codes
      WHERE recovery_codes.account_id = ?1 AND recovery_codes.code_hash = ?15 AND ${IS_UNUSED}))
  RETURNING *`;

/** For what follows a DNS challenge: a new passkey, new codes, consent. */
const AFTER_CHALLENGE_S = 3600;

export interface NewAuthentication extends Authentication {
  readonly proofs?: string | null;
  /** The set of recovery codes that the next step offers to replace; empty for the set of the set-up. */
  readonly codesOfferedFrom?: string | null;
  /** The hash of a recovery code that the same commit uses up. */
  readonly usedCode?: string | null;
  /** The hash of the DNS challenge that the same commit uses up: the session records it. */
  readonly usedChallenge?: string | null;
  readonly recovery?: "asked" | null;
}

/** An authentication, and the session that starts with it. */
export interface NewSignIn {
  readonly interaction: Interaction<Proving>;
  readonly proof: NewAuthentication;
  readonly session: NewSession;
}

export interface SignedIn {
  readonly interaction: Interaction<Authenticated>;
  readonly session: StartedSession;
}

/** The writes of a sign-in, which end an array. All arrays lock passkeys first, then accounts, interactions, sessions. */
export function signInWrites(
  { interaction: { id, progress }, proof, session }: NewSignIn,
  lifetimes: SessionLifetimes,
): readonly JoinedWrite[] {
  const { accountId, authTime, amr, controlCheckedAt, sid, proofs = null } = proof;
  const { codesOfferedFrom: offered = null, usedCode = null, recovery = null } = proof;
  const { usedChallenge = null } = proof;
  const { now, formerHash } = session;
  const { method, passkeyStatement } = columnsOf(progress);
  const values = [accountId, authTime, amr, controlCheckedAt, proofs, sid, id, now];
  const windows = [lifetimes.idleS, REPLACED_ACCEPTED_S, BROWSER_KNOWN_S];
  const more = [offered, passkeyStatement, formerHash, ...windows.map((seconds) => now - seconds)];
  const until = [now + FINISHED_AGAIN_S, now + AFTER_CHALLENGE_S] as const;
  const last = [usedCode, recovery, until[0], method, until[1]];
  const by = { challengeHash: usedChallenge, interactionId: id };
  return [
    writeWhen(AUTHENTICATE, ...values, ...more, ...last),
    // So that the code stays used when this row is gone.
    ...(usedCode === null ? [] : [write(MARK_USED, now, accountId, usedCode)]),
    ...startWrites(session, by, lifetimes),
  ];
}

/** Whether the interaction still waits for this proof. */
export function waitsFor(sql: Sql, { interaction, session }: NewSignIn): Promise<boolean> {
  const { method, passkeyStatement } = columnsOf(interaction.progress);
  return sql.returnsRow(IS_WAITING, interaction.id, method, session.now, passkeyStatement);
}

/** What an array has returned that ends with `signInWrites`. */
export async function signedInOf(
  sql: Sql,
  { proof, session }: NewSignIn,
  rows: readonly (readonly SqlRow[])[],
): Promise<SignedIn> {
  const place = (proof.usedCode ?? null) === null ? -3 : -4;
  return signedInAs(rows.at(place), await startedIn(sql, session, rows));
}

/** The interaction of this row, which is authenticated, with the session that has started. */
export function signedInAs([row]: readonly SqlRow[] = [], session: StartedSession): SignedIn {
  const interaction = row && interactionOf(toRecord<InteractionRow>(row));
  if (interaction === undefined || !isAuthenticated(interaction))
    throw new Error("an array that was committed has recorded no authentication");
  return { interaction, session };
}
