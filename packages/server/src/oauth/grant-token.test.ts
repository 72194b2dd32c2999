// Tests of codes, refresh tokens and access tokens: only our own, in their canonical encoding.

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import "../../../verify/test/support/random-seed.ts";
import type { MacKey, MacKeyring } from "../keys/keyring.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom, timeOrderedId } from "../lib/random.ts";
import {
  mintAccessToken,
  mintCode,
  mintRefreshToken,
  readAccessToken,
  readGrantToken,
} from "./grant-token.ts";

const grantId = timeOrderedId(
  clockFrom(() => 1_700_000_000_000),
  systemRandom,
);
const first: MacKey = { id: 1, key: systemRandom(32), currentFrom: 0 };
const second: MacKey = { id: 2, key: systemRandom(32), currentFrom: 1000 };

/** A keyring of these keys, the newest last. */
function ringOf(...keys: MacKey[]): MacKeyring {
  return {
    currentAt(purpose, time) {
      expect(purpose).toBe("grant-token");
      const current = keys.findLast(({ currentFrom }) => currentFrom <= time);
      if (current === undefined) throw new Error("no key");
      return current;
    },
    async find(purpose, id) {
      expect(purpose).toBe("grant-token");
      return keys.find((key) => key.id === id) ?? null;
    },
  };
}

const ring = ringOf(first);
/** In the middle of the times that 32 bits hold. */
const NOW = 2 ** 31 - 1;
const access = { expiresAt: 4600, scopeMask: 0b101, now: 1000, random: systemRandom };

/** One token of each kind, with its reader. */
const samples = [
  { kind: "code", token: mintCode(ring, grantId, 1000) },
  { kind: "refresh token", token: mintRefreshToken(ring, grantId, 7, 1000) },
  { kind: "access token", token: mintAccessToken(ring, grantId, access) },
];

/** The results of all three readers for a token. */
async function readAll(token: string, keyring = ring) {
  return [
    await readGrantToken(keyring, "code", token),
    await readGrantToken(keyring, "refresh_token", token),
    await readAccessToken(keyring, token, NOW),
  ];
}

const nothing = [null, null, null];

describe("a token reads back as what it was made of", () => {
  const ids = fc
    .uint8Array({ minLength: 16, maxLength: 16 })
    .map((octets) => Buffer.from(octets).toString("hex"));
  const u32 = fc.nat(0xffff_ffff);

  it("a code", async () => {
    await fc.assert(
      fc.asyncProperty(ids, async (id) => {
        const token = mintCode(ring, id, 1000);
        expect(token).toMatch(/^dsc_[A-Za-z0-9_-]{71}$/);
        expect(await readAll(token)).toEqual([{ grantId: id, generation: 0 }, null, null]);
      }),
    );
  });

  it("a refresh token, with its generation", async () => {
    await fc.assert(
      fc.asyncProperty(ids, u32, async (id, generation) => {
        const token = mintRefreshToken(ring, id, generation, 1000);
        expect(token).toMatch(/^dsr_[A-Za-z0-9_-]{71}$/);
        expect(await readAll(token)).toEqual([null, { grantId: id, generation }, null]);
      }),
    );
  });

  it("an access token, with its expiry and scope mask", async () => {
    await fc.assert(
      fc.asyncProperty(ids, u32, fc.nat(0x7fff_ffff), async (id, expiresAt, scopeMask) => {
        const token = mintAccessToken(ring, id, { ...access, expiresAt, scopeMask });
        expect(token).toMatch(/^dsa_[A-Za-z0-9_-]+$/);
        expect(await readAll(token)).toEqual([null, null, { grantId: id, expiresAt, scopeMask }]);
      }),
    );
  });

  it("an access token that has expired too: the caller knows what time it is", async () => {
    const token = mintAccessToken(ring, grantId, { ...access, expiresAt: 1 });
    expect(await readAccessToken(ring, token, 100)).toMatchObject({ expiresAt: 1 });
  });

  it("an access token of any century, although its expiry has 32 bits", async () => {
    const years = [2026, 2105, 2106, 2107, 2242, 9999];
    for (const now of years.map((year) => Date.UTC(year, 1, 7, 6, 28, 15) / 1000)) {
      for (const expiresAt of [now, now + 1, now + 3600, now - 3600]) {
        const token = mintAccessToken(ring, grantId, { ...access, expiresAt });
        expect(await readAccessToken(ring, token, now)).toMatchObject({ expiresAt });
      }
    }
  });
});

describe("the same row makes the same token", () => {
  it("a code and a refresh token can be made again, so that a retry gets an identical answer", () => {
    expect(mintCode(ring, grantId, 1000)).toBe(mintCode(ring, grantId, 1000));
    expect(mintRefreshToken(ring, grantId, 3, 1000)).toBe(mintRefreshToken(ring, grantId, 3, 1000));
  });

  it("a retry's token is made with the key that was current at the rotation", async () => {
    const later = ringOf(first, second);
    const rotated = mintRefreshToken(ringOf(first), grantId, 3, 999);
    expect(mintRefreshToken(later, grantId, 3, 999)).toBe(rotated);
    expect(mintRefreshToken(later, grantId, 3, 1000)).not.toBe(rotated);
    expect(mintCode(later, grantId, 999)).toBe(mintCode(ringOf(first), grantId, 999));
    expect(await readGrantToken(later, "refresh_token", rotated)).not.toBeNull();
  });

  it("each generation and each grant has another one", () => {
    const other = grantId.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    const tokens = [
      mintRefreshToken(ring, grantId, 1, 1000),
      mintRefreshToken(ring, grantId, 2, 1000),
      mintRefreshToken(ring, other, 1, 1000),
    ];
    expect(new Set(tokens).size).toBe(3);
  });

  it("an access token is a new one each time, even within a second", () => {
    const token = mintAccessToken(ring, grantId, access);
    expect(mintAccessToken(ring, grantId, access)).not.toBe(token);
  });
});

describe("a token that we did not make is refused", () => {
  test.each(samples)("a $kind with any character changed", async ({ token }) => {
    const characters = fc.oneof(
      fc.constantFrom(
        ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n\0",
      ),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), characters, async (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        fc.pre(changed !== token);
        expect(await readAll(changed)).toEqual(nothing);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(samples)("a $kind with any bit changed", async ({ token }) => {
    const octets = Buffer.from(token.slice(4), "base64url");
    for (let bit = 0; bit < octets.length * 8; bit++) {
      const changed = Buffer.from(octets);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await readAll(token.slice(0, 4) + changed.toString("base64url"))).toEqual(nothing);
    }
  });

  test.each(samples)("a $kind that was lengthened, cut or wrapped", async ({ token }) => {
    const disguises = [
      `${token}A`,
      `${token}=`,
      `${token}==`,
      `${token} `,
      ` ${token}`,
      `${token}\n`,
      `${token.slice(0, 20)} ${token.slice(20)}`,
      `${token.slice(0, 20)}\n${token.slice(20)}`,
      token.slice(0, -1),
      token.slice(4),
      token.slice(0, 4),
      token.toUpperCase(),
      token + token,
      `Bearer ${token}`,
      "",
    ];
    for (const disguise of disguises) expect(await readAll(disguise)).toEqual(nothing);
  });

  it("one with other trailing bits, which decodes to the same octets", async () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const token = mintCode(ring, grantId, 1000);
    const value = alphabet.indexOf(token.slice(-1));
    const respelled = token.slice(0, -1) + alphabet.charAt(value + 1);
    const octetsOf = (text: string) => Buffer.from(text.slice(4), "base64url");
    expect(octetsOf(respelled)).toEqual(octetsOf(token));
    expect(await readAll(respelled)).toEqual(nothing);
  });

  it("one in the standard base64 alphabet", async () => {
    let token = "";
    for (let generation = 1; !/.{4}.*[-_]/.test(token); generation++) {
      token = mintRefreshToken(ring, grantId, generation, 1000);
    }
    expect(await readGrantToken(ring, "refresh_token", token)).not.toBeNull();
    const body = token.slice(4).replaceAll("-", "+").replaceAll("_", "/");
    expect(await readAll(`dsr_${body}`)).toEqual(nothing);
  });

  it("a token of one kind presented as another, under its own prefix or the other's", async () => {
    for (const { token } of samples) {
      for (const prefix of ["dsc_", "dsr_", "dsa_"]) {
        if (token.startsWith(prefix)) continue;
        expect(await readAll(prefix + token.slice(4))).toEqual(nothing);
      }
      expect((await readAll(token)).filter((read) => read !== null)).toHaveLength(1);
    }
  });

  it("one made with another key of the same id, or with a key that is gone", async () => {
    const stranger = ringOf({ ...first, key: systemRandom(32) });
    for (const { token } of samples) {
      expect(await readAll(token, stranger)).toEqual(nothing);
      expect(await readAll(token, ringOf(second))).toEqual(nothing);
    }
  });

  it("any string", async () => {
    const tokenLike = fc
      .tuple(fc.constantFrom("dsc_", "dsr_", "dsa_"), fc.uint8Array({ maxLength: 80 }))
      .map(([prefix, octets]) => prefix + Buffer.from(octets).toString("base64url"));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), tokenLike), async (token) => {
        expect(await readAll(token)).toEqual(nothing);
      }),
    );
  });

  it("without asking the keyring, if its form is wrong: guessing costs nothing", async () => {
    const asked: number[] = [];
    const watched: MacKeyring = {
      ...ring,
      find: async (purpose, id) => {
        asked.push(id);
        return ring.find(purpose, id);
      },
    };
    for (const token of ["", "dsc_", "dsc_A", `${samples[0]?.token}A`, "dsr_ü".padEnd(75, "A")]) {
      expect(await readAll(token, watched)).toEqual(nothing);
    }
    expect(asked).toEqual([]);
  });
});
