// What every engine promises about keys that an operator ends: they are gone, recorded, and at once replaced.

import { describe, expect, test } from "vitest";
import { createKeyChanges } from "../../../src/keys/key-changes.ts";
import { currentOf } from "../../../src/keys/key-lives.ts";
import { openKeyring } from "../../../src/keys/keyring.ts";
import { sealWith } from "../../../src/keys/seal.ts";
import { clockFrom } from "../../../src/lib/clock.ts";
import { UnavailableError } from "../../../src/lib/errors.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import type { KeyRow } from "../../../src/store/keys.ts";
import type { Store } from "../../../src/store/store.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { DAY, NOW, someClient, someId } from "../../support/store-rows.ts";
import { makeTestKey } from "../../support/test-keys.ts";

const seal = sealWith("a secret for tests, and for nothing else", systemRandom);
const depsOf = (store: Store) => ({ ...store, seal, random: systemRandom, makeKey: makeTestKey });
const clock = clockFrom(() => NOW * 1000);
const open = (store: Store) => openKeyring({ ...depsOf(store), clock });

onEveryEngine(({ store, stores, engine }) => {
  const ring = async (purpose: string) =>
    (await store.keys.readKeys()).filter((key) => key.purpose === purpose);
  const idsOf = async (purpose: string) => (await ring(purpose)).map(({ id }) => id);
  const ended = (purpose: string) =>
    engine.execute(
      "SELECT key_id, made_at, ended_at FROM ended_keys WHERE purpose = ?1 ORDER BY key_id",
      [purpose],
    );
  const someKey = (changes: Partial<KeyRow> = {}): KeyRow => ({
    ...{ purpose: someId("purpose "), id: 1, sealed: "sealed", currentFrom: 0, madeAt: NOW },
    ...changes,
  });
  /** The first keys, and nothing of earlier tests. */
  async function begin() {
    for (const table of ["keys", "ended_keys"]) {
      await engine.execute(`DELETE FROM ${table}`, []);
    }
    for (const purpose of ["grant-token", "es256"] as const) {
      const first = { purpose, id: 1, currentFrom: 0, madeAt: NOW };
      await createKeyChanges(depsOf(store)).add(first);
    }
  }
  const end = (purpose: "grant-token" | "es256", id: number, node = store) =>
    createKeyChanges(depsOf(node)).end({ purpose, id }, NOW);

  test("of 20 nodes that remove an ended key, one does, and none does before its end is recorded and it has a successor", async () => {
    const key = someKey({ madeAt: null, currentFrom: 5 });
    const { purpose } = key;
    await store.keys.addKey(key);
    await store.keys.recordEndedKey({ ...key, sealed: "of before" }, NOW);
    expect(await ended(purpose)).toEqual([]);
    const later = someKey({ purpose, id: 2, currentFrom: 6 });
    await store.keys.addKey(later);
    expect(await store.keys.removeEndedKey(key)).toBe(false);
    for (const at of [NOW, NOW + 1]) await store.keys.recordEndedKey(key, at);
    expect(await ended(purpose)).toEqual([{ key_id: 1, made_at: 0, ended_at: NOW }]);
    // The later key is not current as early as the ended one was.
    expect(await store.keys.removeEndedKey(key)).toBe(false);
    await store.keys.changeCurrentFrom(later, 5);
    expect(await store.keys.removeEndedKey({ ...key, sealed: "of before" })).toBe(false);
    const removed = await race(stores, 20, (node) => node.keys.removeEndedKey(key));
    expect(removed.filter(Boolean)).toHaveLength(1);
    expect(await idsOf(purpose)).toEqual([2]);
    const last = { ...later, currentFrom: 5 };
    await store.keys.addKey({ ...last, id: 3 });
    expect(await store.keys.removeEndedKey(last)).toBe(false);
    await store.keys.removeKey({ ...last, id: 3 });
    await store.keys.recordEndedKey(last, NOW);
    expect(await store.keys.removeEndedKey(last)).toBe(false);
  });

  describe.each(["grant-token", "es256"] as const)("the current key of %s", (purpose) => {
    test("is replaced by a new key if it is the only one, with the next id and current from the same time", async () => {
      await begin();
      const [before] = await ring(purpose);
      expect(await end(purpose, 1)).toBe("ended");
      const [after, ...more] = await ring(purpose);
      expect(more).toEqual([]);
      expect(after).toMatchObject({ id: 2, currentFrom: 0, madeAt: NOW });
      expect(after?.sealed).not.toBe(before?.sealed);
      expect(await ended(purpose)).toEqual([{ key_id: 1, made_at: NOW, ended_at: NOW }]);
      expect(await end(purpose, 1)).toBe("no_key");
    });

    test("is replaced by its next key, which is current at once by every clock", async () => {
      await begin();
      expect(await createKeyChanges(depsOf(store)).rotate(purpose, NOW)).toMatchObject({ id: 2 });
      expect(currentOf(await ring(purpose), NOW)?.id).toBe(1);
      expect(await end(purpose, 1)).toBe("ended");
      for (const time of [0, NOW - DAY, NOW, NOW + DAY]) {
        expect(currentOf(await ring(purpose), time)?.id).toBe(2);
      }
    });

    test("is ended by one of 12 nodes at once, which leaves one new key", async () => {
      await begin();
      const outcomes = await race(stores, 12, (store) => end(purpose, 1, store));
      expect(outcomes.toSorted()).toEqual(["ended", ...Array(11).fill("no_key")]);
      expect(await idsOf(purpose)).toEqual([2]);
    });

    test("and its next key, ended at once on many nodes, are followed by a third, and there is always one", async () => {
      for (let round = 0; round < 4; round++) {
        await begin();
        await createKeyChanges(depsOf(store)).rotate(purpose, NOW);
        let isOver = false;
        const watched = (async () => {
          let fewest = Number.POSITIVE_INFINITY;
          while (!isOver) {
            fewest = Math.min(fewest, (await ring(purpose)).length);
            await new Promise((resolve) => setImmediate(resolve));
          }
          return fewest;
        })();
        const outcomes = await race(stores, 6, (store, index) =>
          end(purpose, (index + round) % 2 === 0 ? 1 : 2, store),
        );
        isOver = true;
        expect(await watched).toBeGreaterThan(0);
        expect(outcomes.filter((outcome) => outcome === "ended")).toHaveLength(2);
        const [left, ...more] = await ring(purpose);
        expect(more).toEqual([]);
        expect(left).toMatchObject({ id: 3, currentFrom: 0 });
        expect((await ended(purpose)).map(({ key_id }) => key_id)).toEqual([1, 2]);
      }
    });

    test("is ended by a second run if the first one was killed after any of its statements", async () => {
      for (let statements = 0; ; statements++) {
        await begin();
        let left = statements;
        const dying =
          <T extends unknown[], R>(verb: (...values: T) => Promise<R>) =>
          async (...values: T) => {
            if (left-- === 0) throw new Error("killed");
            return verb(...values);
          };
        const keys = {
          ...store.keys,
          addKey: dying(store.keys.addKey),
          recordEndedKey: dying(store.keys.recordEndedKey),
          removeEndedKey: dying(store.keys.removeEndedKey),
        };
        const first = await end(purpose, 1, { ...store, keys }).catch(() => "killed");
        expect(currentOf(await ring(purpose), NOW)).toBeDefined();
        if (first === "ended") break;
        expect(await end(purpose, 1)).toBe("ended");
        expect(await idsOf(purpose)).toEqual([2]);
        expect(await ended(purpose)).toHaveLength(1);
      }
    });
  });

  test("a key that is not the current one ends alone, and a next one has a successor first", async () => {
    await begin();
    const deps = depsOf(store);
    await createKeyChanges(deps).rotate("grant-token", NOW);
    expect(await end("grant-token", 2)).toBe("ended");
    expect(await ring("grant-token")).toMatchObject([
      { id: 1, currentFrom: 0 },
      { id: 3, currentFrom: NOW + DAY },
    ]);
    expect(await end("grant-token", 1)).toBe("ended");
    expect(await ring("grant-token")).toMatchObject([{ id: 3, currentFrom: 0 }]);
  });

  test("the last id of a MAC key cannot end, because no id is used twice", async () => {
    await begin();
    const sealed = seal.close("grant-token/255", systemRandom(32));
    await store.keys.addKey({ ...someKey({ purpose: "grant-token", id: 255 }), sealed });
    expect(await end("grant-token", 255)).toBe("ids_used_up");
    expect(await end("grant-token", 1)).toBe("ended");
    expect(await idsOf("grant-token")).toEqual([255]);
  });

  test("an ending that other processes overtake again and again fails with an explanation", async () => {
    await begin();
    const keys = { ...store.keys, removeEndedKey: async () => false };
    await expect(end("es256", 1, { ...store, keys })).rejects.toThrow(UnavailableError);
  });

  test("a node drops an ended key when it reads the keys, and refuses its tokens", async () => {
    await begin();
    const node = await open(store);
    const before = node.publicKeys(NOW);
    for (const purpose of ["grant-token", "es256"] as const) await end(purpose, 1);
    expect(await node.find("grant-token", 1)).not.toBeNull();
    await node.tend();
    expect(await node.find("grant-token", 1)).toBeNull();
    expect(node.currentAt("grant-token", NOW).id).toBe(2);
    const [first] = node.publicKeys(NOW);
    expect(first?.kid).toBe(node.signingKeyAt("es256", NOW).kid);
    expect(before.map(({ kid }) => kid)).not.toContain(first?.kid);
    expect(node.publicKeys(NOW)).toHaveLength(before.length);
  });

  test("of 20 endings of one former secret, one succeeds, and the current secret stays", async () => {
    const client = someClient({ secretHash: "first" });
    await store.registrations.addClient(client);
    const rotation = { from: "first", to: "second", formerExpiresAt: NOW + 60 };
    await store.registrations.rotateClientSecret(client.id, rotation);
    expect(await store.registrations.endFormerSecret(client.id, "second")).toBe(false);
    const ends = await race(stores, 20, (node) =>
      node.registrations.endFormerSecret(client.id, "first"),
    );
    expect(ends.filter(Boolean)).toHaveLength(1);
    const left = { ...client, secretHash: "second" };
    expect(await store.registrations.findClient(client.id)).toEqual(left);
    const at = { from: "second", to: "third", formerExpiresAt: null };
    const rotated = await race(stores, 20, (node) =>
      node.registrations.rotateClientSecret(client.id, at),
    );
    expect(rotated.filter(Boolean)).toHaveLength(1);
    expect(await store.registrations.findClient(client.id)).toEqual({
      ...left,
      secretHash: "third",
    });
  });

  test("a secret that ends is recorded once, if the client has it", async () => {
    const client = someClient({ secretHash: "first" });
    await store.registrations.addClient(client);
    const rotation = { from: "first", to: "second", formerExpiresAt: NOW + 60 };
    await store.registrations.rotateClientSecret(client.id, rotation);
    for (const hash of ["first", "second", "third", "first"]) {
      await store.registrations.recordEndedSecret(
        client.id,
        hash,
        hash === "first" ? NOW : NOW + 1,
      );
    }
    const rows = await engine.execute(
      "SELECT secret_hash, ended_at FROM ended_secrets WHERE client_id = ?1 ORDER BY secret_hash",
      [client.id],
    );
    expect(rows).toEqual([
      { secret_hash: "first", ended_at: NOW },
      { secret_hash: "second", ended_at: NOW + 1 },
    ]);
  });

  test("a statement key that is revoked is recorded as ended, once", async () => {
    await begin();
    const [current = ""] = (await open(store)).statementKeys();
    await race(stores, 6, (store) =>
      createKeyChanges(depsOf(store)).revokeStatementKey(current, NOW),
    );
    expect(await ended("provider-statement")).toEqual([{ key_id: 1, made_at: NOW, ended_at: NOW }]);
  });
});
