// Ids of grants: reserved when a sign-in begins, so that finishing it twice makes one grant.

import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

/** 48 bits of milliseconds and 80 random bits, in hex: ids sort by time, and none can be guessed. */
export function newGrantId(clock: Clock, random: Random): string {
  return clock.milliseconds().toString(16).padStart(12, "0") + random(10).toString("hex");
}
