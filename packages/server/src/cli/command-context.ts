// What commands share: their context, their exit status, and how they print an answer.

import type { OperatorChange } from "../telemetry/operator-change.ts";
import type { GivenOptions } from "./setting-options.ts";
import type { Terminal } from "./terminal.ts";

/** `no`: a negative answer. `usage`: wrong arguments or settings. `unavailable`: a dependency does not answer. */
export const STATUS = { done: 0, no: 1, usage: 2, unavailable: 3 } as const;

export type Status = (typeof STATUS)[keyof typeof STATUS];

export interface CommandContext {
  readonly terminal: Terminal;
  /** Logs what the command has just changed. Every command that changes something must call it. */
  audit(change: OperatorChange): Promise<void>;
  /** Makes a commander action from a task that resolves to the exit status. */
  action<Parameters extends unknown[]>(
    task: (...parameters: Parameters) => Promise<Status>,
  ): (...parameters: Parameters) => Promise<void>;
}

export interface Answer {
  readonly json: unknown;
  readonly text: string;
}

/** Prints the answer: the text, or the JSON if the command has `--json`. */
export function answer(
  { terminal }: CommandContext,
  options: GivenOptions,
  { json, text }: Answer,
): Status {
  terminal.out(`${options.json ? JSON.stringify(json) : text}\n`);
  return STATUS.done;
}

/** Prints what was found, or the reason why there is nothing (null). */
export function answerFound(
  context: CommandContext,
  options: GivenOptions,
  found: Answer | null,
  reason: string,
): Status {
  return found === null ? refuse(context, reason) : answer(context, options, found);
}

/** Prints the reason to standard error. Returns status 1. */
export function refuse({ terminal }: CommandContext, reason: string): Status {
  terminal.err(`${reason}\n`);
  return STATUS.no;
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
