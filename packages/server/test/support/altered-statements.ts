// An engine whose statements are altered, for tests that must go red.

import type { GroupedStatement, SqlEngine, SqlStatement } from "../../src/database/engine.ts";

/** The engine, which puts `other` in the place of `text` in every statement, also where many requests share it. */
export function withAltered(engine: SqlEngine, text: string, other: string): SqlEngine {
  const altered = new Map<GroupedStatement, GroupedStatement>();
  const inText = (sql: string) => sql.replace(text, other);

  function inStatement(statement: SqlStatement): SqlStatement {
    if (typeof statement === "string") return inText(statement);
    const known = altered.get(statement);
    if (known !== undefined) return known;
    const { sqlite, postgres } = statement.ofMany;
    const made = {
      ...statement,
      sql: inText(statement.sql),
      ofMany: { sqlite: sqlite === null ? null : inText(sqlite), postgres: inText(postgres) },
    };
    altered.set(statement, made);
    return made;
  }

  return {
    ...engine,
    execute: (statement, parameters, options) =>
      engine.execute(inStatement(statement), parameters, options),
    commit: (writes, options) =>
      engine.commit(
        writes.map((write) => ({ ...write, statement: inStatement(write.statement) })),
        options,
      ),
  };
}
