// A clock that is set back by so little that nobody has to be asked.

import { describe, expect, test } from "vitest";
import { DAY, HOUR, judgedMachine, MINUTE } from "../../test/support/judged-machine.ts";

describe("a step back that is slight", () => {
  test.each([31, 45, 120, 299])("heals by itself: %i s", (by) => {
    const one = judgedMachine();
    one.run(3 * HOUR);
    const reached = one.floor().seconds;
    one.at.off = -by;
    let served = 0;
    for (let passed = 0; passed < by + 2 * MINUTE; passed += 10) {
      one.at.time += 10;
      one.at.ran += 10;
      const { verdict } = one.step();
      // Never at a time before the floor that was reached.
      if (verdict === "certain") served = Math.max(served, reached - one.at.time - one.at.off);
    }
    expect([one.verdict(), served <= 30]).toEqual(["certain", true]);
    expect(one.run(2 * HOUR).verdict).toBe("certain");
    expect(one.lag()).toBe(by);
  });

  test("is none if it is of more than 300 s: that lasts until somebody says which time is right", () => {
    const one = judgedMachine();
    one.run(3 * HOUR);
    one.at.off = -310;
    expect(one.run(DAY).verdict).toBe("behind");
  });
});
