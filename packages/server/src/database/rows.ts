// Runs statements and reads their rows as records: columns in snake case become fields in camel case.

import { memoize } from "../lib/memoize.ts";
import type {
  JoinedWrite,
  SqlEngine,
  SqlExecutor,
  SqlRow,
  SqlStatement,
  SqlValue,
  StatementOptions,
} from "./engine.ts";

export type StatementWithValues = readonly [SqlStatement, ...(readonly SqlValue[])];

/** What needs no writes that commit together. */
export type PlainSql = ReturnType<typeof sqlOf<SqlExecutor>>;

export type Sql = ReturnType<typeof sqlOf<SqlEngine>>;

export function sqlOf<Engine extends SqlExecutor>(engine: Engine, options?: StatementOptions) {
  const rows = (...[statement, ...parameters]: StatementWithValues) =>
    engine.execute(statement, parameters, options);
  return {
    engine,
    rows,
    run: async (...statement: StatementWithValues): Promise<void> => {
      await rows(...statement);
    },
    returnsRow: async (...statement: StatementWithValues) => (await rows(...statement)).length > 0,
    first: async <T>(...statement: StatementWithValues): Promise<T | null> => {
      const [row] = await rows(...statement);
      return row === undefined ? null : toRecord<T>(row);
    },
    all: async <T>(...statement: StatementWithValues): Promise<readonly T[]> =>
      (await rows(...statement)).map((row) => toRecord<T>(row)),
  };
}

/** One of several writes that commit together. */
export function write(...[statement, ...parameters]: StatementWithValues): JoinedWrite {
  return { statement, parameters };
}

/** The same for a write without whose row none of them takes effect. */
export function writeWhen(...[statement, ...parameters]: StatementWithValues): JoinedWrite {
  return { statement, parameters, when: true };
}

/** Columns for statements alone. */
const OF_STATEMENTS = ["made_ran", "networks"];

/** By prefix and column: the name of the field, or empty if the column is not read with this prefix. */
const fieldsWith = memoize((prefix) =>
  memoize((column) => {
    const own = column.slice(prefix.length);
    const isOwn = column.startsWith(prefix) && !own.includes("__") && !OF_STATEMENTS.includes(own);
    return isOwn ? own.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : "";
  }),
);

/** Reads a row as `T`. Columns of a joined table are read only with their `prefix`, which ends in `__`. */
export function toRecord<T>(row: SqlRow, prefix = ""): T {
  const fieldOf = fieldsWith(prefix);
  const record: Record<string, unknown> = {};
  for (const column in row) {
    const field = fieldOf(column);
    if (field !== "") record[field] = row[column];
  }
  return record as T;
}
