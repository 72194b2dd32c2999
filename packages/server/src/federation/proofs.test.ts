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

test("no proof is returned without a claim, or if none was requested", async () => {
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

test.each<[string, object]>([
  ["for no request", { cch: undefined }],
  ["of another type", { typ: "another-statement" }],
  ["of another version", { v: 2 }],
  ["without jti", { jti: undefined }],
  ["without exp", { exp: undefined }],
  ["that is of the future", { iat: now + 400, exp: now + 800 }],
  ["that lasts too long", { exp: now + 86_400 }],
])("a statement %s is left out", async (_, changes) => {
  const sent = await claim(changes);
  expect(await checkOwnerProof(sent, context, issuer)).toMatchObject({ outcome: "dropped" });
});

test("a statement with another header, or by another key under the listed one, is left out", async () => {
  const otherKey = await generateKeyPair("ES256");
  const header = { alg: "ES256", typ: "domain-owner-statement+jwt" };
  const jws = await new SignJWT(statement).setProtectedHeader(header).sign(otherKey.privateKey);
  for (const sent of [await claim({}, "JWT"), { kind: "jws", key: jwk, jws }]) {
    expect(await checkOwnerProof(sent, context, issuer)).toMatchObject({ outcome: "dropped" });
  }
});

test("a key that the record does not list is left out", async () => {
  const unlisted = { ...context, jkt: ["another"] };
  expect(await checkOwnerProof(await claim(), unlisted, issuer)).toEqual({
    ...{ outcome: "dropped", reason: "key_not_in_record" },
  });
});

type Claim = Awaited<ReturnType<typeof claim>>;

test.each<[string, (right: Claim) => unknown]>([
  ["a text", (right) => JSON.stringify(right)],
  ["null", () => null],
  ["a list", (right) => [right]],
  ["a number", () => 1],
  ["a passkey's", (right) => ({ ...right, kind: "webauthn" })],
  ["one without a kind", ({ kind: _, ...rest }) => rest],
  ["one without a key", ({ key: _, ...rest }) => rest],
  ["one whose key is a text", (right) => ({ ...right, key: JSON.stringify(right.key) })],
  ["one without a signature", ({ jws: _, ...rest }) => rest],
  ["one that is cut", (right) => ({ ...right, jws: right.jws.slice(0, -9) })],
  ["one that is no JWS", (right) => ({ ...right, jws: "a" })],
  ["one that is too long", (right) => ({ ...right, jws: right.jws + "A".repeat(20_000) })],
])("%s is left out", async (_, change) => {
  const sent = change(await claim());
  expect(await checkOwnerProof(sent, context, issuer)).toMatchObject({ outcome: "dropped" });
});
