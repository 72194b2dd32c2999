// Looks of tests that are not about who asks: all of them are for the service itself, and nothing is limited.

import { createTurns } from "../../src/dns/bounded.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createReservedQueue, SERVICE } from "../../src/lib/fair-queue.ts";
import { createSlotGate } from "./slot-gate.ts";

export const LOOK_NOW = { freshness: "now", from: SERVICE } as const;
export const LOOK_RECENT = { freshness: "recent", from: SERVICE } as const;
export const LOOK_CACHED = { freshness: "cached", from: SERVICE } as const;

const MANY = 1e6;
export const turns = createTurns(MANY, systemClock);
export const questions = createReservedQueue(
  { gate: () => createSlotGate(MANY), capacity: MANY },
  systemClock,
);
