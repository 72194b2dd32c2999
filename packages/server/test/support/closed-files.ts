// Files of SQLite that this process has closed: libsql keeps one open until its statements are collected.

import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Resolves when what was closed is closed, so that the file is as it is after the end of a process. */
export async function filesClosed(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // Finalizers run in turns of the event loop after the collection.
  for (let time = 0; time < 2; time++) {
    collect();
    await turn();
  }
}
