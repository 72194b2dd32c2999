// The schema, as numbered steps that only go forward.

import { OperatorError } from "../lib/errors.ts";
import type { Migration, SqlEngine } from "./engine.ts";

/** By version. */
const STATEMENTS: Readonly<Record<number, readonly string[]>> = {
  1: [
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
  2: [
    `ALTER TABLE clients ADD COLUMN former_secret_hash TEXT`,
    `ALTER TABLE clients ADD COLUMN former_secret_expires_at BIGINT`,
    // When the account walk last looked up the record; null: not since enrolment.
    `ALTER TABLE accounts ADD COLUMN walked_at BIGINT`,
    `CREATE TABLE attempts (
       name TEXT PRIMARY KEY, count BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
  ],
  3: [
    // Separate from grants, so that rotations do not rewrite these kilobytes.
    `CREATE TABLE evidence (
       grant_id TEXT PRIMARY KEY, expires_at BIGINT NOT NULL, body TEXT NOT NULL)`,
    `CREATE TABLE secure_domains (
       domain TEXT PRIMARY KEY, secure_at BIGINT NOT NULL, unsigned_at BIGINT)`,
    // The age of keys with `current_from` 0 is not known otherwise.
    `ALTER TABLE keys ADD COLUMN made_at BIGINT`,
  ],
  4: [
    // The same `acct` at different SPs names different accounts, and can be used again after an account
    // has ended. New table, because SQLite cannot drop the constraint. An empty `sp` is this service.
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
  5: [
    // Accounts that sleep already need a second look too.
    `ALTER TABLE accounts ADD COLUMN lost_confirmed_at BIGINT`,
    // The newest signed answer that was accepted.
    `ALTER TABLE accounts ADD COLUMN record_key TEXT`,
    `ALTER TABLE accounts ADD COLUMN record_inception BIGINT`,
    `ALTER TABLE accounts ADD COLUMN record_expiration BIGINT`,
    `ALTER TABLE accounts ADD COLUMN record_checked_at BIGINT`,
  ],
  6: [
    // The service's keys that this record lists.
    `ALTER TABLE accounts ADD COLUMN record_spk TEXT`,
    `ALTER TABLE interactions RENAME COLUMN owner_proof TO proofs`,
    // Records listed them as keys of the owner, for whom no service may sign.
    `DELETE FROM keys WHERE purpose = 'owner-statement'`,
  ],
  7: [
    // One row for each secret. Browsers sign in again, because their cookie was not of one account.
    `DROP TABLE sessions`,
    `CREATE TABLE sessions (
       secret_hash TEXT PRIMARY KEY, sid TEXT NOT NULL, number BIGINT NOT NULL,
       account_id TEXT NOT NULL, auth_time BIGINT NOT NULL, amr TEXT NOT NULL,
       browser TEXT NOT NULL, issued_at BIGINT NOT NULL, presented_at BIGINT, last_used_at BIGINT NOT NULL,
       expires_at BIGINT NOT NULL, ended_at BIGINT, end_reason TEXT)`,
    `CREATE INDEX secrets_of_session ON sessions (sid)`,
    `CREATE INDEX sessions_of_account ON sessions (account_id)`,
    `ALTER TABLE interactions ADD COLUMN sid TEXT`,
    // So that sign-ins that were pending can be completed.
    `UPDATE interactions SET sid = id WHERE account_id IS NOT NULL`,
    // For lists of an account's apps. Rotations do not change the column, so they do not touch the index.
    `CREATE INDEX grants_of_account ON grants (account_id)`,
  ],
  8: [
    // A set-up is in a cookie until its record is seen. One that was begun before starts over.
    `DROP TABLE enrolments`,
    // The hash of the interaction that finished the set-up, until its recovery codes were saved.
    `ALTER TABLE accounts ADD COLUMN finish_hash TEXT`,
    // When the person said that the recovery codes are saved.
    `ALTER TABLE interactions ADD COLUMN codes_saved_at BIGINT`,
    `UPDATE interactions SET codes_saved_at = created_at WHERE account_id IS NOT NULL`,
  ],
  9: [
    `CREATE TABLE history (
       account_id TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL,
       detail TEXT NOT NULL,
       PRIMARY KEY (account_id, id))`,
    `CREATE INDEX interactions_of_account ON interactions (account_id) WHERE account_id IS NOT NULL`,
  ],
  10: [
    `CREATE TABLE passkeys (
       credential_id TEXT PRIMARY KEY, account_id TEXT NOT NULL, user_handle TEXT NOT NULL,
       public_key TEXT NOT NULL, thumbprint TEXT NOT NULL, counter BIGINT NOT NULL,
       backed_up BIGINT NOT NULL, name TEXT NOT NULL, created_at BIGINT NOT NULL, last_used_at BIGINT)`,
    `CREATE INDEX passkeys_of_account ON passkeys (account_id)`,
    `ALTER TABLE interactions ADD COLUMN passkey_statement TEXT`,
    `ALTER TABLE interactions ADD COLUMN passkey_expires_at BIGINT`,
  ],
  11: [
    // An account knows a browser by the last secret of its sessions there. Browsers that have no session
    // need a recovery code once: the cookie that they were known by was never replaced.
    `DROP TABLE devices`,
    `ALTER TABLE sessions ADD COLUMN device_id TEXT`,
    `UPDATE sessions SET device_id = sid`,
    `CREATE INDEX secrets_of_device ON sessions (device_id)`,
    `ALTER TABLE interactions ADD COLUMN recovery_hash TEXT`,
  ],
  12: [
    // The clients that a session signed in to and that want to be told of its end.
    `CREATE TABLE session_clients (
       sid TEXT NOT NULL, client_id TEXT NOT NULL, next_at BIGINT NOT NULL, attempts BIGINT NOT NULL,
       told_at BIGINT, PRIMARY KEY (sid, client_id))`,
    // What is due is found by what has ended lately.
    `CREATE INDEX ended_sessions ON sessions (ended_at) WHERE ended_at IS NOT NULL`,
    `CREATE INDEX lost_accounts ON accounts (lost_confirmed_at) WHERE lost_confirmed_at IS NOT NULL`,
    `CREATE INDEX ended_accounts ON accounts (ended_at) WHERE ended_at IS NOT NULL`,
  ],
  13: [
    // Only the codes of the set that the account names are valid. Null: those of its set-up.
    `ALTER TABLE accounts ADD COLUMN code_set TEXT`,
    `ALTER TABLE recovery_codes ADD COLUMN code_set TEXT`,
  ],
  14: [
    // The time of the first and of the last event elsewhere that this browser has not shown yet.
    `ALTER TABLE sessions ADD COLUMN notices_from BIGINT`,
    `ALTER TABLE sessions ADD COLUMN notices_to BIGINT`,
    // The set of recovery codes that this sign-in offers to replace; empty for that of the set-up.
    `ALTER TABLE interactions ADD COLUMN codes_offered_from TEXT`,
  ],
  15: [
    // The host of the logout URI, so that one host does not delay the others.
    `ALTER TABLE session_clients ADD COLUMN host TEXT`,
    // The number of the last claim: an attempt that was overtaken changes nothing.
    `ALTER TABLE session_clients ADD COLUMN claims BIGINT NOT NULL DEFAULT 0`,
  ],
  16: [
    // The recovery code that an authentication used up. The index lets one authentication use it.
    `ALTER TABLE interactions ADD COLUMN used_code TEXT`,
    `CREATE UNIQUE INDEX one_authentication_per_code ON interactions (account_id, used_code)
       WHERE used_code IS NOT NULL`,
    // Whether an owner who signed in without their passkey was asked for a new one.
    `ALTER TABLE interactions ADD COLUMN recovery TEXT`,
    // The interaction that added a passkey. The index lets it add one.
    `ALTER TABLE passkeys ADD COLUMN added_in TEXT`,
    `CREATE UNIQUE INDEX one_passkey_per_interaction ON passkeys (added_in)
       WHERE added_in IS NOT NULL`,
  ],
  17: [
    // The time of the first event elsewhere that this sign-in still has to show.
    `ALTER TABLE interactions ADD COLUMN news_from BIGINT`,
    // The hash of the challenge that started the session, which starts no other one.
    `ALTER TABLE sessions ADD COLUMN started_by TEXT`,
    `CREATE UNIQUE INDEX sessions_by_challenge ON sessions (started_by)
       WHERE started_by IS NOT NULL`,
  ],
  18: [
    // The latest time that was certain, and how long the service has run since then without it.
    `CREATE TABLE high_water (
       id BIGINT PRIMARY KEY, seconds BIGINT NOT NULL, ran_s BIGINT NOT NULL, ran_at BIGINT NOT NULL,
       accepted BIGINT NOT NULL)`,
    `INSERT INTO high_water (id, seconds, ran_s, ran_at, accepted) VALUES (1, 0, 0, 0, 0)`,
    // Which database this is, and a counter that never goes back: copied to the mark file, so that a
    // restored backup is noticed. `moved_to` is set once the data has been moved to another database.
    `CREATE TABLE installation (
       id BIGINT PRIMARY KEY, database_id TEXT NOT NULL, counter BIGINT NOT NULL,
       restored_at BIGINT, moved_to TEXT)`,
    // Keys and client secrets that were ended. `restored` ends them again in a database from before that.
    `CREATE TABLE ended_keys (
       purpose TEXT NOT NULL, key_id BIGINT NOT NULL, made_at BIGINT NOT NULL, ended_at BIGINT NOT NULL,
       PRIMARY KEY (purpose, key_id, made_at))`,
    `CREATE TABLE ended_secrets (
       client_id TEXT NOT NULL, secret_hash TEXT NOT NULL, ended_at BIGINT NOT NULL,
       PRIMARY KEY (client_id, secret_hash))`,
    // The redemption or rotation that made the row what it is, so that an unknown outcome can be resolved.
    `ALTER TABLE grants ADD COLUMN attempt TEXT`,
    // When the zone confirmed the passkey after a restore.
    `ALTER TABLE passkeys ADD COLUMN confirmed_at BIGINT`,
  ],
  19: [
    // The domain whose owner can create names like this one, and a number that is unique among its accounts, so
    // that concurrent enrolments cannot exceed their limit. Null: the account walk has not come to it yet.
    `ALTER TABLE accounts ADD COLUMN owned_domain TEXT`,
    `ALTER TABLE accounts ADD COLUMN owned_number BIGINT`,
    `CREATE UNIQUE INDEX accounts_of_owner ON accounts (owned_domain, owned_number)
       WHERE owned_domain IS NOT NULL`,
    // The same of an external SP, and when it last redeemed a code.
    `ALTER TABLE sp_clients ADD COLUMN owned_domain TEXT`,
    `ALTER TABLE sp_clients ADD COLUMN used_at BIGINT`,
    // The same of a domain that was seen signed.
    `ALTER TABLE secure_domains ADD COLUMN owned_domain TEXT`,
    `CREATE INDEX secure_domains_of_owner ON secure_domains (owned_domain)
       WHERE owned_domain IS NOT NULL`,
    // When a set-up stored the codes, which is before their account exists.
    `ALTER TABLE recovery_codes ADD COLUMN made_at BIGINT`,
  ],
  20: [
    // The identifier of an API that access tokens are made for; null for a client.
    `ALTER TABLE clients ADD COLUMN resource TEXT`,
    `CREATE UNIQUE INDEX clients_by_resource ON clients (resource) WHERE resource IS NOT NULL`,
    // JSON: the resources that the grant is for, and what their tokens say; null for none.
    `ALTER TABLE grants ADD COLUMN resources TEXT`,
  ],
  21: [
    // Of a client that registered itself (RFC 7591), null for others: the hash of the token that manages its
    // registration, when somebody last signed in to it, and when it is removed unless it is used.
    `ALTER TABLE clients ADD COLUMN access_token_hash TEXT`,
    `ALTER TABLE clients ADD COLUMN used_at BIGINT`,
    `ALTER TABLE clients ADD COLUMN expires_at BIGINT`,
    `CREATE INDEX unused_clients ON clients (created_at DESC, id)
       WHERE expires_at IS NOT NULL AND used_at IS NULL`,
  ],
  22: [
    // The generation whose answer the service failed to deliver, and when a client got it after all.
    `ALTER TABLE grants ADD COLUMN undelivered BIGINT`,
    `ALTER TABLE grants ADD COLUMN redelivered_at BIGINT`,
  ],
  23: [
    // The newest time that is proven, and how long the service has run, in the one row 1. What an earlier version had
    // proven stays so; nodes of that version go on with `high_water`.
    `CREATE TABLE time_floor (
       id BIGINT PRIMARY KEY, seconds BIGINT NOT NULL, ran_s BIGINT NOT NULL,
       quiet_until BIGINT NOT NULL, jumps TEXT NOT NULL, accepted BIGINT NOT NULL)`,
    `INSERT INTO time_floor (id, seconds, ran_s, quiet_until, jumps, accepted)
       SELECT 1, seconds, 0, 0, '[]', accepted FROM high_water`,
    // The running time when the row was made. Null: by an earlier version.
    `ALTER TABLE interactions ADD COLUMN made_ran BIGINT`,
    `ALTER TABLE evidence ADD COLUMN made_ran BIGINT`,
    `ALTER TABLE grants ADD COLUMN made_ran BIGINT`,
  ],
  24: [
    // MACs of the networks that caused a row which nobody has proved. Null: by an earlier version.
    `ALTER TABLE interactions ADD COLUMN networks TEXT`,
    `ALTER TABLE evidence ADD COLUMN networks TEXT`,
    `ALTER TABLE clients ADD COLUMN networks TEXT`,
    // How many sign-ins were finished from a network, by the MAC of its address, on a day.
    `CREATE TABLE network_weights (
       mac TEXT NOT NULL, day BIGINT NOT NULL, count BIGINT NOT NULL, PRIMARY KEY (mac, day))`,
    // The hash of the DNS challenge that an authentication used up. The index lets one authentication use it; the
    // session that it starts records the same hash, and outlives this row.
    `ALTER TABLE interactions ADD COLUMN used_challenge TEXT`,
    `CREATE UNIQUE INDEX one_authentication_per_challenge ON interactions (used_challenge)
       WHERE used_challenge IS NOT NULL`,
  ],
  25: [
    // What browsers are told of: a passkey that signs nobody in any more.
    `CREATE TABLE removed_passkeys (
       credential_id TEXT PRIMARY KEY, account_id TEXT NOT NULL, thumbprint TEXT NOT NULL,
       removed_at BIGINT NOT NULL)`,
    `CREATE INDEX removed_passkeys_of_account ON removed_passkeys (account_id)`,
  ],
  26: [
    // What the ID token says beside the account: the session of the sign-in, and the claims of the scope `profile` that
    // the request names, separated by spaces. Null: a node of an earlier version issued the code.
    `ALTER TABLE grants ADD COLUMN sid TEXT`,
    `ALTER TABLE grants ADD COLUMN claims TEXT`,
  ],
  27: [
    // When the account walk looks up the record, or looks it up again. An account of an earlier version is due at once.
    `ALTER TABLE accounts ADD COLUMN walk_due_at BIGINT NOT NULL DEFAULT 0`,
    `CREATE INDEX due_accounts ON accounts (walk_due_at) WHERE ended_at IS NULL`,
  ],
};

const ON_POSTGRES: Readonly<Record<string, readonly string[]>> = {
  // Free space in each page, so that rotations can update in place without touching indexes.
  1: [`ALTER TABLE grants SET (fillfactor = 80)`],
};

export const MIGRATIONS: readonly Migration[] = Object.entries(STATEMENTS).map(
  ([key, statements]) => ({ version: Number(key), statements, postgres: ON_POSTGRES[key] ?? [] }),
);

/** The schema of this version. */
export const NEWEST = MIGRATIONS.length;

/**
 * Updates the database to the schema of this version and returns its number. Calls `onChange` if there is
 * anything to do. Rejects with `OperatorError` if the schema is newer.
 */
export async function migrate(engine: SqlEngine, onChange = () => {}): Promise<number> {
  await engine.migrate((applied) => {
    refuseNewer(applied);
    if (applied < NEWEST) onChange();
    return MIGRATIONS.filter((step) => step.version > applied);
  });
  return NEWEST;
}

/** Throws `OperatorError` unless the schema is that of this version. For databases without automatic migration. */
export function requireSchema(applied: number, name = "the database"): void {
  refuseNewer(applied, name);
  if (applied === NEWEST) return;
  const found = applied === 0 ? "no schema yet" : `schema ${applied}, this version needs ${NEWEST}`;
  throw new OperatorError(`${name} has ${found}: run \`domain-signin migrate\` first`);
}

/** Throws `OperatorError` if the schema is one of a later version. */
export function refuseNewer(applied: number, name = "the database"): void {
  if (applied <= NEWEST) return;
  throw new OperatorError(
    `${name} has schema ${applied} of a newer domain-signin; this version supports up to ${NEWEST}`,
  );
}
