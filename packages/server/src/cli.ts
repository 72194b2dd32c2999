#!/usr/bin/env node
// The program: first makes Node keep compiled code, because that concerns only what is loaded later.

import { keepCompiledCode } from "./cli/compiled-code.ts";

keepCompiledCode();
await import("./cli/program.ts");
