// Limits for questions that the owners of zones choose, or whose servers they choose: per network, domain and in total.

import type { Clock } from "../lib/clock.ts";
import { createCounter } from "../lib/counter.ts";
import { ipaddr } from "../lib/lazy-libraries.ts";

interface Limit {
  readonly perMinute: number;
  readonly inFlight: number;
}

/** A network is a /24 of IPv4 or a /48 of IPv6. A DNS host serves many zones from few networks. */
export const QUERY_LIMITS = {
  network: { perMinute: 1200, inFlight: 60 },
  domain: { perMinute: 400, inFlight: 40 },
  total: { perMinute: 6000, inFlight: 300 },
} as const satisfies Record<string, Limit>;

/** For questions to our resolvers about name servers; each goes to all resolvers, and shares their connections. */
export const LOOK_UP_LIMITS = {
  ...QUERY_LIMITS,
  domain: { perMinute: 200, inFlight: 16 },
  total: { perMinute: 3000, inFlight: 60 },
} as const;

export type QueryLimits = ReturnType<typeof createQueryLimits>;

/** `run` resolves to null if a limit is reached. `domain` is registrable; without `address`, no network is limited. */
export function createQueryLimits(
  clock: Clock,
  limits: Readonly<Record<keyof typeof QUERY_LIMITS, Limit>> = QUERY_LIMITS,
) {
  const network = createLimit(limits.network, clock);
  const domain = createLimit(limits.domain, clock);
  const total = createLimit(limits.total, clock);

  return {
    async run<T>(
      about: { readonly address?: string; readonly domain: string },
      ask: () => Promise<T>,
    ): Promise<T | null> {
      const uses = [
        ...(about.address ? [{ limit: network, key: networkOf(about.address) }] : []),
        { limit: domain, key: about.domain },
        { limit: total, key: "" },
      ];
      if (uses.some(({ limit, key }) => limit.isReached(key))) return null;
      for (const { limit, key } of uses) limit.begin(key);
      try {
        return await ask();
      } finally {
        for (const { limit, key } of uses) limit.end(key);
      }
    },
  };
}

function createLimit({ perMinute, inFlight }: Limit, clock: Clock) {
  const counter = createCounter(perMinute, clock);
  const open = new Map<string, number>();
  const openOf = (key: string) => open.get(key) ?? 0;
  return {
    isReached: (key: string) => counter.isFull(key) || openOf(key) >= inFlight,
    begin(key: string) {
      counter.take(key);
      open.set(key, openOf(key) + 1);
    },
    end(key: string) {
      if (openOf(key) > 1) open.set(key, openOf(key) - 1);
      else open.delete(key);
    },
  };
}

function networkOf(address: string): string {
  const parsed = ipaddr().process(address);
  return parsed
    .toByteArray()
    .slice(0, parsed.kind() === "ipv4" ? 3 : 6)
    .join(".");
}
