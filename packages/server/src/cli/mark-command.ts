// `domain-signin mark accept`: accepts a database as it is, although it does not match its mark.

import type { Command } from "commander";
import { acceptDatabase } from "../backup/mark-keeper.ts";
import { markPathOf, readSettings } from "../config/config.ts";
import { OperatorError } from "../lib/errors.ts";
import { type CommandDatabase, withReadyDatabase } from "./command-database.ts";
import { answeringCommand, type CommandContext } from "./command-frame.ts";

export function addCommand(mark: Command, context: CommandContext): void {
  const about =
    "accept the database as it is, and replace the mark file; after a restore, run restored instead";
  const command = mark.command("accept").description(about);
  answeringCommand(command, ["database", "mark"], context, async ({ sources }) => {
    const settings = readSettings(sources, ["database", "mark"]);
    const path = markPathOf(settings);
    if (path === null) throw new OperatorError("there is no mark file: set --mark");
    const accept = (own: CommandDatabase) => acceptDatabase(path, own);
    const accepted = await withReadyDatabase(settings.database, accept, { alone: true });
    const { databaseId: database, counter } = accepted;
    await context.audit({ command: "mark accept", database });
    const text = `accepted database ${database} as it is, and wrote its mark to ${path}`;
    return { json: { database, counter }, text };
  });
}
