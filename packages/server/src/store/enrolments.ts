// Enrolments: pending set-ups, whose record has not been found in DNS yet.

import { makeAccount, makeLive } from "./accounts.ts";
import { ADD_DEVICE } from "./devices.ts";
import type { Sql } from "./rows.ts";
import { OWN_SP } from "./shared-values.ts";

/** A pending set-up, of one browser for one domain. */
export interface Enrolment {
  readonly domain: string;
  readonly deviceHash: string;
  readonly acct: string;
  /** The id of the account to be created. */
  readonly accountId: string;
  /** The recovery codes are derived from this and the device secret. */
  readonly recoverySalt: string;
  readonly expiresAt: number;
}

const BEGIN = `
  INSERT INTO enrolments (domain, device_hash, acct, account_id, recovery_salt, expires_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6)
  ON CONFLICT (domain, device_hash) DO UPDATE SET
    acct = CASE WHEN enrolments.expires_at > ?7 THEN enrolments.acct ELSE excluded.acct END,
    account_id = CASE WHEN enrolments.expires_at > ?7 THEN enrolments.account_id ELSE excluded.account_id END,
    recovery_salt = CASE WHEN enrolments.expires_at > ?7 THEN enrolments.recovery_salt ELSE excluded.recovery_salt END,
    expires_at = CASE WHEN enrolments.expires_at > ?7 THEN enrolments.expires_at ELSE excluded.expires_at END
  RETURNING *`;

const FIND = "SELECT * FROM enrolments WHERE domain = ?1 AND device_hash = ?2 AND expires_at > ?3";

const DROP = "DELETE FROM enrolments WHERE domain = ?1 AND device_hash = ?2";

const MAKE_ACCOUNT = makeAccount("(id)");

export type EnrolmentStore = ReturnType<typeof enrolmentStore>;

export function enrolmentStore(sql: Sql) {
  return {
    /**
     * Begins a set-up, or returns the one that is pending for this browser and domain. Concurrent callers
     * get the same one.
     */
    async beginEnrolment(enrolment: Enrolment, now: number) {
      const { domain, deviceHash, acct, accountId, recoverySalt, expiresAt } = enrolment;
      const values = [domain, deviceHash, acct, accountId, recoverySalt, expiresAt, now];
      const standing = await sql.first<Enrolment>(BEGIN, ...values);
      if (standing === null) throw new Error("the enrolment was neither created nor found");
      return standing;
    },

    findEnrolment: (domain: string, deviceHash: string, now: number) =>
      sql.first<Enrolment>(FIND, domain, deviceHash, now),

    /** Removes the browser's pending set-up for the domain, so that the next one is new. */
    dropEnrolment: (domain: string, deviceHash: string) => sql.run(DROP, domain, deviceHash),

    /**
     * Creates the enrolled account as the live one of its domain, and puts any other to sleep. Recovery
     * codes and the device are stored before the account. Idempotent. `conflict`: another look has
     * changed an account of the domain in the meantime; look it up again.
     */
    async enrol(input: {
      enrolment: Enrolment;
      recoveryCodeHashes: readonly string[];
      now: number;
    }) {
      const { enrolment, recoveryCodeHashes, now } = input;
      const { accountId, domain, acct, deviceHash } = enrolment;
      const codes = recoveryCodeHashes.map((_, index) => `(?1, ?${index + 2})`).join(", ");
      await sql.run(
        `INSERT INTO recovery_codes (account_id, code_hash) VALUES ${codes} ON CONFLICT DO NOTHING`,
        accountId,
        ...recoveryCodeHashes,
      );
      await sql.run(ADD_DEVICE, accountId, deviceHash, now);
      return makeLive(sql, { id: accountId, domain, sp: OWN_SP, acct }, now, MAKE_ACCOUNT);
    },
  };
}
