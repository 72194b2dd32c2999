// What the SQLite engine promises besides: what it acknowledged is on the disk.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { PEOPLE_WAIT_MS, type SqlEngine } from "../../../src/database/engine.ts";
import { migrate } from "../../../src/database/migrations.ts";
import { openSqlite } from "../../../src/database/sqlite.ts";
import { NotBegunError, OperatorError, UnavailableError } from "../../../src/lib/errors.ts";
import { OWN_STEP_MS } from "../../../src/lib/own-time.ts";

describe("a database file", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "domain-signin-sqlite-"));
  });
  afterEach(() => void vi.useRealTimers());
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

  test("that cannot be opened is told to the operator, with what the file system knows", () => {
    const there = join(folder, "there.db");
    writeFileSync(there, "this is no database, and longer than the header of one is");
    for (const [path, trouble] of [
      [join(folder, "nowhere", "a.db"), `the folder ${join(folder, "nowhere")} does not exist`],
      [join(there, "a.db"), `${there} is not a folder`],
      [folder, "it is a folder"],
      [there, ".*not a database"],
    ] as const) {
      expect(() => openSqlite(path)).toThrow(OperatorError);
      expect(() => openSqlite(path)).toThrow(
        new RegExp(`^cannot open the database ${path}: ${trouble}$`),
      );
    }
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });

  test("is its owner's alone from its first moment, and one that is there stays as it is", async () => {
    const umask = process.umask(0);
    try {
      writeFileSync(join(folder, "shared.db"), "", { mode: 0o640 });
      for (const [name, mode] of [
        ["private.db", 0o600],
        ["shared.db", 0o640],
      ] as const) {
        const engine = openSqlite(join(folder, name));
        await migrate(engine);
        const modes = ["", "-shm", "-wal"].map(
          (end) => statSync(join(folder, name + end)).mode & 0o777,
        );
        expect(modes).toEqual([mode, mode, mode]);
        await engine.close();
      }
    } finally {
      process.umask(umask);
    }
  });

  test("that another process holds is an outage after ten seconds, and blocks nobody", async () => {
    const path = join(folder, "held.db");
    const [holder, other] = [openSqlite(path), openSqlite(path)];
    await holder.execute("CREATE TABLE things (name TEXT)", []);
    await holder.execute("BEGIN IMMEDIATE", []);
    const write = (name: string) => other.execute("INSERT INTO things VALUES (?1)", [name]);
    // What it waits for is measured by these steps alone.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let isOver = false;
    const refused = write("refused").finally(() => {
      isOver = true;
    });
    refused.catch(() => {});
    vi.advanceTimersByTime(PEOPLE_WAIT_MS - OWN_STEP_MS);
    for (let turn = 0; turn < 5; turn++) await sleep(10);
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(OWN_STEP_MS);
    await expect(refused).rejects.toThrow(NotBegunError);
    await expect(refused).rejects.toThrow("another process has locked the database");
    vi.useRealTimers();
    // Who gives it up in time is waited for, and what is read needs no lock.
    const late = write("late");
    expect(await other.execute("SELECT name FROM things", [])).toEqual([]);
    await sleep(20);
    await holder.execute("COMMIT", []);
    await late;
    await holder.execute("BEGIN IMMEDIATE", []);
    const cut = write("cut");
    await other.close();
    await expect(cut).rejects.toThrow(UnavailableError);
    await holder.execute("COMMIT", []);
    expect(await holder.execute("SELECT name FROM things", [])).toEqual([{ name: "late" }]);
    await holder.close();
  });

  test("commits what comes after a write that a lock has failed, and shows it to others", async () => {
    const path = join(folder, "after.db");
    const [holder, other, reader] = [openSqlite(path), openSqlite(path), openSqlite(path)];
    await holder.execute("CREATE TABLE things (name TEXT)", []);
    const names = async (by: SqlEngine) =>
      (await by.execute("SELECT name FROM things", [])).map(({ name }) => name);
    await holder.execute("BEGIN IMMEDIATE", []);
    const brief = { waitMs: OWN_STEP_MS };
    const refused = other.execute("INSERT INTO things VALUES ('refused')", [], brief);
    await expect(refused).rejects.toThrow("another process has locked the database");
    await holder.execute("COMMIT", []);
    // Another statement than the one that failed.
    await other.execute("INSERT INTO things VALUES ('written')", []);
    expect(await names(reader)).toEqual(["written"]);
    await holder.execute("INSERT INTO things VALUES ('later')", []);
    expect(await names(other)).toEqual(["written", "later"]);
    for (const engine of [holder, other, reader]) await engine.close();
  });

  test("that another process is bringing up to date is waited for, and then served without blocking", async () => {
    const path = join(folder, "starting.db");
    const engine = openSqlite(path);
    const program = `
      const database = new (require("libsql"))(process.argv[1]);
      database.exec("BEGIN IMMEDIATE");
      console.log("held");
      setTimeout(() => {
        database.exec("COMMIT");
        console.log(Date.now());
      }, 400);`;
    const child = spawn(process.execPath, ["-e", program, path], { cwd: import.meta.dirname });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await lines.next();
    expect(await migrate(engine)).toBeGreaterThan(0);
    const done = Date.now();
    const { value: released } = await lines.next();
    expect(done).toBeGreaterThanOrEqual(Number(released) - 5);
    expect(await engine.execute("PRAGMA busy_timeout", [])).toEqual([{ timeout: 0 }]);
    await engine.close();
  });
});
