// Tests of zone keys against the examples of the RFCs that define their algorithms.

import { createPrivateKey, type JsonWebKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { anchorText, createZoneKeys, dsRdata, zoneKey } from "./zone-keys.ts";

const ed25519: JsonWebKey = {
  kty: "OKP",
  crv: "Ed25519",
  d: base64url("ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI="),
  x: base64url("l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4="),
};
const p256Public = Buffer.from(
  "GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==",
  "base64",
);
const p256: JsonWebKey = {
  kty: "EC",
  crv: "P-256",
  d: base64url("GU6SnQ/Ou+xC5RumuIUIuJZteXT2z0O/ok1s38Et6mQ="),
  x: p256Public.subarray(0, 32).toString("base64url"),
  y: p256Public.subarray(32).toString("base64url"),
};

describe("a key", () => {
  it("of algorithm 15 has the DNSKEY and DS of RFC 8080 §6.1", () => {
    const key = zoneKey(15, 257, privateKey(ed25519));
    expect(Buffer.from(key.dnskey).toString("base64")).toBe(
      "AQEDD5dNlqItIkvAGtuRUJFHfUTM2RyaQaEUMAEBF9UsWSQO",
    );
    expect(key.tag).toBe(3613);
    expect(anchorText("example.com", key, 3600)).toBe(
      "example.com. 3600 IN DS 3613 15 2 3AA5AB37EFCE57F737FC1627013FEE07BDF241BD10F3B1964AB55C78E79A304B",
    );
  });

  it("of algorithm 13 has the DNSKEY and DS of RFC 6605 §6.1", () => {
    const key = zoneKey(13, 257, privateKey(p256));
    expect(Buffer.from(key.dnskey)).toEqual(
      Buffer.concat([Uint8Array.of(1, 1, 3, 13), p256Public]),
    );
    expect(Buffer.from(dsRdata("example.net", key)).toString("hex")).toBe(
      "d9600d02b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17",
    );
  });

  it.each([13, 15] as const)("of algorithm %i makes signatures of 64 octets", (algorithm) => {
    const { keySigning, zoneSigning } = createZoneKeys(algorithm);
    expect(keySigning.sign(Uint8Array.of(1))).toHaveLength(64);
    expect(keySigning.dnskey.slice(0, 4)).toEqual(Uint8Array.of(1, 1, 3, algorithm));
    expect(zoneSigning.dnskey.slice(0, 4)).toEqual(Uint8Array.of(1, 0, 3, algorithm));
    expect(zoneSigning.tag).not.toBe(keySigning.tag);
  });

  it("of the root is written without a name before the dot", () => {
    const { keySigning } = createZoneKeys(13);
    expect(anchorText("", keySigning, 3600)).toMatch(/^\. 3600 IN DS \d+ 13 2 [0-9A-F]{64}$/);
  });
});

function privateKey(key: JsonWebKey) {
  return createPrivateKey({ key, format: "jwk" });
}

function base64url(text: string): string {
  return Buffer.from(text, "base64").toString("base64url");
}
