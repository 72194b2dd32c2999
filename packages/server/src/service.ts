// The service as a library: creates it from its configuration and runs its background jobs.

import { setMaxListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { walkAccounts } from "./account/account-walk.ts";
import { answerOf } from "./answer.ts";
import { assemble, type Everything } from "./assemble.ts";
import { markedStore, requireDatabaseOfMark } from "./backup/mark-keeper.ts";
import {
  type ClientRegistry,
  createRegistries,
  type ResourceRegistry,
} from "./clients/client-registry.ts";
import type { ServiceConfig } from "./config/config.ts";
import type { SqlEngine } from "./database/engine.ts";
import { openServedDatabase } from "./database/open.ts";
import { sqlOf } from "./database/rows.ts";
import type { LookOverrides } from "./dns/looks.ts";
import { createRootWitness, createWitnessKeeper, isPublicRoot } from "./dns/root-witness.ts";
import { clientAddresses } from "./http/client-address.ts";
import { answerFetch } from "./http/fetch-adaptor.ts";
import type { HttpRequest, HttpResponse } from "./http/message.ts";
import { withHeaders } from "./http/responses.ts";
import type { Answer } from "./http/router.ts";
import type { makeSigningKey } from "./keys/signing-key.ts";
import { type Pause, repeatUntil, type Sleep, systemSleep } from "./lib/background.ts";
import { type MachineClock, systemClock } from "./lib/clock.ts";
import { isLoopbackIssuer } from "./lib/loopback-issuer.ts";
import { withinOwnTime } from "./lib/own-time.ts";
import { type Random, systemRandom } from "./lib/random.ts";
import {
  type CleanUpTable,
  type CleanUpTime,
  cleanUp,
  LASTING_TABLES,
  UNPROVEN_TABLES,
  USED_TABLES,
  type WalkTime,
} from "./store/clean-up.ts";
import { floorStore } from "./store/floor.ts";
import { createStore } from "./store/store.ts";
import type { ShownBudget } from "./telemetry/budgets.ts";
import { type Events, jsonEvents } from "./telemetry/events.ts";
import { createTimeAuthority, type TimeAuthority } from "./time/authority.ts";

export type { ServiceConfig };

export interface Service {
  /**
   * Answers one request. Waits until the service is ready. `clientAddress` is the IP address of the
   * peer, which may be a proxy. Without it, all clients share the limits of one address.
   *
   * @example
   * Bun.serve({
   *   fetch: (request, server) =>
   *     service.fetch(request, { clientAddress: server.requestIP(request)?.address }),
   * });
   */
  fetch(
    request: Request,
    info?: { readonly clientAddress?: string | undefined },
  ): Promise<Response>;
  /** The same with plain values, for hosts without web-standard requests. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  /** Resolves when the database is open and its schema is current. Rejects if that fails. */
  ready(): Promise<void>;
  /** What is held of each limit on this node, and what gave way or was refused there. None until the service is ready. */
  limits(): readonly ShownBudget[];
  /** Makes `/readyz` answer 503. All other requests are answered as before. */
  stopping(): void;
  close(): Promise<void>;
  readonly clients: ClientRegistry;
  readonly resources: ResourceRegistry;
}

/** Replacements for system dependencies, for hosts and tests. */
export interface Overrides extends LookOverrides {
  /** The clock of this machine. With it, `databaseClock` replaces the clock of PostgreSQL. */
  readonly clock?: MachineClock;
  /** Epoch milliseconds. */
  readonly databaseClock?: () => Promise<number>;
  readonly random?: Random;
  /** How background jobs wait. */
  readonly sleep?: Sleep;
  /** Creates signing keys. RSA keys are expensive, so tests share a few. */
  readonly makeKey?: typeof makeSigningKey;
  readonly events?: Events;
  /** Receives the log as lines of JSON instead of standard error. Ignored if `events` is set. */
  readonly log?: { write(line: string): void };
  /** The fraction of the thread's time that pages get beside other requests; `Infinity` makes none wait. Default: half. */
  readonly pageShare?: number;
  /** Looks at the signature of the DNS root. Default: through the configured resolvers. */
  readonly rootLook?: ReturnType<typeof createRootWitness>;
  /** Trusted for resolvers at `tls://…` in place of the authorities that Node comes with, as PEM. */
  readonly dnsCa?: string;
  /** Wraps the engine of the store, so that tests can count or change statements. */
  readonly instrument?: (engine: SqlEngine) => SqlEngine;
}

/** The stored running time is at most this much behind. */
const TIME_INTERVAL_MS = 10_000;
/** How often the service checks whether a look at the DNS root is due. */
const WITNESS_INTERVAL_MS = 5000;
/** Ensures that all nodes know a rotation within a minute. */
const KEYS_INTERVAL_MS = 30_000;
/** How long an app may wait for a logout token. */
const LOGOUT_TOKENS_INTERVAL_MS = 10_000;
const CLEAN_UP_INTERVAL_MS = 60_000;
/** How soon a node learns of rows that other nodes store. */
const ROOMS_INTERVAL_MS = 55_000;
/** How often the service checks whether a line of the log about a limit is due. */
const LIMIT_LINES_INTERVAL_MS = 10_000;
const WEIGHTS_INTERVAL_MS = 3_600_000;
/** A backup that is older than this is recognized, even if nothing has ended since. */
const MARK_INTERVAL_MS = 60_000;
/** Marks of use are kept for this much longer, instead of the margin for rows that somebody would miss. */
const USED_MARGIN_S = 3600;
/** A walk that finds nothing due costs one read of an index. */
/** Another time than that of the clean-up, so that tests can tell the two apart. */
const ACCOUNT_WALK_INTERVAL_MS = 61_000;
const LOOK_AGAIN_INTERVAL_MS = 3_600_000;

/** Milliseconds that a close waits for requests whose writes are over. */
const ANSWERED_MS = 2000;

/** Creates a service, whose `fetch` any Node host can mount, and starts its background jobs. */
export function createService(config: ServiceConfig, overrides: Overrides = {}): Service {
  const { random = systemRandom, instrument = (engine) => engine } = overrides;
  const events = overrides.events ?? jsonEvents(overrides.log);
  requireDatabaseOfMark(config);
  const waits = createWaitReports(events);
  const opened = openServedDatabase(config.database, waits.ofDatabase);
  const { engine, ready } = opened;
  const state = { stopping: false };
  const time = createTime(config, overrides, { engine, events });
  const { clock } = time;
  // A test that moves the clock does not move the clock of PostgreSQL.
  const statementTime = overrides.clock ? undefined : engine.statementTime;
  const unmarked = createStore(instrument(engine), { ...config, statementTime });
  const marked = markedStore(config, { store: unmarked, clock, random, events });
  const { store } = marked;
  const isStopping = () => state.stopping;
  const deps = { store, clock, time, random, events, isStopping, pageShare: overrides.pageShare };
  const started = ready()
    // First: nothing is written into a database that is refused.
    .then(() => marked.start())
    .then(() => time.step())
    .then(() => assemble(config, { ...overrides, ...deps }));
  // A start has no deadline; from then on, statements have.
  started.then(opened.started, () => {}).finally(waits.endOfStart);
  const answer = started.then((all) => withHsts(answerOf(all), config));
  let limits: Service["limits"] = () => [];
  const closing = new AbortController();
  // Every task in the background waits with this signal; Node would warn of a leak.
  setMaxListeners(0, closing.signal);
  const background = started
    .then(async (all) => {
      limits = all.budgets.shown;
      const tasks = { ...all, moveMark: marked.move };
      await runBackground(tasks, closing.signal, overrides.sleep ?? systemSleep);
      await all.control.settled();
      await all.history.settled();
    })
    // A failed start is reported by ready() and fetch().
    .catch(() => {});
  const { handle, answered } = handlerOf(answer, config, events);
  return {
    fetch: (request, { clientAddress = "" } = {}) => answerFetch(request, clientAddress, handle),
    handle,
    ready: async () => void (await answer),
    limits: () => limits(),
    stopping: () => {
      state.stopping = true;
    },
    close: async () => {
      closing.abort();
      // Ends a start that waits for the database.
      if (opened.isStarting()) await store.close();
      await background;
      await started.then(({ resolvers }) => resolvers.close()).catch(() => {});
      await settled(engine, answered);
      await started.then(endOfLimits).catch(() => {});
      await store.close();
    },
    ...createRegistries({ ...store, clock, random, ready: started }),
  };
}

/** Nobody who signed in shortly before a stop loses the weight of the network, and no line about a limit is lost. */
async function endOfLimits({ budgets, networkWeights, events }: Everything): Promise<void> {
  budgets.report(0);
  await networkWeights.save().catch((cause) => events.failed({ path: "network weights", cause }));
}

function createTime(
  { dnsServers, trustAnchors }: ServiceConfig,
  overrides: Overrides,
  { engine, events }: { readonly engine: SqlEngine; readonly events: Events },
): TimeAuthority {
  const { dnsCa: ca } = overrides;
  const options = { ca, trustAnchors, about: () => time.clock.floor() };
  const rootLook = overrides.rootLook ?? createRootWitness(dnsServers, options);
  const monotonic = () => time.clock.monotonic();
  const time: TimeAuthority = createTimeAuthority({
    // Not instrumented: it belongs to no request.
    store: floorStore(sqlOf(engine)),
    machine: overrides.clock ?? systemClock,
    witness: createWitnessKeeper(rootLook, { monotonic, events }),
    hasPublicRoot: isPublicRoot(trustAnchors),
    problem: engine.problem,
    databaseNow: (overrides.clock ? overrides.databaseClock : engine.now) ?? null,
    events,
  });
  return time;
}

/** Waits for requests of disconnected clients, whose grants must be marked before the database closes. */
async function settled(engine: SqlEngine, answered: () => Promise<void>): Promise<void> {
  await engine.settle?.();
  await withinOwnTime(ANSWERED_MS, answered());
  await nextTurn();
}

/** Reports waits for the database. Otherwise, reports every ten seconds that the start is not over. */
function createWaitReports(events: Events) {
  const what = "the start is not over: the machine is busy, or it has little processor time";
  let startedS = 0;
  let saidAtS = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    startedS++;
    // A second later than what the database says.
    const isDue = startedS > 1 && startedS % 10 === 1;
    if (isDue && startedS - saidAtS > 10) events.waiting({ what, seconds: startedS - 1 });
  }, 1000);
  timer.unref();
  return {
    ofDatabase(what: string, seconds: number): void {
      saidAtS = startedS;
      events.waiting({ what, seconds });
    },
    endOfStart: () => clearInterval(timer),
  };
}

/** Answers requests, which wait for the end of the start. `answered` resolves when no request is being answered. */
function handlerOf(
  answer: Promise<Answer>,
  { trustedProxies = ["loopback"] }: ServiceConfig,
  events: Events,
) {
  let open = 0;
  let whenAnswered = () => {};
  const addresses = clientAddresses(trustedProxies, events);
  let answerNow: Answer = async (http) => (await answer)(http);
  const started = (ready: Answer) => {
    answerNow = ready;
  };
  // A failed start is reported to each request.
  answer.then(started, () => {});
  const handle: Answer = async (http) => {
    const clientAddress = addresses.find(http, http.clientAddress);
    const isSame = clientAddress === http.clientAddress;
    open++;
    try {
      const response = await answerNow(isSame ? http : { ...http, clientAddress });
      if (response.status === 429) addresses.noteRefusal(http, http.clientAddress);
      return response;
    } finally {
      open--;
      if (open === 0) whenAnswered();
    }
  };
  const answered = () =>
    new Promise<void>((resolve) => {
      if (open === 0) resolve();
      else whenAnswered = resolve;
    });
  return { handle, answered };
}

/** Over http, browsers ignore the header (RFC 6797 §8.1), and a development host is used with http too. */
function withHsts(answer: Answer, { issuer, hsts = "on" }: ServiceConfig): Answer {
  return hsts === "on" && issuer.startsWith("https:") && !isLoopbackIssuer(issuer)
    ? withHeaders(answer, { "strict-transport-security": "max-age=31536000" })
    : answer;
}

type Tasks = Everything & { readonly moveMark: () => Promise<void> };

/** Maintains keys, deletes expired rows and checks accounts, until the signal aborts. */
function runBackground(all: Tasks, signal: AbortSignal, sleep: Sleep) {
  const repeat = (intervalMs: number, task: (pause: Pause) => Promise<unknown>, path: string) =>
    repeatUntil(signal, intervalMs, task, (cause) => all.events.failed({ path, cause }), sleep);
  const once = (task: () => Promise<unknown>, path: string) =>
    task().catch((cause) => all.events.failed({ path, cause }));
  const { time } = all;
  // What depends on the time, and cannot be undone.
  const ifProven = (task: (pause: Pause) => Promise<unknown>) => async (pause: Pause) => {
    if (time.mayEnd()) await task(pause);
  };
  const clean = async (tables: readonly CleanUpTable[], at: WalkTime, pause: Pause) => {
    for (const table of tables)
      await cleanUp(table, { store: all.cleanUp, historyDays: all.historyDays, time: at }, pause);
  };
  // A walk keeps the floor with which it began. If a jump of the clock is believed meanwhile, nothing may end any more.
  const fixed = (at: CleanUpTime): WalkTime => {
    return () => (time.mayEnd() ? at : null);
  };
  // Uses the running time, which no wrong clock can change.
  const ranTime: WalkTime = () => ({ ...time.cleanUpTime(), before: 0 });
  const cleanUpUnproven = (pause: Pause) => clean(UNPROVEN_TABLES, ranTime, pause);
  const cleanUpAll = async (pause: Pause) => {
    await clean(USED_TABLES, fixed(time.cleanUpTime(USED_MARGIN_S)), pause);
    await clean(LASTING_TABLES, fixed(time.cleanUpTime()), pause);
  };
  const tendKeys = () =>
    all.keyring.tend({ mayRotate: time.mayRotate(), mayRemove: time.mayEnd() });
  const lookAgain = async (pause: Pause) => all.signedBefore?.lookAgain(pause);
  const walkRooms = async (pause: Pause) => {
    for (const room of [all.unproved, all.keptEvidence, all.unusedClients]) await room.walk(pause);
  };
  const walk = (pause: Pause) => walkAccounts({ ...all, mayEnd: time.mayEnd }, pause);
  return Promise.all([
    once(() => time.seekWitness(), "witness"),
    once(all.networkWeights.load, "network weights"),
    once(() => walkRooms((milliseconds) => sleep(milliseconds, signal)), "limits"),
    repeat(ROOMS_INTERVAL_MS, walkRooms, "limits"),
    repeat(TIME_INTERVAL_MS, () => time.step(), "clock"),
    repeat(WITNESS_INTERVAL_MS, () => time.seekWitness(), "witness"),
    repeat(MARK_INTERVAL_MS, () => all.moveMark(), "mark"),
    repeat(KEYS_INTERVAL_MS, tendKeys, "keys"),
    repeat(LIMIT_LINES_INTERVAL_MS, async () => all.budgets.report(), "lines about limits"),
    repeat(WEIGHTS_INTERVAL_MS, all.networkWeights.save, "network weights"),
    repeat(CLEAN_UP_INTERVAL_MS, cleanUpUnproven, "clean-up of sign-ins"),
    repeat(CLEAN_UP_INTERVAL_MS, ifProven(cleanUpAll), "clean-up"),
    repeat(LOGOUT_TOKENS_INTERVAL_MS, all.sendLogoutTokens, "back-channel logout"),
    repeat(LOOK_AGAIN_INTERVAL_MS, ifProven(lookAgain), "second looks"),
    repeat(ACCOUNT_WALK_INTERVAL_MS, ifProven(walk), "account walk"),
  ]);
}
