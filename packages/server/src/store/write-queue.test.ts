// The queue of writes: what shares a flush, what goes first, and what is refused.

import { afterEach, describe, expect, it, test, vi } from "vitest";
import { UnavailableError } from "../lib/errors.ts";
import { createWriteQueue, WRITE_LIMITS, type Write, type Written } from "./write-queue.ts";

const write = (sql: string): Write => ({ sql, parameters: [] });

/** A queue whose flushes end when the test says so. */
function heldQueue(flushes = 1) {
  const batches: string[][] = [];
  const ends: ((written?: readonly Written[] | Error) => void)[] = [];
  const queue = createWriteQueue(
    (batch) => {
      batches.push(batch.map(({ sql }) => sql));
      return new Promise((resolve, reject) => {
        ends.push((written = batch.map(({ sql }) => [{ sql }])) => {
          if (written instanceof Error) reject(written);
          else resolve(written);
        });
      });
    },
    (run) => run(),
    flushes,
  );
  return { queue, batches, end: (written?: readonly Written[] | Error) => ends.shift()?.(written) };
}

afterEach(() => void vi.useRealTimers());

describe("what arrives during a flush", () => {
  it("shares the next one, which begins as soon as the first has ended", async () => {
    const { queue, batches, end } = heldQueue();
    const first = queue.add(write("a"), false);
    const others = ["b", "c"].map((sql) => queue.add(write(sql), false));
    expect(batches).toEqual([["a"]]);
    end();
    expect(await first).toEqual([{ sql: "a" }]);
    expect(batches).toEqual([["a"], ["b", "c"]]);
    end();
    expect(await Promise.all(others)).toEqual([[{ sql: "b" }], [{ sql: "c" }]]);
  });

  it("goes by urgency, and then by arrival", async () => {
    const { queue, batches, end } = heldQueue();
    const all = [queue.add(write("first"), false)];
    for (const [sql, isUrgent] of [
      ["page 1", false],
      ["token 1", true],
      ["page 2", false],
      ["token 2", true],
    ] as const) {
      all.push(queue.add(write(sql), isUrgent));
    }
    end();
    await all[0];
    expect(batches[1]).toEqual(["token 1", "token 2", "page 1", "page 2"]);
    end();
    await Promise.all(all);
  });

  it("is split where a flush would be too large", async () => {
    const { queue, batches, end } = heldQueue();
    const all = [queue.add(write("first"), false)];
    for (let count = 0; count < WRITE_LIMITS.batch + 1; count++) {
      all.push(queue.add(write(String(count)), count % 2 === 0));
    }
    for (let flush = 0; flush < 3; flush++) {
      end();
      await new Promise(setImmediate);
    }
    await Promise.all(all);
    expect(batches.map(({ length }) => length)).toEqual([1, WRITE_LIMITS.batch, 1]);
  });
});

describe("with two flushes at once", () => {
  it("what arrives during one begins another, and what arrives during both waits", async () => {
    const { queue, batches, end } = heldQueue(2);
    const all = ["a", "b", "c", "d"].map((sql) => queue.add(write(sql), false));
    expect(batches).toEqual([["a"], ["b"]]);
    end();
    expect(await all[0]).toEqual([{ sql: "a" }]);
    expect(batches).toEqual([["a"], ["b"], ["c", "d"]]);
    let isDrained = false;
    const drained = queue.drain().then(() => {
      isDrained = true;
    });
    end();
    expect(await all[1]).toEqual([{ sql: "b" }]);
    await new Promise(setImmediate);
    expect(isDrained).toBe(false);
    end();
    await drained;
    expect(await Promise.all(all)).toHaveLength(4);
  });
});

test("a write whose rows come later keeps no other one of its flush waiting", async () => {
  const { queue, end } = heldQueue();
  void queue.add(write("first"), false);
  const [late, inTime] = ["late", "in time"].map((sql) => queue.add(write(sql), false));
  end();
  await new Promise(setImmediate);
  let come = (_: readonly []) => {};
  end([new Promise((resolve) => (come = resolve)), [{ one: 1 }]]);
  expect(await inTime).toEqual([{ one: 1 }]);
  come([]);
  expect(await late).toEqual([]);
});

describe("a write is refused", () => {
  it("at once, when too many wait", async () => {
    const { queue, end } = heldQueue();
    const flushed = queue.add(write("flushed"), false);
    const waiting = Array.from({ length: WRITE_LIMITS.waiting }, (_, index) =>
      queue.add(write("waits"), index % 2 === 0),
    );
    for (const isUrgent of [false, true]) {
      const refused = queue.add(write("surplus"), isUrgent).catch((error: unknown) => error);
      const waits = new Promise((resolve) => setImmediate(resolve, "waits"));
      expect(await Promise.race([refused, waits])).toBeInstanceOf(UnavailableError);
    }
    for (let flush = 0; flush <= WRITE_LIMITS.waiting / WRITE_LIMITS.batch; flush++) {
      end();
      await new Promise(setImmediate);
    }
    expect(await flushed).toEqual([{ sql: "flushed" }]);
    expect(await Promise.all(waiting)).toHaveLength(WRITE_LIMITS.waiting);
  });

  it("when it has waited for too long, and is then never run", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { queue, batches, end } = heldQueue();
    const flushed = queue.add(write("flushed"), false);
    const late = queue.add(write("late"), true);
    vi.advanceTimersByTime(1);
    const inTime = queue.add(write("in time"), false);
    vi.advanceTimersByTime(WRITE_LIMITS.waitMs);
    end();
    await expect(late).rejects.toThrow("the database does not keep up with what is written");
    await flushed;
    expect(batches).toEqual([["flushed"], ["in time"]]);
    end();
    expect(await inTime).toEqual([{ sql: "in time" }]);
  });

  it("with its own error, and those beside it are not", async () => {
    const { queue, end } = heldQueue();
    void queue.add(write("first"), false);
    const [good, bad, odd] = ["good", "bad", "odd"].map((sql) => queue.add(write(sql), false));
    end();
    await new Promise(setImmediate);
    end([[{ one: 1 }], new UnavailableError("disk full")]);
    expect(await good).toEqual([{ one: 1 }]);
    await expect(bad).rejects.toThrow("disk full");
    await expect(odd).rejects.toThrow("without an outcome");
  });

  it("with all of its flush, if nobody knows what came of that; the next flush is another matter", async () => {
    const { queue, end } = heldQueue();
    const lost = queue.add(write("lost"), false);
    const next = queue.add(write("next"), false);
    end(new UnavailableError("gone"));
    await expect(lost).rejects.toThrow("gone");
    end();
    expect(await next).toEqual([{ sql: "next" }]);
  });

  it("while it waits, when all are failed; what is being flushed is not", async () => {
    const { queue, end, batches } = heldQueue();
    const flushed = queue.add(write("flushed"), false);
    const waiting = [queue.add(write("one"), true), queue.add(write("other"), false)];
    queue.fail(new UnavailableError("silent"));
    for (const one of waiting) await expect(one).rejects.toThrow("silent");
    end();
    expect(await flushed).toEqual([{ sql: "flushed" }]);
    expect(batches).toHaveLength(1);
  });
});

test("a drain ends when everything has its outcome, and at once when nothing waits", async () => {
  const { queue, end } = heldQueue();
  await queue.drain();
  const seen: string[] = [];
  const note = (what: string) => () => void seen.push(what);
  const writes = ["a", "b"].map((sql) => queue.add(write(sql), false).then(note(sql)));
  const drained = queue.drain().then(note("drained"));
  end();
  await new Promise(setImmediate);
  end();
  await Promise.all([...writes, drained]);
  expect(seen).toEqual(["a", "b", "drained"]);
});
