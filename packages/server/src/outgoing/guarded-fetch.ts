// The HTTP client for URLs from untrusted sources.

import { isIP } from "node:net";
import type { Clock } from "../lib/clock.ts";
import { BusyError } from "../lib/errors.ts";
import { createFairQueue, createRateGate, type Requester, SERVICE } from "../lib/fair-queue.ts";
import type { Budget } from "../lib/fair-room.ts";
import { ownedDomain } from "../lib/registrable-domain.ts";
import { unlessAborted } from "../lib/within.ts";
import { createHostSlots, type HostSlot, type HostSlotLimits } from "./host-slots.ts";
import { isPublicUnicast } from "./public-address.ts";
import {
  type Destination,
  type GuardedFetchCode,
  GuardedFetchError,
  MAX_URL_LENGTH,
  type RequestContent,
  request,
} from "./request.ts";

export { type GuardedFetchCode, GuardedFetchError };

/**
 * Sends one request by https to a public address. Resolves, after the body was read, to any response except 1xx and 3xx,
 * with JSON of at most 64 KiB and the headers `content-type` and `cache-control`. An error response that is not JSON has
 * an empty body. Rejects only with `GuardedFetchError`, with code `timeout` if the signal is aborted.
 */
export type GuardedFetch = (
  url: string,
  init?: RequestContent & {
    readonly signal?: AbortSignal | undefined;
    /** Who causes the request. Default: this service itself. */
    readonly from?: Requester | undefined;
  },
) => Promise<Response>;

export interface GuardedFetchOptions {
  /** Resolves to all addresses of a name, possibly none. Rejects if DNS fails. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Whether http://localhost:PORT is allowed, for a demo on one machine. */
  readonly allowLoopback: boolean;
  /** Replaces the checked destination, for tests. */
  readonly reach?: ((checked: Destination) => Destination) | undefined;
  /** Trusted certificates as PEM, instead of those of Node, for tests. */
  readonly ca?: string | undefined;
  readonly clock: Clock;
  /** For the whole request, from waiting for a slot to the last byte. */
  readonly timeoutMs?: number | undefined;
  readonly waitMs?: number | undefined;
  readonly limits?: HostSlotLimits | undefined;
  readonly budget?: Budget | undefined;
  readonly weightOf?: ((key: string) => number) | undefined;
}

const TIMEOUT_MS = 5000;
/** Somebody usually waits for the page: if slots are not free soon, they rarely are within the timeout. */
const WAIT_MS = 500;
/** Requesters share so many requests, in all. */
const REQUESTS_PER_S = 50;
/** After a pause, so many seconds of requests may be sent at once. */
const BURST_S = 4;
const MAX_WAITING = 1000;
const LOOPBACK = ["127.0.0.1", "::1"];
/** Both families are tried, since this host may have a route for one of them only. */
const MAX_ADDRESSES_PER_FAMILY = 2;
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
// The last label is not a number: such a host would be one of the spellings of an IPv4 address.
const DNS_NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`);

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { resolve, reach, ca, timeoutMs = TIMEOUT_MS, waitMs = WAIT_MS } = options;
  const { clock, budget, weightOf } = options;
  const slots = createHostSlots(options);
  const gate = createRateGate(REQUESTS_PER_S, BURST_S, clock);
  const rate = createFairQueue([{ gate, capacity: MAX_WAITING, budget, weightOf }], clock);

  return async (text, init = {}) => {
    const url = readTarget(text, options);
    const { host } = url;
    const { from = SERVICE } = init;
    const limit = startLimit(timeoutMs, init.signal, new GuardedFetchError("timeout", host));
    // On this machine, another port is another service.
    const name = isLoopback(url) ? host : url.hostname;
    const key = { host: name, domain: isLoopback(url) ? name : ownedDomain(name), from };
    try {
      if ((await rate.enter([{ lane: 0, ...from }], { waitMs })) === null) throw new BusyError();
      const wait = startLimit(waitMs, limit.signal, new BusyError());
      return await slots.run(key, wait.signal, (slot) => sendFrom(slot, url, init, limit));
    } catch (cause) {
      // Once the limit ended a connection, its errors only follow from that.
      if (limit.signal.aborted) throw limit.signal.reason;
      if (cause instanceof BusyError) throw new GuardedFetchError("busy", host, slots.whyFull(key));
      throw errorOf(cause, host);
    } finally {
      // Closes the connection, even if the answer was not read to its end.
      limit.abort();
    }
  };

  async function sendFrom(slot: HostSlot, url: URL, init: RequestContent, limit: AbortController) {
    const admitted = new Set<string>();
    const admit = (address: string) => {
      // A redirect may connect to the same address again: its former connection is closed by then.
      if (admitted.has(address)) return true;
      const isFree = slot.connect(isLoopback(url) ? url.host : address);
      if (isFree) admitted.add(address);
      return isFree;
    };
    try {
      const destination = await destinationOf(url, limit.signal);
      const response = await request(url, init, { ...destination, ca, limit, admit });
      slot.noteResponse(response.ok);
      return response;
    } catch (cause) {
      if (limit.signal.reason?.code === "timeout") slot.noteTimeout();
      throw cause;
    }
  }

  async function destinationOf(url: URL, signal: AbortSignal): Promise<Destination> {
    const port = Number(url.port || 443);
    if (isLoopback(url)) return { addresses: LOOPBACK, port };
    const refused = (code: GuardedFetchCode, detail?: string) =>
      new GuardedFetchError(code, url.host, detail);
    const all = await unlessAborted(signal, resolve(url.hostname)).catch(() => {
      throw refused("unresolved", "DNS failed");
    });
    if (all.length === 0) throw refused("unresolved", "no addresses");
    // One address that is not public is enough to refuse: public ones may have been added to pass.
    if (!all.every(isPublicUnicast)) throw refused("not_public");
    const addresses = [4, 6].flatMap((family) =>
      all.filter((address) => isIP(address) === family).slice(0, MAX_ADDRESSES_PER_FAMILY),
    );
    return reach?.({ addresses, port }) ?? { addresses, port };
  }
}

/** Requires https and a DNS name, never an IP address; with `allowLoopback`, accepts http://localhost:PORT too. */
export function readTarget(text: string, options: { readonly allowLoopback: boolean }): URL {
  if (text.length > MAX_URL_LENGTH) throw new GuardedFetchError("bad_url", "", "too long");
  if (!URL.canParse(text)) throw new GuardedFetchError("bad_url", "", "not a URL");
  const url = new URL(text);
  const refused = (detail: string) => new GuardedFetchError("bad_url", url.host, detail);
  if (url.username !== "" || url.password !== "") throw refused("user name or password");
  if (text.includes("#")) throw refused("fragment");
  const isLocal = isLoopback(url) && url.hostname === "localhost" && url.port !== "";
  if (!(isLocal ? options.allowLoopback : url.protocol === "https:")) throw refused("not https");
  if (!isLocal && !DNS_NAME.test(url.hostname)) throw refused("the host is not a DNS name");
  // Two parsers could read another spelling as two hosts. This also refuses hexadecimal addresses.
  if (url.href !== text && url.href !== `${text}/`) throw refused("not in canonical form");
  return url;
}

/** `readTarget` lets plain HTTP through for nothing else. */
function isLoopback(url: URL): boolean {
  return url.protocol === "http:";
}

/** Not `AbortSignal.any`: Node 20 may garbage-collect its sources (nodejs/node#57736). */
function startLimit(timeoutMs: number, outer: AbortSignal | undefined, reason: Error) {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(reason);
  const timer = setTimeout(abort, timeoutMs);
  signal.addEventListener("abort", () => clearTimeout(timer));
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort, { signal });
  return controller;
}

function errorOf(cause: unknown, host: string): GuardedFetchError {
  if (cause instanceof GuardedFetchError) return cause;
  // Only the code, since the message may hold what was sent or received.
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "HPE_HEADER_OVERFLOW") return new GuardedFetchError("too_large", host);
  return new GuardedFetchError("unreachable", host, typeof code === "string" ? code : undefined);
}
