// The context of a command, and how a command prints its answer.

import { STATUS, type Status } from "./exit-status.ts";
import type { Terminal } from "./terminal.ts";

export interface CommandContext {
  readonly terminal: Terminal;
  /** Makes a commander action from a task that resolves to the exit status. */
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

/** Prints the reason to standard error. Returns status 1. */
export function refuse({ terminal }: CommandContext, reason: string): Status {
  terminal.err(`${reason}\n`);
  return STATUS.no;
}

/** Epoch seconds as `2026-11-22T18:03:54Z`. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000", "");
}
