// Reads of one kind that requests ask for at the same moment, as one statement.

import { memoize } from "../lib/memoize.ts";
import type { SqlRow, SqlValue } from "./engine.ts";
import { type JsonRows, jsonRowsByKey, rowOf } from "./json-rows.ts";

export interface Read {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

interface Asked {
  readonly key: SqlValue;
  resolve(rows: readonly SqlRow[]): void;
  reject(error: unknown): void;
}

/**
 * `read` runs one statement. Where a statement reads by a key, the reads of all requests that have come to this step
 * together are one statement, which runs when the last of them has asked. Each rejects if that fails.
 */
export function groupReads(
  read: (statement: Read) => readonly SqlRow[],
): (statement: Read) => readonly SqlRow[] | Promise<readonly SqlRow[]> {
  const kindOf = memoize(jsonRowsByKey);
  const groups = new Map<JsonRows, Asked[]>();

  function runGroup(kind: JsonRows): void {
    const group = groups.get(kind) ?? [];
    groups.delete(kind);
    try {
      const keys = new Set(group.map(({ key }) => key));
      const found = read({ sql: kind.sql, parameters: [JSON.stringify([...keys])] });
      const byKey = new Map<SqlValue, SqlRow[]>();
      for (const { row } of found) {
        const values: SqlValue[] = JSON.parse(String(row));
        const key = values[0] ?? null;
        const rows = byKey.get(key);
        if (rows === undefined) byKey.set(key, [rowOf(kind, values)]);
        else rows.push(rowOf(kind, values));
      }
      for (const { key, resolve } of group) resolve(byKey.get(key) ?? []);
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    }
  }

  return (statement) => {
    const [key] = statement.parameters;
    const kind = kindOf(statement.sql);
    // A number may equal a text in SQL, but not here.
    if (kind === null || typeof key !== "string") return read(statement);
    return new Promise((resolve, reject) => {
      const asked = { key, resolve, reject };
      const group = groups.get(kind);
      if (group !== undefined) {
        group.push(asked);
        return;
      }
      groups.set(kind, [asked]);
      queueMicrotask(() => runGroup(kind));
    });
  };
}
