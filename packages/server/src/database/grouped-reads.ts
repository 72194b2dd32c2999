// Reads of one kind that requests ask for at the same moment, as one statement.

import { memoize } from "../lib/memoize.ts";
import type { SqlRow, SqlValue } from "./engine.ts";
import type { ReadByKeys } from "./reads-by-key.ts";

export interface Read {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

type Rows = readonly SqlRow[];

interface Asked {
  readonly key: SqlValue;
  resolve(rows: Rows): void;
  reject(error: unknown): void;
}

/**
 * `read` runs one statement. Where `byKeys` has a form of a statement for many keys, the reads of all requests that have
 * come to this step together are one statement, which runs when the last of them has asked. Each rejects if that fails.
 */
export function groupReads(
  read: (statement: Read) => Rows | Promise<Rows>,
  byKeys: (sql: string) => ReadByKeys | null,
): (statement: Read) => Rows | Promise<Rows> {
  const kindOf = memoize(byKeys);
  const groups = new Map<ReadByKeys, Asked[]>();

  async function runGroup(kind: ReadByKeys): Promise<void> {
    const group = groups.get(kind) ?? [];
    groups.delete(kind);
    try {
      const keys = new Set(group.map(({ key }) => key));
      const rowsOf = new Map<SqlValue, SqlRow[]>();
      for (const found of await read({ sql: kind.sql, parameters: [JSON.stringify([...keys])] })) {
        const [key, row] = kind.toKeyed(found);
        const rows = rowsOf.get(key);
        if (rows === undefined) rowsOf.set(key, [row]);
        else rows.push(row);
      }
      for (const { key, resolve } of group) resolve(rowsOf.get(key) ?? []);
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
      queueMicrotask(() => void runGroup(kind));
    });
  };
}
