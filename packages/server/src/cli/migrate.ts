// `domain-signin migrate`: brings the database to this version's schema.

import type { Command } from "commander";
import { migrateDatabase } from "../operator.ts";
import { type GivenOptions, settingOptions, settingsOf } from "./setting-options.ts";

export function addMigrateCommand(command: Command): void {
  settingOptions(
    command.description(
      "bring the database to this version's schema; SQLite needs it only to be early",
    ),
    ["database"],
  )
    .option("--json", "print JSON")
    .action(async (options: GivenOptions) => {
      const { database } = settingsOf(options, ["database"]);
      const schema = await migrateDatabase(database);
      const text = options.json ? JSON.stringify({ schema }) : `the database has schema ${schema}`;
      process.stdout.write(`${text}\n`);
    });
}
