// The service as a library: creates it from its configuration and runs its background jobs.

import { answerOf, assemble, type Everything } from "./assemble.ts";
import type { ServiceConfig } from "./config/config.ts";
import type { Reach } from "./dns/name-servers.ts";
import { clientAddresses } from "./http/client-address.ts";
import { answerFetch } from "./http/fetch-adaptor.ts";
import type { HttpRequest, HttpResponse } from "./http/message.ts";
import { walkAccounts } from "./interaction/account-walk.ts";
import type { makeSigningKey } from "./keys/signing-key.ts";
import { type Pause, repeatUntil, type Sleep, systemSleep } from "./lib/background.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { type Random, systemRandom } from "./lib/random.ts";
import { sendLogoutTokens } from "./oauth/back-channel-logout.ts";
import { type ClientRegistry, clientRegistry } from "./oauth/client.ts";
import { CLEAN_UP_TABLES, cleanUp } from "./store/clean-up.ts";
import type { SqlEngine } from "./store/engine.ts";
import { openServedDatabase } from "./store/open.ts";
import { createStore } from "./store/store.ts";
import { type Events, jsonEvents } from "./telemetry/events.ts";

export type { ServiceConfig };

export interface Service {
  /**
   * Answers one request. Waits until the service is ready. `clientAddress` is the IP address of the
   * peer, which may be a proxy. Without it, the rate limits by address do not apply.
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
  /** Makes `/readyz` answer 503. All other requests are answered as before. */
  stopping(): void;
  close(): Promise<void>;
  readonly clients: ClientRegistry;
}

/** Replacements for system dependencies, for hosts and tests. */
export interface Overrides {
  readonly clock?: Clock;
  readonly random?: Random;
  /** How background jobs wait. */
  readonly sleep?: Sleep;
  /** Creates signing keys. RSA keys are expensive, so tests share a few. */
  readonly makeKey?: typeof makeSigningKey;
  readonly events?: Events;
  /** Receives the log as lines of JSON instead of standard error. Ignored if `events` is set. */
  readonly log?: { write(line: string): void };
  /** Which authoritative name servers may be queried. Default: those at public addresses. */
  readonly reach?: Reach;
  /** Trusted for resolvers at `tls://…` in place of the authorities that Node comes with, as PEM. */
  readonly dnsCa?: string;
  /** Wraps the engine of the store, so that tests can count or change statements. */
  readonly instrument?: (engine: SqlEngine) => SqlEngine;
}

/** Ensures that all nodes know a rotation within a minute. */
const KEYS_INTERVAL_MS = 30_000;
/** How long an app may wait for a logout token. */
const LOGOUT_TOKENS_INTERVAL_MS = 10_000;
const CLEAN_UP_INTERVAL_MS = 60_000;
const ACCOUNT_WALK_INTERVAL_MS = 600_000;
const LOOK_AGAIN_INTERVAL_MS = 3_600_000;

/** Creates a service, whose `fetch` any Node host can mount, and starts its background jobs. */
export function createService(config: ServiceConfig, overrides: Overrides = {}): Service {
  const { clock = systemClock, random = systemRandom, instrument = (engine) => engine } = overrides;
  const { engine, ready } = openServedDatabase(config.database);
  const store = createStore(instrument(engine), config);
  const events = overrides.events ?? jsonEvents(overrides.log);
  const state = { stopping: false };
  const deps = { store, clock, random, events, isStopping: () => state.stopping };
  const started = ready().then(() => assemble(config, { ...overrides, ...deps }));
  const answer = started.then(answerOf);
  const closing = new AbortController();
  const background = started
    .then(async (all) => {
      await runBackground(all, closing.signal, overrides.sleep ?? systemSleep);
      await all.control.settled();
      await all.history.settled();
    })
    // A failed start is reported by ready() and fetch().
    .catch(() => {});
  const addressOf = clientAddresses(config.trustedProxies ?? [], (address) =>
    events.undeclaredProxy({ address }),
  );
  const handle = async (http: HttpRequest) =>
    (await answer)({ ...http, clientAddress: addressOf(http, http.clientAddress) });
  return {
    fetch: (request, { clientAddress = "" } = {}) => answerFetch(request, clientAddress, handle),
    handle,
    ready: async () => void (await answer),
    stopping: () => {
      state.stopping = true;
    },
    close: async () => {
      closing.abort();
      await background;
      await started.then(({ resolvers }) => resolvers.close()).catch(() => {});
      await store.close();
    },
    clients: clientRegistry({ store, clock, random, ready: started }),
  };
}

/** Maintains keys, deletes expired rows and checks accounts, until the signal aborts. */
function runBackground(all: Everything, signal: AbortSignal, sleep: Sleep) {
  const repeat = (intervalMs: number, task: (pause: Pause) => Promise<unknown>, path: string) =>
    repeatUntil(signal, intervalMs, task, (cause) => all.events.failed({ path, cause }), sleep);
  const cleanUpAll = async (pause: Pause) => {
    for (const table of CLEAN_UP_TABLES) await cleanUp(table, all, pause);
  };
  return Promise.all([
    repeat(KEYS_INTERVAL_MS, () => all.keyring.tend(), "keys"),
    repeat(CLEAN_UP_INTERVAL_MS, cleanUpAll, "clean-up"),
    repeat(LOGOUT_TOKENS_INTERVAL_MS, () => sendLogoutTokens(all), "back-channel logout"),
    repeat(
      LOOK_AGAIN_INTERVAL_MS,
      async (pause) => all.signedBefore?.lookAgain(pause),
      "second looks",
    ),
    repeat(ACCOUNT_WALK_INTERVAL_MS, (pause) => walkAccounts(all, pause), "account walk"),
  ]);
}
