// Slots for requests to hosts that strangers can name: by host, registrable domain and connected address.

import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { ipaddr } from "../lib/lazy-libraries.ts";
import { networkKey } from "../lib/network-key.ts";
import { createSlotQueue } from "../lib/slots.ts";

/** How many requests may be concurrent: in total, and for one host, registrable domain or address. */
export interface SlotLimits {
  readonly all: number;
  readonly host: number;
  readonly domain: number;
  readonly address: number;
}

/** Two shares: requests to strangers never use a slot of known hosts. */
export interface HostSlotLimits {
  readonly strangers: SlotLimits;
  readonly known: SlotLimits;
}

const LIMITS: HostSlotLimits = {
  strangers: { all: 64, host: 2, domain: 4, address: 16 },
  known: { all: 64, host: 8, domain: 16, address: 32 },
};
/** After a successful response. */
const KNOWN_FOR_MS = 24 * 3_600_000;
const MAX_HOSTS = 10_000;

export interface SlotKey {
  readonly host: string;
  /** The registrable domain of the host. */
  readonly domain: string;
}

/** What the holder of a slot reports about its request. */
export interface HostSlot {
  /** False if the address has no free slot: the connection must be closed. */
  connect(address: string): boolean;
  noteResponse(isSuccess: boolean): void;
  noteTimeout(): void;
}

interface SlotOptions {
  readonly clock: Clock;
  readonly limits?: HostSlotLimits | undefined;
}

/**
 * A host is known for a day after each successful response. A host that timed out is a stranger, with one request
 * at a time, until it responds: so is the registrable domain of a stranger, whose owner can make up hosts.
 */
export function createHostSlots({ clock, limits = LIMITS }: SlotOptions) {
  const hosts = createCache<"known" | "hanging">({ clock, maxEntries: MAX_HOSTS });
  const hangingDomains = createCache<true>({ clock, maxEntries: MAX_HOSTS });
  const shares = { strangers: createShare(limits.strangers), known: createShare(limits.known) };

  function roomFor({ host, domain }: SlotKey) {
    const state = hosts.get(host);
    if (state === "known") return shares.known.roomFor({ host, domain }, limits.known);
    const { strangers } = limits;
    const limit = {
      host: state === "hanging" ? 1 : strangers.host,
      domain: hangingDomains.get(domain) ? 1 : strangers.domain,
    };
    return shares.strangers.roomFor({ host, domain }, limit);
  }

  const queue = createSlotQueue<SlotKey, HostSlot>(({ host, domain }) => {
    const room = roomFor({ host, domain });
    if (room.full !== null) return null;
    const { connect, giveBack } = room.take();
    const slot: HostSlot = {
      connect,
      noteResponse(isSuccess) {
        hangingDomains.delete(domain);
        if (isSuccess) hosts.set(host, "known", KNOWN_FOR_MS);
        else if (hosts.get(host) === "hanging") hosts.delete(host);
      },
      noteTimeout() {
        if (hosts.get(host) !== "known") hangingDomains.set(domain, true, KNOWN_FOR_MS);
        hosts.set(host, "hanging", KNOWN_FOR_MS);
      },
    };
    return { slot, giveBack };
  });

  return {
    run: queue.run,
    /** Why a host has no free slot, for operators. */
    whyFull(key: SlotKey): string | undefined {
      const { full } = roomFor(key);
      if (full === null) return undefined;
      const isHanging = hosts.get(key.host) === "hanging" || hangingDomains.get(key.domain);
      return isHanging && full !== "all" ? "its last request timed out" : `limit: ${full}`;
    },
  };
}

function createShare(limits: SlotLimits) {
  const taken = new Map<string, number>();
  let used = 0;

  /** The fewer slots are free, the fewer one key may hold: a few hosts at their own limits must not take all slots. */
  function isFull(key: string, limit: number): boolean {
    const allowed = Math.ceil((limit * (limits.all - used)) / limits.all);
    return (taken.get(key) ?? 0) >= Math.max(1, allowed);
  }

  function add(key: string, count: 1 | -1): void {
    const sum = (taken.get(key) ?? 0) + count;
    if (sum > 0) taken.set(key, sum);
    else taken.delete(key);
  }

  function take(keys: string[]) {
    used++;
    for (const key of keys) add(key, 1);
    return {
      connect(address: string) {
        const key = `address ${ipaddr().isValid(address) ? networkKey(ipaddr().parse(address)) : address}`;
        if (isFull(key, limits.address)) return false;
        keys.push(key);
        add(key, 1);
        return true;
      },
      giveBack() {
        used--;
        for (const key of keys) add(key, -1);
      },
    };
  }

  return {
    /** `full` is the limit that is reached, or null. */
    roomFor({ host, domain }: SlotKey, limit: { readonly host: number; readonly domain: number }) {
      const [ofHost, ofDomain] = [`host ${host}`, `domain ${domain}`];
      const isReached = {
        all: used >= limits.all,
        host: isFull(ofHost, limit.host),
        domain: isFull(ofDomain, limit.domain),
      };
      const full = (["all", "host", "domain"] as const).find((name) => isReached[name]) ?? null;
      return { full, take: () => take([ofHost, ofDomain]) };
    },
  };
}
