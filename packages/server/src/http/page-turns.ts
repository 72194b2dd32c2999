// Turns for page requests: returning browsers and strangers each have a lane, and in both the networks take turns.

import { createHash } from "node:crypto";
import type { MonotonicClock } from "../lib/clock.ts";
import { createFairQueue } from "../lib/fair-queue.ts";
import { type Budget, UNNAMED } from "../lib/fair-room.ts";
import { networksOf } from "./client-address.ts";
import { MAX_BODY_OCTETS } from "./form.ts";
import type { HttpRequest } from "./message.ts";
import type { PageGate } from "./page-gate.ts";
import type { FloodLimit } from "./rate-limit.ts";

/** More page requests wait than there is room for. Answered with 503. */
export class OverloadedError extends Error {
  override name = "OverloadedError";
  /** In seconds. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super(`too many page requests are waiting: retry after ${retryAfter} s`);
    this.retryAfter = retryAfter;
  }
}

/** Keys of the account that signed in with a returning browser, the widest first. Null for other browsers. */
export type ReadReturning = (http: HttpRequest) => readonly string[] | null;

/** What a waiting request takes of the memory, at least. */
const REQUEST_OCTETS = 8192;
/** While both lanes wait, so many returning browsers get their turn for each stranger. */
const RETURNING_TURNS = 3;

interface Deps {
  readonly gate: PageGate;
  readonly clock: MonotonicClock;
  readonly readReturning: ReadReturning;
  /** The browser's cookie of the first page, if this service made it. */
  readonly readBrowser: (http: HttpRequest) => string | undefined;
  /** How many requests may wait in both lanes together. */
  readonly waiting: number;
  readonly weightOf?: ((key: string) => number) | undefined;
  readonly budget?: Budget | undefined;
}

/** Nobody is refused while there is room: who waits for long waits for others of the same network, or for all. */
export function limitPages(deps: Deps): FloodLimit {
  const { gate, clock, readReturning, readBrowser, budget, weightOf } = deps;
  const lane = { gate, budget, capacity: Math.floor(deps.waiting / 2) * REQUEST_OCTETS };
  const lanes = [
    { ...lane, turns: RETURNING_TURNS },
    { ...lane, weightOf },
  ];
  const queue = createFairQueue(lanes, clock);

  /** A stranger's browsers take turns. All requests without the cookie of our first page share one turn. */
  function entriesOf(http: HttpRequest) {
    const { keys, group } = networksOf(http.clientAddress);
    const browser = readBrowser(http);
    const own = browser ? createHash("sha256").update(browser).digest("base64url") : "none";
    const stranger = { lane: 1, keys: [...keys, UNNAMED + own.slice(0, 11)], group };
    const returning = readReturning(http);
    return returning === null ? [stranger] : [{ lane: 0, keys: returning }, stranger];
  }

  return (handler) => async (http) => {
    // Before its turn: a slow sender must not hold a place of those that run.
    const body = http.method === "POST" ? await octetsOf(http) : 0;
    const size = REQUEST_OCTETS + body;
    const end = queue.enterAtOnce(1) ?? (await queue.enter(entriesOf(http), { size }));
    if (end === null) {
      gate.countRefusal();
      throw new OverloadedError(queue.retryAfter(1));
    }
    try {
      return await handler(http);
    } finally {
      end();
    }
  };
}

/** The handler reads the body once more, and gets the same error if it cannot be read. */
function octetsOf(http: HttpRequest): Promise<number> {
  return http.body(MAX_BODY_OCTETS).then(
    ({ length }) => length,
    () => 0,
  );
}
