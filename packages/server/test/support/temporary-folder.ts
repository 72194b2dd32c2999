// A folder for the files of a test, which is removed afterwards.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixture } from "./fixture.ts";

export interface TemporaryFolder {
  readonly path: string;
  /** The path of a file in the folder. */
  file(name: string): string;
  /** The `database` setting for a SQLite file in the folder. */
  database(name?: string): string;
  close(): Promise<void>;
}

/** Registers the hooks that make and remove a folder, for the file or for each test. */
export function temporaryFolder(scope?: "file" | "test"): TemporaryFolder {
  return fixture(async () => {
    const path = await mkdtemp(join(tmpdir(), "domain-signin-"));
    return {
      path,
      file: (name) => join(path, name),
      database: (name = "domain-signin.db") => `sqlite:${join(path, name)}`,
      close: () => rm(path, { recursive: true, force: true }),
    };
  }, scope);
}
