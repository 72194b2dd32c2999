// The real service for a test: on loopback, with a zone in memory, a clock to move, statements counted.

import { startZone, type Zone } from "../../src/demo/zone.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import type { Events } from "../../src/lib/events.ts";
import { listen } from "../../src/lib/listen.ts";
import { createService, type Service } from "../../src/service.ts";
import type { SqlEngine } from "../../src/store/sql/engine.ts";

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
  /** Every event, as `name fields`. */
  readonly events: string[];
  /** Moves the service's clock forward. */
  advance(seconds: number): void;
  addClient(registration?: Partial<Parameters<Service["clients"]["add"]>[0]>): Promise<TestClient>;
  /** A form post to the token endpoint; `client` as Basic, or as body parameters if it has no secret. */
  token(
    parameters: Record<string, string>,
    client?: Pick<TestClient, "id" | "secret">,
  ): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>;
  /** Everything that the database holds, as text. */
  dump(): Promise<string>;
  close(): Promise<void>;
}

export const TEST_DOMAINS = ["alice.test", "bob.test", "carol.test"];
const TABLES = [
  ...["accounts", "clients", "consents", "devices", "enrolments", "facts", "grants"],
  ...["interactions", "keys", "recovery_codes", "sessions"],
];
const REDIRECT_URI = "https://app.example.org/callback";

export async function startTestService(options: { database?: string } = {}): Promise<TestService> {
  const zone = await startZone({ origins: TEST_DOMAINS });
  const statements: string[] = [];
  const events: string[] = [];
  let offset = 0;
  let engine: SqlEngine | undefined;
  let service: Service | undefined;
  const listener = await listen(
    (request, info) => service?.fetch(request, info) ?? new Response("not yet", { status: 503 }),
    { host: "127.0.0.1", port: 0 },
  );
  const issuer = `http://localhost:${listener.port}`;
  service = createService(
    {
      issuer,
      database: options.database ?? "sqlite::memory:",
      secret: "a secret for tests, and for nothing else",
      dnsServers: [zone.address],
      minAssurance: "single",
      allowedSpecialNames: ["test"],
    },
    {
      clock: clockFrom(() => Date.now() + offset),
      events: recordedEvents(events),
      instrument: (opened) => {
        engine = opened;
        return {
          ...opened,
          execute(sql, parameters) {
            statements.push(sql.trim().replace(/\s+/g, " "));
            return opened.execute(sql, parameters);
          },
        };
      },
    },
  );
  await service.ready();
  const ready = service;

  return {
    issuer,
    service: ready,
    zone,
    statements,
    events,
    advance: (seconds) => {
      offset += seconds * 1000;
    },
    async addClient(registration = {}) {
      const redirect_uris = registration.redirect_uris ?? [REDIRECT_URI];
      const client = await ready.clients.add({ name: "Test App", ...registration, redirect_uris });
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
    async dump() {
      const rows = TABLES.map((table) => engine?.execute(`SELECT * FROM ${table}`, []));
      return JSON.stringify(await Promise.all(rows));
    },
    async close() {
      await listener.close();
      await ready.close();
      await zone.close();
    },
  };
}

function recordedEvents(into: string[]): Events {
  const note = (name: string) => (fields: object) => {
    into.push(
      `${name} ${JSON.stringify(fields, (_, value) => (value instanceof Error ? value.stack : value))}`,
    );
  };
  return {
    listening: note("listening"),
    refused: note("refused"),
    failed: note("failed"),
    replayed: note("replayed"),
    lostWrites: note("lostWrites"),
    enrolled: note("enrolled"),
    signedIn: note("signedIn"),
  };
}
