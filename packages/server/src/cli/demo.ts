// `domain-signin demo`: says where the demo is now.

import type { Command } from "commander";
import { type CommandContext, STATUS } from "./command-context.ts";

export function addDemoCommand(command: Command, { terminal, action }: CommandContext): void {
  command
    // Whatever was asked of the demo, the answer is where it is.
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(
      action(async () => {
        terminal.err("The demo is now a package of its own: run npx domain-signin-demo\n");
        return STATUS.usage;
      }),
    );
}
