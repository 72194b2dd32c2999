// A stop while the database is slow: an answer that cannot be sent any more is marked before the database is closed.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSqlite } from "../../src/store/sqlite.ts";
import { httpRequest } from "../support/http-request.ts";
import { startTestService } from "../support/service.ts";
import { refresh, signInForTokens } from "../support/sign-in.ts";

const folder = mkdtempSync(join(tmpdir(), "stop-marks-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a refresh that is still being answered when the service closes is marked if its client has been disconnected", async () => {
  const file = join(folder, "service.db");
  const slow = { is: false, goOn: () => {} };
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const at = await startTestService({
    database: `sqlite:${file}`,
    async beforeStatement(sql) {
      if (!slow.is || !sql.includes("SET generation = generation + 1")) return;
      begun();
      await new Promise<void>((resolve) => (slow.goOn = resolve));
    },
  });
  const client = await at.addClient({ type: "public", consent: "never" });
  const { refresh_token } = await signInForTokens(at, client);
  slow.is = true;
  const body = new URLSearchParams({ ...refresh(refresh_token), client_id: client.id });
  const request = new Request(`${at.issuer}/oauth/token`, { method: "POST", body });
  const answered = at.service
    .handle(httpRequest(request))
    // The listener has closed the connection, three seconds after the change began.
    .then(({ undelivered }) => undelivered?.(performance.now() + 3000));
  await hasBegun;
  const closed = at.close();
  // A close that did not wait would be over by then.
  setTimeout(() => slow.goOn(), 300);
  await answered;
  await closed;
  const engine = openSqlite(file);
  const [grant] = await engine.execute("SELECT generation, undelivered FROM grants", []);
  await engine.close();
  expect(grant).toEqual({ generation: 2, undelivered: 2 });
});
