// Tests of writes to PostgreSQL that are likely to change the same row: they take turns.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeTimers } from "../../test/support/fake-timers.ts";
import { NotBegunError, UnavailableError } from "../lib/errors.ts";
import { OWN_STEP_MS } from "../lib/own-time.ts";
import type { SqlRow } from "./engine.ts";
import { groupPostgresWrites, type Runner } from "./postgres-groups.ts";
import { createWaits, type Waits } from "./waits.ts";

const TOUCH = "UPDATE things SET size = ?2 WHERE name = ?1";

fakeTimers({ toFake: ["setInterval", "clearInterval"] });
let waits: Waits;
let begun: string[];
let ends: Map<string, (error?: Error) => void>;
let writes: ReturnType<typeof groupPostgresWrites>;
beforeEach(() => {
  waits = createWaits(() => null);
  begun = [];
  ends = new Map();
  const run: Runner["run"] = (_, sending) => {
    sending.wait();
    const name = (sending.begin() ?? []).join("");
    begun.push(name);
    return new Promise<SqlRow[]>((resolve, reject) => {
      ends.set(name, (error) => (error === undefined ? resolve([{ name }]) : reject(error)));
    });
  };
  const commit: Runner["commit"] = async (joined, sending) => {
    const name = joined.map(({ parameters }) => parameters.join("")).join("+");
    return [await run("", { ...sending, begin: () => sending.begin() && [name] })];
  };
  writes = groupPostgresWrites({ run, commit }, waits);
});
afterEach(() => waits.stop());

/** A write of the row `key`, which ends when the test says so. */
function write(key: string, size: number, waitMs = 1000) {
  const call = { statement: TOUCH, parameters: [key, size] };
  return writes.add(call, { isUrgent: false, isFirst: false, waitMs });
}
const end = (name: string, error?: Error) => ends.get(name)?.(error);
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("joined writes wait for a write of the row that the first of them changes, and no longer than they may", async () => {
  const first = write("a", 1);
  const joined = [
    { statement: TOUCH, parameters: ["a", 2] },
    { statement: TOUCH, parameters: ["b", 2] },
  ];
  const all = writes.commit(joined, 1000);
  const late = writes.commit(joined, OWN_STEP_MS).catch((error: unknown) => error);
  const beside = write("b", 1);
  expect(begun).toEqual(["a1", "b1"]);
  await vi.advanceTimersByTimeAsync(2 * OWN_STEP_MS);
  expect(await late).toBeInstanceOf(NotBegunError);
  end("a1");
  await first;
  await settle();
  expect(begun).toEqual(["a1", "b1", "a2+b2"]);
  end("b1");
  end("a2+b2");
  expect(await all).toEqual([[{ name: "a2+b2" }]]);
  await beside;
});

test("writes of one row run one after the other, those of others beside them", async () => {
  const all = [write("a", 1), write("a", 2), write("b", 1)];
  expect(begun).toEqual(["a1", "b1"]);
  end("a1");
  await all[0];
  await settle();
  expect(begun).toEqual(["a1", "b1", "a2"]);
  end("a2");
  end("b1");
  expect(await Promise.all(all)).toEqual([[{ name: "a1" }], [{ name: "a2" }], [{ name: "b1" }]]);
});

test("one that fails lets the next run, unless it had no answer: then all behind it fail without being run", async () => {
  const all = [1, 2, 3, 4].map((size) => write("a", size));
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

test("a write is refused when its time is over before its turn, and those with time left run", async () => {
  const first = write("a", 1);
  const late = write("a", 2, 2000);
  const inTime = write("a", 3, 10_000);
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
  expect(await inTime).toEqual([{ name: "a3" }]);
});

test("one that was never sent does not fail those behind it", async () => {
  const first = write("a", 1);
  const second = write("a", 2);
  end("a1", new NotBegunError("the database does not answer"));
  await expect(first).rejects.toThrow(NotBegunError);
  await settle();
  expect(begun).toEqual(["a1", "a2"]);
  end("a2");
  expect(await second).toEqual([{ name: "a2" }]);
});

test("drain waits for all that have taken a turn", async () => {
  const all = [write("a", 1), write("a", 2)];
  let isDrained = false;
  const drained = writes.drain().then(() => {
    isDrained = true;
  });
  end("a1");
  await all[0];
  await settle();
  expect(isDrained).toBe(false);
  end("a2");
  await drained;
});
