// The thread that writes to a SQLite file: what it acknowledged is there, and nobody waits for it in vain.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { UnavailableError } from "../../../src/lib/errors.ts";
import {
  type SqlEngine,
  UniqueViolationError,
  UnknownOutcomeError,
} from "../../../src/store/engine.ts";
import { openSqlite } from "../../../src/store/sqlite.ts";
import { THREAD_LIMITS_MS } from "../../../src/store/sqlite-thread.ts";
import { filesClosed } from "../../support/closed-files.ts";
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

  test("everything that waits is refused within a second, what follows at once, and reads are answered", async () => {
    await insert("a");
    const { goOn } = hang(threads[0]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const waiting = [refusal(insert("flushed"))];
    await new Promise(setImmediate);
    waiting.push(refusal(insert("queued")));
    await vi.advanceTimersByTimeAsync(THREAD_LIMITS_MS.silent - 1);
    expect(await Promise.race([...waiting, "nothing yet"])).toBe("nothing yet");
    await vi.advanceTimersByTimeAsync(1);
    for (const error of await Promise.all(waiting)) expect(error).toBeInstanceOf(UnavailableError);
    await expect(insert("later")).rejects.toThrow("the disk does not answer");
    expect(await names(engine)).toEqual(["a"]);
    expect(threads).toHaveLength(1);
    vi.useRealTimers();
    goOn();
    // It was only slow: what it had is written late, and it goes on.
    await vi.waitFor(async () => expect(await names(engine)).toEqual(["a", "flushed"]));
    expect(await vi.waitFor(() => insert("b"))).toEqual([{ name: "b" }]);
    expect(threads).toHaveLength(1);
  });

  test("another one takes over after three seconds, and the first closes when it returns", async () => {
    await insert("a");
    const { goOn } = hang(threads[0]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const lost = refusal(insert("late"));
    await new Promise(setImmediate);
    const { silent, replaced } = THREAD_LIMITS_MS;
    await vi.advanceTimersByTimeAsync(silent + replaced);
    expect(await lost).toBeInstanceOf(UnavailableError);
    vi.useRealTimers();
    expect(await insert("b")).toEqual([{ name: "b" }]);
    expect(threads).toHaveLength(2);
    const gone = new Promise((resolve) => threads[0]?.once("exit", resolve));
    goOn();
    await gone;
    expect(await names(engine)).toEqual(["a", "b", "late"]);
    expect(await insert("c")).toEqual([{ name: "c" }]);
    expect(threads).toHaveLength(2);
  });
});
