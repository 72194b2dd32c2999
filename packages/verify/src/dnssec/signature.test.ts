// Tests of single signatures: supported keys, and invalid signatures.

import { afterEach, describe, expect, it, vi } from "vitest";
import { join, makeKey, type Octets, octets } from "../../test/support/signer.ts";
import { type Dnskey, decodeDnskey } from "../dns/dnssec-records.ts";
import { isSignatureBy, isSupportedAlgorithm, platformLacks } from "./signature.ts";

const data = octets(1, 2, 3);

afterEach(() => {
  vi.unstubAllGlobals();
});

function dnskey(algorithm: number, publicKey: Octets): Dnskey {
  return decodeDnskey(join(octets(1, 1, 3, algorithm), publicKey));
}

describe.each([8, 10, 13, 14, 15, 16])("algorithm %i", (algorithm) => {
  it("checks a signature, and refuses one of other octets or of another length", async () => {
    const made = await makeKey(algorithm);
    const key = decodeDnskey(made.rdata);
    const signature = await made.sign(data);
    expect(await isSignatureBy(key, data, signature)).toBe(true);
    expect(await isSignatureBy(key, octets(1, 2, 4), signature)).toBe(false);
    expect(await isSignatureBy(key, data, signature.slice(1))).toBe(false);
    expect(await isSignatureBy(key, data, join(signature, octets(0)))).toBe(false);
    expect(await isSignatureBy(key, data, new Uint8Array(signature.length))).toBe(false);
    expect(await isSignatureBy(key, data, octets())).toBe(false);
  });
});

describe("a key", () => {
  it.each([1, 3, 5, 6, 7, 12, 17, 23, 253, 254, 255])(
    "of algorithm %i is not read",
    async (algorithm) => {
      expect(isSupportedAlgorithm(algorithm)).toBe(false);
      const check = isSignatureBy(dnskey(algorithm, new Uint8Array(64)), data, new Uint8Array(64));
      await expect(check).rejects.toMatchObject({ code: "unsupported_algorithm" });
    },
  );

  it.each([
    [13, 64],
    [14, 96],
    [15, 32],
    [16, 57],
  ])(
    "of algorithm %i that is too short, too long or no point has signed nothing",
    async (algorithm, size) => {
      for (const length of [1, size - 1, size, size + 1]) {
        const key = dnskey(algorithm, new Uint8Array(length).fill(0xff));
        expect(await isSignatureBy(key, data, new Uint8Array(64))).toBe(false);
      }
    },
  );

  it.each<[string, Octets, string]>([
    ["1,016 bits", join(octets(3, 1, 0, 1), new Uint8Array(127).fill(255)), "unsuitable_key"],
    ["1,023 bits", join(octets(3, 1, 0, 1, 127), new Uint8Array(127).fill(255)), "unsuitable_key"],
    ["1,024 bits", join(octets(3, 1, 0, 1), new Uint8Array(128).fill(255)), "read"],
    [
      "a leading zero",
      join(octets(3, 1, 0, 1, 0), new Uint8Array(128).fill(255)),
      "unsuitable_key",
    ],
    ["4,096 bits", join(octets(3, 1, 0, 1), new Uint8Array(512).fill(255)), "read"],
    ["4,097 bits", join(octets(3, 1, 0, 1, 1), new Uint8Array(512).fill(255)), "unsuitable_key"],
    ["the exponent 1", join(octets(1, 1), new Uint8Array(128).fill(255)), "unsuitable_key"],
    ["the exponent 2", join(octets(1, 2), new Uint8Array(128).fill(255)), "unsuitable_key"],
    ["the exponent 3", join(octets(1, 3), new Uint8Array(128).fill(255)), "read"],
    [
      "an exponent with a leading zero",
      join(octets(2, 0, 3), new Uint8Array(128).fill(255)),
      "unsuitable_key",
    ],
    [
      "the exponent 2^32 + 1",
      join(octets(5, 1, 0, 0, 0, 1), new Uint8Array(128).fill(255)),
      "read",
    ],
    [
      "an exponent of 34 bits",
      join(octets(5, 2, 0, 0, 0, 1), new Uint8Array(128).fill(255)),
      "unsuitable_key",
    ],
    [
      "an exponent of 256 octets",
      join(octets(0, 1, 0), new Uint8Array(400).fill(255)),
      "unsuitable_key",
    ],
    [
      "a long form of its exponent's length",
      join(octets(0, 0, 1, 3), new Uint8Array(128).fill(255)),
      "read",
    ],
    ["no exponent", octets(0), "unsuitable_key"],
    ["an exponent that is cut off", octets(200, 1, 1), "unsuitable_key"],
  ])("of RSA with %s is read only if its size is sane", async (_, publicKey, expected) => {
    const check = isSignatureBy(dnskey(8, publicKey), data, new Uint8Array(128));
    if (expected === "read") expect(await check).toBe(false);
    else await expect(check).rejects.toMatchObject({ code: expected });
  });
});

describe("a platform", () => {
  it("that lacks an algorithm is distinguished from a bad signature", async () => {
    const lacking = () => Promise.reject(new DOMException("no", "NotSupportedError"));
    vi.stubGlobal("crypto", { subtle: { importKey: lacking } });
    const check = isSignatureBy(dnskey(16, new Uint8Array(57)), data, new Uint8Array(114));
    await expect(check).rejects.toMatchObject({ code: "platform_unsupported" });
  });

  it("lacks a set of algorithms only if it has none of them", async () => {
    expect(await platformLacks([13])).toBe(null);
    // A key of RSA is unsuitable before the platform is asked.
    expect(await platformLacks([8])).toBe(null);
    expect(await platformLacks([5, 13])).toBe(null);
    expect(await platformLacks([])).toBe(null);
    expect(await platformLacks([5, 7])).toMatchObject({ code: "unsupported_algorithm" });
    const lacking = () => Promise.reject(new DOMException("no", "NotSupportedError"));
    vi.stubGlobal("crypto", { subtle: { importKey: lacking } });
    expect(await platformLacks([16])).toMatchObject({ code: "platform_unsupported" });
    expect(await platformLacks([16, 8])).toBe(null);
    vi.stubGlobal("crypto", { subtle: { importKey: () => Promise.reject(new TypeError("bug")) } });
    await expect(platformLacks([16])).rejects.toThrow("bug");
  });

  it("that has no WebCrypto is reported, too", async () => {
    vi.stubGlobal("crypto", {});
    const check = isSignatureBy(dnskey(15, new Uint8Array(32)), data, new Uint8Array(64));
    await expect(check).rejects.toMatchObject({ code: "platform_unsupported" });
  });

  it("that fails otherwise is not taken for a bad signature", async () => {
    vi.stubGlobal("crypto", { subtle: { importKey: () => Promise.reject(new TypeError("bug")) } });
    const check = isSignatureBy(dnskey(15, new Uint8Array(32)), data, new Uint8Array(64));
    await expect(check).rejects.toThrow("bug");
  });
});
