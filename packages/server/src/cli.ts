#!/usr/bin/env node
// The command line: one command per task, exit status 0 done, 1 no, 2 usage, 3 unavailable.

import { Command, CommanderError, Option } from "commander";
import { addCheckCommand } from "./cli/check.ts";
import { addClientsCommands } from "./cli/clients.ts";
import { addMigrateCommand } from "./cli/migrate.ts";
import { serve } from "./cli/serve.ts";
import { envName, kebab, SETTINGS, type SettingKey } from "./config.ts";
import { runDemo } from "./demo/demo.ts";
import { OperatorError, UnavailableError } from "./lib/errors.ts";

const program = new Command("domain-signin")
  .description("An authorization service whose users sign in with a domain name they own.")
  .exitOverride()
  .showHelpAfterError("Try --help.");

const serveCommand = program
  .command("serve")
  .description("run the service")
  .option("--config <file>", `JSON file of settings, by name in snake case (${envName("config")})`)
  .option("--json", "print one JSON line once listening")
  .action((options: Record<string, string | undefined>) => serve(options));
for (const key of Object.keys(SETTINGS) as SettingKey[]) {
  // A secret on the command line can be read by every process of the machine.
  if (key === "secret") continue;
  serveCommand.addOption(
    new Option(`--${kebab(key)} <value>`, `${SETTINGS[key].about} (${envName(key)})`),
  );
}

addClientsCommands(program.command("clients").description("the apps that may ask for sign-ins"));

addMigrateCommand(program.command("migrate"));

addCheckCommand(program.command("check <domain>"));

program
  .command("demo")
  .description("run the service with a zone in memory and a small app, and walk one sign-in")
  .option("--exit", "end after the walk, with its status")
  .option("--json", "print one JSON line with every address and credential")
  .action(async (options: { exit?: boolean; json?: boolean }) => {
    process.exitCode = await runDemo({ exit: options.exit ?? false, json: options.json ?? false });
  });

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = statusOf(error);
}

function statusOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof OperatorError) {
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  if (error instanceof UnavailableError) {
    process.stderr.write(`unavailable: ${error.message}\n`);
    return 3;
  }
  throw error;
}
