// What every engine promises about domains that were seen signed: who forgets them, and that nothing moves back.

import { describe, expect, test } from "vitest";
import { cleanUp } from "../../../src/store/clean-up.ts";
import type { SecureDomain } from "../../../src/store/remembered.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { cleanUpAt, DAY, NOW, someDomain } from "../../support/store-rows.ts";

const RACERS = 30;
const ROUNDS = 10;

onEveryEngine(({ store, stores }) => {
  describe("a domain that was seen signed", () => {
    test("is remembered from the last time that it was, and a time never moves back", async () => {
      const domain = someDomain();
      expect(await store.secureDomains.findSecureDomain(domain)).toBeNull();
      for (const [now, secureAt] of [
        [NOW, NOW],
        [NOW + 60, NOW + 60],
        [NOW + 30, NOW + 60],
      ] as const) {
        await store.secureDomains.noteSecure(domain, now);
        expect(await store.secureDomains.findSecureDomain(domain)).toEqual({
          domain,
          secureAt,
          unsignedAt: null,
        });
      }
      expect(await store.secureDomains.findSecureDomain(`x${domain}`)).toBeNull();
    });

    test("keeps the first time at which all said that it is not, until it is seen signed", async () => {
      const domain = someDomain();
      await store.secureDomains.noteSecure(domain, NOW);
      const unsignedAt = async () =>
        (await store.secureDomains.findSecureDomain(domain))?.unsignedAt;
      await store.secureDomains.noteUnsigned(domain, NOW - 1);
      expect(await unsignedAt()).toBeNull();
      await store.secureDomains.noteUnsigned(domain, NOW + 10);
      await store.secureDomains.noteUnsigned(domain, NOW + 20);
      await store.secureDomains.noteUnsigned(domain, NOW + 5);
      expect(await unsignedAt()).toBe(NOW + 10);
      // Even by a chain that was seen earlier and comes to be noted later.
      await store.secureDomains.noteSecure(domain, NOW + 5);
      expect(await unsignedAt()).toBeNull();
      await store.secureDomains.noteUnsigned(domain, NOW + 30);
      expect(await unsignedAt()).toBe(NOW + 30);
    });

    test("is read for its second look when that is due, the one that waits longest first", async () => {
      const [one, other, young, secure] = [someDomain(), someDomain(), someDomain(), someDomain()];
      const times = [
        [one, 20],
        [other, 10],
        [young, 21],
      ] as const;
      for (const domain of [one, other, young, secure])
        await store.secureDomains.noteSecure(domain, NOW);
      for (const [domain, seconds] of times)
        await store.secureDomains.noteUnsigned(domain, NOW + seconds);
      const due = (await store.secureDomains.unsignedSince(NOW + 20, null)).map(
        ({ domain }) => domain,
      );
      expect(due.filter((domain) => [one, other, young, secure].includes(domain))).toEqual([
        other,
        one,
      ]);
    });

    test("is reached page by page, also among many of the same second, each once", async () => {
      const wanted = Array.from({ length: 450 }, someDomain);
      await race(stores, wanted.length, async (node, index) => {
        const domain = wanted[index] ?? "";
        await node.secureDomains.noteSecure(domain, NOW);
        await node.secureDomains.noteUnsigned(domain, NOW + (index < 400 ? 40 : 30));
      });
      const met: SecureDomain[] = [];
      for (let page = 0; page < 4; page++) {
        const due = await store.secureDomains.unsignedSince(NOW + 40, met.at(-1) ?? null);
        expect(due.length).toBeLessThanOrEqual(200);
        met.push(...due);
      }
      const domains = met.map(({ domain }) => domain);
      expect(new Set(domains).size).toBe(domains.length);
      for (const domain of wanted) expect(domains).toContain(domain);
    });

    test("is not made known by the word that it is unsigned", async () => {
      const domain = someDomain();
      await store.secureDomains.noteUnsigned(domain, NOW);
      expect(await store.secureDomains.findSecureDomain(domain)).toBeNull();
      expect(await store.secureDomains.releaseSecureDomain(domain, NOW)).toBe(false);
    });

    test("is released when that word is old enough, not before, and never without it", async () => {
      const [domain, other] = [someDomain(), someDomain()];
      for (const each of [domain, other]) {
        await store.secureDomains.noteSecure(each, NOW);
        expect(await store.secureDomains.releaseSecureDomain(each, NOW + DAY)).toBe(false);
        await store.secureDomains.noteUnsigned(each, NOW + 10);
      }
      expect(await store.secureDomains.releaseSecureDomain(domain, NOW + 9)).toBe(false);
      expect(await store.secureDomains.releaseSecureDomain(domain, NOW + 10)).toBe(true);
      expect(await store.secureDomains.findSecureDomain(domain)).toBeNull();
      expect(await store.secureDomains.releaseSecureDomain(domain, NOW + 10)).toBe(false);
      expect((await store.secureDomains.findSecureDomain(other))?.unsignedAt).toBe(NOW + 10);
    });

    test(`is released by one of ${RACERS} that try at once, on all nodes`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const domain = someDomain();
        await store.secureDomains.noteSecure(domain, NOW);
        await race(stores, RACERS, (node, index) =>
          node.secureDomains.noteUnsigned(domain, NOW + 10 + index),
        );
        const { unsignedAt } = (await store.secureDomains.findSecureDomain(domain)) ?? {};
        expect(unsignedAt).toBeGreaterThanOrEqual(NOW + 10);
        const released = await race(stores, RACERS, (node) =>
          node.secureDomains.releaseSecureDomain(domain, NOW + DAY),
        );
        expect(released.filter(Boolean)).toHaveLength(1);
        expect(await store.secureDomains.findSecureDomain(domain)).toBeNull();
      }
    });

    test("keeps the latest of many times that are noted at once", async () => {
      const domain = someDomain();
      await race(stores, RACERS, (node, index) =>
        node.secureDomains.noteSecure(domain, NOW + ((index * 7) % 30)),
      );
      expect((await store.secureDomains.findSecureDomain(domain))?.secureAt).toBe(NOW + 29);
    });

    test("is known after a chain that was seen while it was released, whoever came first", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const domain = someDomain();
        await store.secureDomains.noteSecure(domain, NOW);
        await store.secureDomains.noteUnsigned(domain, NOW + 10);
        const released = await race(stores, RACERS, async (node, index) => {
          if (index === round) await node.secureDomains.noteSecure(domain, NOW + DAY);
          else if (index % 3 === 0) await node.secureDomains.noteUnsigned(domain, NOW + DAY - 1);
          else return node.secureDomains.releaseSecureDomain(domain, NOW + 10);
          return false;
        });
        // What was told before the chain was seen releases nothing after it, and nobody twice.
        expect(released.filter(Boolean).length).toBeLessThanOrEqual(1);
        const known = { domain, secureAt: NOW + DAY, unsignedAt: null };
        expect(await store.secureDomains.findSecureDomain(domain)).toEqual(known);
        expect(await store.secureDomains.releaseSecureDomain(domain, NOW + 2 * DAY)).toBe(false);
      }
    });

    test("is forgotten 30 days after it was last seen so, by the walk through the table", async () => {
      const [old, young] = [someDomain(), someDomain()];
      await store.secureDomains.noteSecure(old, NOW);
      await store.secureDomains.noteSecure(young, NOW + 1);
      await store.secureDomains.noteUnsigned(young, NOW + 1);
      const walk = (now: number) =>
        cleanUp(
          "secure_domains",
          { store: store.cleanUp, time: () => cleanUpAt(now) },
          async () => {},
        );
      const known = async () =>
        Promise.all(
          [old, young].map(
            async (each) => (await store.secureDomains.findSecureDomain(each)) !== null,
          ),
        );
      await walk(NOW + 30 * DAY - 1);
      expect(await known()).toEqual([true, true]);
      await walk(NOW + 30 * DAY);
      expect(await known()).toEqual([false, true]);
      await walk(NOW + 30 * DAY + 1);
      expect(await known()).toEqual([false, false]);
    });
  });
});
