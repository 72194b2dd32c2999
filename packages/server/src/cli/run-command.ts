// Runs one command of the command line, from its arguments to its exit status.

import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { OperatorError, UnavailableError } from "../lib/errors.ts";
import { addCheckCommand } from "./check.ts";
import { addCheckSpCommand } from "./check-sp.ts";
import { addClientsCommands } from "./clients.ts";
import type { CommandContext } from "./command-context.ts";
import { addDemoCommand } from "./demo.ts";
import { STATUS, type Status } from "./exit-status.ts";
import { addKeysCommands } from "./keys.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addServeCommand } from "./serve.ts";
import { addSpCommands } from "./sp.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Parses `args`, which begin with the name of the command, and runs it. Rejects with any error that
 * is neither the operator's mistake nor an unavailable dependency.
 *
 * @example
 * process.exitCode = await runCommand(["clients", "list", "--json"], processTerminal());
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<Status> {
  let status: Status = STATUS.done;
  const context: CommandContext = {
    terminal,
    action:
      (task) =>
      async (...parameters) => {
        status = await task(...parameters);
      },
  };
  try {
    await createProgram(context).parseAsync(args, { from: "user" });
    return status;
  } catch (error) {
    return statusOf(error, terminal);
  }
}

function createProgram(context: CommandContext): Command {
  const { out, err } = context.terminal;
  // Set before any command is added, because each inherits the settings of that moment.
  const program = new Command("domain-signin")
    .description("An authorization service whose users sign in with a domain name they own.")
    .version(versionOf(new URL("../../package.json", import.meta.url)))
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .showHelpAfterError("Try --help.");
  addServeCommand(program.command("serve"), context);
  addClientsCommands(
    program.command("clients").description("the apps that may ask for sign-ins"),
    context,
  );
  addKeysCommands(
    program.command("keys").description("the keys that sign and make tokens"),
    context,
  );
  addSpCommands(
    program.command("sp").description("service providers that are registered by hand"),
    context,
  );
  addMigrateCommand(program.command("migrate"), context);
  addCheckCommand(program.command("check <domain>"), context);
  addCheckSpCommand(program.command("check-sp <issuer>"), context);
  addDemoCommand(program.command("demo"), context);
  return program;
}

/** Read, since Node 20 warns of a JSON file that is imported. */
function versionOf(packageFile: URL): string {
  const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };
  return version;
}

function statusOf(error: unknown, { err }: Terminal): Status {
  // Commander has printed its message, and also throws after --help and --version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? STATUS.done : STATUS.usage;
  if (error instanceof OperatorError) {
    err(`${error.message}\n`);
    return STATUS.usage;
  }
  if (error instanceof UnavailableError) {
    err(`unavailable: ${error.message}\n`);
    return STATUS.unavailable;
  }
  throw error;
}
