// Tests of JWK thumbprints and of base64url against published values.

import { describe, expect, it } from "vitest";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import { readPublicJwk, thumbprintOf } from "./jwk.ts";

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
