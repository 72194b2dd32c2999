// `domain-signin move`: moves a SQLite database to PostgreSQL.

import type { Command } from "commander";
import {
  isDifferent,
  type MoveOutcome,
  type MoveProgress,
  moveDatabase,
  undoMove,
} from "../backup/move.ts";
import { databaseName, openSourceOfMove, openTargetOfMove } from "../database/open.ts";
import { OperatorError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import {
  answerCall,
  type Call,
  type CommandAnswer,
  type CommandContext,
  type GivenOptions,
  RefusalError,
} from "./command-frame.ts";

interface MoveOptions extends GivenOptions {
  readonly from: string;
  readonly to?: string;
  readonly undo?: true;
}

/** Rows of a table between two lines of progress. */
const REPORTED_ROWS = 100_000;

export function addCommand(command: Command, context: CommandContext): void {
  command
    .requiredOption("--from <database>", "the SQLite file: sqlite:PATH")
    .option("--to <database>", "the PostgreSQL database: postgres://USER@HOST:PORT/NAME")
    .option("--undo", "make the SQLite file usable again, if nothing has used the target yet")
    .option("--json", "print JSON");
  answerCall(command, context, async ({ options: { from, to, undo } }: Call<MoveOptions>) => {
    if ((to === undefined) !== (undo === true)) {
      throw new OperatorError("specify either --to or --undo");
    }
    return to === undefined ? undoFrom(from, context) : move(from, to, context);
  });
}

async function move(from: string, to: string, context: CommandContext): Promise<CommandAnswer> {
  const names = { from: databaseName(from), to: databaseName(to) };
  const target = openTargetOfMove(to);
  try {
    const source = openSourceOfMove(from);
    try {
      const moved = await moveDatabase(
        { source, target, targetName: names.to },
        { onProgress: progressLines(context), random: systemRandom },
      );
      if (moved.outcome === "moved") await context.audit({ command: "move", ...names });
      return answerOf(moved, names);
    } finally {
      await source.close();
    }
  } finally {
    await target.close();
  }
}

function answerOf(moved: MoveOutcome, names: { from: string; to: string }): CommandAnswer {
  const { from, to } = names;
  if (moved.outcome === "already") {
    const text = `${from} was moved to ${to} already`;
    return { json: { ...names, already: true, tables: [] }, text };
  }
  if (moved.outcome === "different") {
    const tables = moved.tables
      .filter(isDifferent)
      .map(({ table, source, target }) => `${table} (${source.rows} and ${target.rows} rows)`);
    throw new RefusalError(
      `${from} and ${to} differ in ${tables.join(", ")}: one of them was changed since the move began. ` +
        `Continue to use ${from}. To repeat the move, start with an empty target`,
    );
  }
  const tables = moved.tables.map(({ table, target }) => ({ table, ...target }));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const text =
    `moved ${rows} rows of ${tables.length} tables from ${from} to ${to}; the numbers of rows and ` +
    `the checksums of all tables are the same. Now serve ${to}`;
  return { json: { ...names, already: false, tables }, text };
}

/** On standard error: when a table is done, and for large tables in between. */
function progressLines({ terminal }: CommandContext): (progress: MoveProgress) => void {
  let reported = 0;
  return ({ phase, table, rows, done }) => {
    if (done ? rows > 0 : rows >= reported + REPORTED_ROWS) {
      reported = rows;
      terminal.err(`${phase} ${table}: ${rows} rows\n`);
    }
    if (done) reported = 0;
  };
}

async function undoFrom(from: string, context: CommandContext): Promise<CommandAnswer> {
  const name = databaseName(from);
  const source = openSourceOfMove(from);
  try {
    if (!(await undoMove(source))) throw new RefusalError(`${name} was not moved`);
    await context.audit({ command: "move --undo", from: name });
    const text = `${name} can be used again: do not use the database that it was moved to`;
    return { json: { from: name }, text };
  } finally {
    await source.close();
  }
}
