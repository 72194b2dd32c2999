// ID tokens of external SPs that are refused, in whole sign-ins; `token-endpoint.test.ts` has the tables.

import { createHmac } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type BentSp,
  type Json,
  publicJwk,
  SP_KID,
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
import { makeKeyPair } from "../../support/key-pair.ts";

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
const stranger = makeKeyPair("ec");
const rsa = makeKeyPair("rsa");
const strangerJwk = publicJwk(stranger.publicKey, "stranger");

describe("an ID token is refused that says", () => {
  test.each<[string, (right: Json) => Json, RegExp]>([
    ["another aud", (right) => ({ ...right, aud: "another client" }), /aud/],
    ["another nonce", (right) => ({ ...right, nonce: "another nonce" }), /nonce/],
    ["an empty sub", (right) => ({ ...right, sub: "" }), /sub/],
  ])("%s", async (_, claims, says) => {
    await expectRefused(world, { claims }, says);
  });

  test("no auth_time, or one that is too old, where the app asked for max_age (OIDC Core §3.1.2.1)", async () => {
    const parameters = { max_age: "60" };
    const none = ({ auth_time: _, ...rest }: Json) => rest;
    await expectRefused(world, { claims: none }, /auth_time/, { parameters });
    const old = (right: Json) => ({ ...right, auth_time: now() - 600 });
    await expectRefused(world, { claims: old }, /max_age/, { parameters });
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

test("an SP is refused whose keys are missing", async () => {
  await expectRefused(world, { reply: { jwks: () => ({ status: 404, body: {} }) } }, /./);
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
