// The frame of the commands: what they are called with, and how they answer.

import type { Command } from "commander";
import type { ConfigSources } from "../config/config.ts";
import { envName, kebab, SETTINGS, type Setting, type SettingKey } from "../config/settings.ts";
import type { OperatorChange } from "../telemetry/operator-change.ts";
import type { Terminal } from "./terminal.ts";

/** `no`: a negative answer. `usage`: wrong arguments or settings. `unavailable`: a dependency does not answer. */
export const STATUS = { done: 0, no: 1, usage: 2, unavailable: 3 } as const;

export type Status = (typeof STATUS)[keyof typeof STATUS];

/** As commander returns them, in camel case; includes options that are not settings. */
export type GivenOptions = Readonly<Record<string, unknown>>;

export interface Call<Options extends GivenOptions = GivenOptions> {
  readonly options: Options;
  /** The first argument, or "". */
  readonly argument: string;
  readonly sources: ConfigSources;
}

export interface CommandContext {
  readonly terminal: Terminal;
  /** Logs what the command has just changed. Every command that changes something must call it. */
  audit(change: OperatorChange): Promise<void>;
  /** Runs the task when the command is called. The task resolves to the exit status. */
  onCall<Options extends GivenOptions>(command: Command, task: Task<Options, Status>): void;
}

type Task<Options extends GivenOptions, Result> = (call: Call<Options>) => Promise<Result>;

/** A negative answer: the command prints the reason to standard error, with status 1. */
export class RefusalError extends Error {
  override name = "RefusalError";
}

export interface CommandAnswer {
  readonly json: unknown;
  readonly text: string;
  /** Default: done. */
  readonly status?: Status;
}

/** Adds an option for each setting, and `--config`. Secrets have none: other processes can read options. */
export function settingOptions(command: Command, keys: readonly SettingKey[]): Command {
  for (const key of keys) {
    const setting: Setting = SETTINGS[key];
    const about = `${setting.about} (${envName(key)}; ${defaultOf(setting)})`;
    if (!setting.isSecret) command.option(`--${kebab(key)} <value>`, about);
  }
  return command.option("--config <file>", `JSON file of settings (${envName("config")})`);
}

/** As text only: a default known to commander would override the environment and the file. */
function defaultOf({ fallback, without }: Setting): string {
  const isNone = Array.isArray(fallback) && fallback.length === 0;
  const text = isNone ? "none" : (fallback ?? without);
  return text === undefined ? "no default" : `default: ${text}`;
}

/** Adds the options of the settings and `--json`, and prints the answer that the task resolves to. */
export function answeringCommand(
  command: Command,
  settings: readonly SettingKey[],
  context: CommandContext,
  task: Task<GivenOptions, CommandAnswer>,
): void {
  settingOptions(command, settings).option("--json", "print JSON");
  answerCall(command, context, task);
}

/** Prints the answer that the task resolves to. */
export function answerCall<Options extends GivenOptions>(
  command: Command,
  context: CommandContext,
  task: Task<Options, CommandAnswer>,
): void {
  context.onCall(command, async (call: Call<Options>) => print(context, call, await task(call)));
}

function print(
  { terminal }: CommandContext,
  { options }: Call,
  { json, text, status = STATUS.done }: CommandAnswer,
): Status {
  terminal.out(`${options.json ? JSON.stringify(json) : text}\n`);
  return status;
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
  run(records: Records & CommandContext, call: Call): Promise<CommandAnswer | null>;
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
export function databaseCommands<Records>({ open, missing, commands }: CommandGroup<Records>) {
  return (parent: Command, context: CommandContext): void => {
    for (const { usage, about, argument, configure, check, make = false, run } of commands) {
      const command = parent.command(usage).description(about);
      settingOptions(command, ["database", "mark"]).option("--json", "print JSON");
      if (argument !== undefined) command.argument(...argument);
      configure?.(command);
      context.onCall(command, async (call) => {
        check?.(call);
        const task = async (records: Records) => {
          const answer = await run({ ...records, ...context }, call);
          if (answer === null) throw new RefusalError(missing?.(call.argument));
          return print(context, call, answer);
        };
        return open(call.sources, task, make);
      });
    }
  };
}

/** Replaces control and format characters: they could control the terminal or reverse the text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}

/** Escapes those characters too, which `JSON.stringify` does only in part. */
export function asJson(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  // A character beyond U+FFFF has two code units.
  return JSON.stringify(value).replace(/[\p{Cc}\p{Cf}]/gu, (character) =>
    character.split("").map(escaped).join(""),
  );
}
