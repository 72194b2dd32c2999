// Programs of this machine.

import { accessSync, constants } from "node:fs";

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
