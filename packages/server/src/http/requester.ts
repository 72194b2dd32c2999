// Who sends a request, for what is shared between requesters: the networks of its address, and its browser.

import type { Requester } from "../lib/fair-queue.ts";
import { networksOf } from "./client-address.ts";

/** A flood that makes new set-ups or challenges does not get the reserve for them. */
const RESERVED_AFTER_S = 60;

/** A set-up or a challenge that a sealed cookie or an open interaction of the browser proves. */
interface BegunProof {
  readonly domain: string;
  /** Epoch seconds. */
  readonly startedAt: number;
}

/** `isReserved`: see `Requester`. The caller has checked it for the very name that it passes on. */
export function requesterAt(clientAddress: string, isReserved = false): Requester {
  return { ...networksOf(clientAddress), isReserved };
}

/** Whether one of them is for exactly this name, and began long enough before `now` for the reserve. */
export function isLongBegun(all: readonly BegunProof[], domain: string, now: number): boolean {
  return all.some((one) => one.domain === domain && one.startedAt <= now - RESERVED_AFTER_S);
}
