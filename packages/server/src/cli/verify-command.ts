// `domain-signin verify`: checks the database for damage and contradictions.

import type { Command } from "commander";
import { type Problem, problemsOf } from "../backup/verify.ts";
import { readKeysConfig } from "../config/config.ts";
import { databaseName, requireDatabase } from "../database/open.ts";
import { systemClock } from "../lib/clock.ts";
import { answer, type CommandContext, printable, STATUS } from "./command-context.ts";
import { sealFrom } from "./command-database.ts";
import { type GivenOptions, settingOptions, sourcesOf } from "./setting-options.ts";

export function addCommand(command: Command, context: CommandContext): void {
  settingOptions(command, ["database"])
    .option("--json", "print JSON")
    .action(
      context.action(async (options: GivenOptions) => {
        const config = readKeysConfig(sourcesOf(options, context.terminal));
        requireDatabase(config.database);
        const seal = sealFrom(config);
        const problems = await problemsOf(config.database, { seal, clock: systemClock });
        const keys = seal === null ? "not_opened" : "opened";
        const database = databaseName(config.database);
        const without =
          seal === null ? " (the keys were not opened, because no secret is set)" : "";
        const text = problems.map(describe).join("\n") || `${database} is sound${without}`;
        answer(context, options, { json: { database, problems, keys }, text });
        return problems.length === 0 ? STATUS.done : STATUS.no;
      }),
    );
}

function describe({ problem, count, examples }: Problem): string {
  const named = examples.length === 0 ? "" : `, such as ${examples.join(", ")}`;
  return printable(examples.length === 0 ? problem : `${count} ${problem}${named}`);
}
