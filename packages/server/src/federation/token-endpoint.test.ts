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
import { sealWith } from "../keys/seal.ts";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { openSqlite } from "../store/sqlite.ts";
import { createStore } from "../store/store.ts";
import { createAcctCheck, unsaltedAcct } from "./acct-hash.ts";
import { createSpKeys } from "./provider.ts";
import { redeemCode } from "./token-endpoint.ts";

const SP = "https://sp.example";
const secrets = { state: "state", nonce: "a nonce of this sign-in", verifier: "v".repeat(43) };
const client = { id: "our client", source: "public_document", method: "none" } as const;
const answer = new URLSearchParams({ code: "a code", state: secrets.state, iss: SP });
const now = systemClock.seconds;

interface Bends {
  readonly claims?: (right: Json) => Json;
  readonly idToken?: (claims: Json) => string | Promise<string>;
  readonly jwks?: { status?: number; headers?: Record<string, string>; body?: unknown };
  readonly maxAge?: number;
}

/** What a sign-in at an SP that is bent so comes to; nothing but its two endpoints may be asked. */
function redeemed({
  claims,
  idToken = signedBySp,
  jwks = {},
  maxAge,
}: Bends): ReturnType<typeof redeemCode> {
  const asked = {
    ...{ at: now(), token_endpoint: `${SP}/token`, jwks_uri: `${SP}/jwks`, iss: true, client },
    ...{ algs: ["RS256", "ES256"], domain_aware: false },
  };
  const right: Json = {
    ...{ iss: SP, sub: SP_SUB, aud: client.id, nonce: secrets.nonce },
    ...{ iat: now(), exp: now() + 600, auth_time: now() },
  };
  const fetch = async (url: string) => {
    if (url === asked.jwks_uri) return answered(jwks);
    if (url !== asked.token_endpoint) throw new Error(`unexpected request to ${url}`);
    const id_token = await idToken(claims?.(right) ?? right);
    return Response.json({ access_token: "a", token_type: "Bearer", expires_in: 600, id_token });
  };
  const deps = {
    ...{ issuer: "https://auth.example", clock: systemClock, fetch, allowLoopback: false },
    ...{ store: createStore(openSqlite(":memory:")), seal: sealWith("a secret", systemRandom) },
    keyring: {
      signingKeyAt: () => {
        throw new Error("nothing is signed here");
      },
    },
    keys: createSpKeys({ fetch, clock: systemClock }),
    ...{
      random: systemRandom,
      accts: createAcctCheck({ clock: systemClock, random: systemRandom }),
    },
  };
  const domain = "alice.test";
  const named = { domain, acct: unsaltedAcct({ issuer: SP, sub: SP_SUB, domain }) };
  const request = { asked, secrets, secret: null, maxAge, forceLogin: false };
  const code = { sp: SP, answer, ...request, ...named };
  return redeemCode(code, { ...deps, signal: new AbortController().signal });
}

function answered({ status = 200, headers = {}, body }: NonNullable<Bends["jwks"]>): Response {
  const keys = [publicJwk(), { ...rsa.publicKey.export({ format: "jwk" }), kid: "rsa" }];
  const text = typeof body === "string" ? body : JSON.stringify(body ?? { keys });
  return new Response(text, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

async function expectRefused(bends: Bends, says = /./): Promise<void> {
  await expect(redeemed(bends)).rejects.toMatchObject({
    ...{ name: "SpFailure", kind: "bad_answer", message: expect.stringMatching(says) },
  });
}

const otherKey = makeKeyPair("ec");
const rsa = makeKeyPair("rsa");
const otherJwk = publicJwk(otherKey.publicKey, "other");

test("an ID token that is right is believed, so that the tables below speak of something", async () => {
  expect(await redeemed({ maxAge: 60 })).toMatchObject({ iss: SP, sub: SP_SUB });
});

test("an ID token for another account than the record names is refused", async () => {
  const redeeming = redeemed({ claims: (right) => ({ ...right, sub: "mallory" }) });
  await expect(redeeming).rejects.toMatchObject({ name: "SpFailure", kind: "other_account" });
});

describe("an ID token is refused that says", () => {
  test.each<[string, (right: Json) => Json, RegExp?]>([
    ["another iss", (right) => ({ ...right, iss: "https://other.example" })],
    ["an iss with a slash at its end", (right) => ({ ...right, iss: `${right.iss}/` })],
    ["no iss", ({ iss: _, ...rest }) => rest],
    ["another aud", (right) => ({ ...right, aud: "another client" })],
    ["an aud that holds ours", (right) => ({ ...right, aud: `${right.aud}/` })],
    ["no aud", ({ aud: _, ...rest }) => rest],
    ["an empty list of aud", (right) => ({ ...right, aud: [] })],
    [
      "several aud without azp",
      (right) => ({ ...right, aud: [right.aud, "another client"] }),
      /aud/,
    ],
    [
      "several aud, and another azp",
      (right) => ({ ...right, aud: [right.aud, "b"], azp: "b" }),
      /azp/,
    ],
    ["another azp", (right) => ({ ...right, azp: "another client" }), /azp/],
    ["an azp that is a list", (right) => ({ ...right, azp: [right.aud] })],
    ["another nonce", (right) => ({ ...right, nonce: "another nonce" }), /nonce/],
    [
      "a nonce that only begins like ours",
      (right) => ({ ...right, nonce: `${right.nonce}a` }),
      /nonce/,
    ],
    ["no nonce", ({ nonce: _, ...rest }) => rest, /nonce/],
    ["an empty nonce", (right) => ({ ...right, nonce: "" }), /nonce/],
    ["a nonce in a list", (right) => ({ ...right, nonce: [right.nonce] })],
    ["an exp in the past", (right) => ({ ...right, iat: now() - 700, exp: now() - 100 })],
    ["no exp", ({ exp: _, ...rest }) => rest],
    ["an exp that is a text", (right) => ({ ...right, exp: String(right.exp) })],
    ["an exp before its iat", (right) => ({ ...right, iat: now() + 30, exp: now() + 10 })],
    [
      "an iat of the future",
      (right) => ({ ...right, iat: now() + 300, exp: now() + 900 }),
      /future/,
    ],
    ["no iat", ({ iat: _, ...rest }) => rest],
    ["an nbf of the future", (right) => ({ ...right, nbf: now() + 300 })],
    ["an auth_time of the future", (right) => ({ ...right, auth_time: now() + 300 }), /auth_time/],
    ["an auth_time below zero", (right) => ({ ...right, auth_time: -1 })],
    ["an auth_time that is a text", (right) => ({ ...right, auth_time: String(now()) })],
    ["no sub", ({ sub: _, ...rest }) => rest],
    ["an empty sub", (right) => ({ ...right, sub: "" })],
    ["a sub that is a number", (right) => ({ ...right, sub: 1 })],
    ["a sub in a list", (right) => ({ ...right, sub: [right.sub] })],
  ])("%s", async (_, claims, says) => {
    await expectRefused({ claims }, says);
  });

  test.each<[string, (right: Json) => Json, RegExp]>([
    ["no auth_time", ({ auth_time: _, ...rest }) => rest, /no auth_time/],
    ["an auth_time that is too old", (right) => ({ ...right, auth_time: now() - 600 }), /max_age/],
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
    [
      "with HS256, by the public key as PEM",
      (claims) => byHand({ alg: "HS256", kid: SP_KID }, claims, pem),
    ],
    [
      "with HS256, by the public key as JWK",
      (claims) => byHand({ alg: "HS256", kid: SP_KID }, claims, JSON.stringify(publicJwk())),
    ],
    ["with HS256, by nothing", (claims) => byHand({ alg: "HS256", kid: SP_KID }, claims)],
    [
      "with HS256, by our client_id",
      (claims) => byHand({ alg: "HS256" }, claims, String(claims.aud)),
    ],
    ["by a key in its header", (claims) => signedBy({ kid: "other", jwk: otherJwk }, claims)],
    ["by a key in its header, under the SP's kid", (claims) => signedBy({ jwk: otherJwk }, claims)],
    [
      "by a key that its header has at a URL (jku)",
      (claims) => signedBy({ kid: "other", jku: "https://elsewhere.example/jwks" }, claims),
    ],
    [
      "by a certificate that its header has at a URL (x5u)",
      (claims) => signedBy({ kid: "other", x5u: "https://elsewhere.example/jwks" }, claims),
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
    [
      "are of another kind",
      { body: { keys: [{ ...rsa.publicKey.export({ format: "jwk" }), kid: SP_KID }] } },
    ],
    ["are secrets", { body: { keys: [{ kty: "oct", k: "c2VjcmV0", kid: SP_KID, alg: "HS256" }] } }],
    ["are for encryption", { body: { keys: [{ ...publicJwk(), use: "enc" }] } }],
    ["are a point that is not on the curve", { body: { keys: [{ ...publicJwk(), x: "AAAA" }] } }],
    ["are too many", { body: { keys: Array.from({ length: 500 }, () => publicJwk()) } }],
    ["are elsewhere", { status: 302, headers: { location: "http://localhost:9/jwks" } }],
  ])("%s", async (_, jwks) => {
    await expectRefused({ jwks });
  });
});
