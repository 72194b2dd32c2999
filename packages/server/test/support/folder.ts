// A folder of its own for a test file, or for each of its tests. It is removed afterwards.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixture } from "./fixture.ts";

export const temporaryFolder = (scope: "file" | "test" = "file") =>
  fixture(async () => {
    const path = await mkdtemp(join(tmpdir(), "domain-signin-"));
    return {
      path,
      /** The path of a file in the folder. */
      file: (name: string) => join(path, name),
      close: () => rm(path, { recursive: true, force: true }),
    };
  }, scope);
