// The statements on accounts and what hangs on them: enrolments, devices, recovery codes, consents.

import { OWN_SP } from "../../lib/own-sp.ts";
import type { Account, AccountStore, Enrolment } from "../store.ts";
import { type SqlEngine, UniqueViolationError } from "./engine.ts";
import { firstRecord, toRecord } from "./rows.ts";

/** The columns of a joined account, to be read with the prefix `account__`. */
export const ACCOUNT_COLUMNS = [
  "id",
  "domain",
  "sp",
  "acct",
  "created_at",
  "asleep_since",
  "ended_at",
  "walked_at",
]
  .map((column) => `accounts.${column} AS account__${column}`)
  .join(", ");

/** Everything else is worth something only while its account is the live one of its domain. */
export const ACCOUNT_IS_LIVE = "accounts.asleep_since IS NULL AND accounts.ended_at IS NULL";

const BEGIN_ENROLMENT = `
  INSERT INTO enrolments (domain, device_hash, acct, account_id, recovery_salt, expires_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6)
  ON CONFLICT (domain, device_hash) DO UPDATE SET
    acct = CASE WHEN enrolments.expires_at > ?7 THEN enrolments.acct ELSE excluded.acct END,
    account_id = CASE WHEN enrolments.expires_at > ?7 THEN enrolments.account_id ELSE excluded.account_id END,
    recovery_salt = CASE WHEN enrolments.expires_at > ?7 THEN enrolments.recovery_salt ELSE excluded.recovery_salt END,
    expires_at = CASE WHEN enrolments.expires_at > ?7 THEN enrolments.expires_at ELSE excluded.expires_at END
  RETURNING *`;

const WALKED_PER_STEP = 200;

/** Tables whose rows hang on an account, begin their key with it, and have no end of their own. */
const WITH_AN_ACCOUNT = ["devices", "recovery_codes", "consents"];

const SLEEP_OTHERS = `
  UPDATE accounts SET asleep_since = ?1
  WHERE domain = ?2 AND (sp <> ?3 OR acct <> ?4) AND asleep_since IS NULL AND ended_at IS NULL`;

type AccountVerbs = Omit<AccountStore, "startSession" | "findSession" | "touchSession">;

export function accountStatements(engine: SqlEngine): AccountVerbs {
  /** Two statements, each true by itself: the zone names one account, so any other sleeps. */
  async function makeLive(
    { domain, sp, acct }: Pick<Account, "domain" | "sp" | "acct">,
    now: number,
    statement: string,
    parameters: (string | number)[],
  ): Promise<Account | "conflict"> {
    await engine.execute(SLEEP_OTHERS, [now, domain, sp, acct]);
    // PostgreSQL may meet a racing insert of the very same account at another unique index than
    // the one that ON CONFLICT names. That row stands now, and the second attempt finds it.
    for (let attempt = 1; attempt <= 2; attempt++) {
      try {
        return firstRecord<Account>(await engine.execute(statement, parameters)) ?? "conflict";
      } catch (cause) {
        if (!(cause instanceof UniqueViolationError)) throw cause;
      }
    }
    return "conflict";
  }

  return {
    async readAccount(id) {
      return firstRecord(await engine.execute("SELECT * FROM accounts WHERE id = ?1", [id]));
    },

    async findAccount(domain, { sp, acct }) {
      return firstRecord(
        await engine.execute(
          "SELECT * FROM accounts WHERE domain = ?1 AND sp = ?2 AND acct = ?3 AND ended_at IS NULL",
          [domain, sp, acct],
        ),
      );
    },

    async beginEnrolment(enrolment, now) {
      const rows = await engine.execute(BEGIN_ENROLMENT, [
        enrolment.domain,
        enrolment.deviceHash,
        enrolment.acct,
        enrolment.accountId,
        enrolment.recoverySalt,
        enrolment.expiresAt,
        now,
      ]);
      const standing = firstRecord<Enrolment>(rows);
      if (standing === null) throw new Error("an enrolment was neither made nor found");
      return standing;
    },

    async findEnrolment(domain, deviceHash, now) {
      return firstRecord(
        await engine.execute(
          "SELECT * FROM enrolments WHERE domain = ?1 AND device_hash = ?2 AND expires_at > ?3",
          [domain, deviceHash, now],
        ),
      );
    },

    async dropEnrolment(domain, deviceHash) {
      await engine.execute("DELETE FROM enrolments WHERE domain = ?1 AND device_hash = ?2", [
        domain,
        deviceHash,
      ]);
    },

    async enrol({ enrolment, recoveryCodeHashes, now }) {
      const { accountId, domain, acct, deviceHash } = enrolment;
      const codes = recoveryCodeHashes.map((_, index) => `(?1, ?${index + 2})`).join(", ");
      await engine.execute(
        `INSERT INTO recovery_codes (account_id, code_hash) VALUES ${codes} ON CONFLICT DO NOTHING`,
        [accountId, ...recoveryCodeHashes],
      );
      await this.addDevice({ accountId, deviceHash, now });
      return makeLive(
        { domain, sp: OWN_SP, acct },
        now,
        `INSERT INTO accounts (id, domain, sp, acct, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (id) DO UPDATE SET asleep_since = NULL WHERE accounts.ended_at IS NULL
         RETURNING *`,
        [accountId, domain, OWN_SP, acct, now],
      );
    },

    async adoptAccount({ id, domain, sp, acct, now }) {
      return makeLive(
        { domain, sp, acct },
        now,
        `INSERT INTO accounts (id, domain, sp, acct, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (domain, sp, acct) WHERE ended_at IS NULL DO UPDATE SET asleep_since = NULL
         RETURNING *`,
        [id, domain, sp, acct, now],
      );
    },

    async wakeAccount(account, now) {
      return makeLive(
        account,
        now,
        "UPDATE accounts SET asleep_since = NULL WHERE id = ?1 AND ended_at IS NULL RETURNING *",
        [account.id],
      );
    },

    async putToSleep(accountId, now) {
      await engine.execute(
        "UPDATE accounts SET asleep_since = ?1 WHERE id = ?2 AND asleep_since IS NULL",
        [now, accountId],
      );
    },

    async endAccount({ accountId, asleepBefore, now }) {
      const rows = await engine.execute(
        `UPDATE accounts SET ended_at = ?1
         WHERE id = ?2 AND asleep_since <= ?3 AND ended_at IS NULL RETURNING id`,
        [now, accountId, asleepBefore],
      );
      if (rows.length === 0) return false;
      // Worth nothing any more; whatever a crash leaves behind is only space.
      for (const table of WITH_AN_ACCOUNT) {
        await engine.execute(`DELETE FROM ${table} WHERE account_id = ?1`, [accountId]);
      }
      return true;
    },

    async walkAccounts(after) {
      const rows = await engine.execute(
        `SELECT * FROM accounts WHERE id > ?1 AND ended_at IS NULL ORDER BY id LIMIT ${WALKED_PER_STEP}`,
        [after ?? ""],
      );
      const accounts = rows.map((row) => toRecord<Account>(row));
      const last = accounts.length < WALKED_PER_STEP ? undefined : accounts.at(-1);
      return { next: last?.id ?? null, accounts };
    },

    async claimWalk({ id, walkedAt }, now) {
      const rows = await engine.execute(
        "UPDATE accounts SET walked_at = ?1 WHERE id = ?2 AND walked_at IS NOT DISTINCT FROM ?3 RETURNING id",
        [now, id, walkedAt],
      );
      return rows.length > 0;
    },

    async addDevice({ accountId, deviceHash, now }) {
      await engine.execute(
        `INSERT INTO devices (account_id, device_hash, created_at) VALUES (?1, ?2, ?3)
         ON CONFLICT DO NOTHING`,
        [accountId, deviceHash, now],
      );
    },

    async knowsDevice(accountId, deviceHash) {
      const rows = await engine.execute(
        "SELECT 1 AS known FROM devices WHERE account_id = ?1 AND device_hash = ?2",
        [accountId, deviceHash],
      );
      return rows.length > 0;
    },

    async hasRecoveryCode(accountId, codeHash) {
      const rows = await engine.execute(
        "SELECT 1 AS unused FROM recovery_codes WHERE account_id = ?1 AND code_hash = ?2 AND used_at IS NULL",
        [accountId, codeHash],
      );
      return rows.length > 0;
    },

    async takeRecoveryCode({ accountId, codeHash, now }) {
      const rows = await engine.execute(
        `UPDATE recovery_codes SET used_at = ?1
         WHERE account_id = ?2 AND code_hash = ?3 AND used_at IS NULL RETURNING account_id`,
        [now, accountId, codeHash],
      );
      return rows.length > 0;
    },

    async readConsent(accountId, clientId) {
      const rows = await engine.execute(
        "SELECT scope FROM consents WHERE account_id = ?1 AND client_id = ?2",
        [accountId, clientId],
      );
      return new Set(rows.map((row) => String(row.scope)));
    },

    async rememberConsent({ accountId, clientId, scopes, now }) {
      if (scopes.length === 0) return;
      const values = scopes.map((_, index) => `(?1, ?2, ?${index + 4}, ?3)`).join(", ");
      await engine.execute(
        `INSERT INTO consents (account_id, client_id, scope, granted_at) VALUES ${values}
         ON CONFLICT DO NOTHING`,
        [accountId, clientId, now, ...scopes],
      );
    },
  };
}
