// `domain-signin mark accept`: accepts a database as it is, although it does not match its mark.

import type { Command } from "commander";
import { acceptDatabase } from "../backup/accept.ts";
import { markPathOf } from "../config/mark-path.ts";
import { OperatorError } from "../lib/errors.ts";
import { answer, type CommandContext } from "./command-context.ts";
import { type CommandDatabase, withDatabase } from "./command-database.ts";
import { databaseCommand, type GivenOptions, settingsOf } from "./setting-options.ts";

export function addCommand(mark: Command, context: CommandContext): void {
  const about =
    "accept the database as it is, and replace the mark file; after a restore, run restored instead";
  databaseCommand(mark, "accept", about).action(
    context.action(async (options: GivenOptions) => {
      const settings = settingsOf(options, context.terminal, ["database", "mark"]);
      const path = markPathOf(settings);
      if (path === null) throw new OperatorError("there is no mark file: set --mark");
      const accept = async (own: CommandDatabase) => {
        await own.ready;
        return acceptDatabase(path, own);
      };
      const alone = { alone: true };
      const { databaseId, counter } = await withDatabase(settings.database, accept, alone);
      await context.audit({ command: "mark accept", database: databaseId });
      const text = `accepted database ${databaseId} as it is, and wrote its mark to ${path}`;
      return answer(context, options, { json: { database: databaseId, counter }, text });
    }),
  );
}
