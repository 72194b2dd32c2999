// What every engine promises about keys and facts, and what the keyring makes of it on several nodes.

import { expect, test } from "vitest";
import { createKeyChanges } from "../../../src/keys/key-changes.ts";
import { STANDBY } from "../../../src/keys/key-lives.ts";
import { openKeyring } from "../../../src/keys/keyring.ts";
import { sealWith } from "../../../src/keys/seal.ts";
import { KEY_PURPOSES } from "../../../src/keys/stored-keys.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import type { KeyRow } from "../../../src/store/keys.ts";
import type { Store } from "../../../src/store/store.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { DAY, NOW, someId } from "../../support/store-rows.ts";
import { makeTestKey } from "../../support/test-keys.ts";

const SECRET = "a secret for tests, and for nothing else";
const NEW_SECRET = "another secret for tests, and for nothing else";

const openOn = (store: Store, secret = SECRET, previous?: string) =>
  openKeyring({
    ...store,
    ...{ random: systemRandom, clock: systemClock, makeKey: makeTestKey },
    seal: sealWith(secret, systemRandom, previous),
  });

onEveryEngine(({ store, stores, engine }) => {
  const ofPurpose = async (purpose: string) =>
    (await store.keys.readKeys()).filter((key) => key.purpose === purpose);
  const someKey = (changes: Partial<KeyRow> = {}): KeyRow => ({
    ...{ purpose: someId("purpose "), id: 1, sealed: "sealed", currentFrom: 0, madeAt: NOW },
    ...changes,
  });
  const removeAll = () => engine.execute("DELETE FROM keys", []);

  test("of 20 first starts one sets the key, and keys are read by purpose and number", async () => {
    const purpose = someId("purpose ");
    const won = await race(stores, 20, (node, index) =>
      node.keys.addKey({ ...someKey({ purpose, sealed: `of node ${index}` }), currentFrom: NOW }),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    for (const id of [10, 2]) await store.keys.addKey(someKey({ purpose, id, madeAt: null }));
    const standing = await ofPurpose(purpose);
    expect(standing.map(({ id, madeAt }) => [id, madeAt])).toEqual([
      [1, NOW],
      [2, null],
      [10, null],
    ]);
    expect(await store.keys.addKey(someKey({ purpose, sealed: "too late" }))).toBe(false);
    expect(await ofPurpose(purpose)).toEqual(standing);
    expect(standing[0]?.sealed).toBe(`of node ${won.indexOf(true)}`);
  });

  test("of 20 nodes that seal a key anew one does, and nothing else of it changes", async () => {
    const key = someKey({ sealed: "old" });
    const other = someKey({ purpose: key.purpose, id: 2, sealed: "old" });
    for (const each of [key, other]) await store.keys.addKey(each);
    const { purpose, id } = key;
    const won = await race(stores, 20, (node, index) =>
      node.keys.resealKey({ purpose, id, from: "old", to: `new ${index}` }),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    const sealed = `new ${won.indexOf(true)}`;
    expect(await ofPurpose(purpose)).toEqual([{ ...key, sealed }, other]);
    expect(await store.keys.resealKey({ purpose, id: 3, from: "old", to: "new" })).toBe(false);
  });

  test("keys are removed whose successor has been current for long, each by one of 20 nodes", async () => {
    const purpose = someId("purpose ");
    const from = [0, NOW - 9 * DAY, NOW - DAY, NOW - DAY + 1, NOW + DAY];
    const keys = from.map((currentFrom, index) => someKey({ purpose, id: index + 1, currentFrom }));
    const bystander = someKey();
    for (const key of [...keys, bystander]) await store.keys.addKey(key);
    const removed = await race(stores, 20, (node) =>
      node.keys.removeRetiredKeys(purpose, NOW - DAY),
    );
    expect(removed.reduce((sum, count) => sum + count)).toBe(2);
    expect(await ofPurpose(purpose)).toEqual(keys.slice(2));
    expect(await ofPurpose(bystander.purpose)).toEqual([bystander]);
  });

  test("of 20 nodes that change when a key is current one does, and only from what it was", async () => {
    const key = someKey({ currentFrom: STANDBY });
    const other = someKey({ purpose: key.purpose, id: 2, currentFrom: STANDBY });
    for (const each of [key, other]) await store.keys.addKey(each);
    const { purpose } = key;
    const won = await race(stores, 20, (node, index) =>
      node.keys.changeCurrentFrom(key, NOW + index),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    const currentFrom = NOW + won.indexOf(true);
    expect(await ofPurpose(purpose)).toEqual([{ ...key, currentFrom }, other]);
    expect(await store.keys.changeCurrentFrom({ ...other, sealed: "of before" }, NOW)).toBe(false);
    expect(await ofPurpose(purpose)).toEqual([{ ...key, currentFrom }, other]);
  });

  test("of 20 nodes that remove a key one does, and never a later one with its id", async () => {
    const key = someKey({ sealed: "revoked" });
    const other = someKey({ purpose: key.purpose, id: 2 });
    for (const each of [key, other]) await store.keys.addKey(each);
    const removed = await race(stores, 20, (node) => node.keys.removeKey(key));
    expect(removed.filter(Boolean)).toHaveLength(1);
    expect(await ofPurpose(key.purpose)).toEqual([other]);
    const later = { ...key, sealed: "later" };
    await store.keys.addKey(later);
    expect(await store.keys.removeKey(key)).toBe(false);
    expect(await store.keys.removeKey({ ...later, currentFrom: later.currentFrom + 1 })).toBe(
      false,
    );
    expect(await ofPurpose(key.purpose)).toEqual([later, other]);
  });

  test("a key without a successor is never removed, at whatever time", async () => {
    const key = someKey();
    await store.keys.addKey(key);
    expect(await store.keys.removeRetiredKeys(key.purpose, Number.MAX_SAFE_INTEGER)).toBe(0);
    const next = someKey({ purpose: key.purpose, id: 2, currentFrom: NOW });
    await store.keys.addKey(next);
    expect(await store.keys.removeRetiredKeys(key.purpose, NOW - 1)).toBe(0);
    expect(await ofPurpose(key.purpose)).toEqual([key, next]);
  });

  test("of 50 claims of a fact one stands, and all are told it", async () => {
    const name = someId("fact ");
    const results = await race(stores, 50, (store, index) =>
      store.installation.claimFact(name, `claim ${index}`),
    );
    expect(new Set(results).size).toBe(1);
    expect(results[0]).toMatch(/^claim \d+$/);
    expect(await store.installation.claimFact(name, "too late")).toBe(results[0]);
  });

  test("racing first starts end with one key of each purpose, which all of them hold", async () => {
    await removeAll();
    const rings = await race(stores, 12, (store) => openOn(store));
    const held = rings.map((ring) => [
      ring.currentAt("grant-token", 0).key.toString("hex"),
      ring.signingKeyAt("es256", 0).kid,
    ]);
    expect(new Set(held.map(String)).size).toBe(1);
    const rows = await store.keys.readKeys();
    expect(rows.map(({ purpose, id }) => `${purpose}/${id}`)).toEqual(
      [...KEY_PURPOSES.map((purpose) => `${purpose}/1`), "provider-statement/2"].sort(),
    );
  });

  test("of racing first starts with two secrets one's keys stand whole, and the other is refused", async () => {
    for (let round = 0; round < 3; round++) {
      await removeAll();
      const secrets = [SECRET, NEW_SECRET];
      const starts = await race(stores, 6, (store, index) =>
        openOn(store, secrets[index % 2]).then(
          () => true,
          () => false,
        ),
      );
      const [first, second] = [0, 1].map((side) => starts.filter((_, at) => at % 2 === side));
      expect([first, second].map(String).sort()).toEqual(["false,false,false", "true,true,true"]);
      await expect(openOn(store, secrets[starts.indexOf(true)])).resolves.toBeDefined();
    }
  });

  test("of 12 rotations at once one adds the next key", async () => {
    await removeAll();
    await openOn(store);
    const seal = sealWith(SECRET, systemRandom);
    for (const purpose of ["es256", "grant-token"] as const) {
      const outcomes = await race(stores, 12, (store) =>
        createKeyChanges({ ...store, seal, random: systemRandom }).rotate(purpose, NOW),
      );
      expect(outcomes.filter(({ outcome }) => outcome === "rotated")).toHaveLength(1);
      expect(outcomes.filter(({ outcome }) => outcome === "has_next")).toHaveLength(11);
      expect((await ofPurpose(purpose)).map(({ id }) => id)).toEqual([1, 2]);
    }
  });

  test("of 12 promotions, or 12 revocations of the current key, at once one promotes the standby", async () => {
    const seal = sealWith(SECRET, systemRandom);
    for (const change of ["promotion", "revocation"]) {
      await removeAll();
      const [current = "", standby] = (await openOn(store)).statementKeys();
      const outcomes = await race(stores, 12, async (store) => {
        const deps = { ...store, seal, random: systemRandom };
        if (change === "revocation") return createKeyChanges(deps).revokeStatementKey(current, NOW);
        return (await createKeyChanges(deps).promoteStandby(NOW)).outcome === "promoted";
      });
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      const [now, next, ...more] = (await openOn(store)).statementKeys();
      expect([now, more]).toEqual([standby, []]);
      expect([current, standby]).not.toContain(next);
      const left = change === "revocation" ? [2, 3] : [1, 2, 3];
      expect((await ofPurpose("provider-statement")).map(({ id }) => id)).toEqual(left);
    }
  });

  test("the current key and its standby, revoked at once, both end, and two others take their places", async () => {
    const seal = sealWith(SECRET, systemRandom);
    for (let round = 0; round < 20; round++) {
      await removeAll();
      const before = (await openOn(store)).statementKeys();
      const [current = "", standby = ""] = before;
      const revoked = await race(stores, 4, (store, index) => {
        const kid = index % 2 === round % 2 ? current : standby;
        return createKeyChanges({ ...store, seal, random: systemRandom }).revokeStatementKey(
          kid,
          NOW,
        );
      });
      expect(revoked.filter(Boolean)).toHaveLength(2);
      const after = (await openOn(store)).statementKeys();
      expect(new Set([...before, ...after]).size).toBe(4);
      expect(await ofPurpose("provider-statement")).toHaveLength(2);
    }
  });

  test("of 12 nodes that find no standby at once one makes it", async () => {
    await removeAll();
    const rings = await race(stores, 12, (store) => openOn(store));
    for (const key of await ofPurpose("provider-statement")) {
      if (key.currentFrom === STANDBY) await store.keys.removeKey(key);
    }
    await Promise.all(rings.map((ring) => ring.tend()));
    expect((await ofPurpose("provider-statement")).map(({ id }) => id)).toEqual([1, 2]);
    await Promise.all(rings.map((ring) => ring.tend()));
    expect(new Set(rings.map((ring) => ring.statementKeys().join())).size).toBe(1);
  });

  test("two nodes that start at once with a new secret seal every key anew, and lose none", async () => {
    await removeAll();
    const before = await openOn(store);
    const rings = await race(stores, 6, (store) => openOn(store, NEW_SECRET, SECRET));
    for (const ring of [...rings, await openOn(store, NEW_SECRET)]) {
      expect(ring.currentAt("grant-token", 0)).toEqual(before.currentAt("grant-token", 0));
      expect(ring.publicKeys(0)).toEqual(before.publicKeys(0));
    }
    await expect(openOn(store)).rejects.toThrow("secret does not open the keys");
  });
});
