// The composition root: puts the parts together.

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
import { type ClientRegistry, clientRegistry } from "./oauth/client-registry.ts";
import { CLEAN_UP_TABLES, cleanUp } from "./store/clean-up.ts";
import type { SqlEngine } from "./store/engine.ts";
import { openDatabase } from "./store/open.ts";
import { createStore } from "./store/store.ts";
import { type Events, jsonEvents } from "./telemetry/events.ts";

export type { ServiceConfig };

export interface Service {
  /**
   * Answers one request. Waits until the service is ready. `clientAddress` is the IP address of the
   * peer, that of the proxy if there is one. Without it, limits by address do not apply.
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
  /** The same with plain values, for a host that has no web-standard request at hand. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  /** Resolves when the database is open and its schema is current; rejects when that cannot be. */
  ready(): Promise<void>;
  /** From now on `/readyz` sends new requests elsewhere; everything is answered as before. */
  stopping(): void;
  close(): Promise<void>;
  readonly clients: ClientRegistry;
}

/** What a host may put in the place of the system's own. */
export interface Overrides {
  readonly clock?: Clock;
  readonly random?: Random;
  /** How the work in the background waits for its turn. */
  readonly sleep?: Sleep;
  /** New signing keys: RSA keys cost so much that hundreds of tests share a few. */
  readonly makeKey?: typeof makeSigningKey;
  readonly events?: Events;
  /** Takes the log, one line of JSON at a time, in the place of standard error. Not used with `events`. */
  readonly log?: { write(line: string): void };
  /** Where a zone's own name servers may be asked: public addresses, unless a test has them elsewhere. */
  readonly reach?: Reach;
  /** Stands between the store and its engine: how tests count statements, or change one. */
  readonly instrument?: (engine: SqlEngine) => SqlEngine;
}

/** Milliseconds between two readings of the keys, so that a rotation is known everywhere within a minute. */
const KEYS_TENDED_EVERY = 30_000;
/** Milliseconds between two walks through the tables, and through the accounts. */
const CLEANED_UP_EVERY = 60_000;
const WALKED_EVERY = 600_000;

/** The service as a library. Any Node host can mount its `fetch`. */
export function createService(config: ServiceConfig, overrides: Overrides = {}): Service {
  const { clock = systemClock, random = systemRandom, instrument = (engine) => engine } = overrides;
  const { engine, ready } = openDatabase(config.database);
  const store = createStore(instrument(engine));
  const events = overrides.events ?? jsonEvents(overrides.log);
  const state = { stopping: false };
  const given = { store, clock, random, events, isStopping: () => state.stopping };
  const started = ready().then(() => assemble(config, { ...overrides, ...given }));
  const answer = started.then(answerOf);
  const closing = new AbortController();
  const background = started
    .then((all) => runBackground(all, closing.signal, overrides.sleep ?? systemSleep))
    // That it could not start is told by ready() and fetch(); nobody may be waiting yet.
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
      await store.close();
    },
    clients: clientRegistry({ store, clock, random, ready: started }),
  };
}

/** The work that nobody asks for: tending keys, removing what has ended, and looking at accounts. */
function runBackground(all: Everything, signal: AbortSignal, sleep: Sleep) {
  const repeat = (every: number, task: (pause: Pause) => Promise<unknown>, path: string) =>
    repeatUntil(signal, every, task, failed(path), sleep);
  const failed = (path: string) => (cause: unknown) => all.events.failed({ path, cause });
  const cleanUpAll = async (pause: Pause) => {
    for (const table of CLEAN_UP_TABLES) await cleanUp(table, all, pause);
  };
  return Promise.all([
    repeat(KEYS_TENDED_EVERY, () => all.keyring.tend(), "keys"),
    repeat(CLEANED_UP_EVERY, cleanUpAll, "clean-up"),
    repeat(WALKED_EVERY, (pause) => walkAccounts(all, pause), "account walk"),
  ]);
}
