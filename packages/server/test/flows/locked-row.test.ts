// A row that another process has locked: who waits for it, and who does not.

import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { migratedDatabase, postgresTests } from "../support/postgres.ts";
import { startTestService } from "../support/service.ts";
import { refresh } from "../support/sign-in.ts";

/** More than the pool has connections. */
const REQUESTS = 12;

postgresTests("a grant that another process has locked", () => {
  const database = fixture(migratedDatabase);
  const at = flow({ start: () => startTestService({ database: database.url }) });

  test("is waited for by one connection, so the tokens of others are refreshed meanwhile", async () => {
    const holder = new Client({ connectionString: database.url });
    onTestFinished(() => holder.end());
    const locked = await at.tokens();
    const other = await at.tokens();
    await holder.connect();
    await holder.query("BEGIN");
    const code = Buffer.from(locked.signIn.code.slice(4), "base64url");
    const id = code.subarray(1, 17).toString("hex");
    const { rowCount } = await holder.query("SELECT 1 FROM grants WHERE id = $1 FOR UPDATE", [id]);
    expect(rowCount).toBe(1);

    const waiting = Array.from({ length: REQUESTS }, () =>
      at.token(refresh(locked.refresh_token), at.client).then(({ status }) => status),
    );
    const refreshed = at.token(refresh(other.refresh_token), at.client);
    // The first of them gives up at the deadline of a statement.
    const first = await Promise.race([refreshed.then(({ status }) => status), waiting[0]]);
    expect(first).toBe(200);

    await holder.query("COMMIT");
    await Promise.all(waiting);
    expect((await at.token(refresh(locked.refresh_token), at.client)).status).toBe(200);
  });
});
