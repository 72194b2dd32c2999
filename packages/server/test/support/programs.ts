// Programs of this machine.

import { accessSync, constants } from "node:fs";
import { connect } from "node:net";

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first path with a program. Without one, what needs it is skipped aloud, and fails in CI. */
export function findProgram(name: string, paths: readonly string[]): string | undefined {
  const found = paths.find(isExecutable);
  if (found !== undefined) return found;
  // A skip that nobody reads would let a release out untested.
  if (process.env.CI === "true") throw new Error(`There is no ${name}.`);
  process.stderr.write(`\nSKIPPED: there is no ${name}\n\n`);
  return undefined;
}

/** Whether something on this machine accepts connections at the port. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
