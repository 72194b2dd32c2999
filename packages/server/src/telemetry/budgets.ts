// What operators see of limits: what each holds, what gave way and was refused there, and who holds most.

import { isIP } from "node:net";
import type { MonotonicClock } from "../lib/clock.ts";
import type { Budget } from "../lib/fair-room.ts";
import type { Events } from "./events.ts";

/** By the label of the metrics: what a limit refuses, as the log says it. */
const BUDGETS = {
  pages: "requests for pages",
  unproved_rows: "pending sign-ins",
  name_servers: "questions to name servers",
  look_ups: "look-ups in DNS",
  outgoing: "requests to other hosts",
  registrations: "registrations of clients",
} as const;

export type BudgetName = keyof typeof BUDGETS;

/** What the metrics show of a limit. The counts are those since the start. */
export interface ShownBudget {
  readonly budget: BudgetName;
  readonly held: number;
  readonly capacity: number;
  readonly evictions: number;
  readonly refusals: number;
}

/** A flood makes one line in this time. */
const LINE_INTERVAL_MS = 60_000;
/** Keys of a room that are in words. */
const IN_WORDS = new Set([
  ...["many small networks", "loopback or unreadable", "this service"],
  "a network of another node",
]);

export type Budgets = ReturnType<typeof createBudgets>;

/**
 * @example
 * const budgets = createBudgets({ events, clock });
 * const room = createFairRoom({ capacity: 5000, clock, budget: budgets.budget("registrations") });
 */
export function createBudgets({
  events,
  clock,
}: {
  readonly events: { readonly limitReached: Events["limitReached"] };
  readonly clock: MonotonicClock;
}) {
  const names = Object.keys(BUDGETS) as BudgetName[];
  const states = new Map(names.map((name) => [name, createState(name)]));
  return {
    /** A budget may be shown several rooms, such as the two halves of a queue: they are one limit. */
    budget: (name: BudgetName): Budget => states.get(name) ?? createState(name),
    shown: (): readonly ShownBudget[] => [...states.values()].map(({ shown }) => shown()),
    /** Logs what was not logged yet, of each limit whose last line is as old as this. */
    report(ageMs: number = LINE_INTERVAL_MS): void {
      for (const { log } of states.values()) log(ageMs);
    },
  };

  function createState(budget: BudgetName) {
    const rooms: Parameters<Budget["show"]>[0][] = [];
    const counts = { evictions: 0, refusals: 0 };
    let logged = { ...counts, atMs: Number.NEGATIVE_INFINITY };
    const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
    const shown = (): ShownBudget => ({
      budget,
      held: sumOf(rooms.map((room) => room.held())),
      capacity: sumOf(rooms.map((room) => room.capacity)),
      ...counts,
    });
    const count = (name: keyof typeof counts) => () => {
      counts[name]++;
      log(LINE_INTERVAL_MS);
    };
    return {
      show: (room: (typeof rooms)[number]) => void rooms.push(room),
      evicted: count("evictions"),
      refused: count("refusals"),
      shown,
      log,
    };

    function log(ageMs: number): void {
      const evicted = counts.evictions - logged.evictions;
      const refused = counts.refusals - logged.refusals;
      const atMs = clock.monotonic();
      if (evicted + refused === 0 || atMs - logged.atMs < ageMs) return;
      logged = { ...counts, atMs };
      const { held, capacity } = shown();
      const what = BUDGETS[budget];
      events.limitReached({ budget, what, evicted, refused, held, capacity, largest: largest() });
    }

    /** Of the fuller room: the other one refused nobody. */
    function largest(): readonly string[] {
      const fill = (room: (typeof rooms)[number]) => room.held() / room.capacity;
      const [fuller] = [...rooms].sort((a, b) => fill(b) - fill(a));
      return (fuller?.largest() ?? []).map(nameOf);
    }
  }
}

/** No key that is neither a network nor one of our words is logged: it stands for people. */
function nameOf(key: string): string {
  const isNetwork = isIP(key.replace(/\/\d+$/, "")) !== 0;
  return isNetwork || IN_WORDS.has(key) ? key : "returning browsers of one domain";
}
