// Whether a migration leaves the nodes of the previous version running.

import type { Migration } from "../../src/database/engine.ts";

/**
 * What in the migration could make a statement of the previous version fail, or lose what it wrote. Only
 * the forms that are known to be additive are accepted: new tables with their rows, new columns that may
 * be left out of an INSERT, and new indexes.
 */
export function destructiveSteps({ statements, postgres = [] }: Migration): string[] {
  const made = new Set<string>();
  const added = new Set<string>();
  return [...statements, ...postgres].filter((statement) => {
    const sql = statement.replaceAll(/\s+/g, " ").trim();
    const [, table] = /^CREATE TABLE (\w+) \(/.exec(sql) ?? [];
    if (table !== undefined) {
      made.add(table);
      return false;
    }
    const [, column, type] = /^ALTER TABLE \w+ ADD COLUMN (\w+) (.+)$/.exec(sql) ?? [];
    if (column !== undefined && type !== undefined) {
      added.add(column);
      return !isOptionalColumn(type);
    }
    const [, unique, indexed, condition] =
      /^CREATE (UNIQUE )?INDEX \w+ ON (\w+) \([\w, ]+\)(?: WHERE (.+))?$/.exec(sql) ?? [];
    if (indexed !== undefined) {
      // The previous version leaves a new column null.
      const isOfNewRows = [...added].some((name) => condition === `${name} IS NOT NULL`);
      return unique !== undefined && !made.has(indexed) && !isOfNewRows;
    }
    const [, filled] = /^INSERT INTO (\w+) /.exec(sql) ?? [];
    return filled === undefined || !made.has(filled);
  });
}

function isOptionalColumn(type: string): boolean {
  return /^(?:TEXT|BIGINT)(?:(?: NOT NULL)? DEFAULT (?:\d+|'[^']*'))?$/.test(type);
}
