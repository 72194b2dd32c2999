#!/usr/bin/env node
// The program: runs the command that the arguments name, and exits with its status.

import { runCommand } from "./cli/run-command.ts";
import { processTerminal } from "./cli/terminal.ts";

process.exitCode = await runCommand(process.argv.slice(2), processTerminal());
