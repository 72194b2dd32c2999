// Tests of the chain published with the draft of RFC 9102, if its file is present.

import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../test/support/random-seed.ts";
import { freeBits } from "../../test/support/signer.ts";
import { outcomeOf } from "../../test/support/world.ts";
import { verifyChain } from "./chain.ts";
import { parseTrustAnchor } from "./trust-anchors.ts";

interface Published {
  readonly name: string;
  readonly type: number;
  readonly trust_anchor: {
    readonly key_tag: number;
    readonly algorithm: number;
    readonly digest_type: number;
    readonly digest: string;
  };
  readonly verify_at: string;
  readonly chain_hex: string;
}

// The file is next to the repository, not in it.
const file = new URL("../../../../../shared/data/chain-www-example-com.json", import.meta.url);

const isThere = existsSync(file);
if (!isThere) {
  process.stderr.write(
    "\nSKIPPED: the published chain: its file is not next to the repository\n\n",
  );
}

describe.skipIf(!isThere)("the published chain of www.example.com", () => {
  const { chain, request } = isThere ? readPublished() : unread();

  it("proves the TLSA record", async () => {
    const verified = await verifyChain(chain, request);
    expect(verified).toMatchObject({ name: "_443._tcp.www.example.com", aliases: [], ttl: 3600 });
    expect(verified.values.map((rdata) => Buffer.from(rdata).toString("hex"))).toEqual([
      "030101c66bef6a5c1a3e78b82016e13f314f3cc5fa25b1e52aab9adb9ec5989b165ada",
    ]);
    const times = [verified.notBefore, verified.notAfter].map((time) => new Date(time * 1000));
    expect(times.map((time) => time.toISOString())).toEqual([
      "2015-11-03T00:00:00.000Z",
      "2018-11-28T00:00:00.000Z",
    ]);
  });

  it("proves nothing at another time, for another name or against the root of today", async () => {
    const { trustAnchors: _, ...today } = request;
    expect(await outcomeOf(verifyChain(chain, today))).toBe("untrusted_root");
    const late = { ...request, now: Date.UTC(2026, 0) / 1000 };
    expect(await outcomeOf(verifyChain(chain, late))).toBe("expired");
    const other = { ...request, name: "_443._tcp.example.com" };
    expect(await outcomeOf(verifyChain(chain, other))).toBe("no_answer");
  });

  it("with one changed bit is refused, outside TTLs and the case of letters", async () => {
    const free = freeBits(chain);
    await fc.assert(
      fc.asyncProperty(fc.nat(chain.length * 8 - 1), async (bit) => {
        const copy = chain.slice();
        const mask = 0x80 >> (bit & 7);
        copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ mask;
        const isFree = ((free[bit >> 3] ?? 0) & mask) !== 0;
        expect((await outcomeOf(verifyChain(copy, request))) === "good").toBe(isFree);
      }),
      { numRuns: 2000 },
    );
  }, 60_000);
});

function readPublished() {
  const published = JSON.parse(readFileSync(file, "utf8")) as Published;
  const anchor = published.trust_anchor;
  const text = `. IN DS ${anchor.key_tag} ${anchor.algorithm} ${anchor.digest_type} ${anchor.digest}`;
  const request = {
    name: published.name,
    type: published.type,
    now: Date.parse(published.verify_at) / 1000,
    trustAnchors: [parseTrustAnchor(text)],
  };
  return { chain: new Uint8Array(Buffer.from(published.chain_hex, "hex")), request };
}

function unread(): ReturnType<typeof readPublished> {
  return { chain: new Uint8Array(), request: { name: "", type: 0, now: 0, trustAnchors: [] } };
}
