// Invariants of the rows that no index enforces. Each query finds the rows that break one.

import { messageOf } from "../lib/errors.ts";
import type { SqlEngine, SqlRow } from "./engine.ts";
import { migrate, requireSchema } from "./migrations.ts";
import { openSqlite } from "./sqlite.ts";

type Execute = SqlEngine["execute"];

export interface Violation {
  readonly problem: string;
  readonly count: number;
  /** The first few names. */
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

/**
 * Rows of accounts: the table, and the column that names a row. Never the id of a grant or an interaction: the output
 * must not contain a part of a token. Not recovery codes and passkeys: those of a set-up are there
 * before its account, and stay if it is interrupted.
 */
const OF_ACCOUNTS = {
  grants: "account_id",
  sessions: "sid",
  consents: "account_id",
  interactions: "account_id",
} as const;

/** By what is broken, in words that follow the number of rows. Each selects a name of the rows that break it. */
const INVARIANTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(OF_ACCOUNTS).map(([table, name]) => [
      `rows of ${table} belong to an account that does not exist`,
      `SELECT ${name} AS name FROM ${table} WHERE account_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = ${table}.account_id)`,
    ]),
  ),
  "domains have more than one live account": `
    SELECT domain AS name FROM accounts WHERE asleep_since IS NULL AND ended_at IS NULL
      GROUP BY domain HAVING count(*) > 1`,
  "accounts are live although the loss of their record is confirmed": `
    SELECT id AS name FROM accounts
      WHERE asleep_since IS NULL AND ended_at IS NULL AND lost_confirmed_at IS NOT NULL`,
  "grants have a negative generation": "SELECT account_id AS name FROM grants WHERE generation < 0",
  "grants are not redeemed, but have a time of redemption": `
    SELECT account_id AS name FROM grants
      WHERE generation = 0 AND (rotated_at IS NOT NULL OR refresh_expires_at IS NOT NULL)`,
  "grants are redeemed, but have no time of redemption": `
    SELECT account_id AS name FROM grants
      WHERE generation > 0 AND (rotated_at IS NULL OR refresh_expires_at IS NULL)`,
  "grants have a refresh token that outlives them": `
    SELECT account_id AS name FROM grants WHERE refresh_expires_at > expires_at`,
  "sessions have ended without a reason, or have a reason and have not ended": `
    SELECT sid AS name FROM sessions
      WHERE (ended_at IS NULL AND end_reason IS NOT NULL) OR (ended_at IS NOT NULL AND end_reason IS NULL)`,
  "keys of codes and tokens have an id that does not fit into a token": `
    SELECT CAST(id AS TEXT) AS name FROM keys
      WHERE purpose = 'grant-token' AND (id < 1 OR id > 255)`,
  "tables do not have exactly one row": `
    SELECT 'time_floor' AS name FROM (SELECT count(*) AS rows FROM time_floor) AS found WHERE rows <> 1`,
  "databases have keys, but do not name their issuer": `
    SELECT 'issuer_host' AS name FROM (SELECT count(*) AS rows FROM keys) AS found
      WHERE rows > 0 AND NOT EXISTS (SELECT 1 FROM facts WHERE name = 'issuer_host')`,
};

/**
 * Every invariant that the rows break, and every table and index that is missing. Each query sees one moment,
 * so that a service may be running. Rejects with `OperatorError` if the schema is not that of this version.
 */
export async function violationsIn(execute: Execute, isSqlite: boolean): Promise<Violation[]> {
  requireSchema(await presentSchema(execute));
  const missing = await missingIn(execute, isSqlite);
  if (missing.length > 0) return [violation("tables or indexes are missing", missing)];
  const violations: Violation[] = [];
  for (const [broken, sql] of Object.entries(INVARIANTS)) {
    const [row] = await execute(`SELECT count(*) AS count FROM (${sql}) AS found`, []);
    const count = Number(row?.count);
    if (count === 0) continue;
    const named = await execute(`${sql} LIMIT ${EXAMPLES}`, []);
    violations.push(violation(broken, named.map(nameOf), count));
  }
  return violations;
}

function violation(problem: string, names: readonly string[], count = names.length): Violation {
  return { problem, count, examples: names.slice(0, EXAMPLES) };
}

async function presentSchema(execute: Execute): Promise<number> {
  try {
    const [row] = await execute("SELECT max(version) AS version FROM schema_version", []);
    return Number(row?.version);
  } catch (cause) {
    if (/no such table|does not exist/.test(messageOf(cause))) return 0;
    throw cause;
  }
}

const IN_SQLITE = "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'";
const IN_POSTGRES = `
  SELECT CAST(pg_class.relname AS TEXT) AS name
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
  WHERE pg_namespace.nspname = current_schema()`;

/** The tables and indexes that a new database has and this one lacks. */
async function missingIn(execute: Execute, isSqlite: boolean): Promise<string[]> {
  const fresh = openSqlite(":memory:");
  await migrate(fresh);
  const expected = (await fresh.execute(IN_SQLITE, [])).map(nameOf);
  await fresh.close();
  const present = new Set((await execute(isSqlite ? IN_SQLITE : IN_POSTGRES, [])).map(nameOf));
  return expected.filter((name) => !present.has(name));
}

function nameOf({ name }: SqlRow): string {
  return String(name);
}
