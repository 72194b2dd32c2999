// Interactions: authentication and consent decision are each recorded once.

import { type JoinedWrite, UniqueViolationError } from "../database/engine.ts";
import { type Sql, toRecord, write, writeWhen } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { ACCOUNT_COLUMNS, type Account } from "./accounts.ts";
import { consentedScopes, scopesIn } from "./consents.ts";
import { ending } from "./ending.ts";
import { RAN_S } from "./floor.ts";
import {
  columnsOf,
  type Interaction,
  type InteractionRow,
  interactionOf,
  type NewInteraction,
  type Progress,
  type ProgressColumns,
  rowOf,
} from "./interaction-row.ts";
import { PASSKEY_COLUMNS, type Passkey, type PasskeyUse, useWrite } from "./passkeys.ts";
import type { SessionLifetimes } from "./session-lifetimes.ts";
import { type StartedOnce, startedIn, startOnceWrites, takeTurn } from "./session-start.ts";
import { isWithoutSession } from "./sessions.ts";
import { OWN_SP } from "./shared-values.ts";
import {
  type NewSignIn,
  type SignedIn,
  signedInAs,
  signedInOf,
  signInWrites,
  waitsFor,
} from "./sign-ins.ts";

/** Of a row without its request. */
const UNPROVED_OCTETS = 900;

const BEGIN_INTO = `
  INSERT INTO interactions (id, browser_hash, client_id, query, domain, method, acct, challenge,
    external, grant_id, created_at, expires_at, account_id, auth_time, amr, control_checked_at,
    recovery_hash, passkey_statement, passkey_expires_at, networks, made_ran, sid, news_from)`;
const BEGUN = `?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, CAST(?11 AS BIGINT), CAST(?12 AS BIGINT), ?13,
    CAST(?14 AS BIGINT), ?15, CAST(?16 AS BIGINT), ?17, ?18, CAST(?19 AS BIGINT), ?20, ${RAN_S}`;
const BEGIN = `${BEGIN_INTO} VALUES (${BEGUN}, ?21, CAST(?22 AS BIGINT))`;

/** With the session of the secret ?21, which has just started. */
const BEGIN_STARTED = `${BEGIN_INTO}
  SELECT ${BEGUN}, started.sid, started.notices_from
  FROM sessions AS started WHERE started.secret_hash = ?21 RETURNING *`;

/** Replaces nothing but a row of the same browser that has expired and that nobody has proved. */
const BEGIN_AGAIN = `${BEGIN}
  ON CONFLICT (id) DO UPDATE SET method = excluded.method, acct = excluded.acct,
    challenge = excluded.challenge, external = excluded.external, grant_id = excluded.grant_id,
    created_at = excluded.created_at, expires_at = excluded.expires_at,
    recovery_hash = excluded.recovery_hash, passkey_statement = excluded.passkey_statement,
    passkey_expires_at = excluded.passkey_expires_at, networks = excluded.networks, made_ran = excluded.made_ran
  WHERE interactions.account_id IS NULL AND interactions.expires_at <= excluded.created_at
    AND interactions.browser_hash = excluded.browser_hash AND interactions.domain = excluded.domain
    AND interactions.query = excluded.query
  RETURNING *`;

const IS_CHALLENGE_USED = "SELECT 1 AS used FROM sessions WHERE started_by = ?1";

/** What one click makes again: it holds no proof, or only that of a session, and no decision. */
const IS_UNPROVED = "(account_id IS NULL OR method = 'session') AND decision IS NULL";

/** The size is about that of the row, with its keys and free space in the pages of the database. */
const UNPROVED_AFTER = `
  SELECT id, networks AS caused_by, ${UNPROVED_OCTETS} + 2 * LENGTH(query) + COALESCE(LENGTH(external), 0) AS octets
  FROM interactions WHERE id > ?1 AND ${IS_UNPROVED} ORDER BY id LIMIT CAST(?2 AS BIGINT)`;

const DROP_UNPROVED = `DELETE FROM interactions WHERE id = ?1 AND ${IS_UNPROVED} RETURNING id`;

const STANDING = `
  CASE WHEN ${isWithoutSession("interactions.sid")} THEN 1 ELSE 0 END AS session__is_over,
    (SELECT unsent.secret_hash FROM sessions AS unsent
      WHERE unsent.sid = interactions.sid AND unsent.presented_at IS NULL
      ORDER BY unsent.number DESC LIMIT 1) AS session__unsent,
    (SELECT own.code_set FROM accounts AS own WHERE own.id = interactions.account_id) AS session__code_set`;

const CONSENTED = consentedScopes({
  ...{ account: "interactions.account_id", client: "interactions.client_id" },
});

// One row for each passkey, or a single row without one.
const READ_PENDING = `
  SELECT interactions.*, ${ACCOUNT_COLUMNS}, ${PASSKEY_COLUMNS}, ${CONSENTED} AS consent__scopes,
    ${STANDING}
  FROM interactions
    LEFT JOIN accounts ON accounts.id = COALESCE(interactions.account_id, (
      SELECT own.id FROM accounts AS own
      WHERE interactions.method = 'passkey' AND own.domain = interactions.domain
        AND own.sp = '${OWN_SP}' AND own.acct = interactions.acct AND own.ended_at IS NULL))
    LEFT JOIN passkeys ON interactions.account_id IS NULL AND passkeys.account_id = accounts.id
  WHERE interactions.id = ?1`;

/** A change of the progress. It compares the former values, so that of concurrent changes one succeeds. */
function advanceOf(fields: readonly (keyof ProgressColumns)[], condition: string, always = "") {
  const columns = fields.map((field) => field.replace(/[A-Z]/g, (l) => `_${l.toLowerCase()}`));
  const changes = columns.map((column, index) => `${column} = ?${4 + index}`);
  const former = columns.map(
    (column, index) => `${column} IS NOT DISTINCT FROM ?${4 + columns.length + index}`,
  );
  const text = `
    UPDATE interactions SET ${changes.join(", ")}, expires_at = COALESCE(CAST(?3 AS BIGINT), expires_at)
    WHERE id = ?1 AND (expires_at > ?2 ${always}) AND ${condition} AND ${former.join(" AND ")} RETURNING *`;
  const valuesOf = (to: ProgressColumns, from: ProgressColumns) =>
    [to, from].flatMap((progress) => fields.map((field) => progress[field]));
  return { text, valuesOf };
}

const ADVANCE_PROVING = advanceOf(
  [
    ...(["method", "acct", "challenge", "recoveryHash", "external"] as const),
    ...(["passkeyStatement", "passkeyExpiresAt"] as const),
  ],
  "account_id IS NULL",
);
// That codes are saved or news seen is recorded after the end too: the codes have been replaced by then.
const ADVANCE_AUTHENTICATED = advanceOf(
  ["recovery", "codesSavedAt", "newsFrom", "decision"],
  "account_id IS NOT NULL",
  "OR (recovery IS NOT DISTINCT FROM ?4 AND decision IS NOT DISTINCT FROM ?7)",
);

const EXPIRE = `
  UPDATE interactions SET expires_at = ?2 WHERE id = ?1 AND expires_at > ?2`;

// A time that is in the past by the clock of every node.
const endOf = (which: string) => `
  UPDATE interactions SET expires_at = created_at - ${CLOCK_TOLERANCE_S}
  WHERE account_id = ?1 ${which} AND id <> ?3
    AND expires_at > CAST(?2 AS BIGINT) - ${CLOCK_TOLERANCE_S} AND expires_at >= created_at
  RETURNING id`;

/** Sets an earlier end: that of the code, with which nothing of the request needs to be kept any longer. */
export function writeEnd(id: string, at: number): JoinedWrite {
  return write(EXPIRE, id, at);
}

export interface PendingInteraction {
  readonly interaction: Interaction;
  /** The account that is authenticated, or that a passkey may authenticate; null if there is none, or it has ended. */
  readonly account: Account | null;
  /** The passkeys that may authenticate. */
  readonly passkeys: readonly Passkey[];
  /** What the authenticated account has consented to for this client; null if nobody is authenticated. */
  readonly consented: ReadonlySet<string> | null;
  /** Means nothing before the authentication. */
  readonly session: SessionStanding;
}

export interface AdvanceOptions {
  readonly now: number;
  readonly expiresAt?: number | null;
  /** What belongs to the change. */
  readonly others?: readonly JoinedWrite[];
}

export type InteractionStore = ReturnType<typeof interactionStore>;

/** The session of an interaction that is authenticated. */
export interface SessionStanding {
  /** It has ended, or was removed: the authentication counts no more. */
  readonly isOver: 0 | 1;
  /** The hash of its last secret, if no browser has sent that yet. */
  readonly unsent: string | null;
  /** The set of recovery codes of its account; null for that of the set-up. */
  readonly codeSet: string | null;
}

export function interactionStore(sql: Sql, lifetimes: SessionLifetimes) {
  const { run, returnsRow, rows, all } = sql;

  async function first(text: string, ...parameters: (string | number | null)[]) {
    const row = await sql.first<InteractionRow>(text, ...parameters);
    return row === null ? null : interactionOf(row);
  }

  return {
    /** `networks`: see `http/stored-room`. */
    beginInteraction: (interaction: NewInteraction, networks: string | null = null) =>
      run(BEGIN, ...beginValues(interaction, networks), ...sessionOf(interaction)),

    /**
     * Starts a session by a challenge that is stored nowhere else, and begins an interaction that the same proof has
     * authenticated: both or none. `sid` and `newsFrom` are those of the session, as in `startSession`. Null if the
     * challenge has already started a session, or if the passkey must not be used: of concurrent callers one gets it.
     * The row of the session stays for longer than any challenge is valid.
     */
    async beginStarted(
      interaction: NewInteraction,
      networks: string | null,
      by: StartedOnce,
    ): Promise<SignedIn | null> {
      const begin = [...beginValues(interaction, networks), by.session.secretHash];
      const written = await sql.engine.commit([
        ...startOnceWrites(by, lifetimes),
        writeWhen(BEGIN_STARTED, ...begin),
      ]);
      if (written === null) return null;
      const session = await startedIn(sql, by.session, written.slice(0, -1));
      return signedInAs(written.at(-1), session);
    },

    /**
     * The same for an interaction whose row is gone, or has expired before anybody was authenticated. Null if there is
     * another row: of concurrent callers one gets the interaction.
     */
    beginAgain: (interaction: NewInteraction, networks: string | null = null) =>
      first(BEGIN_AGAIN, ...beginValues(interaction, networks), ...sessionOf(interaction)),

    /** Whether an authentication has used up the DNS challenge with this hash. */
    isChallengeUsed: (hash: string) => returnsRow(IS_CHALLENGE_USED, hash),

    /** Rows that one click makes again, in the order of their ids; `octets` is their size. */
    unprovedAfter: (id: string, limit: number) =>
      all<{ id: string; causedBy: string | null; octets: number }>(UNPROVED_AFTER, id, limit),

    /** Deletes the row if one click makes it again. False for others: a proof wins. */
    dropUnproved: (id: string) => returnsRow(DROP_UNPROVED, id),

    readInteraction: (id: string) => first("SELECT * FROM interactions WHERE id = ?1", id),

    /** The interaction, with what a request within it needs to know; null if there is no row. */
    async readPending(id: string): Promise<PendingInteraction | null> {
      const found = await rows(READ_PENDING, id);
      const [row] = found;
      if (row === undefined) return null;
      const passkeys = found.filter((one) => one.passkey__credential_id !== null);
      return {
        interaction: interactionOf(toRecord<InteractionRow>(row)),
        session: toRecord<SessionStanding>(row, "session__"),
        account: row.account__id === null ? null : toRecord<Account>(row, "account__"),
        passkeys: passkeys.map((one) => toRecord<Passkey>(one, "passkey__")),
        consented: row.account_id === null ? null : scopesIn(row.consent__scopes),
      };
    },

    /**
     * Changes the progress if it is still that of `interaction`, and the end if one is given; `others` are committed with
     * it, or not at all. Null if the interaction
     * has expired or another change was faster: of concurrent callers with one `interaction`, one gets the row.
     */
    async advance(
      { id, version, progress: from }: Interaction,
      to: Progress,
      { now, expiresAt = null, others = [] }: AdvanceOptions,
    ): Promise<Interaction | null> {
      const isSaved = to.step === "authenticated" && to.codes === null && hasUnsavedCodes(from);
      const columns = columnsOf(to, isSaved ? now : version.codesSavedAt);
      const change = from.step === "authenticated" ? ADVANCE_AUTHENTICATED : ADVANCE_PROVING;
      const values = change.valuesOf(columns, version);
      const written = await sql.engine.commit([
        writeWhen(change.text, id, now, expiresAt, ...values),
        ...others,
      ]);
      const row = written?.[0]?.[0];
      return row === undefined ? null : interactionOf(toRecord<InteractionRow>(row));
    },

    /**
     * Records the authentication and starts its session, with the use of a passkey if there is one: all of it or nothing.
     * Null if it was already recorded, the interaction has expired, another tab has changed the method, the signed
     * statement was replaced or has expired, `usedCode` is no valid recovery code, or `usedChallenge` is used. `refused`:
     * the passkey must not be used; see `usePasskey`. A statement, code or challenge counts once: of concurrent callers, for any interactions,
     * one gets the row. Its `sid` is that of the former secret if still accepted for this account; otherwise the given
     * one. `newsFrom` is that of the browser. The interaction of a set-up stays open for a day, so that a person can
     * find the recovery codes later; that of a challenge for an hour, as the proof may come late.
     */
    authenticate: ending(
      async (
        signIn: NewSignIn,
        use: PasskeyUse | null = null,
      ): Promise<SignedIn | "refused" | null> => {
        const { usedCode = null } = signIn.proof;
        const used = use === null ? [] : [useWrite(use)];
        const writes = [...used, takeTurn(signIn.session), ...signInWrites(signIn, lifetimes)];
        try {
          const committed = await sql.engine.commit(writes);
          if (committed !== null) return await signedInOf(sql, signIn, committed);
          return use !== null && (await waitsFor(sql, signIn)) ? "refused" : null;
        } catch (cause) {
          if (usedCode !== null && cause instanceof UniqueViolationError) return null;
          throw cause;
        }
      },
      (signedIn) =>
        signedIn !== null &&
        signedIn !== "refused" &&
        signedIn.interaction.progress.usedCode !== null,
    ),

    /** Sets an earlier end: that of the code, with which nothing of the request needs to be kept any longer. */
    expireInteraction: (id: string, at: number) => run(EXPIRE, id, at),

    /**
     * Ends interactions in which the account is authenticated, with one client or all (null): they could still issue
     * a code. Keeps `keptId`. True if there was one; of concurrent callers one gets true for each.
     */
    endInteractionsOf(of: {
      accountId: string;
      clientId: string | null;
      keptId?: string;
      now: number;
    }) {
      const { accountId, clientId, keptId = "", now } = of;
      return clientId === null
        ? returnsRow(endOf(""), accountId, now, keptId)
        : returnsRow(endOf("AND client_id = ?4"), accountId, now, keptId, clientId);
    },

    /** As `endInteractionsOf`, for interactions in which a recovery may still add a passkey. */
    endRecoveriesOf(of: { accountId: string; keptId: string; now: number }) {
      const { accountId, keptId, now } = of;
      return returnsRow(endOf("AND recovery IN ('asked', 'added')"), accountId, now, keptId);
    },
  };
}

function beginValues(interaction: NewInteraction, networks: string | null) {
  const row = rowOf(interaction);
  const { id, browserHash, clientId, query, domain, method, acct, challenge } = row;
  const { external, grantId, createdAt, expiresAt } = row;
  const { accountId, authTime, amr, controlCheckedAt } = row;
  const { recoveryHash, passkeyStatement, passkeyExpiresAt } = row;
  const head = [id, browserHash, clientId, query, domain, method, acct, challenge];
  const kept = [external, grantId, createdAt, expiresAt];
  const proof = [accountId, authTime, amr, controlCheckedAt];
  const signed = [recoveryHash, passkeyStatement, passkeyExpiresAt];
  return [...head, ...kept, ...proof, ...signed, networks];
}

function sessionOf(interaction: NewInteraction) {
  const { sid, newsFrom } = rowOf(interaction);
  return [sid, newsFrom];
}

function hasUnsavedCodes(progress: Progress): boolean {
  return progress.step === "authenticated" && progress.codes !== null;
}
