// Runs writes of one kind as one statement, and gives each its own row.

import { UnavailableError } from "../lib/errors.ts";
import { memoize } from "../lib/memoize.ts";
import type { SqlRow, SqlValue } from "./engine.ts";
import { type GroupedStatement, groupedForSqlite } from "./given.ts";
import { rowOf } from "./json-rows.ts";
import type { BatchStatement, Outcome } from "./sqlite-batch.ts";
import { translate } from "./sqlite-library.ts";
import type { Write, Written } from "./write-queue.ts";

/** Writes with different keys that become one statement, or a single write of another kind (null). */
interface Group {
  readonly statement: GroupedStatement | null;
  readonly writes: Write[];
}

/**
 * `flush` commits statements as one transaction, and resolves to the outcome of each. Where the statement of a group
 * fails, each of its writes is run by itself, so that none fails because of another.
 */
export function groupWrites(
  flush: (batch: readonly BatchStatement[]) => Promise<readonly Outcome[]>,
): (batch: readonly Write[]) => Promise<readonly Written[]> {
  const kindOf = memoize(groupedForSqlite);

  /** In the order of the first write of each. A key that occurs again begins another group, which sees the first. */
  function groupsOf(batch: readonly Write[]): Group[] {
    const groups: Group[] = [];
    const open = new Map<GroupedStatement, { group: Group; keys: Set<unknown> }>();
    for (const write of batch) {
      const statement = kindOf(write.sql);
      const key = write.parameters[0];
      const found = statement === null ? undefined : open.get(statement);
      if (found !== undefined && !found.keys.has(key)) {
        found.group.writes.push(write);
        found.keys.add(key);
        continue;
      }
      const group = { statement, writes: [write] };
      groups.push(group);
      if (statement !== null) open.set(statement, { group, keys: new Set([key]) });
    }
    return groups;
  }

  async function run(groups: readonly Group[], written: Map<Write, Written>): Promise<void> {
    const outcomes = await flush(groups.map(toStatement));
    for (const [index, { statement, writes }] of groups.entries()) {
      const outcome = outcomes[index] ?? { failure: "a statement without an outcome" };
      if (typeof outcome === "string" && statement !== null) {
        const rows = rowsByKey(statement, outcome);
        for (const write of writes) written.set(write, rowsFor(write, rows));
      } else for (const write of writes) written.set(write, writtenOf(outcome));
    }
  }

  return async (batch) => {
    const groups = groupsOf(batch);
    const written = new Map<Write, Written>();
    await run(groups, written);
    const failed = groups.filter(({ writes }) => mayBeCausedByOneWrite(writes, written));
    const alone = failed.flatMap(({ statement, writes }) =>
      writes.map((write) => ({ statement, writes: [write] })),
    );
    // What was written before stands, even if this fails as a whole.
    if (alone.length > 0) await run(alone, written).catch((error) => fail(alone, error, written));
    return batch.map((write) => written.get(write) ?? []);
  };
}

function fail(groups: readonly Group[], error: unknown, written: Map<Write, Written>): void {
  const outcome = error instanceof Error ? error : new Error(String(error));
  for (const { writes } of groups) for (const write of writes) written.set(write, outcome);
}

/** Whether a group has failed for a reason that may lie in one of its writes. */
function mayBeCausedByOneWrite(
  writes: readonly Write[],
  written: ReadonlyMap<Write, Written>,
): boolean {
  const [first] = writes;
  const outcome = first && written.get(first);
  const isUnavailable = outcome instanceof UnavailableError;
  return writes.length > 1 && outcome instanceof Error && !isUnavailable;
}

/** By their keys, from the JSON that a grouped statement has returned. */
function rowsByKey(statement: GroupedStatement, json: string): Map<SqlValue, SqlRow> {
  const rows = new Map<SqlValue, SqlRow>();
  for (const values of JSON.parse(json) as SqlValue[][]) {
    rows.set(values[0] ?? null, rowOf(statement, values));
  }
  return rows;
}

/** The key of a write is its first value. */
function rowsFor({ parameters }: Write, rows: ReadonlyMap<SqlValue, SqlRow>): Written {
  const row = rows.get(parameters[0] ?? null);
  return row === undefined ? [] : [row];
}

function writtenOf(outcome: Outcome): Written {
  if (typeof outcome === "string") return [];
  return "failure" in outcome ? (translate(new Error(outcome.failure)) as Error) : outcome;
}

function toStatement({ statement, writes }: Group): BatchStatement {
  const [first] = writes;
  if (statement === null) return { sql: first?.sql ?? "", parameters: first?.parameters ?? [] };
  const values = writes.map(({ parameters }) => parameters);
  return { sql: statement.sql, parameters: JSON.stringify(values) };
}
