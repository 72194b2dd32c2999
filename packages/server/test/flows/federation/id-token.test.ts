// External SPs whose ID tokens, or the keys of them, are not what they must be (OIDC Core §3.1.3.7).

import { createHmac, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type BentSp,
  type Json,
  publicJwk,
  SP_KEY,
  SP_KID,
  signedBySp,
  startBentSp,
  withRegistration,
} from "../../support/bent-sp.ts";
import {
  codeOf,
  domainAt,
  expectRefused,
  type FederatedWorld,
  startFederatedWorld,
  visit,
} from "../../support/federated.ts";

let world: FederatedWorld;
/** Has keys of its own that no token may be checked with: it is never asked. */
let elsewhere: BentSp;
beforeAll(async () => {
  world = await startFederatedWorld();
  elsewhere = await startBentSp({ keys: () => [publicJwk(stranger.publicKey, "stranger")] });
});
afterAll(async () => {
  await elsewhere.close();
  await world.close();
});

const now = () => Math.floor(Date.now() / 1000);
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const strangerJwk = publicJwk(stranger.publicKey, "stranger");

describe("an ID token is refused that says", () => {
  test.each<[string, (right: Json) => Json, RegExp?]>([
    ["another iss", (right) => ({ ...right, iss: "https://sp.example" })],
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
  ])("%s", async (_, claims, says = /./) => {
    await expectRefused(world, { claims }, says);
  });

  test("no auth_time, or one that is too old, where the app asked for max_age (OIDC Core §3.1.2.1)", async () => {
    const parameters = { max_age: "60" };
    const none = ({ auth_time: _, ...rest }: Json) => rest;
    await expectRefused(world, { claims: none }, /auth_time/, { parameters });
    const old = (right: Json) => ({ ...right, auth_time: now() - 600 });
    await expectRefused(world, { claims: old }, /max_age/, { parameters });
  });

  test.each<[string, unknown]>([
    ["null", null],
    ["a list", []],
    ["a text", "claims"],
  ])("%s instead of claims", async (_, payload) => {
    await expectRefused(
      world,
      { idToken: () => byHand({ alg: "ES256", kid: SP_KID }, payload) },
      /./,
    );
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
    .sign(stranger.privateKey);
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
    ["by a key in its header", (claims) => signedBy({ kid: "stranger", jwk: strangerJwk }, claims)],
    [
      "by a key in its header, under the SP's kid",
      (claims) => signedBy({ jwk: strangerJwk }, claims),
    ],
    [
      "by a key that its header has at a URL (jku)",
      (claims) => signedBy({ kid: "stranger", jku: `${elsewhere.issuer}/jwks` }, claims),
    ],
    [
      "by a certificate that its header has at a URL (x5u)",
      (claims) => signedBy({ kid: "stranger", x5u: `${elsewhere.issuer}/jwks` }, claims),
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
    ["under an alg that nobody has", (claims) => byHand({ alg: "ES256K", kid: SP_KID }, claims)],
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
    const metadata = (right: Json) => ({
      ...right,
      id_token_signing_alg_values_supported: ["none", "HS256", "RS256", "ES256"],
    });
    const keys = (own: Json[]) => [
      ...own,
      { ...rsa.publicKey.export({ format: "jwk" }), kid: "rsa" },
    ];
    await expectRefused(world, { metadata, keys, idToken }, /./);
    expect(elsewhere.requests).toEqual([]);
  });

  test("with HS256 by our client secret, though it is one that both know", async () => {
    let secret = "";
    const bends = {
      metadata: (right: Json) => ({
        ...withRegistration(right),
        id_token_signing_alg_values_supported: ["HS256", "ES256"],
      }),
      reply: {
        register: ({ json }: { json: Json }) => {
          secret = "a client secret that the SP and we both know";
          const body = {
            ...json,
            client_id: "a",
            client_secret: secret,
            client_secret_expires_at: 0,
          };
          return { status: 201, body };
        },
      },
      idToken: (claims: Json) => byHand({ alg: "HS256" }, claims, secret),
    };
    await expectRefused(world, bends, /./);
    expect(secret).not.toBe("");
  });

  test("with an algorithm that we registered not to get", async () => {
    const { privateKey } = rsa;
    const keys = (own: Json[]) => [
      ...own,
      { ...rsa.publicKey.export({ format: "jwk" }), kid: "rsa", alg: "RS256" },
    ];
    const bends = {
      metadata: (right: Json) => ({ ...right, id_token_signing_alg_values_supported: ["ES256"] }),
      keys,
      idToken: (claims: Json) =>
        new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "rsa" }).sign(privateKey),
    };
    await expectRefused(world, bends, /./);
    // The same token where the SP says that it signs so: it was the algorithm.
    const sp = await world.sp({ keys, idToken: bends.idToken });
    expect(codeOf(await visit(world, domainAt(world, sp)))).toMatch(/^dsc_/);
  });
});

const jsonType = { "content-type": "application/json" };

describe("an SP is refused whose keys", () => {
  test.each<[string, { status?: number; headers?: Record<string, string>; body?: unknown }]>([
    ["are missing", { status: 404, body: {} }],
    ["fail", { status: 500, body: {} }],
    ["are a page", { body: "<p>keys</p>" }],
    ["are no JSON", { headers: jsonType, body: "{" }],
    ["are null", { headers: jsonType, body: "null" }],
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
  ])("%s", async (_, reply) => {
    await expectRefused(world, { reply: { jwks: () => reply } }, /./);
  });
});

test("keys that an SP has changed are read again, and those of before are not asked for twice in a row", async () => {
  const sp = await world.sp();
  const domain = domainAt(world, sp);
  codeOf(await visit(world, domain));
  expect(sp.asked("jwks")).toHaveLength(1);
  codeOf(await visit(world, domain));
  expect(sp.asked("jwks")).toHaveLength(1);
  world.advance(10);
  sp.bends.keys = () => [strangerJwk];
  sp.bends.idToken = (claims) => signedBy({ kid: "stranger" }, claims);
  codeOf(await visit(world, domain));
  expect(sp.asked("jwks")).toHaveLength(2);
  for (let time = 0; time < 3; time++) {
    sp.bends.idToken = (claims) => signedBy({ kid: `unknown ${time}` }, claims);
    expect((await visit(world, domain)).page.stopped).toBe(false);
  }
  expect(sp.asked("jwks")).toHaveLength(2);
});
