// Tests of background work: repetition, failures, and the end.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { repeatUntil } from "./background.ts";

let unhandled: unknown[];
const note = (reason: unknown) => void unhandled.push(reason);
beforeEach(() => {
  unhandled = [];
  process.on("unhandledRejection", note);
});
afterEach(() => {
  process.off("unhandledRejection", note);
});

const turnOfLoop = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Repeats until the task has been run `times`; the calls of the task, and the failures. */
async function repeat(times: number, act: (turn: number) => Promise<unknown>) {
  const end = new AbortController();
  const failures: unknown[] = [];
  let turn = 0;
  const task = async () => {
    turn++;
    if (turn === times) end.abort();
    await act(turn);
  };
  await repeatUntil(end.signal, 1, task, (cause) => failures.push(cause));
  return { turns: turn, failures };
}

describe("a task that is repeated", () => {
  it("runs again and again, first after a wait", async () => {
    const end = new AbortController();
    let turns = 0;
    const done = repeatUntil(
      end.signal,
      40,
      async () => turns++,
      () => {},
    );
    await turnOfLoop();
    expect(turns).toBe(0);
    await expect.poll(() => turns).toBeGreaterThanOrEqual(3);
    end.abort();
    await done;
    const atTheEnd = turns;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(turns).toBe(atTheEnd);
  });

  it("never runs twice at the same time", async () => {
    let running = 0;
    let most = 0;
    const { turns } = await repeat(3, async () => {
      running++;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
    });
    expect({ turns, most, running }).toEqual({ turns: 3, most: 1, running: 0 });
  });

  it("is tried again after a failure, and each failure is reported", async () => {
    const failing = async (turn: number) => {
      if (turn < 3) throw new Error(`failure ${turn}`);
    };
    const { turns, failures } = await repeat(4, failing);
    expect(turns).toBe(4);
    expect(failures).toEqual([new Error("failure 1"), new Error("failure 2")]);
    await turnOfLoop();
    expect(unhandled).toEqual([]);
  });

  it("that throws before it has begun to wait is no other", async () => {
    const end = new AbortController();
    const failures: unknown[] = [];
    const task = () => {
      if (failures.length === 1) end.abort();
      throw new Error("at once");
    };
    await repeatUntil(end.signal, 1, task, (cause) => failures.push(cause));
    expect(failures).toEqual([new Error("at once")]);
  });
});

describe("the end", () => {
  it("comes while it waits for its turn", async () => {
    const end = new AbortController();
    const failures: unknown[] = [];
    const never = () => Promise.reject(new Error("it was not its turn"));
    const done = repeatUntil(end.signal, 3_600_000, never, (cause) => failures.push(cause));
    await turnOfLoop();
    end.abort();
    await done;
    expect(failures).toEqual([]);
    await turnOfLoop();
    expect(unhandled).toEqual([]);
  });

  it("comes while the task pauses, and is no failure", async () => {
    const end = new AbortController();
    const log: unknown[] = [];
    const done = repeatUntil(
      end.signal,
      1,
      async (pause) => {
        log.push("begun");
        await pause(3_600_000);
        log.push("went on");
      },
      (cause) => log.push(cause),
    );
    await expect.poll(() => log).toEqual(["begun"]);
    end.abort();
    await done;
    expect(log).toEqual(["begun"]);
    await turnOfLoop();
    expect(unhandled).toEqual([]);
  });

  it("was there before it began: the task is never run", async () => {
    const log: unknown[] = [];
    const task = async () => log.push("ran");
    await repeatUntil(AbortSignal.abort(), 1, task, (cause) => log.push(cause));
    expect(log).toEqual([]);
  });

  it("is not waited for by a process that has nothing else to do", async () => {
    // Timers that keep the process alive, and no others.
    const timers = () =>
      process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
    const end = new AbortController();
    const before = timers();
    const waiting = repeatUntil(
      end.signal,
      600_000,
      async () => {},
      () => {},
    );
    expect(timers()).toBe(before);
    let kept: number | undefined;
    const pausing = repeatUntil(
      end.signal,
      1,
      (pause) => {
        const begun = timers();
        const over = pause(600_000);
        kept = timers() - begun;
        return over;
      },
      () => {},
    );
    await expect.poll(() => kept).toBe(0);
    end.abort();
    await Promise.all([waiting, pausing]);
  });
});
