// Tests of rotation: a key is next for a day, then current, then retired and gone.

import { beforeEach, describe, expect, it } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { clockFrom } from "../lib/clock.ts";
import { OperatorError, UnavailableError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import type { KeyStore } from "../store/keys.ts";
import { createKeyChanges } from "./key-changes.ts";
import { keyRegistry } from "./key-registry.ts";
import { type Keyring, openKeyring } from "./keyring.ts";
import { sealWith } from "./seal.ts";
import { makeSigningKey } from "./signing-key.ts";
import { LAST_MAC_KEY_ID, type RotatedPurpose } from "./stored-keys.ts";

const DAY = 86_400;
const START = 1_700_000_000;
const seal = sealWith("the operator's secret, of enough characters", systemRandom);
/** Made once for all tests: it is what takes time in a first start. */
const rsa = await makeSigningKey("RS256");

const store = fixture(openMemoryStore, "test");
let now: number;
/** By how many seconds the clock is ahead of what is proven. */
let ahead: number;

beforeEach(async () => {
  [now, ahead] = [START, 0];
  const sealed = seal.close("rs256/1", rsa);
  await store.keys.addKey({ purpose: "rs256", id: 1, sealed, currentFrom: 0, madeAt: START });
});

const deps = () => ({ ...store, seal, random: systemRandom });
const clock = { ...clockFrom(() => now * 1000), floor: () => now - ahead };
const open = (over: Partial<KeyStore> = {}): Promise<Keyring> =>
  openKeyring({ ...deps(), keys: { ...store.keys, ...over }, clock });
const rotateNow = (purpose: RotatedPurpose) => createKeyChanges(deps()).rotate(purpose, now);
const ids = async (purpose: string) =>
  (await store.keys.readKeys()).filter((key) => key.purpose === purpose).map(({ id }) => id);
const kids = (ring: Keyring) =>
  ring.publicKeys(now).flatMap(({ alg, kid }) => (alg === "ES256" ? kid : []));

describe("a signing key", () => {
  it("is published from its making, signs after a day, and is published a day longer than it signs", async () => {
    const ring = await open();
    const first = ring.signingKeyAt("es256", now).kid;
    expect(kids(ring)).toEqual([first]);
    const rotated = { outcome: "rotated", id: 2, currentFrom: START + DAY };
    expect(await rotateNow("es256")).toEqual(rotated);
    await ring.tend();
    const [, second = ""] = kids(ring);
    expect(kids(ring)).toEqual([first, second]);
    now = START + DAY - 1;
    expect(ring.signingKeyAt("es256", now).kid).toBe(first);
    now = START + DAY;
    expect(ring.signingKeyAt("es256", now).kid).toBe(second);
    expect(kids(ring)).toEqual([second, first]);
    now = START + 2 * DAY - 1;
    await ring.tend();
    expect(kids(ring)).toEqual([second, first]);
    expect(await ids("es256")).toEqual([1, 2]);
    now = START + 2 * DAY;
    expect(kids(ring)).toEqual([second]);
    await ring.tend();
    expect(kids(ring)).toEqual([second]);
    // A node whose clock is days ahead must not take it from the others.
    now = START + 9 * DAY - 1;
    await ring.tend();
    expect(await ids("es256")).toEqual([1, 2]);
    now = START + 9 * DAY;
    await ring.tend();
    expect(await ids("es256")).toEqual([2]);
  });

  it("is rotated by itself when it is older than 90 days, once", async () => {
    const ring = await open();
    now = START + 90 * DAY;
    await ring.tend();
    expect(await ids("es256")).toEqual([1]);
    now += 1;
    await ring.tend();
    expect(kids(ring)).toHaveLength(2);
    await ring.tend();
    expect(await ids("es256")).toEqual([1, 2]);
    expect(kids(ring)).toHaveLength(2);
    // The second is as old as its time as the current one.
    now += DAY + 90 * DAY;
    await ring.tend();
    expect(await ids("es256")).toEqual([2]);
    now += 1;
    await ring.tend();
    expect(await ids("es256")).toEqual([2, 3]);
  });

  it("is neither made nor removed by a clock that only has jumped, nor removed while nothing may end", async () => {
    const ring = await open();
    [now, ahead] = [START + 100 * DAY, 10 * DAY];
    await ring.tend();
    expect(await ids("es256")).toEqual([1]);
    ahead = 10 * DAY - 1;
    await ring.tend();
    expect(await ids("es256")).toEqual([1, 2]);
    now += 9 * DAY;
    ahead = 1;
    await ring.tend();
    expect(await ids("es256")).toEqual([1, 2]);
    ahead = 0;
    await ring.tend({ mayRemove: false });
    expect(await ids("es256")).toEqual([1, 2]);
    await ring.tend();
    expect(await ids("es256")).toEqual([2]);
  });

  it("is made by no clock that is behind what is proven", async () => {
    const ring = await open();
    [now, ahead] = [START + 90 * DAY, -DAY];
    await ring.tend();
    expect(await ids("es256")).toEqual([1]);
  });

  it("of racing nodes is added by one", async () => {
    const rings = await Promise.all([open(), open(), open()]);
    now += 91 * DAY;
    await Promise.all(rings.map((ring) => ring.tend()));
    expect(await ids("es256")).toEqual([1, 2]);
    for (const ring of rings) await ring.tend();
    expect(new Set(rings.map((ring) => kids(ring).join())).size).toBe(1);
  });

  it("is there for a clock that is behind: the oldest stands in", async () => {
    const ring = await open();
    await rotateNow("es256");
    now += 9 * DAY;
    await ring.tend();
    const kid = ring.signingKeyAt("es256", now).kid;
    now = START;
    expect((await open()).signingKeyAt("es256", now).kid).toBe(kid);
    expect(kids(await open())).toEqual([kid]);
  });
});

describe("the keys of ID tokens and of client assertions", () => {
  const purposes = ["es256", "rs256", "eddsa", "client-assertion"] as const;

  it("follow one another by themselves, each for itself", async () => {
    const ring = await open();
    await rotateNow("rs256");
    now = START + 90 * DAY + 1;
    await ring.tend();
    // That of RS256 is a day younger.
    expect(await Promise.all(purposes.map(ids))).toEqual([[1, 2], [2], [1, 2], [1, 2]]);
    expect(ring.publicKeys(now)).toHaveLength(5);
    expect(ring.clientAssertionKeys(now)).toHaveLength(2);
    now += 9 * DAY;
    await ring.tend();
    expect(await Promise.all(purposes.map(ids))).toEqual([[2], [2, 3], [2], [2]]);
  });
});

describe("the statement keys", () => {
  const promote = () => createKeyChanges(deps()).promoteStandby(now);
  const forgetStandby = () =>
    store.engine.execute("DELETE FROM keys WHERE purpose = 'provider-statement' AND id = 2", []);
  const signsFor = (ring: Keyring, kid = "") => ring.statementKeyFor([kid]) !== null;

  it("are a current one, which alone signs, and a standby; no time changes them", async () => {
    const ring = await open();
    const [current, standby, ...more] = ring.statementKeys();
    expect(more).toEqual([]);
    now += 1000 * DAY;
    await ring.tend();
    expect(ring.statementKeys()).toEqual([current, standby]);
    expect([signsFor(ring, current), signsFor(ring, standby)]).toEqual([true, false]);
    expect(ring.statementKeyFor([])).toBeNull();
  });

  it("are rotated at a word: the standby signs at once, and the retired key never again", async () => {
    const ring = await open();
    const [first = "", second = ""] = ring.statementKeys();
    expect(await promote()).toEqual({ outcome: "promoted", kid: second });
    await ring.tend();
    const [current, third, ...more] = ring.statementKeys();
    expect([current, more]).toEqual([second, []]);
    expect([first, second]).not.toContain(third);
    // A record of before the rotation lists both.
    expect(ring.statementKeyFor([first, second])?.kid).toBe(second);
    expect(signsFor(ring, first)).toBe(false);
    expect(await ids("provider-statement")).toEqual([1, 2, 3]);
  });

  it("are rotated once a day at most: a command that is repeated ends no key that records list", async () => {
    expect(await promote()).toEqual({ outcome: "no_keys" });
    await open();
    expect(await promote()).toMatchObject({ outcome: "promoted" });
    now += DAY - 1;
    expect(await promote()).toEqual({ outcome: "too_soon" });
    now += 1;
    expect(await promote()).toMatchObject({ outcome: "promoted" });
    expect(await ids("provider-statement")).toEqual([1, 2, 3, 4]);
  });

  it("are the same on a node whose clock is behind the rotation: a retired key never signs", async () => {
    const ring = await open();
    const [first, second] = ring.statementKeys();
    await promote();
    now -= 1000 * DAY;
    await ring.tend();
    expect(ring.statementKeys()).toEqual([second, expect.stringMatching(/^[\w-]{43}$/)]);
    expect([signsFor(ring, first), signsFor(ring, second)]).toEqual([false, true]);
    const registry = keyRegistry({ ...deps(), clock, ready: Promise.resolve() });
    const states = (await registry.list()).flatMap(({ purpose, state }) =>
      purpose === "provider-statement" ? [state] : [],
    );
    expect(states).toEqual(["retired", "current", "standby"]);
  });

  it("are promoted and revoked as on the other nodes by one whose clock is behind the rotation", async () => {
    const ring = await open();
    const [first = "", second = ""] = ring.statementKeys();
    await promote();
    now -= 5;
    expect(await promote()).toEqual({ outcome: "too_soon" });
    expect(await ids("provider-statement")).toEqual([1, 2, 3]);
    expect(await createKeyChanges(deps()).revokeStatementKey(second, now)).toBe(true);
    now += 5;
    await ring.tend();
    // The retired key must not sign again.
    expect([signsFor(ring, first), signsFor(ring, second)]).toEqual([false, false]);
    expect(await ids("provider-statement")).toEqual([1, 3, 4]);
    expect(ring.statementKeys()).toHaveLength(2);
  });

  it("get the standby that a crash left out, by a node that runs and by one that starts", async () => {
    const ring = await open();
    await forgetStandby();
    expect(await promote()).toEqual({ outcome: "no_standby" });
    expect(await ids("provider-statement")).toEqual([1, 2]);
    for (const repair of [() => ring.tend(), () => open()]) {
      await forgetStandby();
      await repair();
      expect(await ids("provider-statement")).toEqual([1, 2]);
    }
  });

  it("are revoked at once: the current one gives way to the standby", async () => {
    const ring = await open();
    const [first = "", second] = ring.statementKeys();
    expect(await createKeyChanges(deps()).revokeStatementKey(first, now)).toBe(true);
    await ring.tend();
    const [current, standby, ...more] = ring.statementKeys();
    expect([current, more]).toEqual([second, []]);
    expect(standby).not.toBe(first);
    expect(signsFor(ring, first)).toBe(false);
    expect(await ids("provider-statement")).toEqual([2, 3]);
    expect(await createKeyChanges(deps()).revokeStatementKey(first, now)).toBe(false);
    expect(await ids("provider-statement")).toEqual([2, 3]);
  });

  it("are revoked at once: a new standby replaces the standby, and a retired key just goes", async () => {
    const ring = await open();
    const [first = "", second = ""] = ring.statementKeys();
    expect(await createKeyChanges(deps()).revokeStatementKey(second, now)).toBe(true);
    await ring.tend();
    const [current, standby = ""] = ring.statementKeys();
    expect(current).toBe(first);
    expect(standby).not.toBe(second);
    await promote();
    expect(await createKeyChanges(deps()).revokeStatementKey(first, now)).toBe(true);
    await ring.tend();
    expect(ring.statementKeys()[0]).toBe(standby);
    expect(await ids("provider-statement")).toEqual([2, 3]);
  });

  it("are revoked as they were read: not the key that has the id of a revoked one since", async () => {
    const [, standby = ""] = (await open()).statementKeys();
    const stale = [await store.keys.readKeys()];
    expect(await createKeyChanges(deps()).revokeStatementKey(standby, now)).toBe(true);
    const [, later] = (await open()).statementKeys();
    const readKeys = async () => stale.pop() ?? store.keys.readKeys();
    const late = { ...deps(), keys: { ...store.keys, readKeys } };
    expect(await createKeyChanges(late).revokeStatementKey(standby, now)).toBe(false);
    expect(stale).toEqual([]);
    expect((await open()).statementKeys()[1]).toBe(later);
    expect(await ids("provider-statement")).toEqual([1, 2]);
  });

  it("are revoked by a second command where the first ended between its statements", async () => {
    const ring = await open();
    const [first = "", second] = ring.statementKeys();
    const removeKey = () => Promise.reject(new UnavailableError("away"));
    const broken = { ...deps(), keys: { ...store.keys, removeKey } };
    await expect(createKeyChanges(broken).revokeStatementKey(first, now)).rejects.toThrow(
      UnavailableError,
    );
    await ring.tend();
    expect([signsFor(ring, first), signsFor(ring, second)]).toEqual([false, true]);
    expect(await createKeyChanges(deps()).revokeStatementKey(first, now)).toBe(true);
    expect(await ids("provider-statement")).toEqual([2, 3]);
  });

  it("with another secret are neither promoted nor revoked", async () => {
    const [first = ""] = (await open()).statementKeys();
    const seal = sealWith("another secret, of enough characters too", systemRandom);
    const wrong = { ...deps(), seal };
    await expect(createKeyChanges(wrong).promoteStandby(now)).rejects.toThrow(OperatorError);
    await expect(createKeyChanges(wrong).revokeStatementKey(first, now)).rejects.toThrow(
      OperatorError,
    );
    expect(await ids("provider-statement")).toEqual([1, 2]);
  });
});

describe("a MAC key", () => {
  it("is rotated at a word alone, and stays for the tokens that it made", async () => {
    const ring = await open();
    const first = ring.currentAt("grant-token", now);
    now += 1000 * DAY;
    await ring.tend();
    expect(await ids("grant-token")).toEqual([1]);
    await rotateNow("grant-token");
    now += 10 * DAY;
    await ring.tend();
    expect(ring.currentAt("grant-token", now).id).toBe(2);
    expect(await ring.find("grant-token", 1)).toEqual(first);
    expect(ring.currentAt("grant-token", now - 10 * DAY)).toEqual(first);
    expect(await ids("grant-token")).toEqual([1, 2]);
  });

  it("can be rotated 254 times, and not once more: its id is one octet", async () => {
    const ring = await open();
    for (let count = 0; count < 254; count++) {
      expect(await rotateNow("grant-token")).toMatchObject({ outcome: "rotated", id: count + 2 });
      now += DAY;
    }
    expect(await rotateNow("grant-token")).toEqual({ outcome: "ids_used_up" });
    expect((await ids("grant-token")).at(-1)).toBe(LAST_MAC_KEY_ID);
    await ring.tend();
    expect(Buffer.alloc(1).writeUInt8(ring.currentAt("grant-token", now).id)).toBe(1);
  });
});

describe("a rotation", () => {
  it("is refused while there is a next key, and for a database without keys", async () => {
    expect(await rotateNow("es256")).toEqual({ outcome: "no_keys" });
    await open();
    await rotateNow("es256");
    now += DAY - 1;
    expect(await rotateNow("es256")).toEqual({ outcome: "has_next" });
    expect(await ids("es256")).toEqual([1, 2]);
    now += 1;
    expect(await rotateNow("es256")).toMatchObject({ outcome: "rotated", id: 3 });
  });

  it("with another secret is refused, and adds nothing that no node could open", async () => {
    await open();
    const wrong = sealWith("another secret, of enough characters too", systemRandom);
    const refused = createKeyChanges({ ...store, seal: wrong, random: systemRandom }).rotate(
      "es256",
      now,
    );
    await expect(refused).rejects.toThrow(OperatorError);
    expect(await ids("es256")).toEqual([1]);
  });

  it("that cannot be read for a while leaves the ring as it was", async () => {
    let away = false;
    const readKeys = async () => {
      if (away) throw new UnavailableError("away");
      return store.keys.readKeys();
    };
    const ring = await open({ readKeys });
    const before = ring.signingKeyAt("es256", now);
    away = true;
    await expect(ring.tend()).rejects.toThrow(UnavailableError);
    expect(ring.signingKeyAt("es256", now)).toBe(before);
    expect(ring.currentAt("grant-token", now).id).toBe(1);
  });
});

it("a key for a purpose of a later version is listed, and else left alone", async () => {
  const sealed = seal.close("later/1", systemRandom(32));
  await store.keys.addKey({ purpose: "later", id: 1, sealed, currentFrom: 0, madeAt: START });
  const ring = await open();
  now += 1000 * DAY;
  await ring.tend();
  const registry = keyRegistry({ ...deps(), clock, ready: Promise.resolve() });
  const listed = (await registry.list()).filter(({ purpose }) => purpose === "later");
  expect(listed).toMatchObject([{ id: 1, kid: null, published_until: null }]);
});
