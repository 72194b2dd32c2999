// Runs commands in the process of the test, with the same result as a process of their own.

import { runCommand } from "../../src/cli/command-line.ts";
import { logTo } from "./log-run.ts";
import type { CommandResult } from "./serve.ts";

export interface CommandOptions {
  /** The current folder while the command runs. */
  readonly folder: string;
  /** On top of the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Standard input. */
  readonly input?: string;
  /** Answers a question of the command, as a person at a terminal does; there is no terminal unless given. */
  readonly ask?: (question: string) => string;
}

/** Standard error without the line of the log that every command that changes something leaves. */
export function complaints({ stderr }: Pick<CommandResult, "stderr">): string {
  return stderr.replace(/^\{.*"msg":"operator change"\}\n/gm, "");
}

/** Without the warning that the address of a test database was an argument with its password. */
export async function withoutPasswordWarning(
  result: Promise<CommandResult>,
): Promise<CommandResult> {
  const { stderr, ...others } = await result;
  return { ...others, stderr: stderr.replace(/^\{.*"msg":"password in arguments"\}\n/gm, "") };
}

/** The result of a command that is refused, with these words on standard error. */
export const refused = (stderr: unknown, status = 1) => ({ status, stdout: "", stderr });

let running: string | null = null;

/**
 * Runs a command to its end. `serve` gets its stop signal when it listens, so it starts and stops.
 * Rejects with the error that would crash the program.
 */
export async function command(
  args: readonly string[],
  { folder, env, input = "", ask }: CommandOptions,
): Promise<CommandResult> {
  // A process has one current folder.
  if (running !== null) throw new Error(`"${running}" is still running: run commands one by one`);
  const [out, err]: [string[], string[]] = [[], []];
  let listens = () => {};
  const stopped = new Promise<void>((resolve) => (listens = resolve));
  const log = (line: string) => {
    err.push(line);
    if (line.includes('"msg":"listening"')) listens();
  };
  const before = process.cwd();
  process.chdir(folder);
  running = args.join(" ");
  try {
    const status = await runCommand(args, {
      out: (text) => out.push(text),
      err: (text) => err.push(text),
      env: { ...process.env, ...env },
      readInput: async () => input,
      ask: async (question) => ask?.(question) ?? null,
      stopSignal: () => stopped,
      log: { write: log },
    });
    return { status, stdout: out.join(""), stderr: err.join("") };
  } finally {
    running = null;
    process.chdir(before);
    // Standard output is the answer, which has the secret of a new client; this is the log.
    if (err.length > 0) logTo("a command").write(err.join(""));
  }
}
