// Where the mark file is, unless it is configured.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { DEFAULT_SECRET_FILE } from "./secret-file.ts";

const NAME = "domain-signin.mark";

/** Beside the secret file of the current folder, or else beside the SQLite database. Null for a database in memory. */
export function markPathOf({ mark, database }: { mark?: string | undefined; database: string }) {
  if (mark !== undefined) return mark;
  const [, path] = /^sqlite:(.+)$/.exec(database) ?? [];
  if (path === ":memory:") return null;
  if (existsSync(DEFAULT_SECRET_FILE)) return join(dirname(DEFAULT_SECRET_FILE), NAME);
  return path === undefined ? null : join(dirname(path), NAME);
}
