// Slots for requests to hosts that strangers can name: by host, registrable domain and connected address.

import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { BusyError } from "../lib/errors.ts";
import { createSharedGate, type Requester } from "../lib/fair-queue.ts";
import { type Budget, createFairRoom, type Holding } from "../lib/fair-room.ts";
import { ipaddr } from "../lib/lazy-libraries.ts";
import { networkKey } from "../lib/network-key.ts";

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

/** `atOnce` requests to strangers and to known hosts together. */
export function hostSlotLimits(atOnce: number): HostSlotLimits {
  const all = Math.ceil(atOnce / 2);
  return {
    strangers: { all, host: 2, domain: 4, address: 16 },
    known: { all, host: 8, domain: 16, address: 32 },
  };
}

const LIMITS = hostSlotLimits(128);
/** After a successful response. */
const KNOWN_FOR_MS = 24 * 3_600_000;
const MAX_HOSTS = 10_000;
/** So many requests wait for a slot. */
const MAX_WAITING = 1000;

export interface SlotKey {
  readonly host: string;
  /** The registrable domain of the host. */
  readonly domain: string;
  readonly from: Requester;
}

/** What the holder of a slot reports about its request. */
export interface HostSlot {
  /** False if the address has no free slot: the connection must be closed. */
  connect(address: string): boolean;
  noteResponse(isSuccess: boolean): void;
  noteTimeout(): void;
}

interface TakenSlot {
  readonly slot: HostSlot;
  readonly giveBack: () => void;
}

interface SlotWaiter extends Holding {
  readonly key: SlotKey;
  readonly start: (taken: TakenSlot) => void;
}

interface SlotOptions {
  readonly clock: Clock;
  readonly limits?: HostSlotLimits | undefined;
  readonly budget?: Budget | undefined;
  readonly weightOf?: ((key: string) => number) | undefined;
}

/**
 * A host is known for a day after each successful response. A host that timed out is a stranger, with one request
 * at a time, until it responds: so is the registrable domain of a stranger, whose owner can make up hosts. Requesters
 * take turns, also for one host.
 */
export function createHostSlots(options: SlotOptions) {
  const { clock, limits = LIMITS, budget, weightOf } = options;
  const hosts = createCache<"known" | "hanging">({ clock, maxEntries: MAX_HOSTS });
  const hangingDomains = createCache<true>({ clock, maxEntries: MAX_HOSTS });
  const shares = {
    strangers: createShare(limits.strangers, weightOf),
    known: createShare(limits.known, weightOf),
  };
  const waiting = createFairRoom<SlotWaiter>({
    capacity: MAX_WAITING,
    clock,
    weightOf,
    budget,
  });

  function roomFor(key: SlotKey) {
    const { host, domain } = key;
    const state = hosts.get(host);
    if (state === "known") return shares.known.roomFor(key, limits.known);
    const { strangers } = limits;
    const limit = {
      host: state === "hanging" ? 1 : strangers.host,
      domain: hangingDomains.get(domain) ? 1 : strangers.domain,
    };
    return shares.strangers.roomFor(key, limit);
  }

  function take(key: SlotKey): TakenSlot | null {
    const { host, domain } = key;
    const room = roomFor(key);
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
  }

  /** Rejects with the reason of the signal if that is aborted first, and with `BusyError` if too many wait. */
  async function enter(key: SlotKey, signal: AbortSignal): Promise<TakenSlot> {
    if (signal.aborted) throw signal.reason;
    const taken = take(key);
    if (taken !== null) return taken;
    return new Promise((resolve, reject) => {
      const { keys, group } = key.from;
      const settle = (end: () => void) => {
        signal.removeEventListener("abort", giveUp);
        end();
      };
      const evict = () => settle(() => reject(new BusyError()));
      const start = (slot: TakenSlot) => settle(() => resolve(slot));
      const place = waiting.enter({ keys, group, size: 1, key, evict, start });
      const giveUp = () => {
        place.leave();
        budget?.refused();
        settle(() => reject(signal.reason));
      };
      signal.addEventListener("abort", giveUp);
    });
  }

  function startWaiting(): void {
    const isReady = ({ key }: SlotWaiter) => roomFor(key).full === null;
    for (let next = waiting.next(isReady); next !== null; next = waiting.next(isReady)) {
      const taken = take(next.key);
      if (taken !== null) next.start(taken);
    }
  }

  return {
    /** Runs the request once it has a slot: see `enter`. */
    async run<T>(key: SlotKey, signal: AbortSignal, request: (slot: HostSlot) => Promise<T>) {
      const { slot, giveBack } = await enter(key, signal);
      try {
        return await request(slot);
      } finally {
        giveBack();
        startWaiting();
      }
    },
    /** Why a request has no free slot, for operators. */
    whyFull(key: SlotKey): string | undefined {
      const { full } = roomFor(key);
      if (full === null) return undefined;
      const isHanging = hosts.get(key.host) === "hanging" || hangingDomains.get(key.domain);
      const isOfHost = full === "host" || full === "domain";
      return isHanging && isOfHost ? "its last request timed out" : `limit: ${full}`;
    },
  };
}

function createShare(limits: SlotLimits, weightOf?: (key: string) => number) {
  const taken = new Map<string, number>();
  const slots = createSharedGate(limits.all, weightOf);

  /** The fewer slots are free, the fewer one key may hold: a few hosts at their own limits must not take all slots. */
  function isFull(key: string, limit: number): boolean {
    const allowed = Math.ceil((limit * slots.free()) / limits.all);
    return (taken.get(key) ?? 0) >= Math.max(1, allowed);
  }

  function add(key: string, count: 1 | -1): void {
    const sum = (taken.get(key) ?? 0) + count;
    if (sum > 0) taken.set(key, sum);
    else taken.delete(key);
  }

  function take(from: Requester, keys: string[]) {
    slots.begin(from.keys);
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
        slots.end(from.keys);
        for (const key of keys) add(key, -1);
      },
    };
  }

  return {
    /** `full` is the limit that is reached, or null. */
    roomFor(
      { host, domain, from }: SlotKey,
      limit: { readonly host: number; readonly domain: number },
    ) {
      const [ofHost, ofDomain] = [`host ${host}`, `domain ${domain}`];
      const isReached = {
        all: slots.free() <= 0,
        host: isFull(ofHost, limit.host),
        domain: isFull(ofDomain, limit.domain),
        requester: !slots.isOpenFor(from.keys),
      };
      const limitNames = ["all", "host", "domain", "requester"] as const;
      const full = limitNames.find((name) => isReached[name]) ?? null;
      return { full, take: () => take(from, [ofHost, ofDomain]) };
    },
  };
}
