// A hostile SP tries to pass for an honest one by its metadata, its registration or its tokens (RFC 9700 §4.4).

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Json, signedBySp, withRegistration } from "../../support/bent-sp.ts";
import {
  codeOf,
  expectRefusal,
  type FederatedWorld,
  startFederatedWorld,
  visit,
} from "../../support/federated.ts";
import { keyOf, startTwoSps, type TwoSps } from "../../support/two-sps.ts";

let world: FederatedWorld;
let two: TwoSps;
beforeAll(async () => {
  world = await startFederatedWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  two = await startTwoSps(world);
});

describe("a hostile SP whose metadata names an endpoint of the honest one", () => {
  const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri"];
  const PATHS: Json = {
    authorization_endpoint: "authorize",
    token_endpoint: "token",
    jwks_uri: "jwks",
  };
  const naming = (name: string) => (metadata: Json) => ({
    ...metadata,
    [name]: `${two.honest.issuer}/${PATHS[name]}`,
  });

  test.each(ENDPOINTS)("is refused: %s", async (name) => {
    two.hostile.bends.metadata = naming(name);
    const done = await visit(world, two.mallory);
    expectRefusal(world, done, { sp: two.hostile, says: new RegExp(name) });
    expect(two.honest.requests).toEqual([]);
  });

  test.each(ENDPOINTS)(
    "gets no code, though the operator lets its endpoints be elsewhere: %s",
    async (name) => {
      const entry = { token_endpoint_auth_method: "none", allow: ["endpoints_elsewhere"] };
      await world.test.store.putSpClient({
        ...{ issuer: two.hostile.issuer, source: "operator", clientId: two.clientAt(two.honest) },
        ...{ settings: JSON.stringify(entry), sealedSecret: null, madeAt: 1 },
      });
      two.hostile.bends.metadata = naming(name);
      const done = await visit(world, two.mallory);
      // With keys of the honest one that are the same as its own, it is only itself.
      if (name === "jwks_uri") expect(codeOf(done)).toMatch(/^dsc_/);
      else
        expectRefusal(world, done, { sp: two.hostile, says: /iss|token endpoint|invalid_grant/ });
      two.expectNoCodeLeaked();
    },
  );

  test("or says to be it, is refused", async () => {
    two.hostile.bends.metadata = (metadata) => ({ ...metadata, issuer: two.honest.issuer });
    const done = await visit(world, two.mallory);
    expectRefusal(world, done, { sp: two.hostile, says: /issuer/ });
  });
});

describe("a hostile SP that registers us", () => {
  test("under the client_id of the honest one gets neither its code nor its secret", async () => {
    const both = { metadata: withRegistration };
    Object.assign(two.honest.bends, both);
    codeOf(await visit(world, two.alice));
    const { clientId } = (await world.test.store.findSpClients(two.honest.issuer))[0] ?? {};
    Object.assign(two.hostile.bends, both);
    two.hostile.bends.reply = {
      ...two.relayed(() => ({ redirect_uri: two.callbackOf(two.honest) })),
      register: ({ json }) => ({
        status: 201,
        body: {
          ...json,
          client_id: clientId,
          client_secret: "b".repeat(40),
          client_secret_expires_at: 0,
        },
      }),
    };
    const done = await visit(world, two.mallory);
    expectRefusal(world, done, { sp: two.hostile, says: /iss|address/ });
    expect(two.hostile.asked("token")).toEqual([]);
    const stored = await world.test.store.findSpClients(two.honest.issuer);
    expect(stored).toHaveLength(1);
    codeOf(await visit(world, two.alice));
    two.expectNoCodeLeaked();
  });

  test("with addresses of its own is asked nothing there, and changes no redirect URI", async () => {
    two.hostile.bends.metadata = withRegistration;
    two.hostile.bends.reply = {
      register: ({ json }) => ({
        status: 201,
        body: {
          ...{
            ...json,
            client_id: "a",
            client_secret: "b".repeat(40),
            client_secret_expires_at: 0,
          },
          ...{
            redirect_uris: [two.callbackOf(two.honest)],
            registration_client_uri: `${two.honest.issuer}/other`,
          },
          ...{
            jwks_uri: `${two.honest.issuer}/jwks`,
            issuer: two.honest.issuer,
            registration_access_token: "c",
          },
        },
      }),
    };
    await visit(world, two.mallory);
    expect(two.hostile.asked("authorize")[0]?.url.searchParams.get("redirect_uri")).toBe(
      two.callbackOf(two.hostile),
    );
    expect(two.honest.requests).toEqual([]);
  });
});

test("an assertion that we authenticate with is for one SP alone: the other could not use it", async () => {
  const byKey = (metadata: Json) => ({
    ...metadata,
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
  });
  two.hostile.bends.metadata = byKey;
  codeOf(await visit(world, two.mallory));
  const assertion = two.hostile.asked("token")[0]?.form.get("client_assertion") ?? "";
  const claims: Json = JSON.parse(
    Buffer.from(assertion.split(".")[1] ?? "", "base64url").toString(),
  );
  expect(claims).toMatchObject({
    aud: two.hostile.issuer,
    iss: claims.sub,
    jti: expect.any(String),
  });
  expect(claims.sub).toBe(`${world.test.issuer}/federation/client/${keyOf(two.hostile)}`);
  expect(Number(claims.exp) - Number(claims.iat)).toBeLessThanOrEqual(60);
});

describe("an ID token of the honest SP that the hostile one passes on is refused:", () => {
  test.each<[string, (right: Json) => Json]>([
    ["as it is", (right) => ({ ...right, iss: two.honest.issuer, aud: two.clientAt(two.honest) })],
    ["made for the hostile one's client", (right) => ({ ...right, iss: two.honest.issuer })],
    ["by its nonce alone", (right) => ({ ...right, aud: two.clientAt(two.honest) })],
  ])("%s", async (_, claims) => {
    // Both sign with the same key here: the signature is in order.
    two.hostile.bends.idToken = (right) => signedBySp(claims(right));
    expectRefusal(world, await visit(world, two.mallory), { sp: two.hostile });
  });

  test("and an account of the honest one is not to be had by a hostile SP's claims", async () => {
    two.hostile.bends.metadata = (metadata) => ({ ...metadata, domain_signin_version: 1 });
    two.hostile.bends.claims = (right) => ({
      ...right,
      domain: two.alice,
      acct: two.honest.acct(two.alice),
    });
    expectRefusal(world, await visit(world, two.mallory), { sp: two.hostile, says: /ID token/ });
  });
});
