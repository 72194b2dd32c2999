// The time of one node, with clocks to move, a root to sign, and a row that other nodes may share.

import { createWitnessKeeper, type RootLook } from "../../src/dns/root-witness.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import type { Floor } from "../../src/store/floor.ts";
import type { TimeEvents } from "../../src/telemetry/events.ts";
import { createTimeAuthority, type TimeAuthority } from "../../src/time/authority.ts";

export const START = 2_000_000_000;
export const HOUR = 3600;
export const DAY = 86_400;

/** A node that has not taken a step yet. `beforeReplace` runs before each write; if it returns false, another is faster. */
export function timeNode(
  beforeReplace: () => boolean = () => true,
  stored: Partial<Floor> = {},
  shared?: { row: Floor },
) {
  const at = { machine: START, monotonic: 0, boot: 0, database: START };
  const root = { look: (): Promise<RootLook | null> => Promise.resolve(null), looks: 0 };
  const table = shared ?? {
    row: { ...{ seconds: START, ran: 0, quietUntil: 0, jumps: [], accepted: 0 }, ...stored },
  };
  const said: string[] = [];
  const say = (name: string) => () => void said.push(name);
  const events = {
    ...{ clockUncertain: say("uncertain"), clockCertain: say("certain") },
    ...{ clockSkewed: say("skewed"), clockUnwitnessed: say("unwitnessed") },
    ...{ witnessOld: say("witness old"), timeJudged: say("judged"), rootSeen: say("seen") },
    rootKeyUnknown: ({ keyTags }) => void said.push(`unknown ${keyTags}`),
  } satisfies TimeEvents;
  const look = () => {
    root.looks++;
    return root.look();
  };
  // As in the service.
  const monotonic = () => time.clock.monotonic();
  const witness = createWitnessKeeper(look, { monotonic, events });
  const time: TimeAuthority = createTimeAuthority({
    machine: clockFrom(
      () => at.machine * 1000,
      () => at.monotonic * 1000,
      () => at.boot * 1000,
    ),
    databaseNow: async () => at.database * 1000,
    witness,
    hasPublicRoot: true,
    store: {
      readFloor: async () => table.row,
      async replaceFloor(from, to) {
        const isFirst = from === table.row && beforeReplace();
        if (isFirst) table.row = { ...table.row, ...to };
        return isFirst;
      },
      acceptClock: async () => true,
    },
    events,
  });
  /** Seconds in which the machine runs. */
  const run = async (seconds: number) => {
    for (const clock of ["machine", "monotonic", "boot", "database"] as const) at[clock] += seconds;
    await time.step();
  };
  /** Signed an hour ago, by the clock of the database. */
  const signed = () => {
    root.look = async () => {
      const inception = at.database - HOUR;
      return { inception, expiration: inception + 13 * DAY, unknownKeys: [] };
    };
  };
  return { at, time, root, said, run, signed, table, row: () => table.row };
}
