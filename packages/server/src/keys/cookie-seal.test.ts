// Tests of MACs for what browsers bring back: they hold for one label, one purpose and one key.

import { describe, expect, it } from "vitest";
import { clockFrom } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import { createCookieSeal } from "./cookie-seal.ts";
import type { MacKeyring } from "./keyring.ts";

const clock = clockFrom(() => 1_700_000_000_000);

/** The last of the keys is the current one; its id is its place. */
function sealOf(keys: readonly Buffer[], purpose = "a purpose") {
  const ring = keys.map((key, id) => ({ id, key, currentFrom: 0 }));
  const keyring: MacKeyring = {
    currentAt: () => ring.at(-1) as (typeof ring)[number],
    find: (_, id) => ring[id] ?? Promise.resolve(null),
  };
  return createCookieSeal(purpose, { keyring, clock, random: systemRandom });
}

describe("what is signed for a browser", () => {
  const [first, second] = [systemRandom(32), systemRandom(32)];
  const seal = sealOf([first]);
  const text = Buffer.from("a text");
  const signed = seal.sign("a label", text);

  it("is read with its label, also after a rotation", async () => {
    expect(Buffer.from(signed, "base64url").toString("latin1")).toMatch(/a text$/);
    expect(await seal.verified("a label", signed)).toEqual(text);
    const later = sealOf([first, second]);
    expect(await later.verified("a label", signed)).toEqual(text);
    expect(later.sign("a label", text)).not.toBe(signed);
  });

  it("is refused with another label, purpose or key, and after a change of one bit", async () => {
    expect(await seal.verified("a labels", signed)).toBeNull();
    expect(await sealOf([first], "another").verified("a label", signed)).toBeNull();
    expect(await sealOf([second]).verified("a label", signed)).toBeNull();
    const octets = Buffer.from(signed, "base64url");
    for (let place = 0; place < octets.length; place++) {
      const changed = Buffer.from(octets);
      changed.writeUInt8(octets.readUInt8(place) ^ 1, place);
      expect(await seal.verified("a label", changed.toString("base64url"))).toBeNull();
    }
  });

  it("is refused if the beginning of its label is moved to its text", async () => {
    const split = Buffer.from(seal.sign("b c", Buffer.from("a")), "base64url").subarray(0, 17);
    const moved = Buffer.concat([split, Buffer.from("a b")]).toString("base64url");
    expect(await seal.verified("c", moved)).toBeNull();
  });

  it("is refused if it is spelled otherwise, also where the decoder reads the same octets", async () => {
    // 23 octets: the last character has two surplus bits.
    const surplus = Buffer.from(signed)
      .fill(signed.charCodeAt(30) + 1, 30)
      .toString();
    const others = [surplus, `${signed}=`, `${signed} `, `${signed}.`, `*${signed}`];
    for (const other of others) {
      expect(Buffer.from(other, "base64url")).toEqual(Buffer.from(signed, "base64url"));
      expect(await seal.verified("a label", other)).toBeNull();
    }
  });

  it("can be octets that are no text", async () => {
    const octets = Buffer.from([0xff, 0, 0xc3, 0x28]);
    expect(await seal.verified("a label", seal.sign("a label", octets))).toEqual(octets);
    expect(await seal.verified("a label", seal.sign("a label", Buffer.alloc(0)))).toHaveLength(0);
  });

  it.each([0, 1, 16, 17, 22])("is refused if only %d octets of it are sent", async (octets) => {
    const part = Buffer.from(signed, "base64url").subarray(0, octets).toString("base64url");
    expect(await seal.verified("a label", part)).toBeNull();
  });

  it("rejects while the keys cannot be read", async () => {
    const failing: MacKeyring = {
      currentAt: () => ({ id: 1, key: first, currentFrom: 0 }),
      find: () => Promise.reject(new UnavailableError("the keys cannot be read")),
    };
    const unread = createCookieSeal("a purpose", { keyring: failing, clock, random: systemRandom });
    await expect(unread.verified("a label", signed)).rejects.toThrow(UnavailableError);
  });
});
