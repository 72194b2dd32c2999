// Limits attempts to enter recovery codes, counted in the store for all nodes together.

import { addressKey } from "../http/client-address.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Interaction } from "../store/interactions.ts";
import type { Deps } from "./deps.ts";

const WINDOW_S = 900;
/** A client can invent browsers but not addresses; addresses can be shared. Accounts are never locked. */
const MAX_PER_BROWSER = 30;
const MAX_PER_ADDRESS = 100;

/** Counts one attempt. Null if it is allowed, else the seconds to wait. */
export async function countAttempt(
  { clientAddress }: HttpRequest,
  { browserHash }: Interaction,
  { attempts, clock }: Pick<Deps, "attempts" | "clock">,
): Promise<number | null> {
  const now = clock.seconds();
  const address = addressKey(clientAddress);
  const limits = [
    { name: `recovery, browser ${browserHash}`, max: MAX_PER_BROWSER },
    ...(address === null ? [] : [{ name: `recovery, address ${address}`, max: MAX_PER_ADDRESS }]),
  ];
  let wait: number | null = null;
  for (const { name, max } of limits) {
    const { count, expiresAt } = await attempts.countAttempt({
      name,
      windowSeconds: WINDOW_S,
      now,
    });
    if (count > max) wait = Math.max(wait ?? 1, expiresAt - now);
  }
  return wait;
}
