// What the SQLite engine promises besides: what it acknowledged is on the disk.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OperatorError, UnavailableError } from "../../../src/lib/errors.ts";
import { openSqlite } from "../../../src/store/sqlite.ts";

describe("a database file", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "domain-signin-sqlite-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("is written ahead and flushed at each commit", async () => {
    const engine = openSqlite(join(folder, "durable.db"));
    expect(await engine.execute("PRAGMA journal_mode", [])).toEqual([{ journal_mode: "wal" }]);
    expect(await engine.execute("PRAGMA synchronous", [])).toEqual([{ synchronous: 2 }]);
    await engine.close();
    // The mode is the file's, the flushing is each connection's own.
    const again = openSqlite(join(folder, "durable.db"));
    expect(await again.execute("PRAGMA synchronous", [])).toEqual([{ synchronous: 2 }]);
    await again.close();
  });

  test("that cannot be opened is told to the operator", () => {
    const path = join(folder, "nowhere", "file.db");
    expect(() => openSqlite(path)).toThrow(OperatorError);
    expect(() => openSqlite(path)).toThrow(`cannot open the database ${path}`);
  });

  test("that another process holds is an outage after a while", async () => {
    const [holder, other] = [
      openSqlite(join(folder, "held.db")),
      openSqlite(join(folder, "held.db")),
    ];
    await holder.execute("CREATE TABLE things (name TEXT)", []);
    await other.execute("PRAGMA busy_timeout = 50", []);
    await holder.execute("BEGIN IMMEDIATE", []);
    const write = () => other.execute("INSERT INTO things VALUES ('a')", []);
    await expect(write()).rejects.toThrow(UnavailableError);
    await holder.execute("COMMIT", []);
    await write();
    await Promise.all([holder.close(), other.close()]);
  });
});
