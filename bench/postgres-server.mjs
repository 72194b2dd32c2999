// A PostgreSQL server for benchmarks, in a temporary folder.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { importSource } from "./contender.mjs";

const SUPPORT = "../packages/server/test/support";

export async function startServer() {
  const { findPrograms } = await importSource(`${SUPPORT}/postgres-programs.ts`);
  const { startOwnServer } = await importSource(`${SUPPORT}/postgres-server.ts`);
  const programs = await findPrograms(["initdb", "postgres", "pgbench"]);
  if (programs.missing) throw new Error(programs.missing);
  const { url, stop } = await startOwnServer(programs.folder);
  const run = (program, args) =>
    execFileSync(join(programs.folder, program), args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  return {
    url,
    stop,
    run,
    /** Makes a schema. Returns the URL of a database that is empty but for it. */
    schema(name) {
      run("psql", ["--command", `CREATE SCHEMA ${name}`, url]);
      return `${url}?options=-c%20search_path%3D${name}`;
    },
  };
}
