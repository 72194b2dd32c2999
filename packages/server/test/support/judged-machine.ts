// A machine whose clock is judged step by step, without a database: a clock to set wrong, and a root that is signed.

import type { Floor } from "../../src/store/floor.ts";
import { type Judged, judge, type TimeVerdict } from "../../src/time/time-verdict.ts";

export const NOW = 1_800_000_000;
export const MINUTE = 60;
export const HOUR = 3600;
export const DAY = 86_400;

/** A floor of this moment, at a running time of 1,000 s. */
export const floorAt = (seconds: number, more: Partial<Floor> = {}): Floor => ({
  ...{ seconds, ran: 1000, quietUntil: 0, jumps: [], accepted: 0, ...more },
});

/** A machine whose clock is `off` wrong, and whose root is signed twice a day. */
export function judgedMachine(hasWitness = true) {
  const at = { time: NOW, off: 0, ran: 0, certainSince: null as number | null };
  let floor: Floor = floorAt(0, { ran: 0 });
  let isFresh = false;
  let last: Judged | null = null;
  function step(): Judged {
    const inception = Math.floor(at.time / (12 * HOUR)) * 12 * HOUR;
    const signature = { inception, expiration: inception + 13 * DAY, isFresh };
    const judged = judge(floor, {
      ...{ now: at.time + at.off, ran: at.ran, certainSince: at.certainSince },
      hasPublicRoot: true,
      witness: hasWitness && (isFresh || at.ran > 0) ? signature : null,
    });
    floor = { ...judged.floor, accepted: 0 };
    at.certainSince = judged.certainSince;
    // After a jump, the root is looked up at once.
    isFresh = hasWitness;
    last = judged;
    return judged;
  }
  return {
    at,
    floor: () => floor,
    /** By how much the floor is behind. */
    lag: () => at.time - floor.seconds,
    verdict: (): TimeVerdict => (last ?? step()).verdict,
    step,
    /** Time passes while it runs. */
    run(seconds: number): Judged {
      let judged = step();
      for (let passed = 0; passed < seconds; passed += MINUTE) {
        at.time += MINUTE;
        at.ran += MINUTE;
        judged = step();
      }
      return judged;
    },
    /** Time passes while it is off. */
    stop(seconds: number): void {
      at.time += seconds;
      at.ran = floor.ran;
      at.certainSince = null;
      isFresh = false;
    },
  };
}
