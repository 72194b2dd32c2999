// Many nodes that start at the same moment on a fresh PostgreSQL database.

import { afterEach, expect, test } from "vitest";
import type { SqlRow } from "../../src/database/engine.ts";
import { migrate } from "../../src/database/migrations.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { createService, type Service } from "../../src/service.ts";
import { type FreshDatabase, freshDatabase, postgresTests } from "../support/postgres.ts";

postgresTests("nodes on one database", () => {
  const services: Service[] = [];
  const databases: FreshDatabase[] = [];
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.close()));
    await Promise.all(databases.splice(0).map((database) => database.drop()));
  });

  async function migrated(): Promise<string> {
    const database = await freshDatabase();
    databases.push(database);
    const engine = openPostgres(database.url);
    await migrate(engine);
    await engine.close();
    return database.url;
  }

  async function start(url: string): Promise<Service> {
    const service = createService({
      ...{ issuer: "http://localhost:9", database: url, allowedSpecialNames: [] },
      ...{ secret: "a secret for tests, and for nothing else" },
      ...{ dnsServers: ["127.0.0.1:9"], minAssurance: "single" },
    });
    services.push(service);
    await service.ready();
    return service;
  }

  async function textOf(service: Service, path: string): Promise<string> {
    const request = new Request(`http://localhost:9/.well-known/${path}`);
    const response = await service.fetch(request, { clientAddress: "127.0.0.1" });
    expect(response.status).toBe(200);
    return response.text();
  }

  async function keysIn(url: string): Promise<readonly SqlRow[]> {
    const engine = openPostgres(url);
    const rows = await engine.execute("SELECT purpose, id FROM keys ORDER BY purpose, id", []);
    await engine.close();
    return rows;
  }

  test("twenty that start at once make as many keys as one, and publish the same", async () => {
    const url = await migrated();
    const nodes = await Promise.all(Array.from({ length: 20 }, () => start(url)));
    for (const path of ["jwks.json", "oauth-authorization-server"]) {
      const published = await Promise.all(nodes.map((node) => textOf(node, path)));
      expect(new Set(published).size).toBe(1);
    }
    const alone = await migrated();
    await start(alone);
    const keys = await keysIn(url);
    expect(keys.length).toBeGreaterThan(0);
    expect(keys).toEqual(await keysIn(alone));
  });
});
