// What commands share: their context, their exit status, and how they print untrusted text.

import type { Command } from "commander";
import type { ConfigSources } from "../config/config.ts";
import type { OperatorChange } from "../telemetry/operator-change.ts";
import type { Terminal } from "./terminal.ts";

/** `no`: a negative answer. `usage`: wrong arguments or settings. `unavailable`: a dependency does not answer. */
export const STATUS = { done: 0, no: 1, usage: 2, unavailable: 3 } as const;

export type Status = (typeof STATUS)[keyof typeof STATUS];

/** As commander returns them, in camel case; includes options that are not settings. */
export type GivenOptions = Readonly<Record<string, unknown>>;

export interface CommandContext {
  readonly terminal: Terminal;
  /** Logs what the command has just changed. Every command that changes something must call it. */
  audit(change: OperatorChange): Promise<void>;
  /** Runs the task when the command is called. */
  onCall<Options extends GivenOptions>(command: Command, task: Task<Options>): void;
}

/** Resolves to the exit status. */
export type Task<Options extends GivenOptions> = (call: Call<Options>) => Promise<Status>;

/** What a command is called with. */
export interface Call<Options extends GivenOptions = GivenOptions> {
  readonly options: Options;
  /** The first argument, or "". */
  readonly argument: string;
  /** Where the values of settings are. */
  readonly sources: ConfigSources;
}

/** A negative answer: the command prints the reason to standard error, with status 1. */
export class RefusalError extends Error {
  override name = "RefusalError";
}

/** Replaces control and format characters: they could control the terminal or reverse the text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}

/** Escapes those characters too, which `JSON.stringify` does only in part. */
export function asJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
