// `domain-signin migrate`: brings the database to this version's schema.

import type { Command } from "commander";
import { migrateDatabase } from "../operator.ts";
import { answer, type CommandContext } from "./command-context.ts";
import { type GivenOptions, settingOptions, settingsOf } from "./setting-options.ts";

export function addMigrateCommand(command: Command, context: CommandContext): void {
  settingOptions(
    command.description(
      "bring the database to this version's schema; SQLite needs it only to be early",
    ),
    ["database"],
  )
    .option("--json", "print JSON")
    .action(
      context.action(async (options: GivenOptions & { json?: boolean }) => {
        const { database } = settingsOf(options, context.terminal, ["database"]);
        const schema = await migrateDatabase(database);
        const text = `the database has schema ${schema}`;
        return answer(context, options, { json: { schema }, text });
      }),
    );
}
