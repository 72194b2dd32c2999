// `domain-signin demo`: services, zones and apps on this computer for trying sign-ins.

import type { Command } from "commander";
import type { CommandContext } from "./command-context.ts";
import { STATUS } from "./exit-status.ts";

export function addDemoCommand(command: Command, { terminal, action }: CommandContext): void {
  command
    .option("--exit", "end after the walk, with its status")
    .option("--json", "print one JSON line with every address and credential")
    .action(
      action(async ({ exit = false, json = false }: { exit?: boolean; json?: boolean }) => {
        const { runDemo } = await import("../demo/demo.ts");
        const status = await runDemo(
          { exit, json },
          {
            out: (line) => terminal.out(`${line}\n`),
            err: (line) => terminal.err(`${line}\n`),
            stopped: terminal.stopSignal(),
          },
        );
        return status === 0 ? STATUS.done : STATUS.no;
      }),
    );
}
