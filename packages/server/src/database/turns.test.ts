// Tests of writes that take turns.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeTimers } from "../../test/support/fake-timers.ts";
import { NotBegunError, UnavailableError } from "../lib/errors.ts";
import { createTurns } from "./turns.ts";
import { createWaits, type Waits } from "./waits.ts";

fakeTimers({ toFake: ["setInterval", "clearInterval"] });
let waits: Waits;
beforeEach(() => {
  waits = createWaits(() => null);
});
afterEach(() => waits.stop());

function startTurns() {
  const { take, drain } = createTurns();
  const takeNow = <T>(key: string, task: () => Promise<T>, wait = waits.of(1000)) =>
    take(key, task, wait);
  return { take: takeNow, drain };
}

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

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("tasks with one key run one after the other, those with others beside them", async () => {
  const { begun, end, task } = startTasks();
  const { take } = startTurns();
  const all = [take("a", task("a1")), take("a", task("a2")), take("b", task("b1"))];
  expect(begun).toEqual(["a1", "b1"]);
  end("a1");
  await all[0];
  await settle();
  expect(begun).toEqual(["a1", "b1", "a2"]);
  end("a2");
  end("b1");
  expect(await Promise.all(all)).toEqual(["a1", "a2", "b1"]);
});

test("a task whose key is free again runs at once", async () => {
  const { begun, end, task } = startTasks();
  const { take } = startTurns();
  const first = take("a", task("a1"));
  end("a1");
  await first;
  await settle();
  void take("a", task("a2"));
  expect(begun).toEqual(["a1", "a2"]);
});

test("one that fails lets the next run, unless it had no answer: then all behind it fail without being run", async () => {
  const { begun, end, task } = startTasks();
  const { take } = startTurns();
  const all = ["a1", "a2", "a3", "a4"].map((name) => take("a", task(name)));
  const settled = Promise.allSettled(all);
  end("a1", new Error("division by zero"));
  await expect(all[0]).rejects.toThrow("division by zero");
  await settle();
  expect(begun).toEqual(["a1", "a2"]);
  end("a2", new UnavailableError("no answer within 5000 ms"));
  expect((await settled).map((one) => one.status)).toEqual(Array(4).fill("rejected"));
  expect(begun).toEqual(["a1", "a2"]);
  const message = "another write of the same row failed: no answer within 5000 ms";
  // Also of those further back: the message does not grow.
  for (const behind of all.slice(2)) {
    await expect(behind).rejects.toThrow(new NotBegunError(message));
  }
});

test("a task is refused when its time is over before its turn, and those with time left run", async () => {
  const { begun, end, task } = startTasks();
  const { take } = startTurns();
  const first = take("a", task("a1"));
  const late = take("a", task("a2"), waits.of(2000));
  const inTime = take("a", task("a3"), waits.of(10_000));
  const refused = expect(late).rejects.toThrow("other writes of the same row did not end");
  for (let step = 0; step < 22; step++) {
    vi.advanceTimersByTime(100);
    await settle();
  }
  // While the first one still runs.
  await refused;
  expect(begun).toEqual(["a1"]);
  end("a1");
  await first;
  await settle();
  expect(begun).toEqual(["a1", "a3"]);
  end("a3");
  expect(await inTime).toBe("a3");
});

test("one that was never sent does not fail those behind it", async () => {
  const { begun, end, task } = startTasks();
  const { take } = startTurns();
  const first = take("a", task("a1"));
  const second = take("a", task("a2"));
  end("a1", new NotBegunError("the database does not answer"));
  await expect(first).rejects.toThrow(NotBegunError);
  await settle();
  expect(begun).toEqual(["a1", "a2"]);
  end("a2");
  expect(await second).toBe("a2");
});

test("drain waits for all that have taken a turn", async () => {
  const { end, task } = startTasks();
  const turns = startTurns();
  const all = [turns.take("a", task("a1")), turns.take("a", task("a2"))];
  let isDrained = false;
  const drained = turns.drain().then(() => {
    isDrained = true;
  });
  end("a1");
  await all[0];
  await settle();
  expect(isDrained).toBe(false);
  end("a2");
  await drained;
});
