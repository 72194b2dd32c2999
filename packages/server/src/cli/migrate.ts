// `domain-signin migrate`: brings the database to this version's schema.

import type { Command } from "commander";
import { envName, readSettings, SETTINGS } from "../config.ts";
import { migrateDatabase } from "../service.ts";

export function addMigrateCommand(command: Command): void {
  command
    .description("bring the database to this version's schema; SQLite needs it only to be early")
    .option("--database <database>", `${SETTINGS.database.about} (${envName("database")})`)
    .option("--config <file>", "JSON file of settings")
    .option("--json", "print JSON")
    .action(async (options: { database?: string; config?: string; json?: boolean }) => {
      const flags = { database: options.database, config: options.config };
      const { database } = readSettings({ flags, env: process.env }, ["database"]);
      const schema = await migrateDatabase(String(database));
      const text = options.json ? JSON.stringify({ schema }) : `the database has schema ${schema}`;
      process.stdout.write(`${text}\n`);
    });
}
