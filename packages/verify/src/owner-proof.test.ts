// Tests of owner proofs by passkey and by JWS: the required claims and keys.

import { describe, expect, it } from "vitest";
import { base64url, type Json, makeSigningKey, utf8 } from "../test/support/jose.ts";
import {
  type AssertionLies,
  goodStatement,
  jwsProof,
  makeScene,
  refusalOf,
  webauthnProof,
} from "../test/support/sign-in.ts";
import { now } from "../test/support/signer.ts";

const scene = await makeScene();

const ownerProof = { require: "owner_proof" } as const;

async function webauthn(lies: AssertionLies): Promise<string> {
  return refusalOf(scene, { owner_proof: await webauthnProof(scene, lies) }, ownerProof);
}

it("a passkey's numbers may have fewer than 32 octets", async () => {
  // One signature in 128 has such a number.
  for (let tries = 0; tries < 5000; tries++) {
    const owner_proof = await webauthnProof(scene);
    const der = [...Buffer.from(String(owner_proof.signature), "base64url")];
    const first = der[3] ?? 0;
    if (first >= 32 && (der[5 + first] ?? 0) >= 32) continue;
    expect(await refusalOf(scene, { owner_proof }, ownerProof)).toBe("good");
    return;
  }
  throw new Error("no short number in 5,000 signatures");
});

describe.each(["EC", "OKP", "RSA"] as const)("an owner's key of type %s", (kty) => {
  it("signs as a passkey and as a JWS, and nothing that was changed behind it", async () => {
    const own = await makeScene(kty);
    expect(await refusalOf(own, {}, ownerProof)).toBe("good");
    const signed = await jwsProof(own);
    expect(await refusalOf(own, { owner_proof: signed }, ownerProof)).toBe("good");

    const passkey = await webauthnProof(own);
    const other = await webauthnProof(own, { flags: 0x1d });
    const mixed = { ...passkey, authenticator_data: other.authenticator_data };
    expect(await refusalOf(own, { owner_proof: mixed }, ownerProof)).toBe("bad_signature");
  });
});

const statements: [string, Json, string][] = [
  ["of another type", { typ: "domain-attestation" }, "wrong_type"],
  ["of another version", { v: 2 }, "unsupported_version"],
  ["about another domain", { domain: "evilalice.test" }, "wrong_domain"],
  ["for another client", { aud: "https://evil.example.net" }, "wrong_audience"],
  ["for another redirect_uri", { redirect_uri: "https://evil.test/" }, "wrong_redirect_uri"],
  ["for another service", { svc: "https://evil.example.com" }, "wrong_issuer"],
  ["by another SP", { sp: "https://sp.example.org" }, "wrong_service_provider"],
  ["of another request", { cch: "x".repeat(43) }, "wrong_request"],
  ["of no request", { cch: undefined }, "wrong_request"],
  ["with a nonce alone", { cch: undefined, nonce: "n" }, "wrong_request"],
  ["that is over", { iat: now - 3000, exp: now - 61 }, "expired"],
  ["that is to come", { iat: now + 61, exp: now + 100 }, "not_yet_valid"],
  ["that lasts too long", { exp: now + 3541 }, "malformed_claims"],
  ["without jti", { jti: undefined }, "malformed_claims"],
];

describe("a statement is refused", () => {
  it.each(statements)("%s", async (_, statement, code) => {
    expect(await webauthn({ statement })).toBe(code);
    const signed = await jwsProof(scene, statement);
    expect(await refusalOf(scene, { owner_proof: signed }, ownerProof)).toBe(code);
  });

  it("that is not JSON, or has a member twice", async () => {
    expect(await webauthn({ statementText: "hello" })).toBe("malformed_claims");
    expect(await webauthn({ statementText: "[]" })).toBe("malformed_claims");
    const twice = JSON.stringify(goodStatement()).replace("{", '{"aud":"x",');
    expect(await webauthn({ statementText: twice })).toBe("malformed_claims");
  });

  it("that is not the one whose hash was the challenge", async () => {
    const statement = base64url(utf8(JSON.stringify({ ...goodStatement(), jti: "s2" })));
    const owner_proof = { ...(await webauthnProof(scene)), statement };
    expect(await refusalOf(scene, { owner_proof }, ownerProof)).toBe("wrong_challenge");
  });

  it("but its octets need no canonical form", async () => {
    const statementText = JSON.stringify(goodStatement(), null, 2);
    expect(await webauthn({ statementText })).toBe("good");
  });
});

describe("an assertion is refused", () => {
  const lies: [string, AssertionLies, string][] = [
    ["of a registration", { clientData: { type: "webauthn.create" } }, "wrong_type"],
    ["over another challenge", { clientData: { challenge: "AAAA" } }, "wrong_challenge"],
    ["at a foreign origin", { clientData: { origin: "https://evil.test" } }, "wrong_origin"],
    [
      "at an origin that begins alike",
      { clientData: { origin: "https://auth.example.com.evil.test" } },
      "wrong_origin",
    ],
    [
      "at another port",
      { clientData: { origin: "https://auth.example.com:8443" } },
      "wrong_origin",
    ],
    ["in a foreign frame", { clientData: { crossOrigin: true } }, "wrong_origin"],
    ["where crossOrigin is no boolean", { clientData: { crossOrigin: "false" } }, "wrong_origin"],
    ["below another page", { clientData: { topOrigin: "https://evil.test" } }, "wrong_origin"],
    ["for a foreign RP ID", { rpId: "evil.test" }, "wrong_rp_id"],
    ["for the parent as RP ID", { rpId: "example.com" }, "wrong_rp_id"],
    ["of nobody", { flags: 0x04 }, "user_not_verified"],
    ["of somebody", { flags: 0x01 }, "user_not_verified"],
  ];
  it.each(lies)("%s", async (_, lie, code) => {
    expect(await webauthn(lie)).toBe(code);
  });

  it("but not for want of crossOrigin, which some browsers leave out", async () => {
    expect(await webauthn({ clientData: { crossOrigin: undefined } })).toBe("good");
  });

  it("whose parts are too short or no JSON", async () => {
    const proof = await webauthnProof(scene);
    const short = { ...proof, authenticator_data: String(proof.authenticator_data).slice(0, 48) };
    expect(await refusalOf(scene, { owner_proof: short }, ownerProof)).toBe(
      "malformed_owner_proof",
    );
    const text = { ...proof, client_data_json: "AAAA" };
    expect(await refusalOf(scene, { owner_proof: text }, ownerProof)).toBe("malformed_owner_proof");
  });

  it("whose signature is not strict DER", async () => {
    const proof = await webauthnProof(scene);
    const der = [...Buffer.from(String(proof.signature), "base64url")];
    const [sequence = 0, length = 0, tag = 0, size = 0, ...rest] = der;
    const wrong = [
      [],
      [...der, 0],
      [sequence, length + 1, ...der.slice(2), 0],
      [sequence, length + 1, tag, size + 1, 0, ...rest],
      [sequence, 0x81, length, ...der.slice(2)],
      [sequence, 4, tag, 0, tag, 0],
      [sequence, 6, tag, 1, 0x80, tag, 1, 0x80],
      [sequence, 8, tag, 2, 0, 1, tag, 2, 0, 1],
      [0x31, length, ...der.slice(2)],
      [sequence, length - 1, ...der.slice(2)],
      [sequence, length, 0x03, size, ...rest],
      [sequence, 3, tag, 1, 1],
      [sequence, 6, tag, 1, 1, tag, 2, 1],
      [sequence, 38, tag, 33, ...Array(33).fill(1), tag, 1, 1],
      [sequence, 5, tag, 0, tag, 1, 1],
    ];
    for (const octets of wrong) {
      const signature = base64url(Uint8Array.from(octets));
      const outcome = await refusalOf(scene, { owner_proof: { ...proof, signature } }, ownerProof);
      expect([octets, outcome]).toEqual([
        octets,
        octets.length === 0 ? "malformed_data" : "malformed_owner_proof",
      ]);
    }
  });

  it("whose signature is strict DER of other numbers", async () => {
    const proof = await webauthnProof(scene);
    for (const octets of [
      [0x30, 6, 2, 1, 0, 2, 1, 0],
      [0x30, 6, 2, 1, 1, 2, 1, 1],
      [0x30, 8, 2, 2, 0, 0x80, 2, 2, 0, 0x80],
    ]) {
      const signature = base64url(Uint8Array.from(octets));
      const outcome = await refusalOf(scene, { owner_proof: { ...proof, signature } }, ownerProof);
      expect([octets, outcome]).toEqual([octets, "bad_signature"]);
    }
  });
});

describe("a key is refused", () => {
  it("that the record does not list, though its signature is good", async () => {
    expect(await webauthn({ key: await makeSigningKey() })).toBe("key_not_in_record");
  });

  it("that is listed, but did not sign", async () => {
    const other = await webauthnProof(scene, { key: await makeSigningKey() });
    const owner_proof = { ...other, key: scene.owner.jwk };
    expect(await refusalOf(scene, { owner_proof }, ownerProof)).toBe("bad_signature");
  });

  it("that is not of a kind that is used here", async () => {
    const proof = await webauthnProof(scene);
    const { jwk } = scene.owner;
    const rsa = { kty: "RSA", e: "AQAB" };
    const keys = [
      {},
      { ...jwk, crv: "P-384" },
      { ...jwk, x: `${jwk.x}A` },
      { kty: "oct", k: "AAAA" },
      { ...rsa, n: base64url(new Uint8Array(128).fill(0xff)) },
      { ...rsa, n: base64url(new Uint8Array(513).fill(0xff)) },
      { ...rsa, n: base64url(new Uint8Array(256).fill(0x7f)) },
      { ...rsa, n: base64url(new Uint8Array(256).fill(0xff)), e: "AQ" },
    ];
    for (const key of keys) {
      const owner_proof = { ...proof, key };
      expect(await refusalOf(scene, { owner_proof }, ownerProof)).toBe("unsuitable_key");
    }
  });

  it("that a JWS brings along, and an alg that is not the key's", async () => {
    const evil = await makeSigningKey();
    const brought = { jwk: evil.jwk };
    const forged = { ...(await jwsProof({ ...scene, owner: evil }, {}, brought)) };
    const owner_proof = { ...forged, key: scene.owner.jwk };
    expect(await refusalOf(scene, { owner_proof }, ownerProof)).toBe("bad_signature");
    for (const [header, code] of [
      [{ alg: "none" }, "wrong_algorithm"],
      [{ alg: "EdDSA" }, "wrong_algorithm"],
      [{ typ: "JWT" }, "wrong_type"],
      [{ crit: ["x"] }, "critical_header"],
    ] as const) {
      const proof = await jwsProof(scene, {}, header);
      expect(await refusalOf(scene, { owner_proof: proof }, ownerProof)).toBe(code);
    }
  });
});
