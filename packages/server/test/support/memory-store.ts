// A store in memory with the whole schema, for tests that need no particular engine.

import type { SqlEngine } from "../../src/database/engine.ts";
import { migrate } from "../../src/database/migrations.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { createStore, type Store } from "../../src/store/store.ts";

/**
 * @example
 * const store = fixture(openMemoryStore, "test");
 */
export async function openMemoryStore(): Promise<Store & { readonly engine: SqlEngine }> {
  const engine = openSqlite(":memory:");
  await migrate(engine);
  return { ...createStore(engine), engine };
}
