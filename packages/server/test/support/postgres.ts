// A fresh PostgreSQL database for a test file: a schema of its own on the server of this run.

import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { describe, inject } from "vitest";
import { migrate } from "../../src/database/migrations.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { fixture } from "./fixture.ts";
import type {} from "./postgres-setup.ts";

export interface FreshDatabase {
  /** Everything that is made through this URL is made in the schema. */
  readonly url: string;
  drop(): Promise<void>;
}

/** A group of tests that need PostgreSQL: skipped aloud where there is none, failed in CI. */
export function postgresTests(title: string, tests: () => void): void {
  const postgres = inject("postgres");
  const missing = "missing" in postgres ? postgres.missing : undefined;
  // A skip that nobody reads would let a release out untested.
  if (missing !== undefined && process.env.CI === "true") throw new Error(missing);
  describe.skipIf(missing !== undefined)(title, tests);
}

/** Empty, and nobody else's. The server's user needs to be allowed to make schemas, no more. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const postgres = inject("postgres");
  if ("missing" in postgres) throw new Error(postgres.missing);
  const server = postgres.url;
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onServer(server, `CREATE SCHEMA ${name}`);
  return {
    url: withSetting(server, "search_path", name),
    drop: () => onServer(server, `DROP SCHEMA ${name} CASCADE`),
  };
}

/** A fresh database for the file, or for each test. */
export function postgresFixture(scope?: "file" | "test") {
  return fixture(async () => {
    const { url, drop } = await freshDatabase();
    return { url, close: drop };
  }, scope);
}

/** A fresh database with the tables of a service; a fixture drops it. */
export async function migratedDatabase() {
  const { url, drop } = await freshDatabase();
  const engine = openPostgres(url);
  await migrate(engine);
  await engine.close();
  return { url, close: drop };
}

/** The URL with a setting that holds for every connection made through it. */
export function withSetting(url: string, setting: string, value: string): string {
  const changed = new URL(url);
  const others = changed.searchParams.get("options");
  const option = `-c ${setting}=${value}`;
  changed.searchParams.set("options", others === null ? option : `${others} ${option}`);
  return changed.href;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
