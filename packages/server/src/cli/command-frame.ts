// The frame of the commands: each one has an answer, which is printed as text or as JSON.

import type { Command } from "commander";
import type { ConfigSources } from "../config/config.ts";
import type { SettingKey } from "../config/settings.ts";
import {
  type Call,
  type CommandContext,
  type GivenOptions,
  RefusalError,
  STATUS,
  type Status,
} from "./command-context.ts";
import { settingOptions } from "./setting-options.ts";

export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** Default: done. */
  readonly status?: Status;
}

/** Adds the options of the settings and `--json`, and prints the answer that the task resolves to. */
export function answeringCommand<Options extends GivenOptions>(
  command: Command,
  settings: readonly SettingKey[],
  context: CommandContext,
  task: (call: Call<Options>) => Promise<Answer>,
): void {
  settingOptions(command, settings).option("--json", "print JSON");
  answerCall(command, context, task);
}

/** Prints the answer that the task resolves to. */
export function answerCall<Options extends GivenOptions>(
  command: Command,
  context: CommandContext,
  task: (call: Call<Options>) => Promise<Answer>,
): void {
  context.onCall(command, async (call: Call<Options>) => print(context, call, await task(call)));
}

/** A command that finds, shows or changes records of the database. */
interface DatabaseCommand<Records> {
  readonly usage: string;
  readonly about: string;
  /** The name of the argument, and what `--help` says about it, unless the usage names the argument. */
  readonly argument?: readonly [name: string, about: string];
  /** Adds the options of its own. */
  configure?(command: Command): void;
  /** Throws `OperatorError` for options that contradict each other, before the database is opened. */
  check?(call: Call): void;
  /** Creates the SQLite file, because the command can be the first one of an installation. */
  readonly make?: true;
  /** Resolves to null if there is no record that the argument names. */
  run(records: Records & CommandContext, call: Call): Promise<Answer | null>;
}

interface CommandGroup<Records> {
  /** Opens the database, and closes it after the task. */
  open(
    sources: ConfigSources,
    task: (records: Records) => Promise<Status>,
    make: boolean,
  ): Promise<Status>;
  /** The reason that is printed if there is no record with the name. */
  missing?(name: string): string;
  readonly commands: readonly DatabaseCommand<Records>[];
}

/** Makes the `addCommand` of a group. An answer is printed before the database is closed: it can hold a new secret. */
export function databaseCommands<Records>(group: CommandGroup<Records>) {
  return (parent: Command, context: CommandContext): void => {
    for (const { usage, about, argument, configure, check, make = false, run } of group.commands) {
      const command = parent.command(usage).description(about);
      settingOptions(command, ["database", "mark"]).option("--json", "print JSON");
      if (argument !== undefined) command.argument(...argument);
      configure?.(command);
      context.onCall(command, async (call) => {
        check?.(call);
        const task = async (records: Records) => {
          const answer = await run({ ...records, ...context }, call);
          if (answer === null) throw new RefusalError(group.missing?.(call.argument));
          return print(context, call, answer);
        };
        return group.open(call.sources, task, make);
      });
    }
  };
}

function print(
  { terminal }: CommandContext,
  { options }: Call,
  { json, text, status = STATUS.done }: Answer,
): Status {
  terminal.out(`${options.json ? JSON.stringify(json) : text}\n`);
  return status;
}
