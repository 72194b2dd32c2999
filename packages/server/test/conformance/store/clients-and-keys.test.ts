// What every engine promises about clients, and about attempts that are counted.

import { expect, test } from "vitest";
import { UniqueViolationError } from "../../../src/database/engine.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { issuedGrant, NOW, someClient, someId } from "../../support/store-rows.ts";

onEveryEngine(({ store, stores }) => {
  test("clients are found by id and listed by age, then by the octets of their ids", async () => {
    const old = someClient({ createdAt: NOW - 1, secretHash: null });
    // A language would sort these in other ways.
    const ids = ["B-second", "_third", "a-fourth", "é-fifth"];
    const clients = ids.map((id) => someClient({ id }));
    for (const client of [...clients.toReversed(), old]) await store.addClient(client);
    expect(await store.listClients()).toEqual([old, ...clients]);
    expect(await store.findClient(old.id)).toEqual(old);
    expect(await store.findClient(someId())).toBeNull();
    await expect(store.addClient(old)).rejects.toThrow(UniqueViolationError);
  });

  test("of 20 resources with the same identifier one is added, and none is listed as a client", async () => {
    const resource = `https://${someId()}.example`;
    const added = await race(stores, 20, (node) => node.addClient(someClient({ resource })));
    expect(added.filter((isAdded) => isAdded)).toHaveLength(1);
    const found = await store.findResource(resource);
    expect(await store.listResources()).toContainEqual(found);
    expect((await store.listClients()).filter((row) => row.resource !== null)).toEqual([]);
    expect(await store.findResource(someId())).toBeNull();
    // Any number of clients have none.
    expect(await store.addClient(someClient())).toBe(true);
  });

  test("a client that is removed is gone, and so are its grants", async () => {
    const [client, other] = [someClient(), someClient()];
    for (const each of [client, other]) await store.addClient(each);
    const grant = await issuedGrant(store, { clientId: client.id });
    const untouched = await issuedGrant(store, { clientId: other.id });
    expect(await store.removeClient(client.id, NOW + 1)).toBe(true);
    expect(await store.removeClient(client.id, NOW + 2)).toBe(false);
    expect(await store.findClient(client.id)).toBeNull();
    expect((await store.readGrant(grant.id))?.grant.revokedAt).toBe(NOW + 1);
    expect((await store.readGrant(untouched.id))?.grant).toEqual(untouched);
    expect(await store.findClient(other.id)).toEqual(other);
  });

  test("a client that is removed is an entry in the history of each account that it had access to", async () => {
    const [client, other] = [someClient(), someClient()];
    for (const each of [client, other]) await store.addClient(each);
    const { accountId } = await issuedGrant(store, { clientId: client.id });
    await issuedGrant(store, { clientId: client.id, accountId });
    const second = await issuedGrant(store, { clientId: client.id });
    const bystander = await issuedGrant(store, { clientId: other.id });
    const past = await issuedGrant(store, { clientId: client.id });
    await store.revokeGrant({ id: past.id, now: NOW });
    for (const at of [NOW + 1, NOW + 1, NOW + 2]) await store.removeClient(client.id, at);
    const historyOf = (id: string) => store.historyOf(id, { since: 0, limit: 10 });
    for (const id of [accountId, second.accountId]) {
      expect(await historyOf(id)).toEqual([
        {
          ...{ id: expect.any(String), accountId: id, at: NOW + 1, kind: "operator_revoked" },
          detail: { client_id: client.id },
        },
      ]);
    }
    for (const grant of [bystander, past]) expect(await historyOf(grant.accountId)).toEqual([]);
  });

  test("of 20 changes of one registration one wins, and the others change nothing", async () => {
    const client = someClient({ registration: "before" });
    await store.addClient(client);
    const won = await race(stores, 20, (node, index) =>
      node.updateClient(client.id, { from: "before", to: `by ${index}` }),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    const registration = `by ${won.indexOf(true)}`;
    expect(await store.findClient(client.id)).toEqual({ ...client, registration });
    expect(await store.updateClient(someId(), { from: registration, to: "other" })).toBe(false);
  });

  test("of 20 new secrets for one client one wins, and the old one stays until it expires", async () => {
    const client = someClient({ secretHash: "old" });
    await store.addClient(client);
    const won = await race(stores, 20, (node, index) =>
      node.rotateClientSecret(client.id, {
        from: "old",
        to: `new ${index}`,
        formerExpiresAt: NOW + index,
      }),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    const winner = won.indexOf(true);
    expect(await store.findClient(client.id)).toEqual({
      ...client,
      secretHash: `new ${winner}`,
      formerSecretHash: "old",
      formerSecretExpiresAt: NOW + winner,
    });
  });

  test("of 100 attempts under one name each gets another count, and all the same end", async () => {
    const name = someId("attempt ");
    const attempt = { name, windowSeconds: 600, now: NOW };
    const counted = await race(stores, 100, (node) => node.countAttempt(attempt));
    const counts = counted.map(({ count }) => count).sort((one, other) => one - other);
    expect(counts).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(new Set(counted.map(({ expiresAt }) => expiresAt))).toEqual(new Set([NOW + 600]));
  });

  test("attempts are counted anew when their window is over, which they do not prolong", async () => {
    const name = someId("attempt ");
    const at = (now: number) => store.countAttempt({ name, windowSeconds: 600, now });
    expect(await at(NOW)).toEqual({ count: 1, expiresAt: NOW + 600 });
    expect(await at(NOW + 599)).toEqual({ count: 2, expiresAt: NOW + 600 });
    expect(await at(NOW + 600)).toEqual({ count: 1, expiresAt: NOW + 1200 });
    expect(await store.countAttempt({ name: someId(), windowSeconds: 1, now: NOW })).toEqual({
      count: 1,
      expiresAt: NOW + 1,
    });
  });
});
