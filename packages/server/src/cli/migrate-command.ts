// `domain-signin migrate`: updates the database to the schema of this version.

import type { Command } from "commander";
import { migrate } from "../database/migrations.ts";
import { openDatabase } from "../database/open.ts";
import { answer, type CommandContext } from "./command-context.ts";
import { reportWait } from "./command-database.ts";
import { type GivenOptions, settingOptions, settingsOf } from "./setting-options.ts";

export function addCommand(command: Command, context: CommandContext): void {
  settingOptions(command, ["database"])
    .option("--json", "print JSON")
    .action(
      context.action(async (options: GivenOptions) => {
        const { database } = settingsOf(options, context.terminal, ["database"]);
        const { engine } = openDatabase(database, { onWait: reportWait });
        try {
          let changed = false;
          const schema = await migrate(engine, () => {
            changed = true;
          });
          if (changed) await context.audit({ command: "migrate", schema });
          const text = `the database has schema ${schema}`;
          return answer(context, options, { json: { schema }, text });
        } finally {
          await engine.close();
        }
      }),
    );
}
