// The composition root: puts the parts together, and is the only file that names an engine.

import type { ServiceConfig } from "./config.ts";
import { createResolver } from "./dns/resolver.ts";
import { createSpRecords, type SpRecordLook } from "./dns/sp-record.ts";
import { cookiesOf } from "./http/cookies.ts";
import { controlThrough } from "./interaction/control.ts";
import { readDomain } from "./interaction/domain-name.ts";
import { openKeyring } from "./keys/keyring.ts";
import { sealWith } from "./keys/seal.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { OperatorError } from "./lib/errors.ts";
import { type Events, jsonEvents } from "./lib/events.ts";
import { type Random, systemRandom } from "./lib/random.ts";
import { readAuthorizationRequest } from "./oauth/authorization-request.ts";
import { cachedClients } from "./oauth/client.ts";
import { type ClientRegistry, clientRegistry } from "./oauth/client-registry.ts";
import type { OAuthParts } from "./oauth/parts.ts";
import { en } from "./pages/messages/en.ts";
import { routesHandler } from "./routes.ts";
import { cleanUpUntil } from "./store/clean-up.ts";
import { openPostgres } from "./store/postgres.ts";
import type { SqlEngine } from "./store/sql/engine.ts";
import { migrate, requireSchema } from "./store/sql/migrations.ts";
import { sqlStore } from "./store/sql/store.ts";
import { openSqlite } from "./store/sqlite.ts";
import type { Store } from "./store/store.ts";

export interface Service {
  /** Answers one request. Waits until the service is ready. */
  fetch(request: Request, info: { clientAddress: string }): Promise<Response>;
  /** Resolves when the database is open and its schema is current; rejects when that cannot be. */
  ready(): Promise<void>;
  close(): Promise<void>;
  readonly clients: ClientRegistry;
}

/** What a host may put in the place of the system's own. */
export interface Overrides {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly events?: Events;
  /** Stands between the store and its engine: how tests count statements, or change one. */
  readonly instrument?: (engine: SqlEngine) => SqlEngine;
}

/** The service as a library. Any Node host can mount its `fetch`. */
export function createService(config: ServiceConfig, overrides: Overrides = {}): Service {
  const { clock = systemClock, random = systemRandom, instrument = (engine) => engine } = overrides;
  const { engine, ready } = openEngine(config.database);
  const store = sqlStore(instrument(engine));
  const events = overrides.events ?? jsonEvents();
  const handler = start(config, { ready, store, clock, random, events });
  const closing = new AbortController();
  handler
    .then(() => {
      const onFailure = (cause: unknown) => events.failed({ path: "clean-up", cause });
      return cleanUpUntil(closing.signal, { store, clock, onFailure });
    })
    // That it could not start is told by ready() and fetch(); nobody may be waiting yet.
    .catch(() => {});
  return {
    fetch: async (request, info) => (await handler)(request, info),
    ready: async () => void (await handler),
    close: async () => {
      closing.abort();
      await handler.catch(() => {});
      await store.close();
    },
    clients: clientRegistry({ store, clock, random, ready: handler }),
  };
}

/** The registry of clients alone, for the command line: no secret, no DNS. */
export function openClientRegistry(database: string): ClientRegistry & { close(): Promise<void> } {
  const { engine, ready } = openEngine(database);
  const store = sqlStore(engine);
  const registry = clientRegistry({
    store,
    clock: systemClock,
    random: systemRandom,
    ready: ready(),
  });
  return { ...registry, close: () => store.close() };
}

/** Brings the database to this version's schema, and gives back its number. */
export async function migrateDatabase(database: string): Promise<number> {
  const { engine } = openEngine(database);
  try {
    return await migrate(engine);
  } finally {
    await engine.close();
  }
}

/** What `check` says of a domain, in the names of its JSON. */
export interface DomainDiagnosis {
  readonly domain: string;
  /** The name that was asked. */
  readonly name: string;
  readonly outcome: SpRecordLook["outcome"];
  readonly assurance: SpRecordLook["assurance"];
  readonly records: SpRecordLook["records"];
  /** In epoch seconds. */
  readonly checked_at: number;
  readonly reason?: string;
}

/**
 * Looks at a domain's record as a sign-in would. Rejects with `OperatorError`, in the words that a
 * person would see, for what is not a domain.
 */
export async function checkDomain(
  config: Pick<ServiceConfig, "issuer" | "dnsServers" | "allowedSpecialNames">,
  typed: string,
): Promise<DomainDiagnosis> {
  const input = readDomain(typed, domainNameOptions(config));
  if (!input.ok) {
    const { summary, details } = en.domainMistakes[input.mistake](input.about);
    throw new OperatorError([summary, ...details].join(" "));
  }
  const look = await spRecordsOf(config, systemClock).look(input.domain, "now");
  const { name, outcome, assurance, records, checkedAt } = look;
  const reason = "reason" in look ? look.reason : "target" in look ? look.target : undefined;
  return {
    ...{ domain: input.domain, name, outcome, assurance, records, checked_at: checkedAt },
    ...(reason !== undefined && { reason }),
  };
}

function domainNameOptions({ allowedSpecialNames }: Pick<ServiceConfig, "allowedSpecialNames">) {
  return { allowedSpecialNames: new Set(allowedSpecialNames) };
}

function spRecordsOf(
  { issuer, dnsServers }: Pick<ServiceConfig, "issuer" | "dnsServers">,
  clock: Clock,
) {
  return createSpRecords({
    resolver: createResolver({ servers: dnsServers }),
    issuer,
    now: clock.seconds,
    allowLoopbackIssuer: issuer.startsWith("http:"),
  });
}

async function start(
  config: ServiceConfig,
  given: {
    ready: () => Promise<unknown>;
    store: Store;
    clock: Clock;
    random: Random;
    events: Events;
  },
) {
  const { ready, store, clock, random, events } = given;
  const { issuer } = config;
  await ready();
  await claimIssuer(store, issuer);
  const seal = sealWith(config.secret, random);
  const keyring = await openKeyring({ store, seal, clock, random });
  const clients = cachedClients(store, clock);
  const spRecords = spRecordsOf(config, clock);
  const parts: OAuthParts = {
    issuer,
    store,
    clients,
    keyring,
    spRecords,
    control: controlThrough({ store, spRecords, clock }),
    readRequest: (query) => readAuthorizationRequest(query, { clients, issuer }),
    cookies: cookiesOf(issuer),
    domainNames: domainNameOptions(config),
    pages: { messages: en, lang: "en" },
    clock,
    random,
    events,
  };
  return routesHandler(parts);
}

/** Records in every zone and tokens at every client name the issuer: it cannot change under them. */
async function claimIssuer(store: Store, issuer: string): Promise<void> {
  const { host } = new URL(issuer);
  const claimed = await store.claimFact("issuer_host", host);
  if (claimed !== host) {
    throw new OperatorError(`the database belongs to the issuer host ${claimed}, not to ${host}`);
  }
}

interface OpenEngine {
  readonly engine: SqlEngine;
  /** Resolves when the schema is this version's. */
  ready(): Promise<unknown>;
}

/** A file is brought up to date by whoever opens it; a database that others use too is not. */
function openEngine(database: string): OpenEngine {
  if (/^postgres(ql)?:/.test(database)) {
    const engine = openPostgres(database);
    return { engine, ready: async () => requireSchema(await engine.schemaVersion()) };
  }
  const engine = openSqlite(database.replace(/^sqlite:/, ""));
  return { engine, ready: () => migrate(engine) };
}
