// `domain-signin backup`: copies the database while it is in use.

import type { Command } from "commander";
import { backUp } from "../backup/backup.ts";
import { readSettings } from "../config/config.ts";
import { requireDatabase } from "../database/open.ts";
import { answeringCommand, type CommandContext } from "./command-frame.ts";

export function addCommand(command: Command, context: CommandContext): void {
  answeringCommand(command, ["database"], context, async ({ sources, argument: file }) => {
    const { database } = readSettings(sources, ["database"]);
    requireDatabase(database);
    const { schema, rows } = await backUp(database, file);
    const { accounts, grants } = rows;
    const text = `${file} is a complete backup: schema ${schema}, ${accounts} accounts, ${grants} grants`;
    return { json: { file, schema, rows }, text };
  });
}
