// Tests of randomly changed chains: each is rejected with VerificationError.

import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { sampleOf, tries } from "../../test/support/random-seed.ts";
import {
  freeBits,
  join,
  makeZone,
  type Octets,
  recordsOf,
  signedSet,
  type,
  upwards,
  wireName,
} from "../../test/support/signer.ts";
import { goodChain, leafName, makeWorld, outcomeOf } from "../../test/support/world.ts";
import { type ChainRequest, verifyChain } from "./chain.ts";
import { readRrsets } from "./rrsets.ts";

type Subject = { readonly chain: Octets; readonly request: ChainRequest };

/** An alias across zones, one of them two labels below its parent: every feature of a chain. */
async function richChain(algorithm: number): Promise<Subject> {
  const world = await makeWorld(algorithm);
  const bob = await makeZone("Bob.co.Test", algorithm);
  const name = "_domain-signin.bob.co.test";
  const alias = { name: leafName, type: type.CNAME, rdatas: [wireName(name)] };
  const [bobKeys, bobDs] = await upwards(bob, world.tld);
  const parts = [
    await signedSet(world.alice, alias),
    await signedSet(bob, { ...world.answer, name }),
    ...(bobKeys && bobDs ? [bobKeys, bobDs] : []),
    ...world.up,
  ];
  return { chain: join(...parts), request: world.request };
}

function outcome({ chain, request }: Subject): Promise<string> {
  return outcomeOf(verifyChain(chain, request));
}

function flipped(chain: Octets, bit: number): Octets {
  const copy = chain.slice();
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7));
  return copy;
}

/** The indexes of all bits in a chain that may, or may not, change freely. */
function bitsOf(chain: Octets, isWanted: (isFree: boolean) => boolean): number[] {
  const free = freeBits(chain);
  const all = Array.from({ length: chain.length * 8 }, (_, bit) => bit);
  return all.filter((bit) => isWanted(((free[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0));
}

/** For each algorithm: a full run changes 10,000 signed bits. */
const flips = tries({ sample: 500, full: 5000 });
/** In parallel, to use all cores. */
const batch = 50;

describe.each([13, 15])("a chain of algorithm %i", (algorithm) => {
  let subject: Subject;

  beforeAll(async () => {
    subject = await richChain(algorithm);
    expect(await outcome(subject)).toBe("good");
  });

  it(`with one changed bit is refused, outside TTLs and the case of letters: ${flips} flips`, async () => {
    const { chain, request } = subject;
    const signed = bitsOf(chain, (free) => !free);
    const some = fc.array(fc.constantFrom(...signed), { minLength: batch, maxLength: batch });
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(some, async (bits) => {
        const outcomes = await Promise.all(
          bits.map((bit) => outcome({ chain: flipped(chain, bit), request })),
        );
        expect(bits.filter((_, index) => outcomes[index] === "good")).toEqual([]);
        refused += bits.length;
      }),
      { numRuns: flips / batch },
    );
    expect(refused).toBe(flips);
  }, 60_000);

  it("with a changed TTL or case of letters proves the same", async () => {
    const { chain, request } = subject;
    const { values } = await verifyChain(chain, request);
    const unsigned = bitsOf(chain, (free) => free);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...unsigned), async (bit) => {
        const verified = await verifyChain(flipped(chain, bit), request);
        expect(verified.values).toEqual(values);
        expect(verified.ttl).toBeLessThanOrEqual(3600);
      }),
      { numRuns: tries({ sample: 40, full: 200 }) },
    );
  }, 60_000);

  it("that is cut at any octet is refused", async () => {
    const { chain, request } = subject;
    for (const length of sampleOf([...chain.keys()], 100)) {
      expect(await outcome({ chain: chain.slice(0, length), request })).not.toBe("good");
    }
  });
});

describe("hostile octets", () => {
  let subject: Subject;

  beforeAll(async () => {
    const world = await makeWorld();
    subject = { chain: await goodChain(world), request: world.request };
  });

  /** `outcome` rethrows any error but VerificationError. The slow fuzz test measures the time. */
  async function expectTheOneError(chain: Octets) {
    expect(await outcome({ chain, request: subject.request })).toMatch(/^[a-z_]+$/);
  }

  it("at random are refused with the one error", async () => {
    const octets = fc.uint8Array({ maxLength: 600 }).map((some) => new Uint8Array(some));
    await fc.assert(fc.asyncProperty(octets, expectTheOneError), {
      numRuns: tries({ sample: 300, full: 1000 }),
    });
  });

  it("in a good chain, put in, left out or changed, give the one error if any", async () => {
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.nat({ max: 8 }),
      insert: fc.uint8Array({ maxLength: 8 }).map((some) => new Uint8Array(some)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        let chain = subject.chain;
        for (const { at, remove, insert } of edits) {
          const start = at % chain.length;
          chain = join(chain.slice(0, start), insert, chain.slice(start + remove));
        }
        await expectTheOneError(chain);
      }),
      { numRuns: tries({ sample: 300, full: 1000 }) },
    );
  });

  it("put together from the chain's own records are proof only when nothing is missing", async () => {
    const sets = readRrsets(subject.chain).length;
    const cuts = recordsOf(subject.chain);
    await fc.assert(
      fc.asyncProperty(fc.subarray(cuts), fc.nat(), async (some, seed) => {
        const turned = [
          ...some.slice(seed % (some.length + 1)),
          ...some.slice(0, seed % (some.length + 1)),
        ];
        const chain = join(...turned);
        const isWhole = some.length === cuts.length;
        expect((await outcome({ chain, request: subject.request })) === "good").toBe(isWhole);
      }),
      { numRuns: tries({ sample: 100, full: 300 }) },
    );
    expect(sets).toBe(6);
  });
});
