// Runs updates of one kind as one statement, and gives each its own row.

import { UnavailableError } from "../lib/errors.ts";
import {
  type JoinedRows,
  type JoinedWrite,
  keyOf,
  type SqlRow,
  type SqlStatement,
  type StatementCall,
  textOf,
} from "./engine.ts";
import { rowsInJson } from "./grouped.ts";
import type { BatchItem, Outcome } from "./sqlite-batch.ts";
import { translate } from "./sqlite-library.ts";
import type { Written } from "./write-queue.ts";

/** Writes that take effect together or not at all. */
export interface SqliteJoin {
  readonly joined: readonly JoinedWrite[];
}

export type SqliteWrite = StatementCall | SqliteJoin;

/** The rows of a statement, or of each joined write. */
export type SqliteResult = readonly SqlRow[] | { readonly joined: JoinedRows };

type WrittenOf = Map<SqliteWrite, Written<SqliteResult>>;

/** Updates with different keys that become one statement, or a single write of another kind. */
interface StatementGroup {
  readonly statement: SqlStatement;
  readonly writes: StatementCall[];
}

type Group = StatementGroup | SqliteJoin;

/**
 * `flush` commits statements as one transaction, and resolves to the outcome of each. Where the statement of a group
 * fails, each of its writes is run by itself, so that none fails because of another.
 */
export function groupWrites(
  flush: (batch: readonly BatchItem[]) => Promise<readonly Outcome[]>,
): (batch: readonly SqliteWrite[]) => Promise<readonly Written<SqliteResult>[]> {
  async function run(groups: readonly Group[], written: WrittenOf): Promise<void> {
    const outcomes = await flush(groups.map(toBatchItem));
    for (const [index, group] of groups.entries()) {
      const outcome = outcomes[index] ?? { failure: "a statement without an outcome" };
      if ("joined" in group) {
        written.set(group, writtenOf(outcome));
        continue;
      }
      const { statement, writes } = group;
      if (typeof outcome === "string" && typeof statement !== "string") {
        const rows = rowsInJson(statement, outcome);
        for (const write of writes) written.set(write, rows.get(keyOf(write)) ?? []);
      } else for (const write of writes) written.set(write, writtenOf(outcome));
    }
  }

  return async (batch) => {
    const groups = groupsOf(batch);
    const written: WrittenOf = new Map();
    await run(groups, written);
    const alone = groups.flatMap((group) => separated(group, written));
    // What was written before stands, even if this fails as a whole.
    if (alone.length > 0) await run(alone, written).catch((error) => fail(alone, error, written));
    return batch.map((write) => written.get(write) ?? []);
  };
}

const ofMany = (statement: SqlStatement) =>
  typeof statement === "string" ? null : statement.ofMany.sqlite;

/**
 * In the order of the first write of each. A key that occurs again begins another group, which sees the first; so does a
 * write with other values that a group has in common.
 */
function groupsOf(batch: readonly SqliteWrite[]): Group[] {
  const groups: Group[] = [];
  const open = new Map<SqlStatement, { group: StatementGroup; keys: Set<unknown> }>();
  for (const write of batch) {
    if ("joined" in write) {
      groups.push(write);
      continue;
    }
    const { statement } = write;
    const known = open.get(statement);
    if (known !== undefined && !known.keys.has(keyOf(write)) && isAlike(known.group, write)) {
      known.group.writes.push(write);
      known.keys.add(keyOf(write));
      continue;
    }
    const group = { statement, writes: [write] };
    groups.push(group);
    if (ofMany(statement) !== null) open.set(statement, { group, keys: new Set([keyOf(write)]) });
  }
  return groups;
}

function fail(groups: readonly StatementGroup[], error: unknown, written: WrittenOf): void {
  const outcome = error instanceof Error ? error : new Error(String(error));
  for (const { writes } of groups) for (const write of writes) written.set(write, outcome);
}

/** The writes of a group that has failed for a reason that may lie in one of them, each by itself. */
function separated(group: Group, written: WrittenOf): StatementGroup[] {
  if ("joined" in group || group.writes.length < 2) return [];
  const { statement, writes } = group;
  const [first] = writes;
  const outcome = first && written.get(first);
  const isUnavailable = outcome instanceof UnavailableError;
  if (!(outcome instanceof Error) || isUnavailable) return [];
  return writes.map((write) => ({ statement, writes: [write] }));
}

function writtenOf(outcome: Outcome): Written<SqliteResult> {
  if (typeof outcome === "string") return [];
  return "failure" in outcome ? (translate(new Error(outcome.failure)) as Error) : outcome;
}

function toBatchItem(group: Group): BatchItem {
  if ("joined" in group) {
    const joined = group.joined.map(({ statement, parameters, when = false }) => ({
      sql: textOf(statement),
      parameters,
      when,
    }));
    return { joined };
  }
  const { statement, writes } = group;
  const { parameters: first = [] } = writes[0] ?? {};
  const sql = ofMany(statement);
  if (sql === null) return { sql: textOf(statement), parameters: first };
  const own = first.length - sharedBy(statement);
  const rows = JSON.stringify(writes.map(({ parameters }) => parameters.slice(0, own)));
  return { sql, parameters: first.slice(own), rows };
}

const sharedBy = (statement: SqlStatement) =>
  typeof statement === "string" ? 0 : statement.shared;

function isAlike({ statement, writes: [first] }: StatementGroup, { parameters }: StatementCall) {
  for (let count = sharedBy(statement); count > 0; count--) {
    if (first?.parameters.at(-count) !== parameters.at(-count)) return false;
  }
  return true;
}
