// The queue of writes: what shares a flush, what goes first, and what is refused.

import { afterEach, describe, expect, it, test, vi } from "vitest";
import { NotBegunError, UnavailableError, UnknownOutcomeError } from "../lib/errors.ts";
import { OWN_STEP_MS } from "../lib/own-time.ts";
import { PEOPLE_WAIT_MS, TOKEN_WAIT_MS } from "./engine.ts";
import {
  createWriteQueue,
  WRITE_LIMITS,
  type WriteQueueOptions,
  type Written,
} from "./write-queue.ts";

interface Write {
  readonly sql: string;
}

const write = (sql: string): Write => ({ sql });

/** A queue whose flushes end when the test says so. */
function heldQueue(options: WriteQueueOptions = {}) {
  const batches: string[][] = [];
  const ends: ((written?: readonly Written[] | Error) => void)[] = [];
  const queue = createWriteQueue<Write>((batch) => {
    batches.push(batch.map(({ sql }) => sql));
    return new Promise((resolve, reject) => {
      ends.push((written = batch.map(({ sql }) => [{ sql }])) => {
        if (written instanceof Error) reject(written);
        else resolve(written);
      });
    });
  }, options);
  return { queue, batches, end: (written?: readonly Written[] | Error) => ends.shift()?.(written) };
}

afterEach(() => void vi.useRealTimers());

/** Time that passes when the test says so. */
function ownTime() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  return {
    async pass(milliseconds: number) {
      vi.advanceTimersByTime(milliseconds);
      await new Promise(setImmediate);
    },
  };
}

/** What came of it: its rows, or its error. */
const outcomeOf = (task: Promise<unknown>) => task.catch((error: unknown) => error);

describe("what arrives during a flush", () => {
  it("shares the next one, which begins as soon as the first has ended", async () => {
    const { queue, batches, end } = heldQueue();
    const first = queue.add(write("a"));
    const others = ["b", "c"].map((sql) => queue.add(write(sql)));
    expect(batches).toEqual([["a"]]);
    end();
    expect(await first).toEqual([{ sql: "a" }]);
    expect(batches).toEqual([["a"], ["b", "c"]]);
    end();
    expect(await Promise.all(others)).toEqual([[{ sql: "b" }], [{ sql: "c" }]]);
  });

  it("goes by urgency, and then by arrival", async () => {
    const { queue, batches, end } = heldQueue();
    const all = [queue.add(write("first"))];
    for (const sql of ["page 1", "token 1", "page 2", "token 2"]) {
      all.push(queue.add(write(sql), { isUrgent: sql.startsWith("token") }));
    }
    end();
    await all[0];
    expect(batches[1]).toEqual(["token 1", "token 2", "page 1", "page 2"]);
    end();
    await Promise.all(all);
  });

  it("is split where a flush would be too large", async () => {
    const { queue, batches, end } = heldQueue();
    const all = [queue.add(write("first"))];
    for (let count = 0; count < WRITE_LIMITS.batch + 1; count++) {
      all.push(queue.add(write(String(count)), { isUrgent: count % 2 === 0 }));
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
    const { queue, batches, end } = heldQueue({ flushes: 2 });
    const all = ["a", "b", "c", "d"].map((sql) => queue.add(write(sql)));
    expect(batches).toEqual([["a"], ["b"]]);
    end();
    expect(await all[0]).toEqual([{ sql: "a" }]);
    expect(batches).toEqual([["a"], ["b"], ["c", "d"]]);
    let isDrained = false;
    const drained = queue.drain().then(() => (isDrained = true));
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
  void queue.add(write("first"));
  const [late, inTime] = ["late", "in time"].map((sql) => queue.add(write(sql)));
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
    const flushed = queue.add(write("flushed"));
    const waiting = Array.from({ length: WRITE_LIMITS.waiting }, (_, index) =>
      queue.add(write("waits"), { isUrgent: index % 2 === 0 }),
    );
    for (const isUrgent of [false, true]) {
      const refused = queue.add(write("surplus"), { isUrgent }).catch((error: unknown) => error);
      const waits = new Promise((resolve) => setImmediate(resolve, "waits"));
      expect(await Promise.race([refused, waits])).toBeInstanceOf(NotBegunError);
    }
    for (let flush = 0; flush <= WRITE_LIMITS.waiting / WRITE_LIMITS.batch; flush++) {
      end();
      await new Promise(setImmediate);
    }
    expect(await flushed).toEqual([{ sql: "flushed" }]);
    expect(await Promise.all(waiting)).toHaveLength(WRITE_LIMITS.waiting);
  });

  it("after two seconds at the token endpoint and ten for a person, and is then never run", async () => {
    const time = ownTime();
    const { queue, batches, end } = heldQueue({ describe: () => "the disk is slow" });
    const flushed = queue.add(write("flushed"));
    const token = outcomeOf(queue.add(write("token"), { isUrgent: true }));
    const person = outcomeOf(queue.add(write("person")));
    const patient = queue.add(write("start"), { waitMs: Infinity });
    await time.pass(TOKEN_WAIT_MS - OWN_STEP_MS);
    expect(await Promise.race([token, person, "nothing yet"])).toBe("nothing yet");
    await time.pass(OWN_STEP_MS);
    expect(await token).toEqual(new NotBegunError("the disk is slow"));
    await time.pass(PEOPLE_WAIT_MS - TOKEN_WAIT_MS - OWN_STEP_MS);
    expect(await Promise.race([person, "nothing yet"])).toBe("nothing yet");
    await time.pass(OWN_STEP_MS);
    expect(await person).toBeInstanceOf(NotBegunError);
    end();
    await flushed;
    expect(batches).toEqual([["flushed"], ["start"]]);
    end();
    expect(await patient).toEqual([{ sql: "start" }]);
  });

  it("not for time in which the process did not run", async () => {
    const time = ownTime();
    const { queue, end } = heldQueue();
    const writes = [queue.add(write("a")), queue.add(write("b"), { isUrgent: true })];
    // The process was stopped for a minute: the one timer that was due fires once.
    await time.pass(OWN_STEP_MS);
    end();
    await new Promise(setImmediate);
    end();
    expect(await Promise.all(writes)).toHaveLength(2);
  });

  it("with its own error, and those beside it are not", async () => {
    const { queue, end } = heldQueue();
    void queue.add(write("first"));
    const [good, bad, odd] = ["good", "bad", "odd"].map((sql) => queue.add(write(sql)));
    end();
    await new Promise(setImmediate);
    end([[{ one: 1 }], new UnavailableError("disk full")]);
    expect(await good).toEqual([{ one: 1 }]);
    await expect(bad).rejects.toThrow("disk full");
    await expect(odd).rejects.toThrow("without an outcome");
  });

  it("with all of its flush, if nobody knows what came of that; the next flush is another matter", async () => {
    const { queue, end } = heldQueue();
    const lost = queue.add(write("lost"));
    const next = queue.add(write("next"));
    end(new UnavailableError("gone"));
    await expect(lost).rejects.toThrow("gone");
    end();
    expect(await next).toEqual([{ sql: "next" }]);
  });
});

describe("what has been handed over", () => {
  it("is answered with its outcome, however late, but after 30 s the caller is told that nobody knows", async () => {
    const time = ownTime();
    const { queue, batches, end } = heldQueue({ flushMs: WRITE_LIMITS.flushMs });
    const late = queue.add(write("late"), { isUrgent: true });
    await time.pass(WRITE_LIMITS.flushMs - OWN_STEP_MS);
    end();
    expect(await late).toEqual([{ sql: "late" }]);
    const lost = outcomeOf(queue.add(write("lost"), { isUrgent: true }));
    const behind = queue.add(write("mark"), { isFirst: true, waitMs: Infinity });
    await time.pass(WRITE_LIMITS.flushMs);
    expect(await lost).toBeInstanceOf(UnknownOutcomeError);
    // The flush goes on, and the next one waits for its end.
    expect(batches).toEqual([["late"], ["lost"]]);
    end();
    await new Promise(setImmediate);
    end();
    expect(await behind).toEqual([{ sql: "mark" }]);
  });

  it("waits again, before everything of its kind, if it was not begun", async () => {
    const { queue, batches, end } = heldQueue();
    const writes = ["a", "b"].map((sql) => queue.add(write(sql)));
    end(new NotBegunError("locked"));
    await new Promise(setImmediate);
    expect(batches).toEqual([["a"], ["a", "b"]]);
    end();
    expect(await Promise.all(writes)).toEqual([[{ sql: "a" }], [{ sql: "b" }]]);
  });

  it("is refused when its time is over, if it is handed over and given back all the time", async () => {
    const time = ownTime();
    const { queue, batches, end } = heldQueue({ describe: () => "locked" });
    const token = outcomeOf(queue.add(write("token"), { isUrgent: true }));
    await time.pass(TOKEN_WAIT_MS);
    end(new NotBegunError("locked"));
    expect(await token).toEqual(new NotBegunError("locked"));
    await queue.drain();
    expect(batches).toEqual([["token"]]);
  });

  it("is never run again once the caller was told that nobody knows", async () => {
    const time = ownTime();
    const { queue, batches, end } = heldQueue({ flushMs: 1000 });
    const lost = outcomeOf(queue.add(write("lost")));
    await time.pass(1000);
    expect(await lost).toBeInstanceOf(UnknownOutcomeError);
    end(new NotBegunError("locked"));
    await queue.drain();
    expect(batches).toEqual([["lost"]]);
  });
});

describe("a mark goes first", () => {
  it("also where too many other writes wait", async () => {
    const { queue, batches, end } = heldQueue();
    const flushed = queue.add(write("flushed"));
    const others = Array.from({ length: WRITE_LIMITS.waiting }, () =>
      queue.add(write("token"), { isUrgent: true }),
    );
    const mark = queue.add(write("mark"), { isFirst: true });
    end();
    await flushed;
    expect(batches[1]?.[0]).toBe("mark");
    for (let flush = 0; flush <= WRITE_LIMITS.waiting / WRITE_LIMITS.batch; flush++) {
      end();
      await new Promise(setImmediate);
    }
    expect(await Promise.all([mark, ...others])).toHaveLength(WRITE_LIMITS.waiting + 1);
  });
});

describe("until the thread is ready", () => {
  it("nothing is handed over, and what waits for too long is refused", async () => {
    const time = ownTime();
    let open = () => {};
    let opening: Promise<void> | null = new Promise((resolve) => (open = resolve));
    const { queue, batches, end } = heldQueue({ whenReady: () => opening });
    const token = outcomeOf(queue.add(write("token"), { isUrgent: true }));
    const person = queue.add(write("person"));
    await time.pass(TOKEN_WAIT_MS);
    expect(await token).toBeInstanceOf(NotBegunError);
    expect(batches).toEqual([]);
    opening = null;
    open();
    await new Promise(setImmediate);
    expect(batches).toEqual([["person"]]);
    end();
    await person;
  });

  it("a failure to open the file fails all that waits, and the next write tries again", async () => {
    let failure: Promise<void> | null = Promise.reject(new UnavailableError("no such file"));
    const { queue, end } = heldQueue({ whenReady: () => failure });
    await expect(queue.add(write("a"))).rejects.toThrow("no such file");
    failure = null;
    const again = queue.add(write("b"));
    end();
    expect(await again).toEqual([{ sql: "b" }]);
  });
});

test("what waits is reported after every ten seconds, with what it waits for", async () => {
  const time = ownTime();
  const reports: unknown[] = [];
  const onWait = (...report: unknown[]) => void reports.push(report);
  const { queue, end } = heldQueue({ onWait, describe: () => "the disk" });
  const waiting = queue.add(write("a"), { waitMs: Infinity });
  expect(queue.oldestWaitMs()).toBe(0);
  await time.pass(25_000);
  expect(queue.oldestWaitMs()).toBe(25_000);
  expect(reports).toEqual([
    ["the disk", 10],
    ["the disk", 20],
  ]);
  end();
  await waiting;
  await queue.drain();
  expect(queue.oldestWaitMs()).toBe(0);
});

test("the oldest write counts, although one that came later goes before it in the same flush", async () => {
  const time = ownTime();
  const { queue, batches, end } = heldQueue();
  const all = [queue.add(write("a")), queue.add(write("b"))];
  await time.pass(5000);
  all.push(queue.add(write("mark"), { isFirst: true }));
  end();
  await new Promise(setImmediate);
  expect(batches).toEqual([["a"], ["mark", "b"]]);
  expect(queue.oldestWaitMs()).toBe(5000);
  end();
  await Promise.all(all);
});

test("a close gives what has not begun two seconds, and what a lock holds back none", async () => {
  const time = ownTime();
  const { queue, end } = heldQueue();
  const locked = outcomeOf(queue.add(write("locked")));
  const patient = outcomeOf(queue.add(write("mark"), { waitMs: Infinity }));
  const closed = queue.close();
  await time.pass(WRITE_LIMITS.closingMs);
  expect(await patient).toBeInstanceOf(NotBegunError);
  end(new NotBegunError("locked"));
  expect(await locked).toBeInstanceOf(NotBegunError);
  await closed;
});

test("a drain ends when everything has its outcome, and at once when nothing waits", async () => {
  const { queue, end } = heldQueue();
  await queue.drain();
  const seen: string[] = [];
  const note = (what: string) => () => void seen.push(what);
  const writes = ["a", "b"].map((sql) => queue.add(write(sql)).then(note(sql)));
  const drained = queue.drain().then(note("drained"));
  end();
  await new Promise(setImmediate);
  end();
  await Promise.all([...writes, drained]);
  expect(seen).toEqual(["a", "b", "drained"]);
});
