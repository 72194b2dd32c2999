// A stop while the database is slow: an answer that cannot be sent any more is marked before the database is closed.

import { expect, test } from "vitest";
import { openSqlite } from "../../src/database/sqlite.ts";
import { temporaryFolder } from "../support/folder.ts";
import { heldStatements } from "../support/held-statements.ts";
import { httpRequest } from "../support/http-request.ts";
import { startTestService } from "../support/service.ts";
import { refresh, signInForTokens } from "../support/sign-in.ts";

const folder = temporaryFolder();

test("a refresh that is still being answered when the service closes is marked if its client has been disconnected", async () => {
  const file = folder.file("service.db");
  const statements = heldStatements();
  const at = await startTestService({ database: `sqlite:${file}`, ...statements });
  const client = await at.addClient({ type: "public", consent: "never" });
  const { refresh_token } = await signInForTokens(at, client);
  const { reached, release } = statements.hold("SET generation = generation + 1");
  const body = new URLSearchParams({ ...refresh(refresh_token), client_id: client.id });
  const request = new Request(`${at.issuer}/oauth/token`, { method: "POST", body });
  const answered = at.service
    .handle(httpRequest(request))
    // The listener has closed the connection, three seconds after the change began.
    .then(({ undelivered }) => undelivered?.(performance.now() + 3000));
  await reached;
  const closed = at.close();
  // A close that did not wait would be over by then.
  setTimeout(release, 300);
  await answered;
  await closed;
  const engine = openSqlite(file);
  const [grant] = await engine.execute("SELECT generation, undelivered FROM grants", []);
  await engine.close();
  expect(grant).toEqual({ generation: 2, undelivered: 2 });
});
