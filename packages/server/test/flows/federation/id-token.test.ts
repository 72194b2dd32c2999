// ID tokens of external SPs that are refused, in whole sign-ins; `token-endpoint.test.ts` has the tables.

import { createHmac } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import {
  type Json,
  publicJwk,
  registering,
  SP_KID,
  type SpRequest,
  startBentSp,
  withRegistration,
} from "../../support/bent-sp.ts";
import { codeOf, federation } from "../../support/federated.ts";
import { fixture } from "../../support/fixture.ts";
import { makeKeyPair } from "../../support/key-pair.ts";

const stranger = makeKeyPair("ec");
const rsa = makeKeyPair("rsa");
const strangerJwk = publicJwk(stranger.publicKey, "stranger");
const rsaJwk = { ...rsa.publicKey.export({ format: "jwk" }), kid: "rsa" };

const world = federation();
/** Has keys of its own that no token may be checked with: it is never asked. */
const elsewhere = fixture(() => startBentSp({ keys: () => [strangerJwk] }));

const now = () => Math.floor(Date.now() / 1000);
/** The metadata of an SP that signs with these algorithms. */
const signingWith = (...algorithms: string[]) => ({
  id_token_signing_alg_values_supported: algorithms,
});

describe("an ID token is refused that says", () => {
  test.each<[string, (right: Json) => Json, RegExp]>([
    ["another aud", (right) => ({ ...right, aud: "another client" }), /aud/],
    ["another nonce", (right) => ({ ...right, nonce: "another nonce" }), /nonce/],
    ["an empty sub", (right) => ({ ...right, sub: "" }), /sub/],
  ])("%s", async (_, claims, says) => {
    await world.expectRefused({ claims }, says);
  });

  test("no auth_time, or one that is too old, where the app asked for max_age (OIDC Core §3.1.2.1)", async () => {
    const parameters = { max_age: "60" };
    const none = ({ auth_time: _, ...rest }: Json) => rest;
    await world.expectRefused({ claims: none }, /auth_time/, { parameters });
    const old = (right: Json) => ({ ...right, auth_time: now() - 600 });
    await world.expectRefused({ claims: old }, /max_age/, { parameters });
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

describe("an ID token is refused that is signed", () => {
  test.each<[string, (claims: Json) => string | Promise<string>]>([
    ["not at all", (claims) => `${part({ alg: "none" })}.${part(claims)}.`],
    ["by another key under the SP's kid", (claims) => signedBy({}, claims)],
    [
      "by a key that its header has at a URL (jku)",
      (claims) => signedBy({ kid: "stranger", jku: `${elsewhere.issuer}/jwks` }, claims),
    ],
  ])("%s", async (_, idToken) => {
    const algorithms = signingWith("none", "HS256", "RS256", "ES256");
    const metadata = (right: Json) => ({ ...right, ...algorithms });
    const keys = (own: Json[]) => [...own, rsaJwk];
    await world.expectRefused({ metadata, keys, idToken }, /./);
    expect(elsewhere.requests).toEqual([]);
  });

  test("with HS256 by our client secret, though it is one that both know", async () => {
    let secret = "";
    const register = (request: SpRequest) => {
      secret = "a client secret that the SP and we both know";
      return registering({ client_secret: secret })(request);
    };
    const metadata = (right: Json) => ({
      ...withRegistration(right),
      ...signingWith("HS256", "ES256"),
    });
    const idToken = (claims: Json) => byHand({ alg: "HS256" }, claims, secret);
    await world.expectRefused({ metadata, reply: { register }, idToken }, /./);
    expect(secret).not.toBe("");
  });

  test("with an algorithm that we registered not to get", async () => {
    const keys = (own: Json[]) => [...own, { ...rsaJwk, alg: "RS256" }];
    const idToken = (claims: Json) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "rsa" }).sign(rsa.privateKey);
    const metadata = (right: Json) => ({ ...right, ...signingWith("ES256") });
    await world.expectRefused({ metadata, keys, idToken }, /./);
    // The same token where the SP says that it signs so: it was the algorithm.
    const sp = await world.sp({ keys, idToken });
    expect(codeOf(await world.visit(world.domainAt(sp)))).toMatch(/^dsc_/);
  });
});

test("an SP is refused whose keys are missing", async () => {
  await world.expectRefused({ reply: { jwks: () => ({ status: 404, body: {} }) } }, /./);
});

test("keys that an SP has changed are read again, and those of before are not asked for twice in a row", async () => {
  const sp = await world.sp();
  const domain = world.domainAt(sp);
  codeOf(await world.visit(domain));
  expect(sp.asked("jwks")).toHaveLength(1);
  codeOf(await world.visit(domain));
  expect(sp.asked("jwks")).toHaveLength(1);
  world.advance(10);
  sp.bends.keys = () => [strangerJwk];
  sp.bends.idToken = (claims) => signedBy({ kid: "stranger" }, claims);
  codeOf(await world.visit(domain));
  expect(sp.asked("jwks")).toHaveLength(2);
  for (let time = 0; time < 3; time++) {
    sp.bends.idToken = (claims) => signedBy({ kid: `unknown ${time}` }, claims);
    expect((await world.visit(domain)).page.stopped).toBe(false);
  }
  expect(sp.asked("jwks")).toHaveLength(2);
});
