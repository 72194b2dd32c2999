// The rooms of what strangers cause to be stored: pending sign-ins, the evidence of codes, and clients that nobody uses.

import type { Clock } from "../lib/clock.ts";
import type { Budget } from "../lib/fair-room.ts";
import type { Limits } from "../lib/limits.ts";
import type { Store } from "../store/store.ts";
import { createStoredRoom } from "./stored-room.ts";

interface Deps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly budget: (name: "unproved_rows" | "registrations") => Budget;
  /** A MAC by the key that was current at this time (epoch seconds), which all nodes know. */
  readonly mac: (label: string, at: number) => string;
  readonly onFailure: (cause: unknown) => void;
  readonly weightOf: (key: string) => number;
}

/** A client that registered itself does not leave for so long if there is an older one. */
const YOUNG_CLIENT_MS = 3_600_000;

export function storedRooms({ store, limits, budget, ...common }: Deps) {
  // Half is for pending sign-ins, half for the evidence of codes.
  const rows = {
    ...{ ...common, capacity: Math.floor(limits.unprovedRows / 2) },
    budget: budget("unproved_rows"),
  };
  return {
    unproved: createStoredRoom({
      ...rows,
      rowsAfter: store.interactions.unprovedAfter,
      drop: store.interactions.dropUnproved,
    }),
    keptEvidence: createStoredRoom({
      ...rows,
      rowsAfter: store.evidences.evidenceAfter,
      drop: store.evidences.dropEvidence,
    }),
    unusedClients: createStoredRoom({
      ...{ ...common, capacity: limits.unusedClients, youngMs: YOUNG_CLIENT_MS },
      budget: budget("registrations"),
      rowsAfter: store.registrations.unusedAfter,
      drop: store.registrations.removeUnusedClient,
    }),
  };
}
