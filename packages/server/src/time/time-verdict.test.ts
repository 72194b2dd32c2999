// Tests of the verdict on the time: witnesses decide at once, and only a contradiction is a fault.

import { describe, expect, test } from "vitest";
import {
  DAY,
  floorAt,
  HOUR,
  judgedMachine,
  MINUTE,
  NOW,
} from "../../test/support/judged-machine.ts";
import type { Floor } from "../store/floor.ts";
import { type Judged, judge, marginOf, QUIET_S, type TimeReading } from "./time-verdict.ts";

const YEAR = 366 * DAY;

const signed = (age: number, isFresh = true) => {
  const inception = NOW - age;
  return { inception, expiration: inception + 13 * DAY, isFresh };
};
const look = (more: Partial<TimeReading> = {}): TimeReading => ({
  ...{ now: NOW, ran: 1000, witness: signed(12 * HOUR), certainSince: null, hasPublicRoot: true },
  ...more,
});
const verdictOf = ({ verdict, isAlarming }: Judged) => `${verdict}${isAlarming ? ", alarm" : ""}`;

describe("the verdict", () => {
  const certain = { certainSince: 500 };
  test.each<[string, Floor, Partial<TimeReading>, string]>([
    ["a right clock", floorAt(NOW), {}, "certain"],
    ["a signature of two days ago", floorAt(NOW), { witness: signed(2 * DAY) }, "certain"],
    ["a signature of now", floorAt(NOW), { witness: signed(0) }, "certain"],
    ["no signature", floorAt(NOW), { witness: null }, "unwitnessed"],
    ["one from before the last jump", floorAt(NOW), { witness: signed(0, false) }, "unwitnessed"],
    [
      "a clock 300 s before the signature",
      floorAt(NOW - HOUR),
      { witness: signed(-300) },
      "behind, alarm",
    ],
    [
      "a clock 301 s before it",
      floorAt(NOW - HOUR),
      { witness: signed(-301) },
      "contradicted, alarm",
    ],
    [
      "the same, of before the jump",
      floorAt(NOW - HOUR),
      { witness: signed(-301, false) },
      "contradicted, alarm",
    ],
    [
      "the same at a node that was certain",
      floorAt(NOW - HOUR),
      { ...certain, witness: signed(-301) },
      "contradicted, alarm",
    ],
    ["a signature of five days ago", floorAt(NOW), { witness: signed(5 * DAY) }, "certain"],
    [
      "an older one at a start",
      floorAt(NOW),
      { witness: signed(5 * DAY + 1) },
      "contradicted, alarm",
    ],
    [
      "an older one at a node that was certain",
      floorAt(NOW),
      { ...certain, witness: signed(5 * DAY + 1) },
      "certain, alarm",
    ],
    [
      "one that has expired",
      floorAt(NOW),
      { witness: { ...signed(DAY), expiration: NOW - 1 } },
      "contradicted, alarm",
    ],
    [
      "one that has expired, at a node that was certain",
      floorAt(NOW),
      { ...certain, witness: { ...signed(DAY), expiration: NOW - 1 } },
      "certain, alarm",
    ],
    [
      "one of 30 days ago with own anchors",
      floorAt(NOW),
      { hasPublicRoot: false, witness: { ...signed(30 * DAY), expiration: NOW + DAY } },
      "certain",
    ],
    [
      "one of own anchors that has expired",
      floorAt(NOW),
      { hasPublicRoot: false, witness: { ...signed(30 * DAY), expiration: NOW - 1 } },
      "contradicted, alarm",
    ],
    ["a clock 30 s before the floor", floorAt(NOW + 30), {}, "certain"],
    ["a clock 31 s before the floor", floorAt(NOW + 31), {}, "behind, alarm"],
    ["the same without a signature", floorAt(NOW + 31), { witness: null }, "behind, alarm"],
    [
      "a clock that stood still while the service ran",
      floorAt(NOW),
      { ran: 1031 },
      "behind, alarm",
    ],
  ])("on %s", (_, floor, reading, expected) => {
    expect(verdictOf(judge(floor, look(reading)))).toBe(expected);
  });
});

describe("the floor", () => {
  test("is the time after an hour with a witness, from the first start on", () => {
    const one = judgedMachine();
    one.run(MINUTE);
    expect(one.verdict()).toBe("certain");
    expect(one.lag()).toBeLessThanOrEqual(12 * HOUR);
    one.run(HOUR + MINUTE);
    expect(one.lag()).toBe(0);
  });

  test("follows a gap at once, and a night without a machine costs an hour", () => {
    const one = judgedMachine();
    one.run(2 * HOUR);
    one.stop(65 * MINUTE);
    expect(one.step().verdict).toBe("unwitnessed");
    expect(one.step().verdict).toBe("certain");
    one.run(HOUR + MINUTE);
    expect(one.lag()).toBe(0);
  });

  test.each([600, 4 * DAY])("does not follow a clock that is %i s ahead for a minute", (off) => {
    const one = judgedMachine();
    one.run(2 * HOUR);
    one.at.off = off;
    one.run(MINUTE);
    one.at.off = 0;
    one.run(2 * MINUTE);
    expect(one.verdict()).toBe("certain");
    expect(one.floor().jumps).toEqual([]);
    expect(one.lag()).toBe(0);
  });

  test.each([6 * DAY, 40 * DAY, YEAR])(
    "a clock that is %i s ahead is contradicted, and right once it is corrected",
    (off) => {
      const one = judgedMachine();
      one.run(2 * HOUR);
      one.at.off = off;
      expect(one.run(DAY).verdict).toBe("contradicted");
      expect(one.lag()).toBe(0);
      one.at.off = 0;
      expect(one.run(2 * MINUTE).verdict).toBe("certain");
      expect(one.floor().jumps).toEqual([]);
    },
  );

  test.each([600, 4 * DAY, 6 * DAY, 40 * DAY, YEAR])(
    "a clock that is %i s back is not used",
    (off) => {
      const one = judgedMachine();
      one.run(2 * HOUR);
      one.at.off = -off;
      expect(["behind", "contradicted"]).toContain(one.run(DAY).verdict);
      one.at.off = 0;
      expect(one.run(2 * MINUTE).verdict).toBe("certain");
    },
  );
});

describe("a clock that is right, but not even,", () => {
  test("is certain through steps of NTP and through a smeared leap second", () => {
    const one = judgedMachine();
    one.run(2 * HOUR);
    for (const off of [0.5, -0.4, 1, 0.9, 20, -9, 0]) {
      one.at.off = Math.round(off);
      expect(one.run(10 * MINUTE).verdict).toBe("certain");
      expect(one.lag()).toBeLessThanOrEqual(20);
    }
    expect(one.floor().jumps).toEqual([]);
  });

  test("is certain a minute after each of ten suspends in an hour that no clock counts", () => {
    const one = judgedMachine();
    one.run(2 * HOUR);
    for (let count = 0; count < 10; count++) {
      one.at.time += 4 * MINUTE;
      expect(one.step().verdict).toBe("unwitnessed");
      expect(one.run(2 * MINUTE).verdict).toBe("certain");
    }
    one.run(HOUR + MINUTE);
    expect([one.lag(), one.floor().jumps]).toEqual([0, []]);
  });
});

describe("a boot clock that runs faster than the clock", () => {
  test.each([true, false])("adds up to nothing, with a witness: %s", (hasWitness) => {
    const one = judgedMachine(hasWitness);
    one.run(2 * DAY);
    for (let day = 0; day < 30; day++) {
      one.run(DAY);
      // 50 ppm.
      one.at.ran += 4;
      expect(["certain", "unwitnessed"]).toContain(one.step().verdict);
    }
    expect(one.lag()).toBeGreaterThanOrEqual(-4);
  });
});

describe("a clock that is ahead for good", () => {
  test.each([600, 4 * DAY])(
    "by %i s agrees with the root: it is the floor after an hour",
    (off) => {
      const one = judgedMachine();
      one.run(2 * HOUR);
      one.at.off = off;
      one.run(HOUR - MINUTE);
      expect(one.lag()).toBe(0);
      one.run(5 * MINUTE);
      expect(one.lag()).toBe(-off);
      // Once it is corrected, it is behind: what it has ended does not come back.
      one.at.off = 0;
      expect(one.step().verdict).toBe("behind");
    },
  );

  test.each([6 * DAY, 40 * DAY, YEAR])("by %i s is contradicted for as long as it is", (off) => {
    const one = judgedMachine();
    one.run(2 * HOUR);
    one.at.off = off;
    expect(one.run(3 * DAY).verdict).toBe("contradicted");
    expect(one.lag()).toBe(0);
  });
});

test("a witness that comes only an hour after the start decides at once", () => {
  const stored = floorAt(NOW - 8 * HOUR);
  const started = judge(stored, look({ witness: null }));
  const later = { ...started.floor, accepted: 0 };
  const hour = { now: NOW + HOUR, ran: 1000 + HOUR };
  expect(judge(later, look({ ...hour, witness: null })).verdict).toBe("unwitnessed");
  const seen = judge(later, look({ ...hour, witness: signed(0) }));
  expect([seen.verdict, seen.floor.seconds]).toEqual(["certain", NOW]);
});

describe("without a witness", () => {
  test("a jump is believed after a day of running time, whatever jumps come later", () => {
    const one = judgedMachine(false);
    one.run(3 * DAY);
    const [first] = [one.lag()];
    one.stop(HOUR);
    one.run(DAY - HOUR);
    expect(one.lag()).toBe(first + HOUR);
    one.stop(2 * HOUR);
    one.run(2 * HOUR);
    expect(one.lag()).toBe(first + 2 * HOUR);
    one.run(DAY);
    expect(one.lag()).toBe(first);
    // The margin covers jumps of some hours.
    expect(one.floor().quietUntil).toBeLessThanOrEqual(QUIET_S + 2 * DAY);
  });

  test("nothing is deleted for seven days of running time after a jump of more than a day was believed", () => {
    const one = judgedMachine(false);
    one.run(3 * DAY);
    one.stop(DAY + HOUR);
    one.run(DAY + MINUTE);
    const { ran, quietUntil } = one.floor();
    expect(quietUntil - ran).toBeGreaterThan(QUIET_S - 2 * MINUTE);
  });

  test("what the root has contradicted stays so for other nodes and starts, until it agrees or the clock is right", () => {
    const one = judgedMachine();
    one.run(2 * HOUR);
    one.at.off = 40 * DAY;
    expect(one.run(2 * DAY).verdict).toBe("contradicted");
    const stored = one.floor();
    const at = { now: one.at.time + one.at.off, ran: one.at.ran };
    const blind = { witness: null, certainSince: null, hasPublicRoot: true };
    // The next start has no network.
    const judged = judge(stored, { ...at, ...blind });
    expect([judged.verdict, judged.floor.seconds]).toEqual(["contradicted", one.at.time]);
    for (const late of [0, 1, 20]) {
      const right = judge(stored, { ...at, ...blind, now: one.at.time + late });
      expect([right.verdict, right.floor.jumps]).toEqual(["unwitnessed", []]);
    }
    // In the hour after a start, the floor is behind by more: what the root allows was not refuted.
    const start = { ...stored, seconds: one.at.time - 8 * HOUR };
    const jumps = [{ ran: at.ran, at: at.now, seconds: 40 * DAY + 8 * HOUR, isRefuted: true }];
    const corrected = judge({ ...start, jumps }, { ...at, ...blind, now: one.at.time });
    expect([corrected.verdict, corrected.floor.jumps.length]).toEqual(["unwitnessed", 1]);
    const root = { inception: at.now - HOUR, expiration: at.now + DAY, isFresh: true };
    const agreed = judge(stored, { ...at, ...blind, witness: root });
    expect([agreed.verdict, agreed.floor.seconds]).toEqual(["certain", at.now - HOUR]);
    expect(agreed.floor.jumps).toMatchObject([{ seconds: HOUR, isRefuted: false }]);
    // So the start after that, which has no network, either, is not held up.
    const next = { ...agreed.floor, accepted: 0 };
    expect(judge(next, { ...at, ...blind }).verdict).toBe("unwitnessed");
  });

  test("with more jumps than the list takes, the oldest are believed all the same", () => {
    const one = judgedMachine(false);
    one.run(2 * DAY);
    const before = one.lag();
    for (let count = 0; count < 60; count++) {
      one.at.time += 2 * MINUTE;
      one.run(HOUR);
    }
    expect(one.floor().jumps.length).toBeLessThanOrEqual(40);
    // Those of the last day, and what was merged.
    expect(one.lag() - before).toBeLessThan(60 * 2 * MINUTE);
  });

  test("a clock that gains a minute in every minute is noticed", () => {
    const one = judgedMachine(false);
    one.run(2 * DAY);
    for (let count = 0; count < 60; count++) {
      one.at.off += MINUTE;
      one.run(MINUTE);
    }
    expect(one.floor().jumps.reduce((sum, { seconds }) => sum + seconds, 0)).toBeGreaterThan(3400);
    expect(one.lag()).toBeGreaterThanOrEqual(-2 * MINUTE);
  });
});

test("the margin of another root is longer than its clock can be wrong, also before it was seen", () => {
  const of = (days: number) => ({ inception: NOW, expiration: NOW + days * DAY });
  expect(marginOf(null, true)).toBe(7 * DAY);
  expect(marginOf(of(13), true)).toBe(7 * DAY);
  expect(marginOf(of(30), false)).toBe(32 * DAY);
  expect(marginOf(of(1), false)).toBe(7 * DAY);
  expect(marginOf(null, false)).toBe(37 * DAY);
});
