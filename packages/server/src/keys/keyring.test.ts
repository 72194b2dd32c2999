// Tests of the keyring on a real store: the first key, later keys, and what a copy of the database yields.

import { beforeEach, describe, expect, it, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { makeTestKey } from "../../test/support/test-keys.ts";
import { clockFrom } from "../lib/clock.ts";
import { OperatorError, UnavailableError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import type { KeyStore } from "../store/keys.ts";
import { createKeyChanges } from "./key-changes.ts";
import { type Keyring, openKeyring } from "./keyring.ts";
import { sealWith } from "./seal.ts";

/** What a first start makes. */
const FIRST = [
  "client-assertion/1",
  "eddsa/1",
  "es256/1",
  "grant-token/1",
  "provider-statement/1",
  "provider-statement/2",
  "rs256/1",
];
const secret = "the operator's secret, of enough characters";

const database = fixture(openMemoryStore, "test");
let keys: KeyStore;
let milliseconds: number;
let reads: number;
/** What reading the keys fails with, while the database is away. */
let failure: Error | undefined;

beforeEach(() => {
  milliseconds = 1_700_000_000_000;
  reads = 0;
  failure = undefined;
  keys = {
    ...database.keys,
    async readKeys() {
      reads += 1;
      if (failure !== undefined) throw failure;
      return database.keys.readKeys();
    },
  };
});

const execute = (sql: string, ...parameters: string[]) => database.engine.execute(sql, parameters);

function open(withSecret = secret): Promise<Keyring> {
  return openKeyring({
    keys,
    seal: sealWith(withSecret, systemRandom),
    clock: clockFrom(() => milliseconds),
    random: systemRandom,
    makeKey: makeTestKey,
  });
}

/** The keys in the store, by purpose and id. */
async function made(): Promise<string[]> {
  return (await keys.readKeys()).map(({ purpose, id }) => `${purpose}/${id}`);
}

/** Adds a key as another process would that has rotated. */
async function addKey(id: number, currentFrom: number): Promise<Buffer> {
  const key = systemRandom(32);
  const sealed = sealWith(secret, systemRandom).close(`grant-token/${id}`, key);
  await keys.addKey({ purpose: "grant-token", id, sealed, currentFrom, madeAt: 0 });
  return key;
}

describe("the first start", () => {
  it("makes one key of 256 bits for MACs, current at every time", async () => {
    const ring = await open();
    const key = ring.currentAt("grant-token", 1_700_000_000);
    expect(key.key).toHaveLength(32);
    expect(ring.currentAt("grant-token", 0)).toEqual(key);
    expect(await ring.find("grant-token", key.id)).toEqual(key);
    expect(await made()).toEqual(FIRST);
  });

  it("makes one key for signatures, current at every time, and notes when", async () => {
    const ring = await open();
    const key = ring.signingKeyAt("es256", 1_700_000_000);
    expect(key).toMatchObject({ alg: "ES256", currentFrom: 0 });
    expect(ring.signingKeyAt("es256", 0)).toBe(key);
    expect(ring.publicKeys(0)[0]?.kid).toBe(key.kid);
    const madeAt = (await keys.readKeys()).map((row) => row.madeAt);
    expect(madeAt).toEqual(FIRST.map(() => 1_700_000_000));
  });

  it("makes a key of each algorithm for ID tokens, published beside that of attestations", async () => {
    const ring = await open();
    const purposes = ["es256", "rs256", "eddsa"] as const;
    const keys = purposes.map((purpose) => ring.signingKeyAt(purpose, 0));
    expect(keys.map(({ alg }) => alg)).toEqual(["ES256", "RS256", "EdDSA"]);
    expect(ring.publicKeys(0).map(({ kid }) => kid)).toEqual(keys.map(({ kid }) => kid));
  });

  it("makes keys for client assertions and for statements, published nowhere else", async () => {
    const ring = await open();
    const published = ring.publicKeys(0).map(({ kid }) => kid);
    const { kid, alg } = ring.signingKeyAt("client-assertion", 0);
    expect(alg).toBe("ES256");
    expect(ring.clientAssertionKeys(0).map((key) => key.kid)).toEqual([kid]);
    const [current = "", standby = "", ...more] = ring.statementKeys();
    expect([standby, more]).toEqual([expect.stringMatching(/^[\w-]{43}$/), []]);
    const listed = { kid: current, alg: "ES256" };
    expect(ring.statementKeyFor(["another", current])).toMatchObject(listed);
    expect(ring.statementKeyFor(published)).toBeNull();
    for (const secret of [kid, current, standby]) expect(published).not.toContain(secret);
  });

  it("after an upgrade adds the keys for signatures, and leaves the other as it is", async () => {
    const before = (await open()).currentAt("grant-token", 0);
    await execute("DELETE FROM keys WHERE purpose <> 'grant-token'");
    await execute("UPDATE keys SET made_at = NULL");
    const ring = await open();
    expect(ring.currentAt("grant-token", 0)).toEqual(before);
    expect(ring.signingKeyAt("es256", 0).kid).toMatch(/^[\w-]{43}$/);
    expect(await made()).toEqual(FIRST);
  });

  it("makes one key even when two rings open at once, and both hold it", async () => {
    const rings = await Promise.all([open(), open(), open()]);
    expect(await made()).toEqual(FIRST);
    const keys = rings.map((ring) => ring.currentAt("grant-token", 0).key.toString("hex"));
    expect(new Set(keys).size).toBe(1);
    const kids = rings.map((ring) => [...ring.publicKeys(0), ...ring.clientAssertionKeys(0)]);
    expect(new Set(kids.map((all) => all.map(({ kid }) => kid).join())).size).toBe(1);
  });

  it("is the only one that makes a key: the next finds it again", async () => {
    const made = (await open()).currentAt("grant-token", 0);
    expect((await open()).currentAt("grant-token", 0)).toEqual(made);
    expect(await keys.readKeys()).toHaveLength(FIRST.length);
  });

  it("makes another key in another database", async () => {
    const made = (await open()).currentAt("grant-token", 0);
    await execute("DELETE FROM keys");
    expect((await open()).currentAt("grant-token", 0).key).not.toEqual(made.key);
  });
});

describe("another secret", () => {
  it("that loses the race for the first key adds no second one, which nobody else could open", async () => {
    await open();
    await execute("DELETE FROM keys WHERE purpose <> 'grant-token'");
    const real = keys;
    let isFirst = true;
    // It looked before the other one wrote, and writes between the other one's two keys.
    keys = {
      ...real,
      async readKeys() {
        const rows = isFirst ? [] : await real.readKeys();
        isFirst = false;
        return rows;
      },
    };
    await expect(open("another secret, of enough characters too")).rejects.toThrow(OperatorError);
    expect(await made()).toEqual(["grant-token/1"]);
  });

  it("is refused in words for the operator, and changes nothing", async () => {
    await open();
    const before = await keys.readKeys();
    const wrong = open("another secret, of enough characters too");
    await expect(wrong).rejects.toThrow(OperatorError);
    await expect(wrong).rejects.toThrow(/secret does not open the keys/);
    await expect(wrong).rejects.not.toThrow(secret);
    expect(await keys.readKeys()).toEqual(before);
    await expect(open()).resolves.toBeDefined();
  });
});

describe("a copy of the database", () => {
  it("holds no key: the sealed text does not contain it", async () => {
    const { key } = (await open()).currentAt("grant-token", 0);
    const text = JSON.stringify(await execute("SELECT * FROM keys"));
    for (const encoding of ["base64url", "base64", "hex", "latin1"] as const) {
      expect(text).not.toContain(key.toString(encoding));
    }
    const [row] = await keys.readKeys();
    expect(Buffer.from(row?.sealed ?? "", "base64url").includes(key.subarray(0, 8))).toBe(false);
  });

  test.each([
    ["to another id", "UPDATE keys SET id = 3 WHERE id = 1"],
    ["to another purpose", "UPDATE keys SET purpose = 'id-token' WHERE purpose = 'es256'"],
  ])("cannot be used to move a key %s", async (_, statement) => {
    await open();
    await execute(statement);
    await expect(open()).rejects.toThrow(OperatorError);
  });

  it("cannot be used to change a key", async () => {
    await open();
    const [row] = await keys.readKeys();
    const octets = Buffer.from(row?.sealed ?? "", "base64url");
    for (const at of [0, 12, 28, octets.length - 1]) {
      const changed = Buffer.from(octets);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await execute("UPDATE keys SET sealed = ?1", changed.toString("base64url"));
      await expect(open()).rejects.toThrow(OperatorError);
    }
    for (const cut of ["", "AAAA", octets.subarray(0, 28).toString("base64url")]) {
      await execute("UPDATE keys SET sealed = ?1", cut);
      await expect(open()).rejects.toThrow(OperatorError);
    }
  });

  it("does not show that two keys are the same: each sealing has its own nonce", () => {
    const seal = sealWith(secret, systemRandom);
    const key = systemRandom(32);
    expect(seal.close("a", key)).not.toBe(seal.close("a", key));
    expect(seal.open("a", seal.close("a", key))?.plain).toEqual(key);
    expect(seal.open("b", seal.close("a", key))).toBeNull();
  });
});

describe("keys that follow one another", () => {
  it("are each current from their own time on", async () => {
    const first = (await open()).currentAt("grant-token", 0).key;
    const second = await addKey(2, 1000);
    const third = await addKey(3, 2000);
    const ring = await open();
    const at = (time: number) => ring.currentAt("grant-token", time).key;
    expect([at(0), at(999)]).toEqual([first, first]);
    expect([at(1000), at(1999)]).toEqual([second, second]);
    expect([at(2000), at(9e9)]).toEqual([third, third]);
  });
});

describe("a statement key", () => {
  it("is found by its first octets, also a retired one and one of another node, until it is revoked", async () => {
    const ring = await open();
    const find = (kid = "", octets = 4) =>
      ring.findStatementKey(Buffer.from(kid, "base64url").subarray(0, octets));
    const [first = "", second = ""] = ring.statementKeys();
    const seal = sealWith(secret, systemRandom);
    const changes = createKeyChanges({ keys, seal, random: systemRandom });
    expect(await changes.promoteStandby(milliseconds / 1000)).toMatchObject({ kid: second });
    const [, third = ""] = (await open()).statementKeys();
    expect(ring.statementKeys()).not.toContain(third);
    milliseconds += 1000;
    for (const kid of [first, second, third]) expect(await find(kid)).toBe(kid);
    expect(await find("A".repeat(43))).toBeNull();
    // All begin so.
    expect(await find(first, 0)).toBeNull();
    expect(await changes.revokeStatementKey(first, milliseconds / 1000)).toBe(true);
    await ring.tend();
    expect(await find(first)).toBeNull();
    expect(await find(second)).toBe(second);
  });

  it("is not reported as unknown while the keys cannot be read", async () => {
    const ring = await open();
    failure = new UnavailableError("the database is away");
    milliseconds += 1000;
    await expect(ring.findStatementKey(Buffer.alloc(4))).rejects.toThrow(UnavailableError);
  });
});

describe("a key that another process made", () => {
  it("is found at once if the ring was read more than a second ago", async () => {
    const ring = await open();
    const key = await addKey(2, 9e9);
    milliseconds += 1000;
    expect((await ring.find("grant-token", 2))?.key).toEqual(key);
  });

  it("makes the ring read the store again at most once a second", async () => {
    const ring = await open();
    reads = 0;
    for (let tick = 0; tick < 30; tick++) {
      milliseconds += 100;
      expect(await ring.find("grant-token", 77)).toBeNull();
    }
    expect(reads).toBe(3);
  });

  it("costs the store nothing once it is known, and a known key never does", async () => {
    const ring = await open();
    await addKey(2, 9e9);
    milliseconds += 1000;
    await ring.find("grant-token", 2);
    reads = 0;
    for (let tick = 0; tick < 30; tick++) {
      milliseconds += 1000;
      expect(await ring.find("grant-token", 1)).not.toBeNull();
      expect(await ring.find("grant-token", 2)).not.toBeNull();
    }
    expect(reads).toBe(0);
  });

  it("is found by all who ask at once: nobody is refused while the ring is being read", async () => {
    const ring = await open();
    await addKey(2, 9e9);
    milliseconds += 1000;
    reads = 0;
    const found = await Promise.all([1, 2, 3].map(() => ring.find("grant-token", 2)));
    expect(found.map((key) => key?.id)).toEqual([2, 2, 2]);
    expect(reads).toBe(1);
  });

  it("is not taken for unknown while the database is away: that would refuse good tokens", async () => {
    const ring = await open();
    await addKey(2, 9e9);
    milliseconds += 1000;
    failure = new UnavailableError("away");
    await expect(ring.find("grant-token", 2)).rejects.toThrow(UnavailableError);
    milliseconds += 999;
    failure = undefined;
    await expect(ring.find("grant-token", 2)).rejects.toThrow(UnavailableError);
    milliseconds += 1;
    expect((await ring.find("grant-token", 2))?.id).toBe(2);
  });

  it("makes the ring try at most once a second while the database is away, too", async () => {
    const ring = await open();
    failure = new UnavailableError("away");
    milliseconds += 900;
    reads = 0;
    for (let tick = 0; tick < 30; tick++) {
      milliseconds += 100;
      await expect(ring.find("grant-token", 77)).rejects.toThrow(UnavailableError);
    }
    expect(reads).toBe(3);
    expect((await ring.find("grant-token", 1))?.id).toBe(1);
  });
});
