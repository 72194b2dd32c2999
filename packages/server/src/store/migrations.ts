// The schema, as numbered steps that only go forward.

import { OperatorError } from "../lib/errors.ts";
import type { Migration, SqlEngine } from "./engine.ts";

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    statements: [
      `CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
      `CREATE TABLE keys (
         purpose TEXT NOT NULL, id BIGINT NOT NULL, sealed TEXT NOT NULL, current_from BIGINT NOT NULL,
         PRIMARY KEY (purpose, id))`,
      `CREATE TABLE clients (
         id TEXT PRIMARY KEY, registration TEXT NOT NULL, secret_hash TEXT, created_at BIGINT NOT NULL)`,
      `CREATE TABLE accounts (
         id TEXT PRIMARY KEY, domain TEXT NOT NULL, acct TEXT NOT NULL, created_at BIGINT NOT NULL,
         asleep_since BIGINT, ended_at BIGINT,
         UNIQUE (domain, acct))`,
      `CREATE UNIQUE INDEX one_live_account_per_domain ON accounts (domain)
         WHERE asleep_since IS NULL AND ended_at IS NULL`,
      `CREATE TABLE enrolments (
         domain TEXT NOT NULL, device_hash TEXT NOT NULL, acct TEXT NOT NULL, account_id TEXT NOT NULL,
         recovery_salt TEXT NOT NULL, expires_at BIGINT NOT NULL,
         PRIMARY KEY (domain, device_hash))`,
      `CREATE TABLE devices (
         account_id TEXT NOT NULL, device_hash TEXT NOT NULL, created_at BIGINT NOT NULL,
         PRIMARY KEY (account_id, device_hash))`,
      `CREATE TABLE recovery_codes (
         account_id TEXT NOT NULL, code_hash TEXT NOT NULL, used_at BIGINT,
         PRIMARY KEY (account_id, code_hash))`,
      `CREATE TABLE sessions (
         id_hash TEXT PRIMARY KEY, account_id TEXT NOT NULL, auth_time BIGINT NOT NULL, amr TEXT NOT NULL,
         last_used_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
      `CREATE TABLE consents (
         account_id TEXT NOT NULL, client_id TEXT NOT NULL, scope TEXT NOT NULL, granted_at BIGINT NOT NULL,
         PRIMARY KEY (account_id, client_id, scope))`,
      `CREATE TABLE interactions (
         id TEXT PRIMARY KEY, browser_hash TEXT NOT NULL, client_id TEXT NOT NULL, query TEXT NOT NULL,
         domain TEXT NOT NULL, method TEXT NOT NULL, acct TEXT, challenge TEXT,
         grant_id TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
         account_id TEXT, auth_time BIGINT, amr TEXT, control_checked_at BIGINT, decision TEXT)`,
      `CREATE TABLE grants (
         id TEXT PRIMARY KEY, client_id TEXT NOT NULL, account_id TEXT NOT NULL, redirect_uri TEXT NOT NULL,
         scope TEXT NOT NULL, code_challenge TEXT, nonce TEXT, auth_time BIGINT NOT NULL, amr TEXT NOT NULL,
         created_at BIGINT NOT NULL, code_expires_at BIGINT NOT NULL, generation BIGINT NOT NULL,
         rotated_at BIGINT, refresh_expires_at BIGINT, expires_at BIGINT NOT NULL,
         control_checked_at BIGINT NOT NULL, revoked_at BIGINT)`,
    ],
    // Room in each page, so that a rotation stays within it and touches no index.
    postgres: [`ALTER TABLE grants SET (fillfactor = 80)`],
  },
  {
    version: 2,
    statements: [
      `ALTER TABLE clients ADD COLUMN former_secret_hash TEXT`,
      `ALTER TABLE clients ADD COLUMN former_secret_expires_at BIGINT`,
      // When the walk through the accounts last asked for the record; null: not since enrolment.
      `ALTER TABLE accounts ADD COLUMN walked_at BIGINT`,
      `CREATE TABLE attempts (
         name TEXT PRIMARY KEY, count BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
    ],
  },
  {
    version: 3,
    statements: [
      // Beside the grant, where no rotation writes these kilobytes again.
      `CREATE TABLE evidence (
         grant_id TEXT PRIMARY KEY, expires_at BIGINT NOT NULL, body TEXT NOT NULL)`,
      `CREATE TABLE secure_domains (
         domain TEXT PRIMARY KEY, secure_at BIGINT NOT NULL, unsigned_at BIGINT)`,
      // For keys that are current from the beginning of time: the age of no other is unknown.
      `ALTER TABLE keys ADD COLUMN made_at BIGINT`,
    ],
  },
  {
    version: 4,
    statements: [
      // An `acct` is another account at another SP, and a provider's may come again after an account's
      // end: the table is made anew, since SQLite drops no constraint. An empty `sp` is this service.
      `CREATE TABLE accounts_of_any_sp (
         id TEXT PRIMARY KEY, domain TEXT NOT NULL, sp TEXT NOT NULL, acct TEXT NOT NULL,
         created_at BIGINT NOT NULL, asleep_since BIGINT, ended_at BIGINT, walked_at BIGINT)`,
      `INSERT INTO accounts_of_any_sp
         (id, domain, sp, acct, created_at, asleep_since, ended_at, walked_at)
       SELECT id, domain, '', acct, created_at, asleep_since, ended_at, walked_at FROM accounts`,
      `DROP TABLE accounts`,
      `ALTER TABLE accounts_of_any_sp RENAME TO accounts`,
      `CREATE UNIQUE INDEX one_live_account_per_domain ON accounts (domain)
         WHERE asleep_since IS NULL AND ended_at IS NULL`,
      `CREATE UNIQUE INDEX one_account_per_record ON accounts (domain, sp, acct)
         WHERE ended_at IS NULL`,
      `ALTER TABLE interactions ADD COLUMN external TEXT`,
      `ALTER TABLE interactions ADD COLUMN owner_proof TEXT`,
      `CREATE TABLE sp_clients (
         issuer TEXT NOT NULL, source TEXT NOT NULL, client_id TEXT NOT NULL, settings TEXT NOT NULL,
         sealed_secret TEXT, made_at BIGINT NOT NULL,
         PRIMARY KEY (issuer, source))`,
    ],
  },
];

const NEWEST = MIGRATIONS.length;

/**
 * Brings the database to this version's schema and gives back its number. Refuses a schema that is
 * newer than this version.
 */
export async function migrate(engine: SqlEngine): Promise<number> {
  await engine.migrate((applied) => {
    refuseNewer(applied);
    return MIGRATIONS.filter((step) => step.version > applied);
  });
  return NEWEST;
}

/** Refuses any schema but this version's: for databases that `domain-signin migrate` is run on. */
export function requireSchema(applied: number): void {
  refuseNewer(applied);
  if (applied === NEWEST) return;
  const found = applied === 0 ? "no schema yet" : `schema ${applied}, this version needs ${NEWEST}`;
  throw new OperatorError(`the database has ${found}: run \`domain-signin migrate\` first`);
}

function refuseNewer(applied: number): void {
  if (applied <= NEWEST) return;
  throw new OperatorError(
    `the database has schema ${applied}, made by a newer domain-signin; this one knows ${NEWEST}`,
  );
}
