// A sign-in raises the weight of its networks, over restarts, and never fails because of it.

import { expect, test } from "vitest";
import { openSqlite } from "../../src/database/sqlite.ts";
import { temporaryFolder } from "../support/folder.ts";
import { heldSleep } from "../support/held-sleep.ts";
import { startTestService } from "../support/service.ts";
import { signInForTokens } from "../support/sign-in.ts";

const folder = temporaryFolder();
const HOUR = 3_600_000;

/** The counts in the file, which no service has open. */
async function countsIn(file: string) {
  const engine = openSqlite(file);
  const rows = await engine.execute("SELECT mac, count FROM network_weights ORDER BY mac", []);
  await engine.close();
  return rows.map(({ mac, count }) => [String(mac), Number(count)] as const);
}

test("a service that stops saves the sign-ins of each network, and the next one adds to them", async () => {
  const file = folder.file("stopped.db");
  const options = { database: `sqlite:${file}`, clientAddress: () => "203.0.113.7" };
  const first = await startTestService(options);
  await signInForTokens(first, await first.addClient({ type: "public", consent: "never" }));
  await first.close();
  const counts = await countsIn(file);
  expect(counts.map(([, count]) => count)).toEqual([1, 1]);
  expect(JSON.stringify(counts)).not.toContain("203.0.113");
  const port = Number(new URL(first.issuer).port);
  const second = await startTestService({ ...options, port });
  const client = await second.addClient({ type: "public", consent: "never" });
  await signInForTokens(second, client, { domain: "bob.test" });
  await second.close();
  expect(await countsIn(file)).toEqual(counts.map(([mac]) => [mac, 2]));
});

test("every hour they are saved, once", async () => {
  const held = heldSleep();
  const at = await startTestService({ sleep: held.sleep });
  const saved = () => at.statements.filter((sql) => sql.includes("INTO network_weights"));
  await signInForTokens(at, await at.addClient({ type: "public", consent: "never" }));
  expect(saved()).toEqual([]);
  await expect
    .poll(async () => {
      await held.end((milliseconds) => milliseconds === HOUR);
      return saved().length;
    })
    .toBe(1);
  await at.close();
  expect(saved()).toHaveLength(1);
});

test("a database that does not take them harms no sign-in and no stop, and is reported", async () => {
  const at = await startTestService({
    beforeStatement: async (sql) => {
      if (sql.includes("network_weights")) throw new Error("no such table");
    },
  });
  const client = await at.addClient({ type: "public", consent: "never" });
  const tokens = await signInForTokens(at, client);
  expect(tokens.refresh_token).toBeTruthy();
  await at.close();
  const failures = at.events.filter((event) => event.startsWith("failed"));
  expect(failures).toHaveLength(2);
  for (const failure of failures) expect(failure).toContain("network weights");
});
