// `domain-signin restore`: puts a backup in the place of the database.

import type { Command } from "commander";
import { restoreBackup } from "../backup/restore.ts";
import { answer, type CommandContext } from "./command-context.ts";
import { type GivenOptions, settingOptions, settingsOf } from "./setting-options.ts";

export function addCommand(command: Command, context: CommandContext): void {
  settingOptions(command, ["database"])
    .option("--json", "print JSON")
    .action(
      context.action(async (file: string, options: GivenOptions) => {
        const { database: address } = settingsOf(options, context.terminal, ["database"]);
        const lastStep = async () => null;
        const { database, previous, schema, rows } = await restoreBackup(address, file, {
          lastStep,
          now: new Date(),
        });
        await context.audit({ command: "restore", file, previous });
        const { accounts, grants } = rows;
        const text = [
          `${database} is restored from ${file}: schema ${schema}, ${accounts} accounts, ${grants} grants`,
          ...(previous === null ? [] : [`The former database is now ${previous}`]),
        ].join("\n");
        return answer(context, options, { json: { database, previous, schema, rows }, text });
      }),
    );
}
