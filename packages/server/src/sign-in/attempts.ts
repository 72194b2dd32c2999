// How often recovery codes may be tried: counted in the store, for all nodes together.

import { addressKey } from "../http/client-address.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Clock } from "../lib/clock.ts";
import type { AttemptStore } from "../store/attempts.ts";
import type { Interaction } from "../store/interactions.ts";

/** Seconds. */
const WINDOW = 900;
/** A browser is free to make up, an address is not, but may be shared. The account is never locked. */
const PER_BROWSER = 30;
const PER_ADDRESS = 100;

/** Counts one try. Null if it may be made, else the seconds until the next may. */
export async function countAttempt(
  { clientAddress }: HttpRequest,
  { browserHash }: Interaction,
  { store, clock }: { readonly store: AttemptStore; readonly clock: Clock },
): Promise<number | null> {
  const now = clock.seconds();
  const address = addressKey(clientAddress);
  const limits = [
    { name: `recovery, browser ${browserHash}`, most: PER_BROWSER },
    ...(address === null ? [] : [{ name: `recovery, address ${address}`, most: PER_ADDRESS }]),
  ];
  let wait: number | null = null;
  for (const { name, most } of limits) {
    const { count, expiresAt } = await store.countAttempt({ name, windowSeconds: WINDOW, now });
    if (count > most) wait = Math.max(wait ?? 1, expiresAt - now);
  }
  return wait;
}
