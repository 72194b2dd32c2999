// Runs a program beside busy loops: `node beside-loops.mjs COUNT PROGRAM ARGUMENT…`.
//
// The loops are in the session of the program, because Linux shares a processor between sessions first ("autogroup",
// `sched(7)`): all loops of another session together would take as much as the program, however many they are.

import { spawn } from "node:child_process";

/** Ends with its parent, even if nothing ends it. */
const LOOP = `
  const { ppid } = process;
  while (process.ppid === ppid) for (let i = 0; i < 1e7; i++);`;

const [count, ...program] = process.argv.slice(2);
for (let loop = 0; loop < Number(count); loop++) {
  spawn(process.execPath, ["-e", LOOP], { stdio: "ignore" }).unref();
}
const child = spawn(process.execPath, program, { stdio: "inherit" });
child.once("exit", (status) => process.exit(status ?? 1));
