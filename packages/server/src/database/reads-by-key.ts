// Reads by a key, in the form that reads by many keys at once.

import type { SqlRow, SqlValue } from "./engine.ts";
import { rowOf } from "./json-rows.ts";

/** A read by many keys: its only parameter is a JSON array of them. */
export interface ReadByKeys {
  readonly sql: string;
  /** The key of a row that it returns, and the row as the read by one key returns it. */
  toKeyed(row: SqlRow): readonly [key: SqlValue, row: SqlRow];
}

const LIST = /(?<=^\s*SELECT )[\w.]+(?: AS \w+)?(?:,\s+[\w.]+(?: AS \w+)?)*(?=\s+FROM\b)/;
/** Clauses that refer to result columns or to the whole result, or find rows without the key. */
const OTHER = /\b(?:DISTINCT|ORDER|GROUP|LIMIT|UNION|EXCEPT|INTERSECT|OR)\b/;
/** With fewer columns, SQLite gains little. */
const MIN_COLUMNS = 8;

interface Parts {
  /** `a.b AS c`. */
  readonly columns: readonly string[];
  readonly key: string;
  readonly whereKey: string;
}

/** Null unless it just lists columns, and its only parameter is the value of the first one, the key. */
function partsOf(sql: string): Parts | null {
  const columns = LIST.exec(sql)?.[0].split(/,\s+/) ?? [];
  const key = expressionOf(columns[0] ?? "");
  const whereKey = `WHERE ${key} = ?1`;
  const isByKey = sql.includes(whereKey) && sql.split("?").length === 2;
  return isByKey && !OTHER.test(sql) ? { columns, key, whereKey } : null;
}

/** The read for SQLite, with its rows as JSON; null for one of another form. */
export function readByKeysOnSqlite(sql: string): ReadByKeys | null {
  const parts = partsOf(sql);
  if (parts === null || parts.columns.length < MIN_COLUMNS) return null;
  const { columns, key, whereKey } = parts;
  const statement = {
    sql: sql
      .replace(LIST, `json_array(${columns.map(expressionOf).join(", ")}) AS row`)
      .replace(whereKey, `WHERE ${key} IN (SELECT value FROM json_each(?1))`),
    columns: columns.map(nameOf),
  };
  return {
    sql: statement.sql,
    toKeyed({ row }) {
      const values: SqlValue[] = JSON.parse(String(row));
      return [values[0] ?? null, rowOf(statement, values)];
    },
  };
}

/** The read for PostgreSQL; null for one of another form. */
export function readByKeysOnPostgres(sql: string): ReadByKeys | null {
  const parts = partsOf(sql);
  if (parts === null) return null;
  const { columns, key, whereKey } = parts;
  const keys = "SELECT jsonb_array_elements_text(CAST(?1 AS jsonb))";
  const keyColumn = nameOf(columns[0] ?? "");
  return {
    sql: sql.replace(whereKey, `WHERE ${key} = ANY(ARRAY(${keys}))`),
    toKeyed: (row) => [row[keyColumn] ?? null, row],
  };
}

/** `a.b` of `a.b AS c`. */
function expressionOf(column: string): string {
  return column.replace(/ AS .*/, "");
}

/** `c` of `a.b AS c`, and `b` of `a.b`. */
function nameOf(column: string): string {
  return column.replace(/.*[ .]/, "");
}
