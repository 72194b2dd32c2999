// The guarded fetches of a service, one for each kind of request to other hosts.

import { createGuardedFetch, type GuardedFetchOptions } from "./guarded-fetch.ts";
import { hostSlotLimits } from "./host-slots.ts";

export type Fetches = ReturnType<typeof createFetches>;

/** Nobody waits for a logout token, and a round sends several at once to one host. */
const LOGOUT_WAIT_MS = 2500;

/** Each with slots of its own, `atOnce`, so that slow hosts of one kind of request cannot block the other kinds. */
export function createFetches({
  atOnce,
  ...shared
}: Omit<GuardedFetchOptions, "limits"> & { readonly atOnce: number }) {
  const options = { ...shared, limits: hostSlotLimits(atOnce) };
  return {
    documents: createGuardedFetch(options),
    resources: createGuardedFetch(options),
    sps: createGuardedFetch(options),
    // This service is the only requester of these, and may have all slots.
    logouts: createGuardedFetch({ ...options, waitMs: LOGOUT_WAIT_MS, weightOf: () => 1000 }),
  };
}
