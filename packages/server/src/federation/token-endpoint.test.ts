// Tests of what is believed of an ID token, and of the keys that it is checked with (OIDC Core §3.1.3.7).

import { createHmac } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import {
  type Json,
  publicJwk,
  SP_KEY,
  SP_KID,
  SP_SUB,
  signedBySp,
} from "../../test/support/bent-sp.ts";
import { makeKeyPair } from "../../test/support/key-pair.ts";
import { noSigningKeys } from "../../test/support/test-keys.ts";
import { clockFrom, systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { createAcctCheck, unsaltedAcct } from "./acct-hash.ts";
import { createSpKeys } from "./provider.ts";
import { createIdTokenJudge } from "./sp-id-token.ts";
import { createTokenEndpoint } from "./token-endpoint.ts";

const SP = "https://sp.example";
const secrets = { state: "state", nonce: "a nonce of this sign-in", verifier: "v".repeat(43) };
const client = { id: "our client", source: "public_document", method: "none" } as const;
const answer = new URLSearchParams({ code: "a code", state: secrets.state, iss: SP });
const NOW = systemClock.seconds();
/** Time stands still. */
const clock = clockFrom(() => NOW * 1000);

interface Bends {
  /** What is changed of the right claims; `undefined` takes a claim away. */
  readonly claims?: Json;
  readonly idToken?: (claims: Json) => string | Promise<string>;
  readonly jwks?: { status?: number; headers?: Record<string, string>; body?: unknown };
  readonly maxAge?: number;
}

/** What a sign-in at an SP that is bent so comes to; nothing but its two endpoints may be asked. */
function redeemed({ claims, idToken = signedBySp, jwks = {}, maxAge }: Bends) {
  const asked = {
    ...{ at: NOW, token_endpoint: `${SP}/token`, jwks_uri: `${SP}/jwks`, iss: true, client },
    ...{ algs: ["RS256", "ES256"], domain_aware: false },
  };
  const right: Json = {
    ...{ iss: SP, sub: SP_SUB, aud: client.id, nonce: secrets.nonce },
    ...{ iat: NOW, exp: NOW + 600, auth_time: NOW },
  };
  const fetch = async (url: string) => {
    if (url === asked.jwks_uri) return answered(jwks);
    if (url !== asked.token_endpoint) throw new Error(`unexpected request to ${url}`);
    const id_token = await idToken({ ...right, ...claims });
    return Response.json({ access_token: "a", token_type: "Bearer", expires_in: 600, id_token });
  };
  const deps = { issuer: "https://auth.example", clock, fetch, allowLoopback: false };
  const accts = createAcctCheck({ clock, random: systemRandom });
  const judge = createIdTokenJudge({ ...deps, keys: createSpKeys(fetch, clock), accts });
  const assertionKey = noSigningKeys.signingKeyAt;
  const { redeemCode } = createTokenEndpoint({ ...deps, assertionKey });
  const domain = "alice.test";
  const named = { domain, acct: unsaltedAcct({ issuer: SP, sub: SP_SUB, domain }) };
  const request = { asked, secrets, secret: null, maxAge, forceLogin: false };
  const code = { sp: SP, answer, ...request, ...named };
  return redeemCode(code, judge, { signal: new AbortController().signal });
}

function answered({ status = 200, headers = {}, body }: NonNullable<Bends["jwks"]>): Response {
  const keys = [publicJwk(), { ...rsaJwk, kid: "rsa" }];
  const text = typeof body === "string" ? body : JSON.stringify(body ?? { keys });
  const type = { "content-type": "application/json" };
  return new Response(text, { status, headers: { ...type, ...headers } });
}

async function expectRefused(bends: Bends, says = /./): Promise<void> {
  await expect(redeemed(bends)).rejects.toMatchObject({
    ...{ name: "SpFailure", kind: "bad_answer", message: expect.stringMatching(says) },
  });
}

const otherKey = makeKeyPair("ec");
const rsaJwk = makeKeyPair("rsa").publicKey.export({ format: "jwk" });
const otherJwk = publicJwk(otherKey.publicKey, "other");

test("an ID token that is right is believed, so that the tables below speak of something", async () => {
  expect(await redeemed({ maxAge: 60 })).toMatchObject({ iss: SP, sub: SP_SUB });
});

test("an ID token for another account than the record names is refused", async () => {
  const redeeming = redeemed({ claims: { sub: "mallory" } });
  await expect(redeeming).rejects.toMatchObject({ name: "SpFailure", kind: "other_account" });
});

describe("an ID token is refused that says", () => {
  test.each<[string, Json, RegExp?]>([
    ["another iss", { iss: "https://other.example" }],
    ["an iss with a slash at its end", { iss: `${SP}/` }],
    ["no iss", { iss: undefined }],
    ["another aud", { aud: "another client" }],
    ["an aud that holds ours", { aud: `${client.id}/` }],
    ["no aud", { aud: undefined }],
    ["an empty list of aud", { aud: [] }],
    ["several aud without azp", { aud: [client.id, "another client"] }, /aud/],
    ["several aud, and another azp", { aud: [client.id, "b"], azp: "b" }, /azp/],
    ["another azp", { azp: "another client" }, /azp/],
    ["an azp that is a list", { azp: [client.id] }],
    ["another nonce", { nonce: "another nonce" }, /nonce/],
    ["a nonce that only begins like ours", { nonce: `${secrets.nonce}a` }, /nonce/],
    ["no nonce", { nonce: undefined }, /nonce/],
    ["an empty nonce", { nonce: "" }, /nonce/],
    ["a nonce in a list", { nonce: [secrets.nonce] }],
    ["an exp in the past", { iat: NOW - 700, exp: NOW - 100 }],
    ["no exp", { exp: undefined }],
    ["an exp that is a text", { exp: String(NOW + 600) }],
    ["an exp before its iat", { iat: NOW + 30, exp: NOW + 10 }],
    ["an iat of the future", { iat: NOW + 300, exp: NOW + 900 }, /future/],
    ["no iat", { iat: undefined }],
    ["an nbf of the future", { nbf: NOW + 300 }],
    ["an auth_time of the future", { auth_time: NOW + 300 }, /auth_time/],
    ["an auth_time below zero", { auth_time: -1 }],
    ["an auth_time that is a text", { auth_time: String(NOW) }],
    ["no sub", { sub: undefined }],
    ["an empty sub", { sub: "" }],
    ["a sub that is a number", { sub: 1 }],
    ["a sub in a list", { sub: [SP_SUB] }],
  ])("%s", async (_, claims, says) => {
    await expectRefused({ claims }, says);
  });

  test.each<[string, Json, RegExp]>([
    ["no auth_time", { auth_time: undefined }, /no auth_time/],
    ["an auth_time that is too old", { auth_time: NOW - 600 }, /max_age/],
  ])("%s, where the app asked for max_age (OIDC Core §3.1.2.1)", async (_, claims, says) => {
    await expectRefused({ claims, maxAge: 60 }, says);
  });

  test.each<[string, unknown]>([
    ["null", null],
    ["a list", []],
    ["a text", "claims"],
  ])("%s instead of claims", async (_, payload) => {
    await expectRefused({ idToken: () => byHand({ alg: "ES256", kid: SP_KID }, payload) });
  });
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
/** Signed with HMAC, which no checked token may be. */
const byHand = (header: Json, claims: unknown, key: string | Buffer = "") => {
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
};
const signedBy = (header: Json, claims: Json) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: SP_KID, ...header })
    .sign(otherKey.privateKey);
const HS256 = { alg: "HS256", kid: SP_KID };
const elsewhere = "https://elsewhere.example/jwks";
const pem = SP_KEY.publicKey.export({ type: "spki", format: "pem" });

describe("an ID token is refused that is signed", () => {
  test.each<[string, (claims: Json) => string | Promise<string>]>([
    ["not at all: alg none", (claims) => `${part({ alg: "none" })}.${part(claims)}.`],
    ["not at all: alg NONE", (claims) => `${part({ alg: "NONE", kid: SP_KID })}.${part(claims)}.`],
    ["not at all: no alg", (claims) => `${part({ kid: SP_KID })}.${part(claims)}.`],
    [
      "not at all: no signature",
      async (claims) => `${(await signedBySp(claims)).replace(/[^.]+$/, "")}`,
    ],
    ["with HS256, by the public key as PEM", (claims) => byHand(HS256, claims, pem)],
    [
      "with HS256, by the public key as JWK",
      (claims) => byHand(HS256, claims, JSON.stringify(publicJwk())),
    ],
    ["with HS256, by nothing", (claims) => byHand(HS256, claims)],
    [
      "with HS256, by our client_id",
      (claims) => byHand({ alg: "HS256" }, claims, String(claims.aud)),
    ],
    ["by a key in its header", (claims) => signedBy({ kid: "other", jwk: otherJwk }, claims)],
    ["by a key in its header, under the SP's kid", (claims) => signedBy({ jwk: otherJwk }, claims)],
    [
      "by a key that its header has at a URL (jku)",
      (claims) => signedBy({ kid: "other", jku: elsewhere }, claims),
    ],
    [
      "by a certificate that its header has at a URL (x5u)",
      (claims) => signedBy({ kid: "other", x5u: elsewhere }, claims),
    ],
    [
      "by a certificate in its header (x5c)",
      (claims) => signedBy({ x5c: [Buffer.from(pem).toString("base64")] }, claims),
    ],
    ["by another key under the SP's kid", (claims) => signedBy({}, claims)],
    ["by an unknown kid", (claims) => signedBySp(claims, { kid: "another kid" })],
    ["by a kid that is a path", (claims) => signedBySp(claims, { kid: "../../../../dev/null" })],
    [
      "under an alg that is not its key's",
      (claims) => byHand({ alg: "RS256", kid: SP_KID }, claims),
    ],
    ["with an unknown alg", (claims) => byHand({ alg: "ES256K", kid: SP_KID }, claims)],
    [
      "with a header that must be understood (crit)",
      (claims) => signedBySp(claims, { crit: ["b64"], b64: true }),
    ],
    [
      "for other claims",
      async (claims) => {
        const [header, , signature] = (await signedBySp(claims)).split(".");
        return [header, part({ ...claims, sub: "mallory" }), signature].join(".");
      },
    ],
    ["and then encrypted: five parts", () => "a.b.c.d.e"],
    ["and cut short", async (claims) => (await signedBySp(claims)).slice(0, -8)],
  ])("%s", async (_, idToken) => {
    await expectRefused({ idToken });
  });
});

describe("an SP is refused whose keys", () => {
  test.each<[string, { status?: number; headers?: Record<string, string>; body?: unknown }]>([
    ["are missing", { status: 404, body: {} }],
    ["fail", { status: 500, body: {} }],
    ["are a page", { body: "<p>keys</p>" }],
    ["are no JSON", { body: "{" }],
    ["are null", { body: "null" }],
    ["are a list", { body: [publicJwk()] }],
    ["are not there", { body: {} }],
    ["are none", { body: { keys: [] } }],
    ["are an object", { body: { keys: { [SP_KID]: publicJwk() } } }],
    ["are null each", { body: { keys: [null] } }],
    ["are texts", { body: { keys: [pem] } }],
    ["are of another kind", { body: { keys: [{ ...rsaJwk, kid: SP_KID }] } }],
    ["are secrets", { body: { keys: [{ kty: "oct", k: "c2VjcmV0", kid: SP_KID, alg: "HS256" }] } }],
    ["are for encryption", { body: { keys: [{ ...publicJwk(), use: "enc" }] } }],
    ["are a point that is not on the curve", { body: { keys: [{ ...publicJwk(), x: "AAAA" }] } }],
    ["are too many", { body: { keys: Array.from({ length: 500 }, () => publicJwk()) } }],
    ["are elsewhere", { status: 302, headers: { location: "http://localhost:9/jwks" } }],
  ])("%s", async (_, jwks) => {
    await expectRefused({ jwks });
  });
});
