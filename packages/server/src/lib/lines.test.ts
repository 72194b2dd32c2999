// Tests of lines: tasks with one key run one after another, and a stuck one holds up only its own line.

import { expect, it, vi } from "vitest";
import { fakeTimers } from "../../test/support/fake-timers.ts";
import { ContendedError, NotBegunError, UnavailableError } from "./errors.ts";
import { createLines } from "./lines.ts";

fakeTimers();

it("tasks with one key run in the order of the calls, each after the one before", async () => {
  const { run } = createLines();
  const ran: string[] = [];
  const task = (name: string) => async () => {
    ran.push(`${name} starts`);
    await Promise.resolve();
    ran.push(`${name} ends`);
    return name;
  };
  const all = ["a", "b", "c"].map((name) => run("row", task(name)));
  expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
  expect(ran).toEqual(["a", "b", "c"].flatMap((name) => [`${name} starts`, `${name} ends`]));
});

it("a task that fails gives its error to its own caller, and the next one runs", async () => {
  const { run } = createLines();
  const failed = run("row", () => Promise.reject(new Error("broken")));
  const next = run("row", async () => "next");
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("next");
});

it("one that is stuck holds up nobody with another key", async () => {
  const { run } = createLines();
  void run("locked", () => new Promise(() => {}));
  expect(await run("free", async () => "done")).toBe("done");
});

it("who waits for a stuck one is refused after two seconds, and is never run", async () => {
  const { run } = createLines();
  let end = () => {};
  const stuck = run("row", () => new Promise<void>((resolve) => (end = resolve)));
  const task = vi.fn(async () => {});
  const waiting = run("row", task);
  const refused = waiting.catch((error: unknown) => {
    expect(error).toBeInstanceOf(NotBegunError);
    expect(error).not.toBeInstanceOf(ContendedError);
  });
  await vi.advanceTimersByTimeAsync(2001);
  await refused;
  end();
  await stuck;
  await vi.advanceTimersByTimeAsync(0);
  expect(task).not.toHaveBeenCalled();
  expect(await run("row", async () => "again")).toBe("again");
});

it("no more than 256 wait", async () => {
  const { run } = createLines();
  void run("row", () => new Promise(() => {}));
  const waiting = Array.from({ length: 256 }, () => run("row", async () => {}).catch(() => "late"));
  await expect(run("row", async () => {})).rejects.toThrow(ContendedError);
  await vi.advanceTimersByTimeAsync(2001);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["late"]));
});

it("who waits too long although the line moves has caused it: no failure of the service", async () => {
  const { run } = createLines();
  const tasks = Array.from({ length: 3 }, () =>
    run("row", () => new Promise<void>((resolve) => setTimeout(resolve, 900))),
  );
  const last = expect(run("row", async () => {})).rejects.toThrow(ContendedError);
  await vi.advanceTimersByTimeAsync(5000);
  await last;
  await Promise.allSettled(tasks);
});

it("those that wait for one that is unavailable are told so at once, and are never run", async () => {
  const { run } = createLines();
  const head = run("row", () => Promise.reject(new UnavailableError("the database is locked")));
  const task = vi.fn(async () => {});
  const waiting = run("row", task);
  await expect(head).rejects.toThrow("the database is locked");
  await expect(waiting).rejects.toThrow("the database is locked");
  expect(task).not.toHaveBeenCalled();
  expect(await run("row", async () => "again")).toBe("again");
});

/** Tasks that end when the test says so. */
function startTasks() {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  return {
    begun,
    end: (name: string, error?: Error) => ends.get(name)?.(error),
    task: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
      });
    },
  };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

it("a task whose key is free again runs at once, and tasks with other keys run beside it", async () => {
  const { begun, end, task } = startTasks();
  const { run } = createLines();
  const first = run("a", task("a1"));
  void run("b", task("b1"));
  expect(begun).toEqual(["a1", "b1"]);
  end("a1");
  await first;
  await settle();
  void run("a", task("a2"));
  expect(begun).toEqual(["a1", "b1", "a2"]);
});

it("drain waits for all tasks that run or wait", async () => {
  const { end, task } = startTasks();
  const { run, drain } = createLines();
  const all = [run("a", task("a1")), run("a", task("a2"))];
  let isDrained = false;
  const drained = drain().then(() => {
    isDrained = true;
  });
  end("a1");
  await all[0];
  await settle();
  expect(isDrained).toBe(false);
  end("a2");
  await drained;
  await drain();
});
