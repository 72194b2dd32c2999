// Runs one command of the command line, from its arguments to its exit status.

import { Command, CommanderError } from "commander";
import { OperatorError, UnavailableError } from "../lib/errors.ts";
import { readPackageFile } from "../lib/package-file.ts";
import type { CommandContext } from "./command-context.ts";
import { STATUS, type Status } from "./exit-status.ts";
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
    await (await createProgram(args, context)).parseAsync(args, { from: "user" });
    return status;
  } catch (error) {
    return statusOf(error, terminal);
  }
}

type AddCommand = (command: Command, context: CommandContext) => void;

/** By name: what follows it, its sentence, and its module, which only the command itself loads. */
const COMMANDS: Record<string, readonly [string, string, () => Promise<AddCommand>]> = {
  serve: ["", "run the service", async () => (await import("./serve.ts")).addServeCommand],
  clients: [
    "",
    "the apps that may ask for sign-ins",
    async () => (await import("./clients.ts")).addClientsCommands,
  ],
  keys: [
    "",
    "the keys that sign and make tokens",
    async () => (await import("./keys.ts")).addKeysCommands,
  ],
  sp: [
    "",
    "service providers that are registered by hand",
    async () => (await import("./sp.ts")).addSpCommands,
  ],
  migrate: [
    "",
    "bring the database to this version's schema; SQLite needs it only to be early",
    async () => (await import("./migrate.ts")).addMigrateCommand,
  ],
  check: [
    " <domain>",
    "look at a domain's record as a sign-in would, and say what is wrong",
    async () => (await import("./check.ts")).addCheckCommand,
  ],
  "check-sp": [
    " <issuer>",
    "tell whether an OpenID Provider can be named in records",
    async () => (await import("./check-sp.ts")).addCheckSpCommand,
  ],
  demo: [
    "",
    "moved: run npx domain-signin-demo",
    async () => (await import("./demo.ts")).addDemoCommand,
  ],
};

async function createProgram(args: readonly string[], context: CommandContext): Promise<Command> {
  const { out, err } = context.terminal;
  // Set before any command is added, because each inherits the settings of that moment.
  const program = new Command("domain-signin")
    .description("An authorization service whose users sign in with a domain name they own.")
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .showHelpAfterError("Try --help.");
  for (const [name, [parameters, about, load]] of Object.entries(COMMANDS)) {
    const command = program.command(name + parameters).description(about);
    // Of `help serve` too; before the name there are only the options of the program itself.
    if (args.includes(name)) (await load())(command, context);
  }
  return program;
}

/** Read, since Node 20 warns of a JSON file that is imported. */
function packageVersion(): string {
  const { version } = JSON.parse(readPackageFile("package.json")) as { version: string };
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
