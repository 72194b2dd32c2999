// Tests of a change of the secret: keys that only the previous one opens are sealed again.

import { describe, expect, it } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { makeTestKey } from "../../test/support/test-keys.ts";
import { systemClock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import { keyRegistry } from "./key-registry.ts";
import { openKeyring } from "./keyring.ts";
import { sealWith } from "./seal.ts";

const OLD = "the secret of before, of enough characters";
const NEW = "the secret from now on, of enough characters";

const store = fixture(openMemoryStore, "test");

const open = (secret: string, previous?: string) =>
  openKeyring({
    ...store,
    ...{ random: systemRandom, clock: systemClock, makeKey: makeTestKey },
    seal: sealWith(secret, systemRandom, previous),
  });
const all = async (ring: ReturnType<typeof open>) => {
  const opened = await ring;
  return [opened.currentAt("grant-token", 0).key.toString("hex"), opened.publicKeys(0)];
};

describe("with the previous secret", () => {
  it("a start keeps every key, and from then on the new secret opens them alone", async () => {
    const before = await all(open(OLD));
    expect(await all(open(NEW, OLD))).toEqual(before);
    expect(await all(open(NEW))).toEqual(before);
    await expect(open(OLD)).rejects.toThrow(OperatorError);
  });

  it("the second start changes nothing more", async () => {
    await open(OLD);
    await open(NEW, OLD);
    const sealed = await store.keys.readKeys();
    await open(NEW, OLD);
    await open(NEW, "yet another secret, of enough characters");
    expect(await store.keys.readKeys()).toEqual(sealed);
  });

  it("a node that has the old one goes on with what it knows, and one that reads again seals what it adds", async () => {
    const [old, recent] = [await open(OLD), await open(OLD)];
    const ring = await open(NEW, OLD);
    await expect(old.tend()).rejects.toThrow("secret does not open the keys");
    expect(old.signingKeyAt("es256", 0).kid).toBe(recent.signingKeyAt("es256", 0).kid);
    const sealed = sealWith(OLD, systemRandom).close("grant-token/2", systemRandom(32));
    const key = { purpose: "grant-token", id: 2, sealed, currentFrom: 1, madeAt: 1 };
    await store.keys.addKey(key);
    await ring.tend();
    expect((await ring.find("grant-token", 2))?.id).toBe(2);
    expect(await all(open(NEW))).toBeDefined();
  });

  it("a list opens the keys, and changes nothing", async () => {
    const ring = await open(OLD);
    const before = await store.keys.readKeys();
    const registry = keyRegistry({
      ...store,
      ...{ clock: systemClock, random: systemRandom, ready: Promise.resolve() },
      seal: sealWith(NEW, systemRandom, OLD),
    });
    const key = (await registry.list()).find(({ purpose }) => purpose === "es256");
    expect(key?.kid).toBe(ring.signingKeyAt("es256", 0).kid);
    expect(await store.keys.readKeys()).toEqual(before);
  });
});

it("a secret that is neither is refused, and changes nothing", async () => {
  await open(OLD);
  const before = await store.keys.readKeys();
  await expect(open(NEW, "yet another secret, of enough characters")).rejects.toThrow(
    OperatorError,
  );
  expect(await store.keys.readKeys()).toEqual(before);
});
