// Interactions: authentication and consent decision are each recorded once.

import { UniqueViolationError } from "../database/engine.ts";
import { type Sql, toRecord } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { ACCOUNT_COLUMNS, type Account } from "./accounts.ts";
import { ending } from "./ending.ts";
import { RAN_S } from "./floor.ts";
import { PASSKEY_COLUMNS, type Passkey } from "./passkeys.ts";
import { IS_UNUSED, MARK_USED } from "./recovery-codes.ts";
import type { SessionLifetimes } from "./session-lifetimes.ts";
import { type FormerAt, formerNotices, formerSid } from "./sessions.ts";
import { BROWSER_KNOWN_S, FINISHED_AGAIN_S, OWN_SP, REPLACED_ACCEPTED_S } from "./shared-values.ts";

/** One pending authorization in one browser tab. */
export interface Interaction {
  readonly id: string;
  /** Hash of the cookie of its browser. */
  readonly browserHash: string;
  readonly clientId: string;
  /** The query of the authorization request, or a hash of it; see `interaction/kept-request`. */
  readonly query: string;
  readonly domain: string;
  /** How the owner is to be authenticated. */
  readonly method: "session" | "dns-setup" | "passkey" | "dns-challenge" | "external";
  /** The `acct` that the record must name. For `dns-setup` null, until its record was seen and its passkey is asked for. */
  readonly acct: string | null;
  /** The expected value of the challenge record (`dns-challenge` only). */
  readonly challenge: string | null;
  /**
   * The hash of the recovery code that was entered, instead of a known browser (`dns-challenge`), or to see the record of a
   * former account (`dns-setup`). It is not used up yet: see `usedCode`.
   */
  readonly recoveryHash: string | null;
  /** State of a sign-in at an external SP (`external` only), as JSON; see `ExternalState`. */
  readonly external: string | null;
  /**
   * The statement that the owner's passkey is asked to sign, and until when. For a `dns-challenge`: which passkey signed
   * one, and has to be confirmed by the challenge; see `sign-in/confirm-passkey`.
   */
  readonly passkeyStatement: string | null;
  readonly passkeyExpiresAt: number | null;
  readonly grantId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The next fields are set once, together, when the owner is authenticated. */
  readonly accountId: string | null;
  readonly authTime: number | null;
  readonly amr: string | null;
  readonly controlCheckedAt: number | null;
  /** The session that this authentication started or used. */
  readonly sid: string | null;
  /** JSON of the proofs for this request, by an external SP or the owner's passkey, if there are any. */
  readonly proofs: string | null;
  /** The set of recovery codes that this sign-in offers to replace, of which few are left; empty for that of the set-up. */
  readonly codesOfferedFrom: string | null;
  /** The hash of the recovery code that this authentication used up: that of `recoveryHash`. */
  readonly usedCode: string | null;
  /**
   * For an owner who was authenticated without the passkeys of the account: whether they are asked for a new one, have
   * added one, or are done with that step.
   */
  readonly recovery: "asked" | "added" | "done" | null;
  /** When the person said that the recovery codes of the new account are saved, or those offered are saved or not wanted. */
  readonly codesSavedAt: number | null;
  /** When the first event happened in another browser that this sign-in has to show; null if there is none, or it was shown. */
  readonly newsFrom: number | null;
  /** Set once, when the user answers the consent page. */
  readonly decision: "allow" | "deny" | null;
}

/** The result of a successful authentication. */
export interface Authentication {
  readonly accountId: string;
  readonly authTime: number;
  readonly amr: string;
  readonly controlCheckedAt: number;
  readonly sid: string;
}

const BEGIN = `
  INSERT INTO interactions (id, browser_hash, client_id, query, domain, method, acct, challenge,
    external, grant_id, created_at, expires_at, account_id, auth_time, amr, control_checked_at, sid,
    news_from, made_ran)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ${RAN_S})`;

const READ_WITH_PASSKEYS = `
  SELECT interactions.*, ${ACCOUNT_COLUMNS}, ${PASSKEY_COLUMNS}
  FROM interactions
    LEFT JOIN accounts ON interactions.method = 'passkey' AND accounts.domain = interactions.domain
      AND accounts.sp = '${OWN_SP}' AND accounts.acct = interactions.acct AND accounts.ended_at IS NULL
    LEFT JOIN passkeys ON passkeys.account_id = accounts.id
  WHERE interactions.id = ?1`;

const FORMER: FormerAt = {
  ...{ hash: "?11", account: "?1", now: "?8", notIdle: "?12", notReplaced: "?13", known: "?14" },
};

// The session is started afterwards, by the one call that gets the row: so the `sid` is determined here.
const AUTHENTICATE = `
  UPDATE interactions SET account_id = ?1, auth_time = ?2, amr = ?3, control_checked_at = ?4,
    proofs = ?5, sid = COALESCE(${formerSid(FORMER)}, ?6), codes_offered_from = ?9,
    news_from = ${formerNotices(FORMER)}, used_code = ?15, recovery = ?16,
    expires_at = CASE WHEN method = 'dns-setup' AND expires_at < ?17 THEN CAST(?17 AS BIGINT)
      ELSE expires_at END
  WHERE id = ?7 AND method = ?18 AND account_id IS NULL AND expires_at > ?8
    AND (CAST(?10 AS TEXT) IS NULL OR (passkey_statement = ?10 AND passkey_expires_at > ?8))
    AND (CAST(?15 AS TEXT) IS NULL OR EXISTS (
      SELECT 1 FROM recovery_codes
      WHERE recovery_codes.account_id = ?1 AND recovery_codes.code_hash = ?15 AND ${IS_UNUSED}))
  RETURNING *`;

const CHANGE_EXTERNAL = `
  UPDATE interactions SET external = ?1
  WHERE id = ?2 AND method = 'external' AND external IS NOT DISTINCT FROM ?3
    AND account_id IS NULL AND expires_at > ?4 RETURNING *`;

const SWITCH_TO_SET_UP = `
  UPDATE interactions SET method = 'dns-setup', acct = NULL, challenge = NULL, external = NULL,
    recovery_hash = NULL, passkey_statement = NULL, passkey_expires_at = NULL
  WHERE id = ?1 AND account_id IS NULL AND expires_at > ?2 RETURNING *`;

const ASK_FOR_PASSKEY = `
  UPDATE interactions SET acct = ?1
  WHERE id = ?2 AND method = 'dns-setup' AND account_id IS NULL AND expires_at > ?3 RETURNING *`;

const SAVE_CODES = `
  UPDATE interactions SET codes_saved_at = ?1
  WHERE id = ?2 AND (method = 'dns-setup' OR codes_offered_from IS NOT NULL)
    AND account_id IS NOT NULL AND codes_saved_at IS NULL
  RETURNING *`;

const PASS_NEWS = `
  UPDATE interactions SET news_from = NULL
  WHERE id = ?1 AND news_from IS NOT NULL AND account_id IS NOT NULL RETURNING *`;

const OFFER_STATEMENT = `
  UPDATE interactions SET passkey_statement = ?1, passkey_expires_at = ?2
  WHERE id = ?3 AND method IN ('passkey', 'dns-setup') AND acct IS NOT NULL AND passkey_statement IS NOT DISTINCT FROM ?4
    AND account_id IS NULL AND expires_at > ?5 RETURNING *`;

const SWITCH_TO_CHALLENGE = `
  UPDATE interactions SET method = 'dns-challenge', challenge = ?1, expires_at = ?4,
    passkey_statement = NULL, passkey_expires_at = NULL
  WHERE id = ?2 AND method = 'passkey' AND account_id IS NULL AND expires_at > ?3 RETURNING *`;

const SWITCH_TO_CONFIRMATION = `
  UPDATE interactions SET method = 'dns-challenge', challenge = ?1, expires_at = ?2,
    passkey_statement = ?3, passkey_expires_at = ?2
  WHERE id = ?4 AND method = 'passkey' AND account_id IS NULL AND expires_at > ?6
    AND passkey_statement = ?5 AND passkey_expires_at > ?6 RETURNING *`;

const KEEP_RECOVERY_CODE = `
  UPDATE interactions SET recovery_hash = ?1
  WHERE id = ?2 AND method IN ('dns-challenge', 'dns-setup') AND account_id IS NULL AND expires_at > ?3
  RETURNING *`;

const DECIDE = `
  UPDATE interactions SET decision = ?1
  WHERE id = ?2 AND decision IS NULL AND account_id IS NOT NULL AND expires_at > ?3 RETURNING *`;

const EXPIRE = `
  UPDATE interactions SET expires_at = ?2 WHERE id = ?1 AND expires_at > ?2`;

const ANSWER_RECOVERY = `
  UPDATE interactions SET recovery = ?1
  WHERE id = ?2 AND recovery IN ('asked', 'added') AND recovery <> ?1 AND expires_at > ?3 RETURNING *`;

// A time that is in the past by the clock of every node.
const endOf = (which: string) => `
  UPDATE interactions SET expires_at = created_at - ${CLOCK_TOLERANCE_S}
  WHERE account_id = ?1 ${which} AND id <> ?3
    AND expires_at > CAST(?2 AS BIGINT) - ${CLOCK_TOLERANCE_S} AND expires_at >= created_at
  RETURNING id`;

export type InteractionStore = ReturnType<typeof interactionStore>;

export function interactionStore(sql: Sql, lifetimes: SessionLifetimes) {
  const { run, returnsRow, first } = sql;
  return {
    ...authenticationStore(sql, lifetimes),
    ...stepStore(sql),

    beginInteraction(interaction: Interaction) {
      const { id, browserHash, clientId, query, domain, method, acct, challenge } = interaction;
      const { external, grantId, createdAt, expiresAt } = interaction;
      const { accountId, authTime, amr, controlCheckedAt, sid, newsFrom } = interaction;
      const head = [id, browserHash, clientId, query, domain, method, acct, challenge];
      const kept = [external, grantId, createdAt, expiresAt];
      const proof = [accountId, authTime, amr, controlCheckedAt, sid, newsFrom];
      return run(BEGIN, ...head, ...kept, ...proof);
    },

    readInteraction: (id: string) =>
      first<Interaction>("SELECT * FROM interactions WHERE id = ?1", id),

    /**
     * Replaces the state of an external sign-in if it is still `from`: of concurrent callers one gets the
     * row. Null if nothing changed, for example after an authentication.
     */
    changeExternal: (id: string, { from, to }: { from: string | null; to: string }, now: number) =>
      first<Interaction>(CHANGE_EXTERNAL, to, id, from, now),

    /** Sets an earlier end: that of the code, with which nothing of the request needs to be kept any longer. */
    expireInteraction: (id: string, at: number) => run(EXPIRE, id, at),

    /**
     * Ends interactions in which the account is already authenticated, with one client or with all (null):
     * they could still issue a code. `keptId` is not ended. True if there was one; of concurrent callers one
     * gets true for each.
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

    /** The same for those in which a recovery may still add a passkey. */
    endRecoveriesOf({
      accountId,
      keptId,
      now,
    }: {
      accountId: string;
      keptId: string;
      now: number;
    }) {
      return returnsRow(endOf("AND recovery IN ('asked', 'added')"), accountId, now, keptId);
    },
  };
}

function authenticationStore({ first, run }: Sql, { idleS }: SessionLifetimes) {
  return {
    /**
     * Records the authentication by this method. Null if it was already recorded, the interaction has expired, or
     * another tab has changed its method since the caller read it; with the
     * `statement` that a passkey signed, also if that was replaced or has expired. Of concurrent callers one
     * gets the row, so a statement counts once. `usedCode` is the hash of a recovery code that the same statement
     * uses up: null if it is not a valid one. Of concurrent callers with one code, for any interactions, one gets
     * the row. The `sid` in it is that of `formerHash`, the secret that the browser sent, if that is still accepted
     * for this account; otherwise the given one. `newsFrom` is that of the browser. The
     * interaction of a set-up stays open for a day, so that a person who is away finds the recovery codes.
     */
    authenticate: ending(
      async (
        { id, method }: Pick<Interaction, "id" | "method">,
        proof: Authentication &
          Partial<Pick<Interaction, "proofs" | "codesOfferedFrom" | "usedCode" | "recovery">> & {
            statement?: string | null;
            formerHash?: string | null;
          },
        now: number,
      ): Promise<Interaction | null> => {
        const { accountId, authTime, amr, controlCheckedAt, sid, proofs = null } = proof;
        const { codesOfferedFrom: offered = null, statement = null } = proof;
        const { usedCode = null, recovery = null, formerHash = null } = proof;
        const values = [accountId, authTime, amr, controlCheckedAt, proofs, sid, id, now];
        const since = [idleS, REPLACED_ACCEPTED_S, BROWSER_KNOWN_S].map((seconds) => now - seconds);
        const until = now + FINISHED_AGAIN_S;
        const more = [offered, statement, formerHash, ...since, usedCode, recovery, until, method];
        try {
          const interaction = await first<Interaction>(AUTHENTICATE, ...values, ...more);
          // So that the code stays used when this row is gone. A row that a crash leaves without that stays.
          if (interaction !== null && usedCode !== null)
            await run(MARK_USED, now, accountId, usedCode);
          return interaction;
        } catch (cause) {
          if (usedCode !== null && cause instanceof UniqueViolationError) return null;
          throw cause;
        }
      },
      (interaction) => !!interaction?.usedCode,
    ),

    /**
     * A passkey has signed `statement`: a DNS challenge has to confirm it, and `to` says which it is. Null if the
     * statement was replaced or has expired. Of concurrent callers one gets the row, so it counts once.
     */
    switchToConfirmation: (
      id: string,
      by: { statement: string; to: string; challenge: string; expiresAt: number },
      now: number,
    ) =>
      first<Interaction>(
        SWITCH_TO_CONFIRMATION,
        by.challenge,
        by.expiresAt,
        by.to,
        id,
        by.statement,
        now,
      ),
  };
}

/** What single steps record. The hash of the statement that a passkey signs is its challenge. */
function stepStore({ first, rows }: Sql) {
  return {
    /**
     * The interaction, and for a sign-in by passkey the account that it is for (null if that has ended) with its
     * passkeys: all that the answer of an authenticator is checked with.
     */
    async readInteractionAndPasskeys(id: string): Promise<{
      readonly interaction: Interaction;
      readonly account: Account | null;
      readonly passkeys: readonly Passkey[];
    } | null> {
      const found = await rows(READ_WITH_PASSKEYS, id);
      const [row] = found;
      if (row === undefined) return null;
      const passkeys = found.filter((one) => one.passkey__credential_id !== null);
      return {
        interaction: toRecord<Interaction>(row),
        account: row.account__id === null ? null : toRecord<Account>(row, "account__"),
        passkeys: passkeys.map((one) => toRecord<Passkey>(one, "passkey__")),
      };
    },

    /** Records the consent decision. Null if it was already recorded, or the interaction has expired. */
    decide: (id: string, decision: "allow" | "deny", now: number) =>
      first<Interaction>(DECIDE, decision, id, now),

    /** Switches to the set-up of a new account. Null after an authentication. */
    switchToSetUp: (id: string, now: number) => first<Interaction>(SWITCH_TO_SET_UP, id, now),

    /**
     * Records that the owner added a passkey after a recovery, or is done with that step. Null if that was recorded
     * already, or the interaction has expired or is at no such step. Of concurrent callers with one answer, one gets
     * the row.
     */
    answerRecovery: (id: string, answer: "added" | "done", now: number) =>
      first<Interaction>(ANSWER_RECOVERY, answer, id, now),

    /** The record of a set-up names this `acct`: its passkey is asked for. Null after an authentication. */
    askForPasskey: (id: string, acct: string, now: number) =>
      first<Interaction>(ASK_FOR_PASSKEY, acct, id, now),

    /** Records that the recovery codes were saved. Null if it was recorded already. */
    saveCodes: (id: string, now: number) => first<Interaction>(SAVE_CODES, now, id),

    /** Records that the news were shown, or that there are none. Null if it was recorded already. */
    passNews: (id: string) => first<Interaction>(PASS_NEWS, id),

    /**
     * Replaces the statement for the passkey if it is still `from`: of concurrent callers one gets the row.
     * Null if nothing changed, for example after an authentication.
     */
    offerPasskeyStatement(
      id: string,
      change: { from: string | null; to: string; expiresAt: number },
      now: number,
    ) {
      const { from, to, expiresAt } = change;
      return first<Interaction>(OFFER_STATEMENT, to, expiresAt, id, from, now);
    },

    /** Switches from the passkey to a DNS challenge. Null after an authentication, or from another method. */
    switchToDnsChallenge: (
      id: string,
      { challenge, expiresAt }: { challenge: string; expiresAt: number },
      now: number,
    ) => first<Interaction>(SWITCH_TO_CHALLENGE, challenge, id, now, expiresAt),

    /**
     * Keeps which recovery code was entered, so that it is asked for before the record is published. It is not
     * used up. Null after an authentication, or at another step.
     */
    keepRecoveryCode: (id: string, codeHash: string, now: number) =>
      first<Interaction>(KEEP_RECOVERY_CODE, codeHash, id, now),
  };
}
