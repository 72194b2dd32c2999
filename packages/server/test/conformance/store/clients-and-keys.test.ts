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
    for (const client of [...clients.toReversed(), old])
      await store.registrations.addClient(client);
    expect(await store.registrations.listClients()).toEqual([old, ...clients]);
    expect(await store.registrations.findClient(old.id)).toEqual(old);
    expect(await store.registrations.findClient(someId())).toBeNull();
    await expect(store.registrations.addClient(old)).rejects.toThrow(UniqueViolationError);
  });

  test("of 20 resources with the same identifier one is added, and none is listed as a client", async () => {
    const resource = `https://${someId()}.example`;
    const added = await race(stores, 20, (node) =>
      node.registrations.addClient(someClient({ resource })),
    );
    expect(added.filter((isAdded) => isAdded)).toHaveLength(1);
    const found = await store.registrations.findResource(resource);
    expect(await store.registrations.listResources()).toContainEqual(found);
    expect(
      (await store.registrations.listClients()).filter((row) => row.resource !== null),
    ).toEqual([]);
    expect(await store.registrations.findResource(someId())).toBeNull();
    // Any number of clients have none.
    expect(await store.registrations.addClient(someClient())).toBe(true);
  });

  test("a client that is removed is gone, and so are its grants", async () => {
    const [client, other] = [someClient(), someClient()];
    for (const each of [client, other]) await store.registrations.addClient(each);
    const grant = await issuedGrant(store, { clientId: client.id });
    const untouched = await issuedGrant(store, { clientId: other.id });
    expect(await store.registrations.removeClient(client.id, NOW + 1)).toBe(true);
    expect(await store.registrations.removeClient(client.id, NOW + 2)).toBe(false);
    expect(await store.registrations.findClient(client.id)).toBeNull();
    expect((await store.grants.readGrant(grant.id))?.grant.revokedAt).toBe(NOW + 1);
    expect((await store.grants.readGrant(untouched.id))?.grant).toEqual(untouched);
    expect(await store.registrations.findClient(other.id)).toEqual(other);
  });

  test("a client that is removed is an entry in the history of each account that it had access to", async () => {
    const [client, other] = [someClient(), someClient()];
    for (const each of [client, other]) await store.registrations.addClient(each);
    const { accountId } = await issuedGrant(store, { clientId: client.id });
    await issuedGrant(store, { clientId: client.id, accountId });
    const second = await issuedGrant(store, { clientId: client.id });
    const bystander = await issuedGrant(store, { clientId: other.id });
    const past = await issuedGrant(store, { clientId: client.id });
    await store.grants.revokeGrant({ id: past.id, now: NOW });
    for (const at of [NOW + 1, NOW + 1, NOW + 2])
      await store.registrations.removeClient(client.id, at);
    const historyOf = (id: string) => store.histories.historyOf(id, { since: 0, limit: 10 });
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
    await store.registrations.addClient(client);
    const won = await race(stores, 20, (node, index) =>
      node.registrations.updateClient(client.id, { from: "before", to: `by ${index}` }),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    const registration = `by ${won.indexOf(true)}`;
    expect(await store.registrations.findClient(client.id)).toEqual({ ...client, registration });
    expect(
      await store.registrations.updateClient(someId(), { from: registration, to: "other" }),
    ).toBe(false);
  });

  test("of 20 new secrets for one client one wins, and the old one stays until it expires", async () => {
    const client = someClient({ secretHash: "old" });
    await store.registrations.addClient(client);
    const won = await race(stores, 20, (node, index) =>
      node.registrations.rotateClientSecret(client.id, {
        from: "old",
        to: `new ${index}`,
        formerExpiresAt: NOW + index,
      }),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    const winner = won.indexOf(true);
    expect(await store.registrations.findClient(client.id)).toEqual({
      ...client,
      secretHash: `new ${winner}`,
      formerSecretHash: "old",
      formerSecretExpiresAt: NOW + winner,
    });
  });

  test("of 100 attempts under one name each gets another count, and all the same end", async () => {
    const name = someId("attempt ");
    const attempt = { name, windowSeconds: 600, now: NOW };
    const counted = await race(stores, 100, (node) => node.attempts.countAttempt(attempt));
    const counts = counted.map(({ count }) => count).sort((one, other) => one - other);
    expect(counts).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(new Set(counted.map(({ expiresAt }) => expiresAt))).toEqual(new Set([NOW + 600]));
  });

  test("attempts are counted anew when their window is over, which they do not prolong", async () => {
    const name = someId("attempt ");
    const at = (now: number) => store.attempts.countAttempt({ name, windowSeconds: 600, now });
    expect(await at(NOW)).toEqual({ count: 1, expiresAt: NOW + 600 });
    expect(await at(NOW + 599)).toEqual({ count: 2, expiresAt: NOW + 600 });
    expect(await at(NOW + 600)).toEqual({ count: 1, expiresAt: NOW + 1200 });
    expect(
      await store.attempts.countAttempt({ name: someId(), windowSeconds: 1, now: NOW }),
    ).toEqual({
      count: 1,
      expiresAt: NOW + 1,
    });
  });
});
