// Builds the thread that writes to a SQLite file, the one part of the sources that Node 20 must run by itself.

import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleInto, WRITER } from "../../scripts/bundle.mjs";

const BUILT = fileURLToPath(new URL("../../.test", import.meta.url));
const FILE = "sqlite-writer.js";

/** Runs of tests may start at the same time: each finds a whole file. */
export async function buildWriter() {
  mkdirSync(BUILT, { recursive: true });
  const folder = mkdtempSync(join(BUILT, "new-"));
  await bundleInto(folder, WRITER);
  const [fresh, former] = [join(folder, FILE), join(BUILT, FILE)];
  if (textOf(fresh) !== textOf(former)) renameSync(fresh, former);
  rmSync(folder, { recursive: true });
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
