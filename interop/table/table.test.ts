// Runs every client library of the table against the service at an https issuer, on each database.

import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../../packages/server/src/database/migrations.ts";
import { openPostgres } from "../../packages/server/src/database/postgres.ts";
import { freshDatabase, postgresTests } from "../../packages/server/test/support/postgres.ts";
import { DRIVERS } from "./clients.ts";
import { type HttpsService, startHttpsService } from "./https-service.ts";
import { type Cells, measure } from "./measure.ts";
import { PAGE, readPage, renderPage } from "./page.ts";

const TIMEOUT_MS = 120_000;
const isWritten = process.env.INTEROP_TABLE === "write";
const rows = new Map<string, Cells>();
const engines = new Set<string>();

describe("on SQLite", () => {
  everyClient("SQLite", () => startHttpsService());
});

postgresTests("on PostgreSQL", () => {
  everyClient("PostgreSQL", async () => {
    const database = await freshDatabase();
    const engine = openPostgres(database.url);
    await migrate(engine);
    await engine.close();
    const at = await startHttpsService(database.url);
    return {
      ...at,
      async close() {
        await at.close();
        await database.drop();
      },
    };
  });
});

test("docs/interop.md is the table of this run", () => {
  if (isWritten && engines.size < 2) throw new Error("the page is about two databases");
  const committed = readPage();
  const page = renderPage(DRIVERS, rows, committed, { keepDebianVersions: !isWritten });
  if (isWritten) writeFileSync(PAGE, page);
  else expect(page, "run: npm run interop-table").toBe(committed);
});

function everyClient(engine: string, start: () => Promise<HttpsService>): void {
  let at: HttpsService;
  beforeAll(async () => {
    at = await start();
    engines.add(engine);
  });
  afterAll(() => at?.close());

  test.for(DRIVERS)(
    "$name performs the steps that its driver names, and no others",
    { timeout: TIMEOUT_MS },
    async (driver, context) => {
      const missing = await driver.missing?.();
      if (missing !== undefined) {
        // A skip that nobody reads would let a release out untested.
        if (process.env.CI === "true") throw new Error(missing);
        process.stderr.write(`\nSKIPPED: ${driver.name} on ${engine}: ${missing}\n\n`);
        return context.skip();
      }
      const cells = await measure(at, driver);
      // The same on each database.
      expect(cells).toEqual(rows.get(driver.name) ?? cells);
      rows.set(driver.name, cells);
    },
  );
}
