// What every engine promises about clients that registered themselves: they stay while they are used.

import { Client } from "pg";
import { expect, test } from "vitest";
import { migrate } from "../../../src/database/migrations.ts";
import { openPostgres } from "../../../src/database/postgres.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { until } from "../../support/moving-time.ts";
import { freshDatabase, postgresTests } from "../../support/postgres.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { cleanUpAt, NOW, someClient, someId } from "../../support/store-rows.ts";

const KEPT = 30 * 86_400;
const ofItself = (createdAt = NOW) =>
  someClient({ accessTokenHash: someId(), createdAt, expiresAt: createdAt + KEPT });

async function cleaned(store: Store, now: number): Promise<void> {
  let after: readonly string[] | null = null;
  do after = (await store.cleanUp.removeEnded("clients", after, cleanUpAt(now))).next;
  while (after !== null);
}

onEveryEngine(({ store, stores }) => {
  test("a client that registered itself is found with its token and its end", async () => {
    const client = ofItself();
    await store.registrations.addClient(client);
    expect(await store.registrations.findClient(client.id)).toEqual(client);
  });

  test("one that nobody used is removed when its time is over, and no other client ever", async () => {
    const [client, registered, resource] = [
      ofItself(),
      someClient(),
      someClient({ resource: `https://${someId()}.example` }),
    ];
    for (const row of [client, registered, resource]) await store.registrations.addClient(row);
    await cleaned(store, NOW + KEPT - 1);
    expect(await store.registrations.findClient(client.id)).toEqual(client);
    await cleaned(store, NOW + KEPT);
    expect(await store.registrations.findClient(client.id)).toBeNull();
    for (const { id } of [registered, resource])
      expect(await store.registrations.findClient(id)).not.toBeNull();
  });

  test("one that is used is kept as long as its grants can last, and never for a shorter time", async () => {
    const client = ofItself();
    await store.registrations.addClient(client);
    expect(
      await store.registrations.useClient(client.id, { now: NOW + 5, expiresAt: NOW + 2 * KEPT }),
    ).toBe(true);
    expect(
      await store.registrations.useClient(client.id, { now: NOW + 9, expiresAt: NOW + 1 }),
    ).toBe(true);
    const expected = { ...client, usedAt: NOW + 9, expiresAt: NOW + 2 * KEPT };
    expect(await store.registrations.findClient(client.id)).toEqual(expected);
    await cleaned(store, NOW + 2 * KEPT - 1);
    expect(await store.registrations.findClient(client.id)).toEqual(expected);
    await cleaned(store, NOW + 2 * KEPT);
    expect(await store.registrations.useClient(client.id, { now: NOW, expiresAt: NOW })).toBe(
      false,
    );
    const registered = someClient();
    await store.registrations.addClient(registered);
    expect(await store.registrations.useClient(registered.id, { now: NOW, expiresAt: NOW })).toBe(
      false,
    );
    expect(await store.registrations.findClient(registered.id)).toEqual(registered);
  });

  test("of a sign-in and the removal of the client, whoever is first wins: none is used that is gone", async () => {
    for (let round = 0; round < 8; round++) {
      const client = ofItself();
      await store.registrations.addClient(client);
      const used = await race(stores, 12, async (node, index) => {
        const [now, expiresAt] = [NOW + KEPT, NOW + 9 * KEPT];
        if (index % 2 === 0) return node.registrations.useClient(client.id, { now, expiresAt });
        await cleaned(node, now);
        return null;
      });
      const stays = (await store.registrations.findClient(client.id)) !== null;
      const sure = used.filter((one) => one !== null);
      // The first use keeps the client for all; without one, the removal was first.
      expect(sure, `round ${round}`).toEqual(sure.map(() => stays));
    }
  });

  test("of a first use and a removal by the client itself, whoever is first wins", async () => {
    for (let round = 0; round < 8; round++) {
      const client = ofItself();
      await store.registrations.addClient(client);
      const results = await race(stores, 12, (node, index) =>
        index % 2 === 0
          ? node.registrations.useClient(client.id, { now: NOW, expiresAt: NOW + KEPT })
          : node.registrations.removeUnusedClient(client.id),
      );
      const stays = (await store.registrations.findClient(client.id)) !== null;
      const used = results.filter((_, index) => index % 2 === 0);
      const removed = results.filter((_, index) => index % 2 === 1);
      expect(used, `round ${round}`).toEqual(used.map(() => stays));
      expect(removed.filter(Boolean), `round ${round}`).toHaveLength(stays ? 0 : 1);
    }
    const registered = someClient();
    await store.registrations.addClient(registered);
    expect(await store.registrations.removeUnusedClient(registered.id)).toBe(false);
  });
});

postgresTests("a client whose row is locked", () => {
  test("stays if it is used for the first time while a removal waits for the row", async () => {
    const { url, drop } = await freshDatabase();
    const engine = openPostgres(url);
    const other = new Client({ connectionString: url });
    try {
      await migrate(engine);
      const store = createStore(engine);
      const client = ofItself();
      await store.registrations.addClient(client);
      await other.connect();
      await other.query("BEGIN");
      await other.query("UPDATE clients SET used_at = $1 WHERE id = $2", [NOW, client.id]);
      const dropped = store.registrations.removeUnusedClient(client.id);
      const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'";
      await until(async () => (await other.query(waiting)).rowCount === 1);
      await other.query("COMMIT");
      await dropped;
      expect(await store.registrations.findClient(client.id)).toEqual({ ...client, usedAt: NOW });
    } finally {
      await other.end();
      await engine.close();
      await drop();
    }
  });
});
