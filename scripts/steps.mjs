// Runs the programs of a check side by side, and tells how each ended.

import { spawn } from "node:child_process";

const children = new Set();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => {
    for (const child of children) child.kill(signal);
    process.exitCode = 1;
  });
}

/**
 * Runs a program of `node_modules/.bin`, or Node itself. Its output appears at once if `isLoud`, otherwise when it has
 * failed. Resolves to whether its status was 0.
 *
 * @example
 * const isClean = await step("lint", ["biome", "check", "."]);
 */
export async function step(name, [program, ...args], { isLoud = false } = {}) {
  const began = performance.now();
  const stdio = isLoud ? "inherit" : ["ignore", "pipe", "pipe"];
  const child = spawn(program, args, { stdio });
  children.add(child);
  const output = [];
  child.stdout?.on("data", (octets) => output.push(octets));
  child.stderr?.on("data", (octets) => output.push(octets));
  const status = await new Promise((resolve) => {
    child.once("error", (cause) => {
      output.push(Buffer.from(`${cause.message}\n`));
      resolve(1);
    });
    child.once("close", (code) => resolve(code ?? 1));
  });
  children.delete(child);
  const seconds = Math.round((performance.now() - began) / 1000);
  if (status !== 0) process.stderr.write(Buffer.concat(output));
  console.error(`${name}: ${status === 0 ? "passed" : "FAILED"} (${seconds} s)`);
  return status === 0;
}

/** Runs one program after another, up to the first that fails. */
export async function inTurn(...steps) {
  for (const run of steps) if (!(await run())) return false;
  return true;
}

/** What tests that start programs need: message ids for the compiler, types, and the bundle. */
export const build = () =>
  inTurn(
    () => step("messages", ["node", "packages/server/scripts/check-messages.mjs"]),
    () => step("types", ["tsc", "-b"]),
    () => step("bundle", ["node", "packages/server/scripts/build.mjs"]),
  );
