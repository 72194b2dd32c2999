// Tests of signing keys and of what they sign, with the verifier that apps use as the judge.

import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { verifyValidationData } from "domain-signin-verify";
import { compactVerify, importJWK } from "jose";
import { describe, expect, it, test } from "vitest";
import { signJws, signJwsAsync } from "./jws.ts";
import { makeSigningKey, publicJwkOf, readSigningKey, type SigningAlg } from "./signing-key.ts";

const now = 1_800_000_000;
const key = readSigningKey(await makeSigningKey("ES256"), 0);
const jwk = publicJwkOf(key.privateKey);
const typ = "domain-attestation+jwt";

const expected = {
  issuer: "https://auth.example.com",
  clientId: "dsid_app",
  redirectUri: "https://app.example.org/callback",
  nonce: "a nonce",
};
const claims = {
  ...{ iss: expected.issuer, aud: expected.clientId, redirect_uri: expected.redirectUri },
  ...{ nonce: expected.nonce, sub: "sub_x", domain: "alice.test", domain_since: now - 1 },
  ...{ iat: now, exp: now + 600, jti: "x", auth_time: now, amr: ["dns"], method: "dns" },
  ...{ sp: expected.issuer, acct: "a".repeat(22), dns: { status: "secure" } },
};

function verify(attestation: string, keys: readonly object[] = [jwk]) {
  return verifyValidationData(
    { v: 1, domain: "alice.test", attestation },
    { ...expected, require: "attestation", jwks: { keys }, now },
  );
}

describe("what a key signs", () => {
  it("is accepted by the verifier, with the key as it is published", async () => {
    await expect(verify(signJws(key, { typ }, claims))).resolves.toMatchObject({ sub: "sub_x" });
  });

  it("is accepted each of 200 times: no signature comes out shorter than another", async () => {
    for (let count = 0; count < 200; count++) {
      const text = signJws(key, { typ }, { ...claims, jti: String(count) });
      expect(Buffer.from(text.split(".")[2] ?? "", "base64url")).toHaveLength(64);
      await verify(text);
    }
  });

  it("says algorithm, type and key, and nothing else (RFC 7515 §4.1)", () => {
    const [header = ""] = signJws(key, { typ }, claims).split(".");
    const text = Buffer.from(header, "base64url").toString();
    expect(JSON.parse(text)).toEqual({ alg: "ES256", typ, kid: key.kid });
  });

  it("is refused with another claim, and with another key of the same name", async () => {
    const [header, , signature] = signJws(key, { typ }, claims).split(".");
    const other = Buffer.from(JSON.stringify({ ...claims, sub: "sub_y" })).toString("base64url");
    await expect(verify(`${header}.${other}.${signature}`)).rejects.toMatchObject({
      code: "bad_signature",
    });
    const otherKey = readSigningKey(await makeSigningKey("ES256"), 0);
    const named = { ...publicJwkOf(otherKey.privateKey), kid: key.kid };
    await expect(verify(signJws(key, { typ }, claims), [named])).rejects.toMatchObject({
      code: "bad_signature",
    });
  });
});

describe("the public half", () => {
  it("has the public members, and no private one", () => {
    const octets = /^[\w-]{43}$/;
    expect(jwk).toEqual({
      ...{ kty: "EC", crv: "P-256", use: "sig", alg: "ES256", kid: key.kid },
      ...{ x: expect.stringMatching(octets), y: expect.stringMatching(octets) },
    });
  });

  it("is named by its thumbprint (RFC 7638 §3)", () => {
    const { kid, use, alg, ...members } = jwk;
    const text = JSON.stringify(members, ["crv", "kty", "x", "y"]);
    expect(kid).toBe(createHash("sha256").update(text).digest("base64url"));
  });

  const others: [string, KeyObject][] = [
    ["P-384", generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey],
    ["X25519", generateKeyPairSync("x25519").privateKey],
  ];
  test.each(others)("is refused on %s: none of our algorithms", (_, other) => {
    expect(() => publicJwkOf(other)).toThrow(
      "unsupported signing key: it must be P-256, RSA or Ed25519",
    );
  });
});

describe.each<[SigningAlg, string[]]>([
  ["ES256", ["crv", "kty", "x", "y"]],
  ["RS256", ["e", "kty", "n"]],
  ["EdDSA", ["crv", "kty", "x"]],
])("%s", (alg, members) => {
  it("signs on the thread pool only for RSA, whose signatures take ten times as long", async () => {
    const own = readSigningKey(await makeSigningKey(alg), 0);
    const signed = signJwsAsync(own, { typ }, claims);
    expect(typeof signed).toBe(alg === "RS256" ? "object" : "string");
    expect((await signed).split(".")).toHaveLength(3);
  });

  it("signs here and on another thread what another library accepts", async () => {
    const own = readSigningKey(await makeSigningKey(alg), 7);
    const shown = publicJwkOf(own.privateKey);
    expect(own).toMatchObject({ alg, currentFrom: 7, kid: shown.kid });
    const published = await importJWK({ ...shown });
    for (const text of [signJws(own, { typ }, claims), await signJwsAsync(own, { typ }, claims)]) {
      const { payload, protectedHeader } = await compactVerify(text, published);
      expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(claims);
      expect(protectedHeader).toEqual({ alg, typ, kid: own.kid });
    }
  });

  it("publishes its public members and no other, under their thumbprint", async () => {
    const { kid, use, ...shown } = publicJwkOf(
      readSigningKey(await makeSigningKey(alg), 0).privateKey,
    );
    expect(Object.keys(shown).sort()).toEqual(["alg", ...members]);
    const text = JSON.stringify(shown, members);
    expect(kid).toBe(createHash("sha256").update(text).digest("base64url"));
  });
});

test("a signing key shows nothing of itself as text", () => {
  const d = String(key.privateKey.export({ format: "jwk" }).d);
  expect(d).toMatch(/^[\w-]{43}$/);
  expect(`${JSON.stringify(key)}${String(key.privateKey)}`).not.toContain(d);
});
