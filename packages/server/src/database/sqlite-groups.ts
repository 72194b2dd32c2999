// Runs updates of one kind as one statement, and gives each its own row.

import { UnavailableError } from "../lib/errors.ts";
import { keyOf, type SqlStatement, type StatementCall, textOf } from "./engine.ts";
import { rowsInJson } from "./grouped.ts";
import type { BatchStatement, Outcome } from "./sqlite-batch.ts";
import { translate } from "./sqlite-library.ts";
import type { Written } from "./write-queue.ts";

/** Updates with different keys that become one statement, or a single write of another kind. */
interface Group {
  readonly statement: SqlStatement;
  readonly writes: StatementCall[];
}

/**
 * `flush` commits statements as one transaction, and resolves to the outcome of each. Where the statement of a group
 * fails, each of its writes is run by itself, so that none fails because of another.
 */
export function groupWrites(
  flush: (batch: readonly BatchStatement[]) => Promise<readonly Outcome[]>,
): (batch: readonly StatementCall[]) => Promise<readonly Written[]> {
  async function run(
    groups: readonly Group[],
    written: Map<StatementCall, Written>,
  ): Promise<void> {
    const outcomes = await flush(groups.map(toBatchStatement));
    for (const [index, { statement, writes }] of groups.entries()) {
      const outcome = outcomes[index] ?? { failure: "a statement without an outcome" };
      if (typeof outcome === "string" && typeof statement !== "string") {
        const rows = rowsInJson(statement, outcome);
        for (const write of writes) written.set(write, rows.get(keyOf(write)) ?? []);
      } else for (const write of writes) written.set(write, writtenOf(outcome));
    }
  }

  return async (batch) => {
    const groups = groupsOf(batch);
    const written = new Map<StatementCall, Written>();
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

const ofMany = (statement: SqlStatement) =>
  typeof statement === "string" ? null : statement.ofMany.sqlite;

/** In the order of the first write of each. A key that occurs again begins another group, which sees the first. */
function groupsOf(batch: readonly StatementCall[]): Group[] {
  const groups: Group[] = [];
  const open = new Map<SqlStatement, { group: Group; keys: Set<unknown> }>();
  for (const write of batch) {
    const { statement } = write;
    const known = open.get(statement);
    if (known !== undefined && !known.keys.has(keyOf(write))) {
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

function fail(
  groups: readonly Group[],
  error: unknown,
  written: Map<StatementCall, Written>,
): void {
  const outcome = error instanceof Error ? error : new Error(String(error));
  for (const { writes } of groups) for (const write of writes) written.set(write, outcome);
}

/** Whether a group has failed for a reason that may lie in one of its writes. */
function mayBeCausedByOneWrite(
  writes: readonly StatementCall[],
  written: ReadonlyMap<StatementCall, Written>,
): boolean {
  const [first] = writes;
  const outcome = first && written.get(first);
  const isUnavailable = outcome instanceof UnavailableError;
  return writes.length > 1 && outcome instanceof Error && !isUnavailable;
}

function writtenOf(outcome: Outcome): Written {
  if (typeof outcome === "string") return [];
  return "failure" in outcome ? (translate(new Error(outcome.failure)) as Error) : outcome;
}

function toBatchStatement({ statement, writes }: Group): BatchStatement {
  const sql = ofMany(statement);
  if (sql === null) return { sql: textOf(statement), parameters: writes[0]?.parameters ?? [] };
  return { sql, parameters: JSON.stringify(writes.map(({ parameters }) => parameters)) };
}
