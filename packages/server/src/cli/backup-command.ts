// `domain-signin backup`: copies the database while it is in use.

import type { Command } from "commander";
import { backUp } from "../backup/backup.ts";
import { requireDatabase } from "../database/open.ts";
import { answer, type CommandContext } from "./command-context.ts";
import { type GivenOptions, settingOptions, settingsOf } from "./setting-options.ts";

export function addCommand(command: Command, context: CommandContext): void {
  settingOptions(command, ["database"])
    .option("--json", "print JSON")
    .action(
      context.action(async (file: string, options: GivenOptions) => {
        const { database } = settingsOf(options, context.terminal, ["database"]);
        requireDatabase(database);
        const { schema, rows } = await backUp(database, file);
        const { accounts, grants } = rows;
        const text = `${file} is a complete backup: schema ${schema}, ${accounts} accounts, ${grants} grants`;
        return answer(context, options, { json: { file, schema, rows }, text });
      }),
    );
}
