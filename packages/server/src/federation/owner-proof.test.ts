// Tests of the owner's statement that an external SP sends along: a good one is passed on, no other.

import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, test } from "vitest";
import { checkOwnerProof, type OwnerProofContext } from "./owner-proof.ts";

const now = 1_800_000_000;
const issuer = "https://auth.example";
const wanted = {
  ...{ aud: "app", redirect_uri: "https://app.example/callback" },
  ...{ cch: "c".repeat(43), nonce: "n" },
};
const statement = {
  ...{ typ: "domain-owner-statement", v: 1, domain: "alice.example", svc: issuer },
  ...{ aud: wanted.aud, redirect_uri: wanted.redirect_uri, cch: wanted.cch },
  ...{ sp: "https://sp.example", iat: now, exp: now + 3600, jti: "one of them" },
};
const { privateKey, publicKey } = await generateKeyPair("ES256");
const jwk = await exportJWK(publicKey);
const context: OwnerProofContext = {
  ...{ domain: "alice.example", sp: "https://sp.example", acct: "a".repeat(22), now, wanted },
  jkt: ["another", await calculateJwkThumbprint(jwk)],
};

async function claim(changes: object = {}, typ = "domain-owner-statement+jwt") {
  const jws = new SignJWT({ ...statement, ...changes }).setProtectedHeader({ alg: "ES256", typ });
  return { kind: "jws", key: { ...jwk, kid: "left out" }, jws: await jws.sign(privateKey) };
}

test("a good one is passed on, with the public members of its key alone", async () => {
  const sent = await claim();
  const { x, y } = jwk;
  expect(await checkOwnerProof(sent, context, issuer)).toEqual({
    outcome: "proof",
    part: { ...sent, key: { crv: "P-256", kty: "EC", x, y } },
  });
});

test("none is none, and so is one that nobody asked for", async () => {
  expect(await checkOwnerProof(undefined, context, issuer)).toEqual({ outcome: "none" });
  const asked = { ...context, wanted: null };
  expect(await checkOwnerProof(await claim(), asked, issuer)).toEqual({ outcome: "none" });
});

test.each<[string, object, string]>([
  ["about another domain", { domain: "evil.example" }, "wrong_domain"],
  ["for another service", { svc: "https://other.example" }, "wrong_issuer"],
  ["for another app", { aud: "other" }, "wrong_audience"],
  ["for another address", { redirect_uri: "https://evil.example/" }, "wrong_redirect_uri"],
  ["for another request", { cch: "d".repeat(43) }, "wrong_request"],
  ["of another SP", { sp: "https://evil.example" }, "wrong_service_provider"],
  ["that is over", { iat: now - 3700, exp: now - 100 }, "expired"],
])("a statement %s is left out", async (_, changes, reason) => {
  const sent = await claim(changes);
  expect(await checkOwnerProof(sent, context, issuer)).toEqual({ outcome: "dropped", reason });
});

test("a key that the record does not list is left out", async () => {
  const unlisted = { ...context, jkt: ["another"] };
  expect(await checkOwnerProof(await claim(), unlisted, issuer)).toEqual({
    ...{ outcome: "dropped", reason: "key_not_in_record" },
  });
});

test.each<[string, unknown]>([
  ["a text", "proof"],
  ["null", null],
  ["a passkey's", { kind: "webauthn", key: {}, statement: "", signature: "" }],
  ["one without a key", { kind: "jws", jws: "a.b.c" }],
  ["one that is no JWS", { kind: "jws", key: jwk, jws: "a" }],
  ["one that is too long", { kind: "jws", key: jwk, jws: "a".repeat(20_000) }],
])("%s is left out", async (_, sent) => {
  expect(await checkOwnerProof(sent, context, issuer)).toMatchObject({ outcome: "dropped" });
});
