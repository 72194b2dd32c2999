// Runs one command: parses the arguments and returns the exit status.

import { Command, CommanderError } from "commander";
import type { ConfigSources } from "../config/config.ts";
import { SETTINGS } from "../config/settings.ts";
import { OperatorError, UnavailableError } from "../lib/errors.ts";
import { readPackageFile } from "../lib/package-file.ts";
import {
  type CommandContext,
  type GivenOptions,
  RefusalError,
  STATUS,
  type Status,
} from "./command-frame.ts";
import { passwordInOptions } from "./password-warning.ts";
import type { Terminal } from "./terminal.ts";

/** `args` begin with the name of a command. Prints `OperatorError` and `UnavailableError`; rejects with any other error. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<Status> {
  let status: Status = STATUS.done;
  // The log is loaded only by commands that write to it.
  const log = async () => (await import("./log.ts")).openLog(terminal);
  const context: CommandContext = {
    terminal,
    audit: async (change) => {
      const { SUDO_USER, USER, LOGNAME } = terminal.env;
      const user = SUDO_USER ?? USER ?? LOGNAME ?? null;
      (await log()).operatorChange({ ...change, user });
    },
    onCall(command, task) {
      command.action(async () => {
        const options: Parameters<typeof task>[0]["options"] = command.opts();
        const password = passwordInOptions(options);
        if (password !== null) (await log()).passwordInArguments(password);
        const [argument = ""] = command.args;
        status = await task({ options, argument, sources: sourcesOf(options, terminal) });
      });
    },
  };
  try {
    const program = await createProgram(args, context);
    await program.parseAsync(thumbprintsLast(args), { from: "user" });
    return status;
  } catch (error) {
    return statusOf(error, terminal);
  }
}

/** The options that are settings, and the environment. */
function sourcesOf(options: GivenOptions, { env }: Terminal): ConfigSources {
  const flags = Object.entries(options).flatMap(([name, value]) => {
    const key = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const isSetting = key === "config" || Object.hasOwn(SETTINGS, key);
    return isSetting && typeof value === "string" ? [[key, value] as const] : [];
  });
  return { flags: Object.fromEntries(flags), env };
}

/** One in 64 thumbprints begins with a hyphen. After `--` it is read as an argument, not as options. */
function thumbprintsLast(args: readonly string[]): string[] {
  const isThumbprint = (arg: string) => /^-[\w-]{42}$/.test(arg);
  const thumbprints = args.includes("--") ? [] : args.filter(isThumbprint);
  if (thumbprints.length === 0) return [...args];
  return [...args.filter((arg) => !isThumbprint(arg)), "--", ...thumbprints];
}

type AddCommand = (command: Command, context: CommandContext) => void;

/** By name and parameters: description, and module, which is loaded only for that command. */
const COMMANDS: Record<string, [string, () => Promise<{ readonly addCommand: AddCommand }>]> = {
  serve: ["run the service", () => import("./serve-command.ts")],
  clients: [
    "manage clients, the applications that request authorization",
    () => import("./clients-command.ts"),
  ],
  resources: [
    "manage resources, the APIs that access tokens are made for",
    () => import("./resources-command.ts"),
  ],
  keys: ["list, rotate and revoke the keys of the service", () => import("./keys-command.ts")],
  move: ["move a SQLite database to PostgreSQL", () => import("./move-command.ts")],
  accounts: ["list, sign out and end accounts", () => import("./accounts-command.ts")],
  grants: ["list and revoke the access that apps have", () => import("./grants-command.ts")],
  sp: [
    "manage client registrations at external service providers",
    () => import("./sp-command.ts"),
  ],
  clock: ["accept the present time after the clock was wrong", () => import("./clock-command.ts")],
  migrate: [
    "update the database to the schema of this version; with SQLite, serve does this automatically",
    () => import("./migrate-command.ts"),
  ],
  restored: [
    "end what a restored database must not revive; the last step of every restore",
    () => import("./restored-command.ts"),
  ],
  mark: ["accept a database that does not match its mark file", () => import("./mark-command.ts")],
  "backup <file>": [
    "copy a SQLite database into a new file; the service may be running",
    () => import("./backup-command.ts"),
  ],
  "restore <file>": [
    "replace the SQLite database with a backup; the service must not be running",
    () => import("./restore-command.ts"),
  ],
  verify: [
    "check the database for damage and for rows that contradict each other",
    () => import("./verify-command.ts"),
  ],
  "check <domain>": [
    "check the record of a domain as a sign-in would, and report problems",
    () => import("./check-command.ts"),
  ],
  "check-sp <issuer>": [
    "check whether an OpenID Provider can be used as a service provider",
    () => import("./check-sp-command.ts"),
  ],
  demo: ["moved: run npx domain-signin-demo", async () => ({ addCommand: addDemoCommand })],
};

async function createProgram(args: readonly string[], context: CommandContext): Promise<Command> {
  const { out, err } = context.terminal;
  // Read as a file, because Node 20 prints a warning if JSON is imported.
  const { version } = JSON.parse(readPackageFile("package.json")) as { version: string };
  // Set before any command is added, because commands inherit the settings when they are added.
  const program = new Command("domain-signin")
    .description("An authorization service whose users sign in with a domain name they own.")
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .showHelpAfterError("Try --help.");
  for (const [usage, [about, load]] of Object.entries(COMMANDS)) {
    const command = program.command(usage).description(about);
    // `includes`, because `help` or an option of the program may precede the name.
    if (args.includes(command.name())) (await load()).addCommand(command, context);
  }
  return program;
}

function addDemoCommand(command: Command, { terminal, onCall }: CommandContext): void {
  // Any arguments are accepted; the command only prints where the demo is now.
  command.helpOption(false).allowUnknownOption().allowExcessArguments();
  onCall(command, async () => {
    terminal.err("The demo is now a separate package: run npx domain-signin-demo\n");
    return STATUS.usage;
  });
}

function statusOf(error: unknown, { err }: Terminal): Status {
  // Commander has printed its message. It also throws after --help and --version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? STATUS.done : STATUS.usage;
  if (error instanceof RefusalError || error instanceof OperatorError) {
    err(`${error.message}\n`);
    return error instanceof RefusalError ? STATUS.no : STATUS.usage;
  }
  if (error instanceof UnavailableError) {
    err(`unavailable: ${error.message}\n`);
    return STATUS.unavailable;
  }
  throw error;
}
