// Tests of chains from zones signed by BIND's dnssec-signzone and by ldns-signzone, and mixtures.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeTxt } from "../src/dns/records.ts";
import { verifyChain } from "../src/dnssec/chain.ts";
import {
  aliasName,
  deepName,
  type SignedWorld,
  signWorld,
  targetName,
  values,
  type WorldPlan,
} from "./support/signed-world.ts";
import { freeBits, type Octets, type } from "./support/signer.ts";
import { outcomeOf } from "./support/world.ts";
import { signerTests } from "./support/zone-signers.ts";

const plans: Record<string, WorldPlan> = {
  "BIND with NSEC": {
    ...{ above: "bind", below: "bind", denial: "NSEC" },
    algorithms: [8, 13, 14, 15, 8],
  },
  "BIND with NSEC3": {
    ...{ above: "bind", below: "bind", denial: "NSEC3" },
    algorithms: [13, 15, 8, 14, 13],
  },
  "ldns with NSEC": {
    ...{ above: "ldns", below: "ldns", denial: "NSEC" },
    algorithms: [8, 14, 13, 15, 10],
  },
  "ldns with NSEC3": {
    ...{ above: "ldns", below: "ldns", denial: "NSEC3" },
    algorithms: [15, 13, 14, 8, 15],
  },
  "BIND above and ldns below": {
    ...{ above: "bind", below: "ldns", denial: "NSEC3" },
    algorithms: [8, 8, 13, 13, 14],
  },
  "ldns above and BIND below": {
    ...{ above: "ldns", below: "bind", denial: "NSEC" },
    algorithms: [14, 15, 15, 13, 10],
  },
};

const now = () => Math.floor(Date.now() / 1000);
/** Number of octets, spread evenly over each chain, in which one bit is changed. */
const changes = 80;

signerTests("zones signed by others", () => {
  describe.each(Object.entries(plans))("by %s", (_, plan) => {
    let folder: string;
    let world: SignedWorld;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "domain-signin-zones-"));
      world = await signWorld(plan, folder);
    });
    afterAll(() => rm(folder, { recursive: true }));

    const verify = (name: string, chain: Octets, at = now()) =>
      verifyChain(chain, { name, type: type.TXT, now: at, trustAnchors: world.trustAnchors });
    const textOf = (rdata: Uint8Array) => Buffer.from(decodeTxt(rdata)).toString("latin1");
    const chains = (): [string, Octets][] => [
      [aliasName, world.chain([aliasName, type.CNAME], [targetName, type.TXT])],
      [deepName, world.chain([deepName, type.TXT])],
    ];

    it("an alias across zones proves the record where it leads", async () => {
      const chain = world.chain([aliasName, type.CNAME], [targetName, type.TXT]);
      const verified = await verify(aliasName, chain);
      expect(verified.aliases).toEqual([aliasName]);
      expect(verified.name).toBe(targetName);
      expect(verified.values.map(textOf)).toEqual([values[targetName]]);
      expect(verified.ttl).toBe(300);
      expect(verified.notAfter - now()).toBeGreaterThan(6 * 86_400);
    });

    it("a zone two labels below its parent proves its record", async () => {
      const verified = await verify(deepName, world.chain([deepName, type.TXT]));
      expect(verified).toMatchObject({ aliases: [], name: deepName, ttl: 300 });
      expect(verified.values.map(textOf)).toEqual([values[deepName]]);
    });

    it("nothing is proven under another root, at another name, before or after", async () => {
      for (const [name, chain] of chains()) {
        const request = { name, type: type.TXT, now: now() };
        expect(await outcomeOf(verifyChain(chain, request))).toBe("untrusted_root");
        expect(await outcomeOf(verify(`x${name}`, chain))).toBe("no_answer");
        expect(await outcomeOf(verify(name, chain, now() - 2 * 3600))).toBe("not_yet_valid");
        expect(await outcomeOf(verify(name, chain, now() + 8 * 86_400))).toBe("expired");
      }
    });

    it("an octet that was changed is refused, outside TTLs and the case of letters", async () => {
      for (const [name, chain] of chains()) {
        const free = freeBits(chain);
        for (let turn = 0; turn < changes; turn++) {
          const at = Math.floor((turn * chain.length) / changes);
          const bit = [0x01, 0x80, 0x10, 0x04][turn % 4] ?? 1;
          if (((free[at] ?? 0) & bit) !== 0) continue;
          const changed = chain.slice();
          changed[at] = (changed[at] ?? 0) ^ bit;
          expect(await outcomeOf(verify(name, changed)), `octet ${at}`).not.toBe("good");
        }
      }
    });

    it("a chain that lacks what was asked for is refused", async () => {
      const whole = world.chain([deepName, type.TXT]);
      const parent = world.chain(["shop.market.test", type.DS]);
      expect(await outcomeOf(verify(deepName, whole))).toBe("good");
      expect(await outcomeOf(verify(deepName, parent))).toBe("no_answer");
      const aliasAlone = world.chain([aliasName, type.CNAME]);
      expect(await outcomeOf(verify(aliasName, aliasAlone))).toBe("no_answer");
    });
  });
});
