// Every engine of the store, for tests of what all of them promise.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, inject } from "vitest";
import { type SqlEngine, type StatementCall, textOf } from "../../src/database/engine.ts";
import { migrate } from "../../src/database/migrations.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { standIn } from "./fixture.ts";
import { freshDatabase, postgresTests } from "./postgres.ts";

/** One database, and the nodes that use it: each is an engine of its own. Its members can be destructured early. */
interface TestDatabase {
  readonly engines: readonly SqlEngine[];
  readonly stores: readonly Store[];
  /** The first node's. */
  readonly engine: SqlEngine;
  readonly store: Store;
}

interface Opened {
  readonly engines: readonly SqlEngine[];
  remove(): Promise<void>;
}

const NODES = 3;
const CONNECTIONS = 8;
/** Races lock rows against each other; on a busy machine they need more than a service would wait. */
const LIMITS = { connections: CONNECTIONS, waitMs: 15_000, deadline: 15_000 };

declare module "vitest" {
  interface ProvidedContext {
    /** The names of the engines to test; all of them unless a config provides some. */
    storeEngines?: readonly string[];
  }
}

const engines = [
  { name: "SQLite in memory", group: describe, open: openMemory },
  { name: "SQLite file", group: describe, open: openFile },
  { name: "PostgreSQL", group: postgresTests, open: openServer },
];

/** The tests on each engine, with a fresh database. The schema is there unless `empty` is said. */
export function onEveryEngine(
  tests: (database: TestDatabase) => void,
  options: { empty?: boolean } = {},
): void {
  const wanted = inject("storeEngines");
  for (const { name, group, open } of engines) {
    if (wanted !== undefined && !wanted.includes(name)) continue;
    group(name, () => {
      let opened: Opened;
      let stores: readonly Store[] = [];
      beforeAll(async () => {
        opened = await open();
        stores = opened.engines.map((engine) => createStore(engine));
        const [first] = opened.engines;
        if (first && !options.empty) await migrate(first);
        await warmUp(stores);
      });
      // Anew for each test, so that mutation tests know which tests reach the code that makes them.
      beforeEach(() => {
        stores = opened.engines.map((engine) => createStore(engine));
      });
      afterAll(async () => {
        await Promise.all(opened.engines.map((engine) => engine.close()));
        await opened.remove();
      });
      tests({
        engines: standIn(() => opened.engines),
        stores: standIn(() => stores),
        engine: standIn(() => first(opened.engines)),
        store: standIn(() => first(stores)),
      });
    });
  }
}

/** `count` calls at once, spread over all nodes. */
export function race<T>(
  stores: readonly Store[],
  count: number,
  attempt: (store: Store, index: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      attempt(stores[index % stores.length] ?? first(stores), index),
    ),
  );
}

async function openMemory(): Promise<Opened> {
  return { engines: [exact(openSqlite(":memory:"))], remove: async () => {} };
}

/** Refuses parameters that a statement does not number: PostgreSQL does, and SQLite does not care. */
function exact(engine: SqlEngine): SqlEngine {
  return {
    ...engine,
    async execute(statement, parameters, options) {
      requireExact({ statement, parameters });
      return engine.execute(statement, parameters, options);
    },
    async commit(writes, options) {
      writes.forEach(requireExact);
      return engine.commit(writes, options);
    },
  };
}

function requireExact({ statement, parameters }: StatementCall): void {
  const sql = textOf(statement);
  const numbers = new Set([...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)));
  const wanted = Array.from(numbers).sort((a, b) => a - b);
  const given = parameters.map((_, index) => index + 1);
  if (wanted.join() !== given.join()) {
    throw new Error(`parameters ${given} for a statement with ${wanted}: ${sql}`);
  }
}

async function openFile(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "domain-signin-store-"));
  const path = join(folder, "store.db");
  return {
    engines: Array.from({ length: NODES }, () => openSqlite(path)),
    remove: async () => rmSync(folder, { recursive: true }),
  };
}

async function openServer(): Promise<Opened> {
  const { url, drop } = await freshDatabase();
  const open = () => openPostgres(url, LIMITS);
  return { engines: Array.from({ length: NODES }, open), remove: drop };
}

/** Opens the connections, so that races are decided in the database and not on the way to it. */
async function warmUp(stores: readonly Store[]): Promise<void> {
  await race(stores, NODES * CONNECTIONS, (store) => store.ping());
}

function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error("the database is not open yet");
  return item;
}
