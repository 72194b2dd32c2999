// Tests of attestations that must be rejected, and of headers that are ignored.

import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { base64url, compactJws, type Json, makeSigningKey, utf8 } from "../test/support/jose.ts";
import { attest, goodClaims, makeScene, refusalOf } from "../test/support/sign-in.ts";
import { now } from "../test/support/signer.ts";

const scene = await makeScene();

const attestationOnly = { require: "attestation" } as const;

async function outcome(claims: Json, header: Json = {}): Promise<string> {
  return refusalOf(scene, { attestation: await attest(scene, claims, header) }, attestationOnly);
}

describe("an attestation is refused", () => {
  const claims: [string, Json, string][] = [
    ["by another issuer", { iss: "https://evil.example.com" }, "wrong_issuer"],
    ["for another client", { aud: "https://evil.example.net" }, "wrong_audience"],
    ["for several clients", { aud: ["https://app.example.net/client.json"] }, "wrong_audience"],
    ["for another redirect_uri", { redirect_uri: "https://evil.test/" }, "wrong_redirect_uri"],
    ["for another code_challenge", { cch: "x".repeat(43) }, "wrong_request"],
    ["without code_challenge", { cch: undefined }, "wrong_request"],
    ["of another domain", { domain: "evilalice.test" }, "wrong_domain"],
    ["of the domain's parent", { domain: "test" }, "wrong_domain"],
    ["that is over", { iat: now - 661, exp: now - 61 }, "expired"],
    ["that is to come", { iat: now + 61, exp: now + 100 }, "not_yet_valid"],
    ["that lasts too long", { exp: now + 601 }, "malformed_claims"],
    ["that ends before it begins", { exp: now - 1 }, "malformed_claims"],
    ["that says a time as text", { exp: String(now + 600) }, "malformed_claims"],
    ["without exp", { exp: undefined }, "malformed_claims"],
    ["without sub", { sub: undefined }, "malformed_claims"],
    ["with an empty sub", { sub: "" }, "malformed_claims"],
    ["without sp", { sp: undefined }, "malformed_claims"],
    ["without acct", { acct: undefined }, "malformed_claims"],
    ["without jti", { jti: undefined }, "malformed_claims"],
    ["without method", { method: undefined }, "malformed_claims"],
    ["with amr that is no list", { amr: "hwk" }, "malformed_claims"],
    ["with amr that is not all text", { amr: ["hwk", 1] }, "malformed_claims"],
    ["with auth_time that is no time", { auth_time: -1 }, "malformed_claims"],
    ["with domain_since that is no time", { domain_since: "2026" }, "malformed_claims"],
    ["without dns", { dns: null }, "malformed_claims"],
    ["without assurance", { dns: {} }, "malformed_claims"],
    ["of an assurance that is none", { dns: { status: "Secure" } }, "malformed_claims"],
    ["without auth_time", { auth_time: undefined }, "malformed_claims"],
    ["without domain_since", { domain_since: undefined }, "malformed_claims"],
    ["without amr", { amr: undefined }, "malformed_claims"],
    ["with an empty method", { method: "" }, "malformed_claims"],
    ["with a method that is a number", { method: 1 }, "malformed_claims"],
    ["with an empty jti", { jti: "" }, "malformed_claims"],
    ["with an empty sp", { sp: "" }, "malformed_claims"],
    ["with an acct that is a number", { acct: 1 }, "malformed_claims"],
  ];
  it.each(claims)("%s", async (_, more, code) => {
    expect(await outcome(more)).toBe(code);
  });

  const headers: [string, Json, string][] = [
    ["of another type", { typ: "JWT" }, "wrong_type"],
    ["of no type", { typ: undefined }, "wrong_type"],
    ["with alg none", { alg: "none" }, "wrong_algorithm"],
    ["with alg RS256", { alg: "RS256" }, "wrong_algorithm"],
    ["with alg in other letters", { alg: "es256" }, "wrong_algorithm"],
    ["with crit, even of nothing (RFC 7515 §4.1.11)", { crit: [] }, "critical_header"],
    ["with crit b64 (RFC 7797)", { crit: ["b64"], b64: false }, "critical_header"],
    ["with a kid that is not there", { kid: "k2" }, "no_such_key"],
    ["without kid", { kid: undefined }, "no_such_key"],
  ];
  it.each(headers)("%s", async (_, header, code) => {
    expect(await outcome({}, header)).toBe(code);
  });

  it("without signature (alg none)", async () => {
    const good = await attest(scene, {}, { alg: "none" });
    const attestation = good.slice(0, good.lastIndexOf(".") + 1);
    expect(await refusalOf(scene, { attestation }, attestationOnly)).toBe("wrong_algorithm");
  });

  it("with an HMAC made with the public key", async () => {
    const secret = JSON.stringify(scene.service.jwk);
    const sign = async (data: Uint8Array<ArrayBuffer>) =>
      new Uint8Array(createHmac("sha256", secret).update(data).digest());
    const header = { typ: "domain-attestation+jwt", alg: "HS256", kid: "k1" };
    const attestation = await compactJws({ ...scene.service, sign }, header, goodClaims());
    expect(await refusalOf(scene, { attestation }, attestationOnly)).toBe("wrong_algorithm");
  });

  it("of a key that it brings along, in jwk, jku or x5c", async () => {
    const evil = { ...scene, service: await makeSigningKey() };
    const header = { jwk: evil.service.jwk, jku: "https://evil.test/jwks", x5c: ["MII"] };
    const attestation = await attest(evil, {}, header);
    expect(await refusalOf(scene, { attestation }, attestationOnly)).toBe("bad_signature");
    expect(await outcome({}, header)).toBe("good");
  });

  it("of an RSA key, though the key set lists it", async () => {
    const rsa = await makeSigningKey("RSA");
    const attestation = await attest({ ...scene, service: rsa }, {}, { alg: "RS256" });
    const jwks = { keys: [{ ...rsa.jwk, kid: "k1" }] };
    const options = { ...attestationOnly, jwks };
    expect(await refusalOf(scene, { attestation }, options)).toBe("no_such_key");
  });

  it("of no key but the named one, where the set has keys of every type", async () => {
    const others = await Promise.all((["RSA", "OKP", "EC"] as const).map(makeSigningKey));
    const key = { ...scene.service.jwk, kid: "k1", use: "sig", alg: "ES256" };
    const keys = others.map(({ jwk, jkt, alg }) => ({ ...jwk, kid: jkt, use: "sig", alg }));
    const outcomeWith = (...all: object[]) =>
      refusalOf(scene, {}, { ...attestationOnly, jwks: { keys: all } });
    expect(await outcomeWith(...keys, key)).toBe("good");
    expect(await outcomeWith(key, ...keys)).toBe("good");
    expect(await outcomeWith(...keys)).toBe("no_such_key");
  });

  it("of a kid that two keys share, or a key for encryption", async () => {
    const key = { ...scene.service.jwk, kid: "k1" };
    const other = { ...(await makeSigningKey()).jwk, kid: "k1" };
    const outcomeWith = (...keys: object[]) =>
      refusalOf(scene, {}, { ...attestationOnly, jwks: { keys } });
    expect(await outcomeWith(key)).toBe("good");
    expect(await outcomeWith(key, other)).toBe("no_such_key");
    expect(await outcomeWith({ ...key, use: "enc" })).toBe("no_such_key");
    expect(await outcomeWith({ ...key, alg: "ES384" })).toBe("no_such_key");
    expect(await outcomeWith({ ...key, x: "AA" })).toBe("unsuitable_key");
  });

  it("of a key without a kid, named by no kid", async () => {
    const attestation = await attest(scene, {}, { kid: undefined });
    const options = { ...attestationOnly, jwks: { keys: [scene.service.jwk] } };
    expect(scene.service.jwk).not.toHaveProperty("kid");
    expect(await refusalOf(scene, { attestation }, options)).toBe("no_such_key");
  });

  it("with a claim twice, even if escapes hide it (RFC 8725 §2.4)", async () => {
    const text = JSON.stringify(goodClaims());
    const header = { typ: "domain-attestation+jwt", alg: "ES256", kid: "k1" };
    for (const twice of ['{"sub":"acc_2",', '{"s\\u0075b":"acc_2",']) {
      const attestation = await compactJws(scene.service, header, text.replace("{", twice));
      expect(await refusalOf(scene, { attestation }, attestationOnly)).toBe("malformed_claims");
    }
  });

  it.each(["", "a", "a.b", "a.b.c.d", "....", "e30.e30.AA==", `${"e30.".repeat(5000)}e30`])(
    "that is no JWS: %.20s",
    async (attestation) => {
      expect(await refusalOf(scene, { attestation }, attestationOnly)).toMatch(/^malformed_/);
    },
  );
});

it("clocks may differ by a minute", async () => {
  expect(await outcome({ iat: now + 60, exp: now + 100 })).toBe("good");
  expect(await outcome({ iat: now - 600, exp: now - 59 })).toBe("good");
});

it("an access token that comes along must be the one whose hash was attested", async () => {
  // OpenID Connect Core appendix A.3.
  const accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
  const at_hash = "77QmUPtjPfzWtF2AnpK9RQ";
  const attestation = await attest(scene, { at_hash });
  expect(await refusalOf(scene, { attestation }, { accessToken })).toBe("good");
  expect(await refusalOf(scene, { attestation }, { accessToken: "x" })).toBe("wrong_access_token");
  expect(await refusalOf(scene, {}, { accessToken })).toBe("wrong_access_token");
});

it("a header of hostile strings is read as any other", async () => {
  const header = `{"typ":"domain-attestation+jwt","x":"${"a".repeat(8000)}"}`;
  const attestation = `${base64url(utf8(header))}.e30.AA`;
  expect(await refusalOf(scene, { attestation }, attestationOnly)).toBe("no_such_key");
});

it("is as sure as the app requires, or surer", async () => {
  const levels = ["unknown", "single", "corroborated", "secure"] as const;
  for (const [said, status] of levels.entries()) {
    const attestation = await attest(scene, { dns: { status } });
    expect(await refusalOf(scene, { attestation }, attestationOnly)).toBe("good");
    for (const [least, minAssurance] of levels.entries()) {
      if (minAssurance === "unknown") continue;
      const code = await refusalOf(scene, { attestation }, { ...attestationOnly, minAssurance });
      expect([status, minAssurance, code]).toEqual([
        status,
        minAssurance,
        said >= least ? "good" : "assurance_too_low",
      ]);
    }
  }
});
