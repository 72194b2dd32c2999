// The command `domain-signin-demo`, from its arguments to its exit status.

import { readFileSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { runDemo } from "./demo.ts";
import { DemoError, failureLine } from "./demo-error.ts";

export interface Terminal {
  /** Writes to standard output, which carries only the requested output. */
  out(text: string): void;
  /** Writes to standard error. */
  err(text: string): void;
  /** Resolves when the demo must stop. */
  stopSignal(): Promise<void>;
}

/** `no`: the start or the walk failed. `usage`: an option is wrong, or a port is in use. */
const STATUS = { done: 0, no: 1, usage: 2 } as const;

interface Options {
  readonly exit?: boolean;
  readonly json?: boolean;
  readonly port?: number;
  readonly issuerPort?: number;
  readonly redirectUri?: string;
  readonly data?: string;
}

/** Resolves to the exit status. Prints each error in one line. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { out, err } = terminal;
  let status: number = STATUS.done;
  const command = createCommand(terminal).action(
    async ({ exit = false, json = false, port, issuerPort, redirectUri, data }: Options) => {
      const io = {
        out: (line: string) => out(`${line}\n`),
        err: (line: string) => err(`${line}\n`),
        stopped: terminal.stopSignal(),
      };
      status = await runDemo(
        { exit, json, appPort: port, port: issuerPort, redirectUri, data },
        io,
      );
    },
  );
  try {
    await command.parseAsync(args, { from: "user" });
    return status;
  } catch (error) {
    // Commander has printed its message, and also throws after --help and --version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? STATUS.done : STATUS.usage;
    if (error instanceof DemoError) {
      err(`${error.message}\n`);
      return STATUS.usage;
    }
    err(`${failureLine(error)}\n`);
    return STATUS.no;
  }
}

function createCommand({ out, err }: Terminal): Command {
  return new Command("domain-signin-demo")
    .description(
      "Tries domain-signin on this computer. Starts two services, signed DNS zones in memory and a sample app for each service, walks through complete sign-ins, explains each step, and then stays up so that you can try it in your browser.",
    )
    .version(version())
    .option("--exit", "exit after the walk: status 0 if every step succeeded, 1 if not")
    .option(
      "--json",
      "skip the walk and print one line of JSON with every address and credential; with --exit, walk and print the result as a second line",
    )
    .option(
      "--port <number>",
      "port that the sample app listens on (default: chosen by the system)",
      readPort,
    )
    .option(
      "--issuer-port <number>",
      "port that the service listens on (default: chosen by the system)",
      readPort,
    )
    .option(
      "--redirect-uri <uri>",
      "register a public client with this redirect URI for your own app, and print its client_id",
    )
    .option(
      "--data <folder>",
      "keep databases, ports, clients and DNS records in this folder, and continue from them at the next start",
    )
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .showHelpAfterError("Try --help.");
}

function readPort(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}

/** Reads the file, because Node 20 prints a warning when JSON is imported. */
function version(): string {
  const file = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(file) as { version: string }).version;
}
