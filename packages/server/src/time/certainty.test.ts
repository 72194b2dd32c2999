// Tests of how certain the time is, with a clock that jumps, is set back or stands still.

import { describe, expect, test } from "vitest";
import type { HighWater } from "../store/high-water.ts";
import { type Certainty, judge } from "./certainty.ts";

const START = 1_800_000_000;
const HOUR = 3600;
const DAY = 86_400;

/** Processes that take a step every ten seconds, on a clock that is `offset` wrong. */
function machine(offset = 0) {
  const fresh = (): HighWater => ({ seconds: 0, ranS: 0, ranAt: 0, accepted: 0 });
  const state = { time: START, offset, row: fresh(), ranTo: 0, rootIsValid: false };
  function step(): Certainty {
    const now = state.time + state.offset;
    const at = { now, ranTo: state.ranTo, isRootValid: state.rootIsValid };
    const result = judge(state.row, at);
    state.row = { ...result.to, accepted: 0 };
    state.ranTo = result.certainS;
    return result;
  }
  return {
    state,
    step,
    /** Time passes while the process runs. */
    run(seconds: number): Certainty {
      let last = step();
      for (let passed = 0; passed < seconds; passed += 10) {
        state.time += 10;
        state.ranTo += 10;
        last = step();
      }
      return last;
    },
    /** Time passes while nothing runs; then another process starts. */
    stop(seconds: number): Certainty {
      state.time += seconds;
      state.ranTo = 0;
      return step();
    },
    /** Time passes for the process too, which takes no step: it was stopped by a signal, or had no database. */
    stall(seconds: number): Certainty {
      state.time += seconds;
      state.ranTo += seconds;
      return step();
    },
  };
}

const right = { standing: "right", jumpedAtS: null };

describe("a clock that is right", () => {
  test("is certain from the first start on", () => {
    const at = machine();
    expect(at.step()).toMatchObject({ ...right, certainS: START });
    expect(at.run(DAY)).toMatchObject({ ...right, certainS: START + DAY });
    expect(at.state.row).toEqual({
      seconds: START + DAY,
      ranS: 0,
      ranAt: START + DAY,
      accepted: 0,
    });
  });

  test.each([
    ["by a signal, for a day", (at: ReturnType<typeof machine>) => at.stall(DAY)],
    ["for ten seconds", (at: ReturnType<typeof machine>) => at.stop(10)],
  ])("is certain after a stop %s", (_, stop) => {
    const at = machine();
    at.run(60);
    const { certainS } = stop(at);
    expect(certainS).toBe(at.state.time);
  });

  test("is right after a stop of an hour, and certain ten minutes later", () => {
    const at = machine();
    at.run(60);
    expect(at.stop(HOUR)).toMatchObject({ ...right, certainS: START + 60 });
    expect(at.run(590)).toMatchObject({ ...right, certainS: START + 650 });
    expect(at.run(10)).toMatchObject({ ...right, certainS: at.state.time });
  });

  test("counts as ahead after a longer stop, until the service has run for 24 hours and the root agrees", () => {
    const at = machine();
    at.run(60);
    expect(at.stop(3 * HOUR)).toMatchObject({
      ...{ standing: "ahead", certainS: START + 60, jumpedAtS: START + 60 + 3 * HOUR },
    });
    expect(at.run(DAY - 10)).toMatchObject({ standing: "ahead", isRootNeeded: false });
    expect(at.run(10)).toMatchObject({ standing: "ahead", isRootNeeded: true });
    expect(at.run(DAY)).toMatchObject({ standing: "ahead", isRootNeeded: true });
    at.state.rootIsValid = true;
    expect(at.run(0)).toMatchObject({ ...right, certainS: at.state.time });
  });

  test("keeps what it ran over short stops, and not over long ones", () => {
    const at = machine();
    at.state.rootIsValid = true;
    at.run(60);
    at.stop(2 * HOUR);
    for (let starts = 0; starts < 4; starts++) {
      at.run(6 * HOUR - 10);
      expect(at.stop(60).standing).toBe("ahead");
    }
    expect(at.run(60).standing).toBe("right");
    at.stop(2 * HOUR);
    at.run(23 * HOUR);
    at.stop(2 * HOUR);
    expect(at.run(23 * HOUR).standing).toBe("ahead");
    expect(at.run(HOUR).standing).toBe("right");
  });
});

describe("a clock that is ahead for a minute", () => {
  test.each([40, 20 * 60, HOUR, 2 * HOUR, 40 * DAY, 366 * DAY])(
    "by %i seconds leaves nothing behind: the right time is right afterwards",
    (jump) => {
      const at = machine();
      at.run(HOUR);
      at.state.offset = jump;
      at.run(60);
      at.state.offset = 0;
      expect(at.step()).toMatchObject({ ...right, certainS: at.state.time });
      expect(at.run(60)).toMatchObject({ ...right, certainS: at.state.time });
      at.state.offset = jump;
      at.step();
      at.state.offset = 0;
      expect(at.stop(5)).toMatchObject(right);
    },
  );

  test("and says so when it is by more than an hour, whether it jumps or is wrong at a start", () => {
    const at = machine();
    at.run(HOUR);
    at.state.offset = 40 * DAY;
    expect(at.step()).toMatchObject({ standing: "ahead", certainS: at.state.time });
    expect(at.stop(0)).toMatchObject({ standing: "ahead", certainS: at.state.time });
    expect(at.run(DAY + 60)).toMatchObject({ standing: "ahead", certainS: at.state.time });
  });
});

describe("a clock that is set back", () => {
  test.each(["while the service runs", "while it is stopped"])("is behind %s", (when) => {
    const at = machine();
    at.run(HOUR);
    at.state.offset = -HOUR;
    const step = () => (when === "while it is stopped" ? at.stop(0) : at.step());
    expect(step()).toMatchObject({ standing: "behind", certainS: START + HOUR });
    at.state.offset = -31;
    expect(step().standing).toBe("behind");
    at.state.offset = -30;
    expect(step()).toMatchObject({ ...right, certainS: START + HOUR });
    expect(at.state.row.seconds).toBe(START + HOUR);
  });

  test("cannot creep back in small steps", () => {
    const at = machine();
    at.run(HOUR);
    for (const offset of [-20, -30]) {
      at.state.offset = offset;
      expect(at.stop(0).standing).toBe("right");
    }
    at.state.offset = -40;
    expect(at.stop(0).standing).toBe("behind");
  });

  test("is behind as long as it is, and right again with the right time", () => {
    const at = machine();
    at.run(HOUR);
    at.state.offset = -DAY;
    expect(at.run(HOUR).standing).toBe("behind");
    at.state.offset = 0;
    expect(at.run(0)).toMatchObject({ ...right, certainS: at.state.time });
  });
});

test("two nodes count the running time of a jump once", () => {
  const at = machine();
  at.run(60);
  at.stop(2 * HOUR);
  const other = { ranTo: 0 };
  for (let passed = 0; passed < 12 * HOUR; passed += 10) {
    at.run(10);
    other.ranTo += other.ranTo === 0 ? 0 : 10;
    const result = judge(at.state.row, {
      now: at.state.time,
      ranTo: other.ranTo,
      isRootValid: true,
    });
    at.state.row = { ...result.to, accepted: 0 };
    other.ranTo = result.certainS;
  }
  expect(at.state.row.ranS).toBe(12 * HOUR);
  at.state.rootIsValid = true;
  expect(at.run(12 * HOUR - 10).standing).toBe("ahead");
  expect(at.run(20).standing).toBe("right");
});
