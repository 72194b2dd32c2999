// Every request that leaves this service for a place that a stranger may have named.

import { codeOf, connectToOne, type Endpoint, secure, toBeTried } from "./connection.ts";
import { type Asked, exchange } from "./exchange.ts";
import { type GuardedFetchCode, GuardedFetchError } from "./guarded-fetch-error.ts";
import { isPublicUnicast } from "./public-address.ts";
import { createSlots } from "./slots.ts";
import { readTarget, type Target } from "./target.ts";

export { type GuardedFetchCode, GuardedFetchError };

/**
 * Asks by https, at a public address, without following anything, and gives the answer with its body
 * read: any status but 1xx and 3xx, JSON of at most 64 KiB. An error (4xx, 5xx) that is not JSON comes
 * with an empty body. Of the headers only `content-type` and `cache-control` are passed on.
 * Rejects with a `GuardedFetchError` and with nothing else; `timeout` also if the signal ends it.
 */
export type GuardedFetch = (
  url: string,
  init?: Asked & { readonly signal?: AbortSignal | undefined },
) => Promise<Response>;

export type GuardedFetchOptions = {
  /** All addresses of a name, none if it has none; rejects when DNS fails. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Whether http://localhost:PORT is let through, for a demo on one machine. */
  readonly allowLoopback: boolean;
  /** Where a public address is really connected to, for tests. */
  readonly reach?: ((address: string, port: number) => Endpoint) | undefined;
  /** Certificates to trust in place of those that Node comes with, as PEM, for tests. */
  readonly ca?: string | undefined;
  /** Milliseconds for everything, from the wait for a turn to the last octet. */
  readonly timeoutMs?: number | undefined;
  /** How many requests may be under way, in all and for one host name. */
  readonly atOnce?: { readonly all: number; readonly each: number } | undefined;
};

const loopback = ["127.0.0.1", "::1"];

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { resolve, reach, ca, timeoutMs = 5000, atOnce = { all: 64, each: 8 } } = options;
  const slots = createSlots(atOnce);

  return async (url, init = {}) => {
    const target = readTarget(url, options);
    const limit = startLimit(timeoutMs, init.signal);
    try {
      // A turn that comes at the end of the time would be of no use.
      const wait = startLimit(timeoutMs / 2, init.signal);
      // Of this machine, another port is another service.
      const host = target.isLoopback ? target.host : target.name;
      const leave = await slots.enter(host, wait.signal).finally(wait.end);
      if (!leave) throw refused(target, init.signal?.aborted ? "timeout" : "busy");
      try {
        return await fetchFrom(target, init, limit);
      } finally {
        leave();
      }
    } catch (cause) {
      if (cause instanceof GuardedFetchError) throw cause;
      throw limit.signal.aborted
        ? refused(target, "timeout")
        : // Not the error itself: it may hold what was sent or received.
          refused(target, "unreachable", codeOf(cause));
    } finally {
      limit.end();
    }
  };

  async function fetchFrom(target: Target, asked: Asked, limit: Limit): Promise<Response> {
    const endpoints = await endpointsOf(target, limit.signal);
    const socket = await connectToOne(endpoints, limit.deadline, limit.signal);
    try {
      const way = target.isLoopback ? socket : await secure(socket, target.name, ca);
      const response = await exchange(way, target, asked);
      // A body without a length ends with its connection, also where that was the end of the time.
      limit.signal.throwIfAborted();
      return response;
    } finally {
      // Never used again: by the next time the name may lead elsewhere.
      socket.destroy();
    }
  }

  async function endpointsOf(target: Target, signal: AbortSignal): Promise<Endpoint[]> {
    const { port } = target;
    if (target.isLoopback) return loopback.map((address) => ({ address, port }));
    const addresses = await unlessOver(signal, resolve(target.name)).catch((cause) => {
      throw signal.aborted ? cause : refused(target, "unresolved", "DNS failed");
    });
    if (addresses.length === 0) throw refused(target, "unresolved", "DNS has none");
    // One address that is not public is enough: the others may be there to get past this line.
    if (!addresses.every(isPublicUnicast)) throw refused(target, "not_public");
    return toBeTried(addresses).map((address) => reach?.(address, port) ?? { address, port });
  }
}

type Limit = {
  /** When `performance.now()` reaches it, the signal is given. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  end(): void;
};

function startLimit(timeoutMs: number, outer: AbortSignal | undefined): Limit {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort);
  return {
    deadline: performance.now() + timeoutMs,
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", abort);
    },
  };
}

function unlessOver<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function refused(target: Target, code: GuardedFetchCode, detail?: string): GuardedFetchError {
  return new GuardedFetchError(code, target.host, detail);
}
