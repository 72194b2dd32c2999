// The HTTP client for URLs from untrusted sources.

import { isIP } from "node:net";
import { unlessAborted } from "../lib/within.ts";
import { type GuardedFetchCode, GuardedFetchError } from "./guarded-fetch-error.ts";
import { isPublicUnicast } from "./public-address.ts";
import { type Destination, type RequestContent, request } from "./request.ts";
import { createSlots } from "./slots.ts";
import { readTarget } from "./target.ts";

export { type GuardedFetchCode, GuardedFetchError };

/**
 * Sends one request by https to a public address, without following redirects. Resolves, after the body
 * was read, to any response except 1xx and 3xx, with JSON of at most 64 KiB. An error response (4xx, 5xx)
 * that is not JSON has an empty body, and so has every response with `statusOnly`. Only the headers `content-type` and `cache-control` are kept.
 * Rejects only with `GuardedFetchError`, with code `timeout` if the signal is aborted.
 */
export type GuardedFetch = (
  url: string,
  init?: RequestContent & { readonly signal?: AbortSignal | undefined },
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
  /** For the whole request, from waiting for a slot to the last byte. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of concurrent requests, in total and for one host name. */
  readonly atOnce?: { readonly all: number; readonly each: number } | undefined;
}

const TIMEOUT_MS = 5000;
const AT_ONCE = { all: 64, each: 8 };
const LOOPBACK = ["127.0.0.1", "::1"];
/** Both families are tried, since this host may have a route for one of them only. */
const MAX_ADDRESSES_PER_FAMILY = 2;

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { resolve, reach, ca, timeoutMs = TIMEOUT_MS, atOnce = AT_ONCE } = options;
  const slots = createSlots(atOnce);

  return async (text, init = {}) => {
    const url = readTarget(text, options);
    const { host } = url;
    const limit = startLimit(timeoutMs, init.signal, new GuardedFetchError("timeout", host));
    // A request that starts in the second half of the time would rarely succeed.
    const wait = startLimit(timeoutMs / 2, limit.signal, new GuardedFetchError("busy", host));
    // On this machine, another port is another service.
    const slot = isLoopback(url) ? host : url.hostname;
    try {
      return await slots.run(slot, wait.signal, async () => {
        const destination = await destinationOf(url, limit.signal);
        return request(url, init, { ...destination, ca, limit });
      });
    } catch (cause) {
      // Once the limit ended a connection, its errors only follow from that.
      throw limit.signal.aborted ? limit.signal.reason : errorOf(cause, host);
    } finally {
      // Closes the connection, even if the answer was not read to its end.
      limit.abort();
    }
  };

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

/** `readTarget` lets plain HTTP through for nothing else. */
function isLoopback(url: URL): boolean {
  return url.protocol === "http:";
}

/**
 * A controller that aborts with `reason` after the timeout, or when `outer` aborts. Aborting it stops
 * the timer. `AbortSignal.any` cannot be used: in Node 20 it does not keep a reference to a timeout
 * signal, which may be garbage-collected before it fires (nodejs/node#57736).
 */
function startLimit(timeoutMs: number, outer: AbortSignal | undefined, reason: GuardedFetchError) {
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
