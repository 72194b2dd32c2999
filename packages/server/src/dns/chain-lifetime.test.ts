// Tests of how long zones are remembered: by TTLs and signatures, never longer than what stands above.

import { recordType } from "domain-signin-verify/dns/records";
import { beforeAll, describe, expect, it } from "vitest";
import {
  dsSet,
  keySet,
  now,
  type Octets,
  type SignatureOptions,
  signedSet,
} from "../../../verify/test/support/signer.ts";
import { leafName, makeWorld } from "../../../verify/test/support/world.ts";
import { createScriptedDns, recordsOf, told } from "../../test/support/chain-world.ts";
import { createChains } from "./chain.ts";

const { TXT, DS, DNSKEY } = recordType;
const root = `${DNSKEY} `;
const tldKeys = `${DNSKEY} test`;
const tldDs = `${DS} test`;
const keys = `${DNSKEY} alice.test`;
const ds = `${DS} alice.test`;

let world: Awaited<ReturnType<typeof makeWorld>>;
let answer: Octets;

beforeAll(async () => {
  world = await makeWorld();
  answer = await signedSet(world.alice, world.answer);
});

/** What is asked for again so many seconds after the first look, with sets signed like that. */
async function askedAgainAfter(options: Partial<Record<string, SignatureOptions>>) {
  const dns = createScriptedDns([
    await signedSet(world.alice, keySet(world.alice), options[keys]),
    await signedSet(world.tld, await dsSet(world.alice), options[ds]),
    await signedSet(world.tld, keySet(world.tld), options[tldKeys]),
    await signedSet(world.root, await dsSet(world.tld), options[tldDs]),
    await signedSet(world.root, keySet(world.root), options[root]),
  ]);
  const clock = { time: now };
  const trustAnchors = world.request.trustAnchors ?? [];
  const chains = createChains({ query: dns.query, now: () => clock.time, trustAnchors });
  return async (seconds: number) => {
    clock.time = now;
    await chains.prove(leafName, TXT, recordsOf(answer));
    clock.time = now + seconds;
    dns.asked.length = 0;
    const outcome = told(await chains.prove(leafName, TXT, recordsOf(answer)));
    return { outcome, asked: dns.asked.toSorted() };
  };
}

describe("a zone is remembered", () => {
  const kept = { outcome: "secure", asked: [] };

  it("as long as the TTL of its keys says, of its signature's too, and of what was signed", async () => {
    for (const options of [{ ttl: 60 }, { originalTtl: 60 }]) {
      const after = await askedAgainAfter({ [keys]: options });
      expect(await after(59)).toEqual(kept);
      expect(await after(60)).toEqual({ outcome: "secure", asked: [keys] });
    }
  });

  it("as long as its delegation, whose TTL says", async () => {
    const after = await askedAgainAfter({ [ds]: { ttl: 60 } });
    expect(await after(59)).toEqual(kept);
    expect(await after(60)).toEqual({ outcome: "secure", asked: [ds, keys].sort() });
  });

  it("no longer than the zones above it", async () => {
    const after = await askedAgainAfter({ [tldKeys]: { ttl: 60 } });
    expect(await after(59)).toEqual(kept);
    expect(await after(60)).toEqual({ outcome: "secure", asked: [ds, keys, tldKeys].sort() });
  });

  it("no longer than its signatures, and with a TTL of zero not at all", async () => {
    const after = await askedAgainAfter({ [keys]: { expiration: now + 100 } });
    expect(await after(99)).toEqual(kept);
    // The clocks of others may be slow: such a signature is good for a while, but never remembered.
    expect(await after(100)).toEqual({ outcome: "secure", asked: [keys] });
    expect(await after(500)).toEqual({ outcome: "bogus expired", asked: [ds, keys].sort() });
    const never = await askedAgainAfter({ [root]: { ttl: 0 } });
    expect((await never(0)).asked).toEqual([root, tldDs, tldKeys, ds, keys].sort());
  });
});
