// Compiles the library that delays each fsync of a process which is started with it.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { folder, here } from "./contender.mjs";

let library;

/** The environment of a process whose fsyncs take `us` microseconds longer (Linux, with a C compiler). */
export function slowDisk(us) {
  if (library === undefined) {
    library = join(folder, "slow-disk.so");
    execFileSync("cc", ["-shared", "-fPIC", "-o", library, here("slow-disk.c"), "-ldl"]);
  }
  return { LD_PRELOAD: library, SLOW_DISK_US: String(us) };
}
