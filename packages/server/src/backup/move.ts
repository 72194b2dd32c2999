// Moves a SQLite database to PostgreSQL: copies every table, compares both, and switches over.

import { createHash } from "node:crypto";
import type { SqlEngine } from "../database/engine.ts";
import { migrate, requireSchema } from "../database/migrations.ts";
import { firstFilled, movedStore, moveProgressStore } from "../database/moved.ts";
import { sqlOf } from "../database/rows.ts";
import { schemaTables, type Table } from "../database/schema-tables.ts";
import { inParts, requireKeys, rowsInKeyOrder } from "../database/table-rows.ts";
import { messageOf, OperatorError, UnavailableError } from "../lib/errors.ts";
import { type Random, randomText } from "../lib/random.ts";
import { installationStore } from "../store/installation.ts";

export interface MoveParties {
  /** A SQLite file that nobody else can use meanwhile. */
  readonly source: SqlEngine;
  readonly target: SqlEngine & { schemaVersion(): Promise<number> };
  /** Shown to the operator and kept in the source: without a password. */
  readonly targetName: string;
}

export interface MoveReport {
  readonly onProgress: (progress: MoveProgress) => void;
  readonly random: Random;
}

/** `done`: all rows of the table; the last progress of the table in this phase. */
export interface MoveProgress {
  readonly phase: "copied" | "compared";
  readonly table: string;
  readonly rows: number;
  readonly done: boolean;
}

export interface TableDigest {
  readonly rows: number;
  /** The hash of all columns, in the order of the primary key. */
  readonly sha256: string;
}

export interface ComparedTable {
  readonly table: string;
  readonly source: TableDigest;
  readonly target: TableDigest;
}

/** `different`: some tables differ, and nothing was switched over. `already`: an earlier call has finished. */
export type MoveOutcome =
  | { readonly outcome: "moved" | "different"; readonly tables: readonly ComparedTable[] }
  | { readonly outcome: "already" };

/**
 * An interrupted move continues where it was when it is called again. Until it has finished, the target is refused by
 * `serve`, and from then on the source. Rejects with `OperatorError` if the target is not empty.
 */
export async function moveDatabase(parties: MoveParties, report: MoveReport): Promise<MoveOutcome> {
  const { source, target, targetName } = parties;
  requireSchema(await sqliteSchema(source), "the source");
  if ((await target.schemaVersion()) === 0) await migrate(target);
  requireSchema(await target.schemaVersion(), "the target");
  const tables = await movedTables();
  const progress = moveProgressStore(target);
  const moved = movedStore(source);
  const { claimInstallation } = installationStore(sqlOf(source));
  const { databaseId: id } = await claimInstallation(randomText(report.random, 16));

  const unfinished = await progress.unfinishedSource();
  if (unfinished === null) {
    const movedTo = await moved.movedTo();
    const known = await installationStore(sqlOf(target)).readInstallation();
    const arrived = known?.databaseId === id;
    if (movedTo !== null && arrived) return { outcome: "already" };
    if (movedTo !== null) throw new OperatorError(`the source was moved to ${movedTo} already`);
    const filled = await firstFilled(target, tables);
    if (filled !== null) throw new OperatorError(`the target is not empty: ${filled} has rows`);
    await progress.begin(id, tables);
  }
  if ((await progress.unfinishedSource()) !== id) {
    throw new OperatorError("the target holds an unfinished move of another database");
  }

  for (const table of tables) await copyTable(table, parties, report);
  const compared: ComparedTable[] = [];
  for (const table of tables) compared.push(await compare(table, parties, report));
  if (compared.some(isDifferent)) return { outcome: "different", tables: compared };
  // In this order, so that both can never be served at the same time.
  await moved.setMovedTo(targetName);
  await progress.finish();
  return { outcome: "moved", tables: compared };
}

/** Makes the source of a finished or abandoned move usable again. False if it was not moved. */
export async function undoMove(source: SqlEngine): Promise<boolean> {
  requireSchema(await sqliteSchema(source), "the source");
  return movedStore(source).clearMovedTo();
}

export function isDifferent({ source, target }: ComparedTable): boolean {
  return source.rows !== target.rows || source.sha256 !== target.sha256;
}

/** All tables of the schema. `moved_to` is only about the source. */
async function movedTables(): Promise<readonly Table[]> {
  return (await schemaTables()).map((table) => {
    if (table.name !== "installation") return table;
    return { ...table, columns: table.columns.filter(({ name }) => name !== "moved_to") };
  });
}

async function copyTable(
  table: Table,
  { source, target }: MoveParties,
  { onProgress }: MoveReport,
): Promise<void> {
  const progress = moveProgressStore(target);
  await requireKeys(source, table);
  await progress.clear(table);
  let { lastKey, rowCount } = await progress.progressOf(table);
  const after = lastKey === null ? null : JSON.parse(lastKey);
  const said = (done: boolean) =>
    onProgress({ phase: "copied", table: table.name, rows: rowCount, done });
  for await (const batch of rowsInKeyOrder(source, table, after)) {
    for (const rows of inParts(batch)) {
      const next = await withTableName(table, () => progress.copyRows(table, lastKey, rows));
      if (next === null) throw new OperatorError("another move to this target is running");
      lastKey = next;
      rowCount += rows.length;
    }
    said(false);
  }
  said(true);
}

/** Names the table of a row that PostgreSQL refuses, so that the operator can find the row. */
async function withTableName<T>({ name }: Table, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    if (cause instanceof OperatorError || cause instanceof UnavailableError) throw cause;
    throw new OperatorError(`the target refuses rows of the table ${name}: ${messageOf(cause)}`);
  }
}

async function compare(
  table: Table,
  { source, target }: MoveParties,
  { onProgress }: MoveReport,
): Promise<ComparedTable> {
  const [ofSource, ofTarget] = await Promise.all([
    digestOf(source, table),
    digestOf(target, table),
  ]);
  onProgress({ phase: "compared", table: table.name, rows: ofTarget.rows, done: true });
  return { table: table.name, source: ofSource, target: ofTarget };
}

async function digestOf(engine: SqlEngine, table: Table): Promise<TableDigest> {
  const hash = createHash("sha256");
  let rows = 0;
  for await (const batch of rowsInKeyOrder(engine, table)) {
    for (const row of batch) hash.update(`${JSON.stringify(row)}\n`);
    rows += batch.length;
  }
  return { rows, sha256: hash.digest("hex") };
}

/** 0 for a file without a schema. */
async function sqliteSchema(engine: SqlEngine): Promise<number> {
  const [table] = await engine.execute(
    "SELECT name FROM sqlite_schema WHERE name = 'schema_version'",
    [],
  );
  if (table === undefined) return 0;
  const [newest] = await engine.execute("SELECT max(version) AS version FROM schema_version", []);
  return Number(newest?.version);
}
