// The thread that writes to a SQLite file: what it acknowledged is there, and nobody waits for it in vain.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  PEOPLE_WAIT_MS,
  type SqlEngine,
  TOKEN_WAIT_MS,
  UniqueViolationError,
} from "../../../src/database/engine.ts";
import { openSqlite } from "../../../src/database/sqlite.ts";
import { lockHolder } from "../../../src/database/sqlite-lock.ts";
import { WRITE_LIMITS } from "../../../src/database/write-queue.ts";
import { NotBegunError, UnavailableError, UnknownOutcomeError } from "../../../src/lib/errors.ts";
import { filesClosed } from "../../support/closed-files.ts";
import { lockFile } from "../../support/database-outage.ts";
import { eventually } from "../../support/eventually.ts";
import { withSqlite } from "../../support/sqlite-file.ts";

const folder = mkdtempSync(join(tmpdir(), "domain-signin-writer-"));
/** The threads that this process has started, in their order. */
const threads: Worker[] = [];
const note = (worker: Worker) => void threads.push(worker);
process.on("worker", note);
afterAll(() => {
  process.off("worker", note);
  rmSync(folder, { recursive: true });
});

/** What it does not understand ends it, once it has done what it had before. To end it from outside would end the process. */
const kill = (worker: Worker | undefined) => worker?.postMessage("no request");

let files = 0;
let path: string;
let engine: SqlEngine;
beforeEach(async () => {
  path = join(folder, `${++files}.db`);
  await withSqlite(path, ({ execute }) =>
    execute("CREATE TABLE things (name TEXT PRIMARY KEY, size INTEGER NOT NULL)", []),
  );
  threads.length = 0;
  engine = openSqlite(path, { withThread: true });
});
afterEach(async () => {
  vi.useRealTimers();
  await engine.close();
  await filesClosed();
});

const insert = (name: string) =>
  engine.execute("INSERT INTO things (name, size) VALUES (?1, 0) RETURNING name", [name]);
const names = async (by: SqlEngine) =>
  (await by.execute("SELECT name FROM things ORDER BY name", [])).map(({ name }) => name);
test("one thread writes, and reads see at once what it acknowledged", async () => {
  expect(await names(engine)).toEqual([]);
  expect(threads).toHaveLength(0);
  for (const name of ["a", "b", "c"]) {
    expect(await insert(name)).toEqual([{ name }]);
    expect(await names(engine)).toContain(name);
  }
  expect(threads).toHaveLength(1);
  // It is the file's, not the thread's.
  await withSqlite(path, async (other) => expect(await names(other)).toEqual(["a", "b", "c"]));
});

test("the thread writes ahead, and flushes each commit to the disk", async () => {
  // An assignment is for the connection that writes; its answer is the new value.
  expect(await engine.execute("PRAGMA journal_mode = WAL", [])).toEqual([{ journal_mode: "wal" }]);
  await engine.execute("CREATE TABLE modes AS SELECT synchronous FROM pragma_synchronous", []);
  expect(await engine.execute("SELECT synchronous FROM modes", [])).toEqual([{ synchronous: 2 }]);
});

test("of writes at the same moment each gets its own rows, and a bad one its own error", async () => {
  const wanted = ["a", "b", "a", "c", "d"];
  const written = await Promise.allSettled(wanted.map(insert));
  expect(written.map(({ status }) => status)).toEqual([
    ...["fulfilled", "fulfilled", "rejected", "fulfilled", "fulfilled"],
  ]);
  expect(written[2]).toMatchObject({ reason: expect.any(UniqueViolationError) });
  expect(written[4]).toMatchObject({ value: [{ name: "d" }] });
  expect(await names(engine)).toEqual(["a", "b", "c", "d"]);
});

test("a thousand writes at the same moment count once each, and a closed engine has written them all", async () => {
  await insert("a");
  const grow = "UPDATE things SET size = size + 1 WHERE name = 'a' RETURNING size";
  const all = Array.from({ length: 1000 }, () => engine.execute(grow, []));
  await engine.close();
  const sizes = (await Promise.all(all)).map(([row]) => Number(row?.size));
  expect(sizes.sort((one, other) => one - other)).toEqual(sizes.map((_, index) => index + 1));
  await expect(insert("later")).rejects.toThrow(UnavailableError);
});

describe("when the thread dies", () => {
  test("the outcome of what it had is unknown, and the next write has another thread", async () => {
    await insert("a");
    kill(threads[0]);
    await expect(insert("lost")).rejects.toThrow(UnknownOutcomeError);
    expect(await insert("b")).toEqual([{ name: "b" }]);
    expect(threads).toHaveLength(2);
    expect(await names(engine)).toEqual(["a", "b"]);
  });

  test("again and again under load, nothing is lost that it acknowledged", async () => {
    const acknowledged = new Set<string>();
    let isOver = false;
    const load = Array.from({ length: 16 }, async (_, line) => {
      for (let count = 0; !isOver; count++) {
        const name = `${line}/${count}`;
        await insert(name).then(
          () => acknowledged.add(name),
          (error) => expect(error).toBeInstanceOf(UnavailableError),
        );
      }
    });
    for (let deaths = 0; deaths < 5; deaths++) {
      const before = acknowledged.size;
      while (acknowledged.size < before + 20) await sleep(1);
      kill(threads.at(-1));
    }
    isOver = true;
    await Promise.all(load);
    expect(threads.length).toBeGreaterThanOrEqual(5);
    const present = new Set(await names(engine));
    expect([...acknowledged].filter((name) => !present.has(name))).toEqual([]);
  });
});

describe("while the thread does not answer", () => {
  /** Holds back what it is sent from now on: for it, time stands still. */
  function hang(worker: Worker | undefined): { goOn: () => void } {
    if (worker === undefined) throw new Error("there is no thread");
    const held: unknown[] = [];
    const send = worker.postMessage.bind(worker);
    worker.postMessage = (message: unknown) => void held.push(message);
    return {
      goOn() {
        worker.postMessage = send;
        for (const message of held) send(message);
      },
    };
  }
  const refusal = (task: Promise<unknown>) =>
    task.then(
      () => "written",
      (error: unknown) => error,
    );

  test("what it was given waits for its outcome, what it was not is refused in time, and reads are answered", async () => {
    await insert("a");
    const { goOn } = hang(threads[0]);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const given = insert("given");
    await new Promise(setImmediate);
    const token = refusal(
      engine.execute("INSERT INTO things (name, size) VALUES ('token', 0)", [], { isUrgent: true }),
    );
    const person = refusal(insert("person"));
    vi.advanceTimersByTime(TOKEN_WAIT_MS);
    expect(await token).toBeInstanceOf(NotBegunError);
    vi.advanceTimersByTime(PEOPLE_WAIT_MS - TOKEN_WAIT_MS);
    expect(await person).toBeInstanceOf(NotBegunError);
    expect(engine.oldestWaitMs?.()).toBe(PEOPLE_WAIT_MS);
    expect(await names(engine)).toEqual(["a"]);
    goOn();
    expect(await given).toEqual([{ name: "given" }]);
    expect(await insert("b")).toEqual([{ name: "b" }]);
    expect(await names(engine)).toEqual(["a", "b", "given"]);
    expect(threads).toHaveLength(1);
  });

  test("for 30 s, nobody knows what came of what it was given; it is never replaced, and goes on", async () => {
    await insert("a");
    const { goOn } = hang(threads[0]);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const lost = refusal(insert("late"));
    await new Promise(setImmediate);
    vi.advanceTimersByTime(WRITE_LIMITS.flushMs);
    expect(await lost).toBeInstanceOf(UnknownOutcomeError);
    goOn();
    expect(await insert("b")).toEqual([{ name: "b" }]);
    expect(await names(engine)).toEqual(["a", "b", "late"]);
    expect(threads).toHaveLength(1);
  });
});

describe("a lock of another process", () => {
  test("delays a write, and the engine names the process", async () => {
    await insert("a");
    const release = await lockFile(path);
    const waiting = insert("b");
    await eventually(() => expect(lockHolder(path)).toMatch(/^node \(process \d+\)$/));
    await release();
    expect(await waiting).toEqual([{ name: "b" }]);
    expect(lockHolder(path)).toBeNull();
    expect(threads).toHaveLength(1);
  });

  test("delays the first write and the opening of the file as long as it takes", async () => {
    await engine.close();
    const release = await lockFile(path);
    const reports: unknown[] = [];
    const onWait = (...report: unknown[]) => void reports.push(report);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    engine = openSqlite(path, { withThread: true, onWait });
    const patient = { waitMs: Number.POSITIVE_INFINITY };
    const opened = engine.execute("INSERT INTO things (name, size) VALUES ('a', 0)", [], patient);
    const migrated = engine.migrate(() => []);
    await sleep(50);
    vi.advanceTimersByTime(25_000);
    const what = expect.stringMatching(
      /^another process has locked the database: node \(process \d+\)$/,
    );
    expect(reports).toContainEqual([what, 10]);
    expect(reports).toContainEqual([what, 20]);
    vi.useRealTimers();
    await release();
    await Promise.all([opened, migrated]);
    expect(await names(engine)).toEqual(["a"]);
  });
});
