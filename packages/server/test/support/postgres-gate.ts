// A statement that takes as long as a test wants, and time that passes beside a server that is awake.

import { Client } from "pg";
import { vi } from "vitest";
import { until } from "./moving-time.ts";
import type { wayTo } from "./postgres-way.ts";

type Way = Awaited<ReturnType<typeof wayTo>>;

/** Milliseconds of a step, as the judgement whether a server is silent counts them. */
const STEP_MS = 100;
/** Round trips to the server in which a question is on its way. */
const TRIPS = 3;
/** Turns of the event loop until what this process has sent is on its way. */
const TURNS = 20;

export interface PostgresGate {
  /** It is answered when the gate is open. */
  readonly statement: string;
  shut(): Promise<void>;
  open(): Promise<void>;
  /** How many wait at the gate. */
  waiting(): Promise<number>;
  /** Moves faked time on. In each step the server answers who asks it on that way, unless it is silent. */
  pass(milliseconds: number, way: Pick<Way, "unanswered">): Promise<void>;
  close(): Promise<void>;
}

/** In the schema that the URL leads to. */
export async function makeGate(url: string): Promise<PostgresGate> {
  const keeper = new Client({ connectionString: url });
  await keeper.connect();
  await keeper.query("CREATE TABLE gate (name TEXT)");
  const waiting = async () => {
    const all = "SELECT pid FROM pg_locks WHERE relation = 'gate'::regclass AND NOT granted";
    return (await keeper.query(all)).rows.length;
  };
  const roundTrip = () => keeper.query("SELECT 1");
  return {
    statement: "SELECT count(*) AS passed FROM gate",
    async shut() {
      await keeper.query("BEGIN; LOCK TABLE gate IN ACCESS EXCLUSIVE MODE");
    },
    async open() {
      await keeper.query("COMMIT");
    },
    waiting,
    async pass(milliseconds, way) {
      for (let passed = 0; passed < milliseconds; passed += STEP_MS) {
        vi.advanceTimersByTime(STEP_MS);
        // The judgement comes a turn later, and its question reaches the way some turns after that.
        for (let turn = 0; turn < TURNS; turn++) await nextTurn();
        for (let trip = 0; trip < TRIPS; trip++) await roundTrip();
        // However slow the machine is, all has been answered but for what waits at the gate.
        await until(async () => way.unanswered() <= (await waiting()));
      }
    },
    async close() {
      await keeper.end();
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
