// What every command is given, and how most of them answer.

import { STATUS, type Status } from "./exit-status.ts";
import type { Terminal } from "./terminal.ts";

export interface CommandContext {
  readonly terminal: Terminal;
  /** Makes an action for commander of a task that resolves to the exit status. */
  action<Parameters extends unknown[]>(
    task: (...parameters: Parameters) => Promise<Status>,
  ): (...parameters: Parameters) => Promise<void>;
}

/** Prints the answer: the text, or the JSON if the command has `--json`. */
export function answer(
  { terminal }: CommandContext,
  options: { readonly json?: boolean },
  { json, text }: { json: unknown; text: string },
): Status {
  terminal.out(`${options.json ? JSON.stringify(json) : text}\n`);
  return STATUS.done;
}

/** Prints why the answer is no. */
export function refuse({ terminal }: CommandContext, reason: string): Status {
  terminal.err(`${reason}\n`);
  return STATUS.no;
}

/** As `2026-11-22T18:03:54Z`. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000", "");
}
