// The real service for a test: on loopback, with a zone in memory, a clock to move, statements counted.

import { startZone, type Zone } from "domain-signin-demo/zones/zone";
import { vi } from "vitest";
import { walkAccounts } from "../../src/account/account-walk.ts";
import { createControl } from "../../src/account/control.ts";
import type { ServiceConfig } from "../../src/config/config.ts";
import { isRead, type SqlEngine, type SqlStatement, textOf } from "../../src/database/engine.ts";
import { createLooks } from "../../src/dns/looks.ts";
import type { Reach } from "../../src/dns/name-servers.ts";
import type { PanelOf } from "../../src/dns/panels.ts";
import type { RootLook } from "../../src/dns/root-witness.ts";
import { listen } from "../../src/http/listen.ts";
import type { Sleep } from "../../src/lib/background.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { createService, type Service } from "../../src/service.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { type Events, jsonEvents } from "../../src/telemetry/events.ts";
import { logTo, noteSecret } from "./log-run.ts";
import { makeTestKey } from "./test-keys.ts";

export interface TestClient {
  readonly id: string;
  readonly secret: string | null;
  readonly redirectUri: string;
}

export interface TestService {
  readonly issuer: string;
  readonly service: Service;
  readonly zone: Zone;
  /** Every statement since the last `statements.length = 0`. */
  readonly statements: string[];
  /** Those of them that read, and of no commit. */
  readonly reads: string[];
  /**
   * How many writes each commit had, since the last `commits.length = 0`. Several commits may share one of the disk. Those
   * of the history are not counted: they are made in the background.
   */
  readonly commits: number[];
  /** Every event, as `name` and the line of the log. */
  readonly events: string[];
  /** Moves the service's clock forward. */
  advance(seconds: number): void;
  /** Sets the clock of the service's machine so many seconds ahead of the right time, or behind. No time passes. */
  setAhead(seconds: number): void;
  addClient(registration?: Partial<Parameters<Service["clients"]["add"]>[0]>): Promise<TestClient>;
  /** A form post to the token endpoint; `client` as Basic, or as body parameters if it has no secret. */
  token(
    parameters: Record<string, string>,
    client?: Pick<TestClient, "id" | "secret">,
  ): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>;
  /** One walk through the accounts, as the service makes it by itself every hour. */
  walk(): Promise<void>;
  /** How many rows a table has. */
  rowsOf(table: (typeof TABLES)[number]): Promise<number>;
  /** Everything that the database holds, as text. */
  dump(): Promise<string>;
  /** The same database, past the service. */
  readonly store: Store;
  close(): Promise<void>;
}

export const TEST_DOMAINS = ["alice.test", "bob.test", "carol.test"];
export const TABLES = [
  ...["accounts", "attempts", "clients", "consents", "facts", "grants"],
  ...["evidence", "interactions", "keys", "recovery_codes", "secure_domains", "sessions"],
  ...["sp_clients", "history", "passkeys", "session_clients", "ended_keys", "ended_secrets"],
  "network_weights",
];
export const TEST_SECRET = "a secret for tests, and for nothing else";
const REDIRECT_URI = "https://app.example.org/callback";
/**
 * With this header a request chooses after how many seconds its page refreshes itself, if that page
 * does: a test that is about something else is not to be disturbed, and the others do not wait.
 */
export const REFRESH_AFTER_S = "test-refresh-after-s";

export async function startTestService(
  options: {
    database?: string;
    /** That of an earlier service, to take its place. */
    port?: number;
    config?: Partial<ServiceConfig>;
    /** The domains of which the zone has all names. */
    origins?: readonly string[];
    reach?: Reach;
    /** How DNS providers are recognized; by the data file of the package unless given. */
    panelOf?: PanelOf;
    /** Whom resolvers at tls://… are signed by, as PEM. */
    dnsCa?: string;
    /** How the work in the background waits; by the system's timers unless given. */
    sleep?: Sleep;
    /** Puts a DNS server before that of the zone, and tells its address. */
    dns?: (zone: Zone) => Promise<string>;
    /** Runs before each statement, which waits for it: a test can make two requests meet there. */
    beforeStatement?: (sql: string) => Promise<void>;
    /** Whose requests the service takes all for, instead of this machine's. */
    clientAddress?: () => string;
    /** By how many seconds the clock is ahead from the start. */
    aheadAtStart?: number;
    /**
     * What the look at the DNS root shows. By default that it was signed now, by the right time; null: nothing, as in a
     * closed network.
     */
    rootLook?: (() => Promise<RootLook | null>) | null;
    /** While it says so, the look shows nothing. */
    isBlind?: () => boolean;
    /** The time of the database. With SQLite and by default that of the service's machine. */
    databaseClock?: () => Promise<number>;
  } = {},
): Promise<TestService> {
  const zone = await startZone({ origins: options.origins ?? TEST_DOMAINS });
  const statements: string[] = [];
  const reads: string[] = [];
  const commits: number[] = [];
  const events: string[] = [];
  noteSecret("operator's secret", TEST_SECRET);
  let offset = 0;
  let ahead = options.aheadAtStart ?? 0;
  const timeOf = () => Date.now() + offset;
  const clock = clockFrom(() => timeOf() + ahead * 1000, timeOf);
  const { isBlind = () => false } = options;
  const signed = () => signedAt(Math.floor(timeOf() / 1000) + (options.aheadAtStart ?? 0));
  const rootLook = async () => (isBlind() ? null : signed());
  const logged = loggedEvents(events);
  let engine: SqlEngine | undefined;
  let service: Service | undefined;
  const from = (address: string) => options.clientAddress?.() ?? address;
  const listener = await listen(
    async (http) => {
      const clientAddress = from(http.clientAddress);
      const response = await service?.handle({ ...http, clientAddress });
      if (response === undefined) return { status: 503, headers: {}, body: "not yet" };
      const seconds = http.header(REFRESH_AFTER_S);
      if (seconds === null || typeof response.body !== "string") return response;
      const body = response.body
        .replace('http-equiv="refresh" content="15"', `http-equiv="refresh" content="${seconds}"`)
        .replace('data-every="3"', `data-every="${seconds}"`)
        .replace('data-slowly="15"', `data-slowly="${seconds}"`);
      return { ...response, body };
    },
    { host: "127.0.0.1", port: options.port ?? 0 },
  );
  const issuer = `http://localhost:${listener.port}`;
  const config: ServiceConfig = {
    issuer,
    database: options.database ?? "sqlite::memory:",
    secret: TEST_SECRET,
    dnsServers: [(await options.dns?.(zone)) ?? zone.address],
    minAssurance: "single",
    // Nothing in the zone is signed, and nobody above it says so.
    trustAnchors: [],
    allowedSpecialNames: ["test"],
    ...options.config,
  };
  service = createService(config, {
    clock,
    makeKey: makeTestKey,
    events: logged,
    reach: options.reach ?? zone.reach,
    // The pages of a test come as fast as it asks for them.
    pageShare: Number.POSITIVE_INFINITY,
    rootLook: options.rootLook === null ? async () => null : (options.rootLook ?? rootLook),
    ...(options.sleep && { sleep: options.sleep }),
    ...(options.panelOf && { panelOf: options.panelOf }),
    ...(options.databaseClock && { databaseClock: options.databaseClock }),
    ...(options.dnsCa !== undefined && { dnsCa: options.dnsCa }),
    instrument: (opened) => {
      engine = opened;
      const note = async (statement: SqlStatement) => {
        const sql = textOf(statement);
        if (options.beforeStatement) await options.beforeStatement(sql);
        const line = sql.trim().replace(/\s+/g, " ");
        statements.push(line);
        return line;
      };
      return {
        ...opened,
        execute: async (statement, parameters, within) => {
          const line = await note(statement);
          if (isRead(statement)) reads.push(line);
          else if (!line.startsWith("INSERT INTO history")) commits.push(1);
          return opened.execute(statement, parameters, within);
        },
        commit: async (writes, within) => {
          for (const { statement } of writes) await note(statement);
          commits.push(writes.length);
          return opened.commit(writes, within);
        },
      };
    },
  });
  await service.ready();
  const ready = service;
  // Otherwise, whether the root has been seen would be chance.
  if (options.rootLook === undefined) {
    await vi.waitUntil(() => events.some((line) => line.startsWith("clock certain ")), LONG);
  }
  if (engine === undefined) throw new Error("the database is not open");
  const store = createStore(engine, config);

  return {
    issuer,
    service: ready,
    store,
    zone,
    statements,
    reads,
    commits,
    events,
    advance: (seconds) => {
      offset += seconds * 1000;
    },
    setAhead: (seconds) => {
      ahead = seconds;
    },
    async addClient(registration = {}) {
      const redirect_uris = registration.redirect_uris ?? [REDIRECT_URI];
      const client = await ready.clients.add({ name: "Test App", ...registration, redirect_uris });
      if (client.client_secret !== null) noteSecret("client secret", client.client_secret);
      return {
        id: client.client_id,
        secret: client.client_secret,
        redirectUri: redirect_uris[0] ?? "",
      };
    },
    async token(parameters, client) {
      const body = new URLSearchParams(parameters);
      const headers: Record<string, string> = {};
      if (client?.secret) {
        const pair = Buffer.from(`${client.id}:${client.secret}`).toString("base64");
        headers.authorization = `Basic ${pair}`;
      } else if (client) body.set("client_id", client.id);
      const response = await fetch(`${issuer}/oauth/token`, { method: "POST", body, headers });
      return {
        status: response.status,
        body: (await response.json()) as Record<string, unknown>,
        headers: response.headers,
      };
    },
    async walk() {
      const { spRecords } = createLooks(config, { clock, store });
      const control = createControl({
        ...store,
        spRecords,
        minAssurance: config.minAssurance,
        clock,
        events: logged,
      });
      await walkAccounts(
        { ...store, control, clock, events: logged, mayEnd: () => true },
        async () => {},
      );
    },
    async rowsOf(table) {
      const [row] = (await engine?.execute(`SELECT count(*) AS count FROM ${table}`, [])) ?? [];
      return Number(row?.count);
    },
    async dump() {
      const rows = TABLES.map((table) => engine?.execute(`SELECT * FROM ${table}`, []));
      return JSON.stringify(await Promise.all(rows));
    },
    async close() {
      await listener.close();
      await ready.close();
      // A test that needs DNS to fail has closed the zone.
      await zone.close().catch(() => {});
    },
  };
}

const LONG = { timeout: 60_000, interval: 2 };

/** What a look at the DNS root shows that was signed at this time, in epoch seconds. The margin of deletion is seven days. */
export function signedAt(inception: number): RootLook {
  return { inception, expiration: inception + 5 * 86_400, unknownKeys: [] };
}

/** A start of a service and its end, which leave the schema and the keys in the database. */
export async function startOnce(
  config: Pick<ServiceConfig, "issuer" | "database" | "secret"> & Partial<ServiceConfig>,
): Promise<void> {
  const service = createService(
    { dnsServers: ["127.0.0.1:9"], minAssurance: "single", allowedSpecialNames: [], ...config },
    { makeKey: makeTestKey, log: { write() {} } },
  );
  await service.ready();
  await service.close();
}

/** Events as in production, into the log that the end of the run scans. */
function loggedEvents(into: string[]): Events {
  const log = logTo("the service");
  return jsonEvents({
    write(line) {
      log.write(line);
      const { msg }: { msg: string } = JSON.parse(line);
      into.push(`${msg} ${line.trimEnd()}`);
    },
  });
}
