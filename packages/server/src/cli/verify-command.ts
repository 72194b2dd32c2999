// `domain-signin verify`: checks the database for damage and contradictions.

import type { Command } from "commander";
import { type DatabaseProblem, problemsOf } from "../backup/verify.ts";
import { readKeysConfig } from "../config/config.ts";
import { databaseName, requireDatabase } from "../database/open.ts";
import { systemClock } from "../lib/clock.ts";
import { sealFrom } from "./command-database.ts";
import { answeringCommand, type CommandContext, printable, STATUS } from "./command-frame.ts";

export function addCommand(command: Command, context: CommandContext): void {
  answeringCommand(command, ["database"], context, async ({ sources }) => {
    const config = readKeysConfig(sources);
    requireDatabase(config.database);
    const seal = sealFrom(config);
    const problems = await problemsOf(config.database, { seal, clock: systemClock });
    const keys = seal === null ? "not_opened" : "opened";
    const database = databaseName(config.database);
    const without = seal === null ? " (the keys were not opened, because no secret is set)" : "";
    const text = problems.map(describe).join("\n") || `${database} is sound${without}`;
    const status = problems.length === 0 ? STATUS.done : STATUS.no;
    return { json: { database, problems, keys }, text, status };
  });
}

function describe({ problem, count, examples }: DatabaseProblem): string {
  const isOne = examples.length === 0;
  return printable(isOne ? problem : `${count} ${problem}, such as ${examples.join(", ")}`);
}
