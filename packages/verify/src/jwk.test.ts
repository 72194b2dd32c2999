// Tests of JWK thumbprints and of base64url against published values.

import { describe, expect, it } from "vitest";
import { codeOf } from "../test/support/world.ts";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import { VerificationError } from "./errors.ts";
import { algorithmOf, isAlgorithmOf, readPublicJwk, thumbprintOf } from "./jwk.ts";

describe("a thumbprint", () => {
  it("of an RSA key is that of RFC 7638 §3.1, and other members do not count", async () => {
    const n =
      "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw";
    const key = readPublicJwk({ kid: "2011-04-29", alg: "RS256", n, kty: "RSA", e: "AQAB" });
    expect(await thumbprintOf(key)).toBe("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
  });

  it("of an Ed25519 key is that of RFC 8037 appendix A.3", async () => {
    const x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    const key = readPublicJwk({ x, crv: "Ed25519", kty: "OKP" });
    expect(await thumbprintOf(key)).toBe("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
  });
});

describe("a key that is used here", () => {
  const b64 = (octets: number[]) => Buffer.from(octets).toString("base64url");
  const octets = (count: number, first: number) => [first, ...Array<number>(count - 1).fill(1)];
  const read = (jwk: Record<string, unknown>) => {
    try {
      return Object.keys(readPublicJwk(jwk)).join();
    } catch (error) {
      return error instanceof VerificationError ? codeOf(error) : String(error);
    }
  };

  it.each<[string, number[], boolean]>([
    ["2,048 bits", octets(256, 0x80), true],
    ["2,047 bits", octets(256, 0x7f), false],
    ["2,040 bits", octets(255, 0xff), false],
    ["2,049 bits", octets(257, 1), true],
    ["a zero in front of 2,048 bits", [0, ...octets(256, 0x80)], false],
    ["4,096 bits", octets(512, 0xff), true],
    ["4,097 bits", octets(513, 1), false],
    ["no bits", [], false],
  ])("of RSA has a modulus of 2,048 to 4,096 bits: %s", (_, n, isGood) => {
    expect(read({ kty: "RSA", e: "AQAB", n: b64(n) })).toBe(isGood ? "e,kty,n" : "unsuitable_key");
  });

  it.each<[number[], boolean]>([
    [[3], true],
    [[1, 0, 1], true],
    [[1, 1, 1, 1], true],
    [[1, 1], true],
    [[], false],
    [[1], false],
    [[2], false],
    [[0, 3], false],
    [[1, 0], false],
    [[1, 0, 0, 0, 1], false],
  ])("of RSA has an odd exponent of at most 32 bits: %j", (e, isGood) => {
    const n = b64(octets(256, 0x80));
    expect(read({ kty: "RSA", e: b64(e), n })).toBe(isGood ? "e,kty,n" : "unsuitable_key");
  });

  it("of a curve has coordinates of 32 octets, on P-256 or Ed25519", () => {
    const [x, y] = [b64(octets(32, 1)), b64(octets(32, 2))];
    const [short, long] = [b64(octets(31, 1)), b64(octets(33, 1))];
    const ec = { kty: "EC", crv: "P-256", x, y };
    const okp = { kty: "OKP", crv: "Ed25519", x };
    expect([read(ec), read(okp)]).toEqual(["crv,kty,x,y", "crv,kty,x"]);
    for (const bad of [
      ...[
        { ...ec, x: short },
        { ...ec, x: long },
        { ...ec, y: short },
        { ...ec, y: undefined },
      ],
      ...[
        { ...ec, crv: "P-384" },
        { ...ec, kty: "OKP" },
        { ...ec, x: 5 },
        { ...ec, x: `${x}=` },
      ],
      ...[
        { ...okp, x: short },
        { ...okp, x: long },
        { ...okp, crv: "X25519" },
      ],
      ...[{ ...okp, kty: "EC" }, { ...okp, kty: "oct" }, { kty: "RSA" }, {}],
      { kty: "oct", e: "AQAB", n: b64(octets(256, 0x80)) },
      { kty: "EC", e: "AQAB", n: b64(octets(256, 0x80)) },
    ]) {
      expect([bad, read(bad)]).toEqual([bad, "unsuitable_key"]);
    }
  });

  it("says the algorithm by its type", () => {
    const members = {
      n: b64(octets(256, 0x80)),
      e: "AQAB",
      x: b64(octets(32, 1)),
      y: b64(octets(32, 2)),
    };
    const algorithms = [
      { kty: "EC", crv: "P-256" },
      { kty: "OKP", crv: "Ed25519" },
      { kty: "RSA" },
    ].map((jwk) => algorithmOf(readPublicJwk({ ...members, ...jwk })));
    expect(algorithms).toEqual(["ES256", "EdDSA", "RS256"]);
  });

  it("takes the other name of EdDSA with Ed25519 (RFC 9864), and no other for any type", () => {
    const ec = readPublicJwk({
      kty: "EC",
      crv: "P-256",
      x: b64(octets(32, 1)),
      y: b64(octets(32, 2)),
    });
    const okp = readPublicJwk({ kty: "OKP", crv: "Ed25519", x: b64(octets(32, 1)) });
    const rsa = readPublicJwk({ kty: "RSA", e: "AQAB", n: b64(octets(256, 0x80)) });
    const names = ["ES256", "EdDSA", "Ed25519", "RS256", "ES512", "none", undefined];
    const takes = [ec, okp, rsa].map((key) => names.filter((alg) => isAlgorithmOf(key, alg)));
    expect(takes).toEqual([["ES256"], ["EdDSA", "Ed25519"], ["RS256"]]);
  });
});

describe("base64url", () => {
  it("writes and reads octets of every length", () => {
    for (let length = 0; length < 70; length++) {
      const octets = Uint8Array.from({ length }, (_, index) => (index * 151 + length) % 256);
      const text = Buffer.from(octets).toString("base64url");
      expect(encodeBase64url(octets)).toBe(text);
      expect(decodeBase64url(text)).toEqual(octets);
    }
  });

  it.each(["A", "AB", "AAB", "AA==", "AA=", "A A", "AAAA\n", "AA+A", "AA/A", "AAAAA", "ÄAAA"])(
    "%j is no octets",
    (text) => {
      expect(decodeBase64url(text)).toBeNull();
    },
  );
});
