// Runs every client library of the table against the service at an https issuer, on each database.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../../packages/server/src/store/migrations.ts";
import { openPostgres } from "../../packages/server/src/store/postgres.ts";
import { freshDatabase, postgresTests } from "../../packages/server/test/support/postgres.ts";
import { DRIVERS } from "./clients.ts";
import { type HttpsService, startHttpsService } from "./https-service.ts";
import { type Cells, measure } from "./measure.ts";

const rows = new Map<string, Cells>();

describe("on SQLite", () => {
  everyClient(() => startHttpsService());
});

postgresTests("on PostgreSQL", () => {
  everyClient(async () => {
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

function everyClient(start: () => Promise<HttpsService>): void {
  let at: HttpsService;
  beforeAll(async () => {
    at = await start();
  });
  afterAll(() => at.close());

  test.each(DRIVERS)("$name does what the table says", async (driver) => {
    const cells = await measure(at, driver);
    expect(rows.get(driver.name) ?? cells).toEqual(cells);
    rows.set(driver.name, cells);
    console.log(driver.name, JSON.stringify(cells));
  });
}
