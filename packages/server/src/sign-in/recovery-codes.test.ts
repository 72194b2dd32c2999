// Tests of recovery codes: ten that cannot be guessed, the same after a reload, forgiving to type.

import { describe, expect, it, test } from "vitest";
import { createCookieSeal } from "../keys/cookie-seal.ts";
import type { MacKeyring } from "../keys/keyring.ts";
import { clockFrom } from "../lib/clock.ts";
import { randomText, sha256, systemRandom } from "../lib/random.ts";
import { createNewRecoveryCodes, recoveryCodesOf } from "./new-recovery-codes.ts";
import { recoveryCodeHash } from "./recovery-code-entry.ts";

const seed = randomText(systemRandom, 32);
const codes = recoveryCodesOf(seed);
const first = codes[0] ?? "";

/** The 80 bits that 16 characters spell. */
function bitsOf(code: string): string {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  return [...code.replaceAll("-", "")]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
}

describe("the codes of a set-up", () => {
  it("are ten, all different, in groups without letters that look alike", () => {
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) {
      expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
    }
  });

  it("are the same after a reload, although they are not stored", () => {
    expect(recoveryCodesOf(seed)).toEqual(codes);
  });

  it("have none in common with those of another set-up", () => {
    const others = recoveryCodesOf(randomText(systemRandom, 32));
    expect(codes.filter((code) => others.includes(code))).toEqual([]);
  });

  it("have 80 bits, each of which is sometimes 0 and sometimes 1", () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      recoveryCodesOf(sha256(`${index}`)),
    ).flat();
    const seen = many.map(bitsOf);
    const columns = Array.from(
      { length: 80 },
      (_, at) => new Set(seen.map((bits) => bits[at])).size,
    );
    expect(columns.filter((values) => values === 2)).toHaveLength(80);
    // Nor is one half a copy of the other.
    for (const bits of seen) expect(bits.slice(0, 40)).not.toBe(bits.slice(40));
  });

  it("show nothing of the seed", () => {
    const text = codes.join(" ");
    expect(text).not.toContain(seed.slice(0, 6));
  });
});

describe("the new codes of an interaction", () => {
  const clock = clockFrom(() => 1_700_000_000_000);
  const sealOf = (key: Buffer) => {
    const keyring = { currentAt: () => ({ id: 1, key }) } as unknown as MacKeyring;
    return createCookieSeal("a purpose", { keyring, clock, random: systemRandom });
  };
  const key = systemRandom(32);
  const of = (id: string, browser: string, seal = sealOf(key)) =>
    createNewRecoveryCodes({
      ...{ cookies: { read: () => browser } as never, setUpSeal: seal },
      ...{ recoveryCodes: {} as never, accountChanges: {} as never },
    }).codesFor({ http: null, interaction: { id, createdAt: 1_700_000_000 } } as never);

  it("are the same at each load", () => {
    expect(of("one", "browser")).toEqual(of("one", "browser", sealOf(key)));
  });

  it("differ for another interaction, another browser, and another key of the service", () => {
    const codes = [
      ...of("one", "browser"),
      ...of("other", "browser"),
      ...of("one", "other"),
      // What the history and the cookies of a browser contain is not enough to derive them.
      ...of("one", "browser", sealOf(systemRandom(32))),
    ];
    expect(new Set(codes).size).toBe(40);
  });
});

describe("a code that a person types", () => {
  test.each<[string, (code: string) => string]>([
    ["as it was shown", (code) => code],
    ["without hyphens", (code) => code.replaceAll("-", "")],
    ["with spaces", (code) => ` ${code.replaceAll("-", " ")}\n`],
    ["in capitals", (code) => code.toUpperCase()],
    ["with other dashes", (code) => code.replaceAll("-", "\u2011")],
    ["with o for 0", (code) => code.replaceAll("0", "O")],
    ["with l and I for 1", (code) => code.replace("1", "l").replaceAll("1", "I")],
  ])("%s is the same code", (_, retyped) => {
    for (const code of codes) expect(recoveryCodeHash(retyped(code))).toBe(recoveryCodeHash(code));
  });

  it("is another code with any character changed, missing or doubled", () => {
    const right = recoveryCodeHash(first);
    const letters = first.replaceAll("-", "");
    for (let at = 0; at < letters.length; at++) {
      const other = letters[at] === "2" ? "3" : "2";
      const [before, after] = [letters.slice(0, at), letters.slice(at + 1)];
      expect(recoveryCodeHash(before + other + after)).not.toBe(right);
      expect(recoveryCodeHash(before + after)).not.toBe(right);
      expect(recoveryCodeHash(before + letters.charAt(at).repeat(2) + after)).not.toBe(right);
    }
  });

  it("is kept as a SHA-256 that does not show it", () => {
    const hash = recoveryCodeHash("0000-0000-0000-0002");
    expect(hash).toBe(sha256(`${"0".repeat(15)}2`));
    expect(new Set(codes.map(recoveryCodeHash)).size).toBe(10);
  });
});
