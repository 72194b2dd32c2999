// When the root is asked for the time, and what is told of it.

import { describe, expect, test } from "vitest";
import { DAY, HOUR, timeNode } from "../../test/support/time-node.ts";
import type { RootLook } from "../dns/root-witness.ts";

describe("the root", () => {
  test("is asked at the start, hourly, and after 5, 10, 20 s if nothing answers", async () => {
    const { time, root, run, signed } = timeNode();
    const looksAfter = async (...seconds: number[]) => {
      const counts: number[] = [];
      for (const one of seconds) {
        await run(one);
        await time.seekWitness();
        counts.push(root.looks);
      }
      return counts;
    };
    expect(await looksAfter(0, 4, 1, 9, 1, 19, 1)).toEqual([1, 1, 2, 2, 3, 3, 4]);
    signed();
    expect(await looksAfter(40, 3599, 1)).toEqual([5, 5, 6]);
    expect(time.verdict()).toBe("certain");
  });

  test("is waited for by requests after a start or a jump, no longer than a second, and once", async () => {
    const { time, root, run } = timeNode();
    root.look = () => new Promise(() => {});
    await run(0);
    await time.settle();
    expect([root.looks, time.verdict()]).toEqual([1, "unwitnessed"]);

    const other = timeNode();
    await other.run(0);
    await other.time.settle();
    expect([other.root.looks, other.time.settle()]).toEqual([1, null]);
    other.signed();
    for (const clock of ["machine", "database"] as const) other.at[clock] += 40 * DAY;
    await other.time.settle();
    expect([other.root.looks, other.time.verdict()]).toEqual([2, "certain"]);
  });

  test("is asked by one look at a time, and at once after a jump, also one during a look", async () => {
    const { at, time, root, run } = timeNode();
    let answer: (look: RootLook | null) => void = () => {};
    root.look = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    await run(0);
    const looking = Promise.all([time.seekWitness(), time.seekWitness()]);
    expect(root.looks).toBe(1);
    at.machine += DAY;
    at.database += DAY;
    await time.step();
    const inception = at.database - HOUR;
    answer({ inception, expiration: inception + 13 * DAY, unknownKeys: [] });
    await looking;
    // It may have been asked before the jump, so it says only that it is not earlier.
    expect(time.verdict()).toBe("unwitnessed");
    const again = time.seekWitness();
    expect(root.looks).toBe(2);
    answer({ inception, expiration: inception + 13 * DAY, unknownKeys: [] });
    await again;
    expect(time.verdict()).toBe("certain");
  });

  test("is asked again soon if it contradicts the clock: a cache may have shown an old answer", async () => {
    const { at, time, root, run } = timeNode();
    const inceptions = [at.database - 6 * DAY, at.database - 6 * DAY, at.database - HOUR];
    root.look = async () => {
      const inception = inceptions.shift() ?? at.database - HOUR;
      return { inception, expiration: inception + 13 * DAY, unknownKeys: [] };
    };
    const verdicts: string[] = [];
    for (const seconds of [0, 4, 1, 9, 1, HOUR - 1, 1]) {
      await run(seconds);
      await time.seekWitness();
      verdicts.push(`${root.looks} ${time.verdict()}`);
    }
    expect(verdicts).toEqual([
      ...["1 contradicted", "1 contradicted", "2 contradicted", "2 contradicted", "3 certain"],
      ...["3 certain", "4 certain"],
    ]);
  });

  test("is asked hourly while the clock is behind, and after a week asleep before anybody is alarmed", async () => {
    const { at, time, root, run, signed, said } = timeNode();
    signed();
    await run(0);
    await time.seekWitness();
    await run(2 * HOUR);
    await time.seekWitness();
    for (const clock of ["machine", "database"] as const) at[clock] -= HOUR;
    const before = root.looks;
    for (let seconds = 0; seconds < HOUR; seconds += 10) {
      await run(10);
      await time.seekWitness();
    }
    expect([time.verdict(), root.looks - before]).toEqual(["behind", 1]);
    for (const clock of ["machine", "database"] as const) at[clock] += HOUR;
    await run(10);
    await time.seekWitness();
    for (const clock of ["machine", "boot", "database"] as const) at[clock] += 7 * DAY;
    await run(10);
    expect([time.verdict(), said.includes("witness old")]).toEqual(["unwitnessed", false]);
    await time.settle();
    expect([time.verdict(), root.looks - before]).toEqual(["certain", 2]);
  });

  test("is asked about a jump by a look that began after it", async () => {
    const { at, time, root, run, signed } = timeNode();
    signed();
    await run(0);
    await time.settle();
    await run(HOUR);
    // It is asked each hour, and the clock jumps meanwhile.
    let answer = () => {};
    const gate = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const inception = at.database - HOUR;
    const present = { inception, expiration: inception + 13 * DAY, unknownKeys: [] };
    root.look = async () => {
      await gate;
      return present;
    };
    const hourly = time.seekWitness();
    root.look = async () => present;
    for (const clock of ["machine", "database"] as const) at[clock] += 40 * DAY;
    const settled = Promise.resolve(time.settle()).then(
      () => "used",
      () => "held",
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
    answer();
    await hourly;
    expect([await settled, time.verdict()]).toEqual(["held", "contradicted"]);
  });

  test("is asked again after a look that failed, and no sooner than after one without an answer", async () => {
    const { time, root, run, signed } = timeNode();
    root.look = () => Promise.reject(new Error("a fault"));
    await run(0);
    await expect(time.seekWitness()).rejects.toThrow("a fault");
    await run(4);
    await time.seekWitness();
    expect(root.looks).toBe(1);
    signed();
    await run(1);
    await time.seekWitness();
    expect([root.looks, time.verdict()]).toEqual([2, "certain"]);
  });

  test("that shows nothing for half a minute is told once, and so is a key that is no anchor", async () => {
    const { at, time, root, run, said } = timeNode();
    for (const seconds of [0, 5, 10, 20, 40, 80]) {
      await run(seconds);
      await time.seekWitness();
    }
    expect(said.filter((one) => one === "unwitnessed")).toHaveLength(1);
    expect(time.unknownRootKeys()).toEqual([]);
    for (const unknownKeys of [[7], [7], [7, 8]]) {
      const inception = at.database - HOUR;
      root.look = async () => ({ inception, expiration: inception + 13 * DAY, unknownKeys });
      await run(HOUR);
      await time.seekWitness();
      expect(time.unknownRootKeys()).toEqual(unknownKeys);
    }
    expect(said.filter((one) => one.startsWith("unknown "))).toEqual(["unknown 7", "unknown 7,8"]);
  });
});
