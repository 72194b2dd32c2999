// `domain-signin migrate`: updates the database to the schema of this version.

import type { Command } from "commander";
import { migrate } from "../store/migrations.ts";
import { openDatabase } from "../store/open.ts";
import { answer, type CommandContext } from "./command-context.ts";
import { databaseOptions, type GivenOptions, settingsOf } from "./setting-options.ts";

export function addMigrateCommand(command: Command, context: CommandContext): void {
  databaseOptions(command).action(
    context.action(async (options: GivenOptions) => {
      const { engine } = openDatabase(settingsOf(options, context.terminal, ["database"]).database);
      try {
        const schema = await migrate(engine);
        const text = `the database has schema ${schema}`;
        return answer(context, options, { json: { schema }, text });
      } finally {
        await engine.close();
      }
    }),
  );
}
