#!/usr/bin/env node
// The command line: one command per task, exit status 0 done, 1 no, 2 usage, 3 unavailable.

import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { addCheckCommand } from "./cli/check.ts";
import { addCheckSpCommand } from "./cli/check-sp.ts";
import { addClientsCommands } from "./cli/clients.ts";
import { addKeysCommands } from "./cli/keys.ts";
import { addMigrateCommand } from "./cli/migrate.ts";
import { serve } from "./cli/serve.ts";
import { type GivenOptions, settingOptions } from "./cli/setting-options.ts";
import { addSpCommands } from "./cli/sp.ts";
import { SETTINGS, type SettingKey } from "./config/settings.ts";
import { OperatorError, UnavailableError } from "./lib/errors.ts";

const program = new Command("domain-signin")
  .description("An authorization service whose users sign in with a domain name they own.")
  .version(versionOf(new URL("../package.json", import.meta.url)))
  .exitOverride()
  .showHelpAfterError("Try --help.");

settingOptions(
  program.command("serve").description("run the service"),
  Object.keys(SETTINGS) as SettingKey[],
)
  .option("--json", "print one JSON line once listening")
  .action((options: GivenOptions) => serve(options));

addClientsCommands(program.command("clients").description("the apps that may ask for sign-ins"));

addKeysCommands(program.command("keys").description("the keys that sign and make tokens"));

addSpCommands(program.command("sp").description("service providers that are registered by hand"));

addMigrateCommand(program.command("migrate"));

addCheckCommand(program.command("check <domain>"));

addCheckSpCommand(program.command("check-sp <issuer>"));

program
  .command("demo")
  .description("run two services with zones in memory and small apps, and walk through sign-ins")
  .option("--exit", "end after the walk, with its status")
  .option("--json", "print one JSON line with every address and credential")
  .action(async (options: { exit?: boolean; json?: boolean }) => {
    const { runDemo } = await import("./demo/demo.ts");
    process.exitCode = await runDemo({ exit: options.exit ?? false, json: options.json ?? false });
  });

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = statusOf(error);
}

/** Read, since Node 20 warns of a JSON file that is imported. */
function versionOf(packageFile: URL): string {
  const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };
  return version;
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
