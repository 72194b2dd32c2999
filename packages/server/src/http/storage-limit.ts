// Limits what requests of an address cause to be stored at one time, before anybody has proved anything.

import type { Clock } from "../lib/clock.ts";
import { createCounter } from "../lib/counter.ts";
import { addressKey, siteKey } from "./client-address.ts";
import type { HttpRequest } from "./message.ts";
import { TooManyRequestsError } from "./rate-limit.ts";

export interface StoredRow {
  readonly octets: number;
  readonly lifetimeS: number;
}

const WINDOW_S = 600;
const MEGABYTE = 1_000_000;
/** Added for keys and free space in the database's pages. */
const OVERHEAD_OCTETS = 400;

/** Octets that may be stored at one time, on average; `docs/storage.md` has the arithmetic. */
export const STORED_OCTETS = {
  /** For an IPv4 address or an IPv6 /64. */
  address: 8 * MEGABYTE,
  /** For an IPv6 /48. */
  network: 12 * MEGABYTE,
  strangers: 400 * MEGABYTE,
  /** For the browsers of one account. */
  browser: 4 * MEGABYTE,
  /** For all returning browsers at an address. */
  browsers: 12 * MEGABYTE,
} as const;

export type StorageLimit = ReturnType<typeof createStorageLimit>;

/**
 * Counts on this node. A row counts for as many windows as it is stored. Returning browsers count for themselves: no
 * stranger shuts them out.
 */
export function createStorageLimit({
  clock,
  readReturning,
}: {
  readonly clock: Clock;
  readonly readReturning: (http: HttpRequest) => string | null;
}) {
  const counterOf = (octets: number) => createCounter(octets, clock, WINDOW_S * 1000);
  const counters = {
    address: counterOf(STORED_OCTETS.address),
    network: counterOf(STORED_OCTETS.network),
    strangers: counterOf(STORED_OCTETS.strangers),
    browser: counterOf(STORED_OCTETS.browser),
    browsers: counterOf(STORED_OCTETS.browsers),
  };
  type Use = readonly [counter: keyof typeof counters, key: string];
  const refusals = createCounter(1, clock, WINDOW_S * 1000);
  const isFull = ([name, key]: Use) => counters[name].isFull(key);

  function refusalOf([name, key]: Use): TooManyRequestsError {
    const waitMs = counters[name].endsAtMs(key) - clock.monotonic();
    const isFirst = refusals.take(`${name} ${key}`).count === 1;
    return new TooManyRequestsError(Math.max(1, Math.ceil(waitMs / 1000)), isFirst);
  }

  return {
    /** Call it before the row is stored. Throws `TooManyRequestsError` over the limit. */
    take(http: HttpRequest, { octets, lifetimeS }: StoredRow): void {
      const address = addressKey(http.clientAddress);
      const weight = (octets + OVERHEAD_OCTETS) * Math.max(1, lifetimeS / WINDOW_S);
      const count = (uses: readonly Use[]) => {
        for (const [name, key] of uses) counters[name].take(key, weight);
      };
      const browser = readReturning(http);
      if (browser !== null) {
        const uses = [
          ["browser", browser],
          ["browsers", address],
        ] as const;
        if (!uses.some(isFull)) {
          count(uses);
          return;
        }
      }
      const uses: Use[] = [
        ["address", address],
        ["strangers", ""],
      ];
      const network = siteKey(http.clientAddress);
      if (network !== null) uses.push(["network", network]);
      const full = uses.find(isFull);
      if (full !== undefined) throw refusalOf(full);
      count(uses);
    },
  };
}
