// `domain-signin migrate`: updates the database to the schema of this version.

import type { Command } from "commander";
import { readSettings } from "../config/config.ts";
import { migrate } from "../database/migrations.ts";
import { openDatabase } from "../database/open.ts";
import { reportWait } from "./command-database.ts";
import { answeringCommand, type CommandContext } from "./command-frame.ts";

export function addCommand(command: Command, context: CommandContext): void {
  answeringCommand(command, ["database"], context, async ({ sources }) => {
    const { database } = readSettings(sources, ["database"]);
    const { engine } = openDatabase(database, { onWait: reportWait });
    try {
      let changed = false;
      const schema = await migrate(engine, () => {
        changed = true;
      });
      if (changed) await context.audit({ command: "migrate", schema });
      return { json: { schema }, text: `the database has schema ${schema}` };
    } finally {
      await engine.close();
    }
  });
}
