// A row that another process has locked: who waits for it, and who does not.

import { Client } from "pg";
import { expect, test } from "vitest";
import { migrate } from "../../src/store/migrations.ts";
import { openPostgres } from "../../src/store/postgres.ts";
import { freshDatabase, postgresTests } from "../support/postgres.ts";
import { startTestService } from "../support/service.ts";
import { refresh, signInForTokens } from "../support/sign-in.ts";

/** More than the pool has connections. */
const REQUESTS = 12;

postgresTests("a grant that another process has locked", () => {
  test("is waited for by one connection, so the tokens of others are refreshed meanwhile", async () => {
    const { url, drop } = await freshDatabase();
    const engine = openPostgres(url);
    await migrate(engine);
    await engine.close();
    const node = await startTestService({ database: url });
    const holder = new Client({ connectionString: url });
    try {
      const client = await node.addClient({ consent: "never" });
      const locked = await signInForTokens(node, client);
      const other = await signInForTokens(node, client);
      await holder.connect();
      await holder.query("BEGIN");
      const code = Buffer.from(locked.signIn.code.slice(4), "base64url");
      const id = code.subarray(1, 17).toString("hex");
      const { rowCount } = await holder.query("SELECT 1 FROM grants WHERE id = $1 FOR UPDATE", [
        id,
      ]);
      expect(rowCount).toBe(1);

      const waiting = Array.from({ length: REQUESTS }, () =>
        node.token(refresh(locked.refresh_token), client).then(({ status }) => status),
      );
      const refreshed = node.token(refresh(other.refresh_token), client);
      // The first of them gives up at the deadline of a statement.
      const first = await Promise.race([refreshed.then(({ status }) => status), waiting[0]]);
      expect(first).toBe(200);

      await holder.query("COMMIT");
      await Promise.all(waiting);
      expect((await node.token(refresh(locked.refresh_token), client)).status).toBe(200);
    } finally {
      await holder.end();
      await node.close();
      await drop();
    }
  });
});
