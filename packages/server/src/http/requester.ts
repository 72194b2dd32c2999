// Who sends a request, for what is shared between requesters: the networks of its address, and its browser.

import type { Requester } from "../lib/fair-queue.ts";
import { networksOf } from "./client-address.ts";

/** `isReserved`: see `Requester`. The caller has checked it for the very name that it passes on. */
export function requesterAt(clientAddress: string, isReserved = false): Requester {
  return { ...networksOf(clientAddress), isReserved };
}
