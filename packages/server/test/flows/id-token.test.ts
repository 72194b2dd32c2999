// The ID token beside the tokens of a code, with another library as its judge (OIDC Core §3.1.3.7).

import { createHash } from "node:crypto";
import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import { beforeAll, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { startTestService, type TestClient } from "../support/service.ts";
import { redemption, refresh, type SignIn } from "../support/sign-in.ts";
import { withSqlite } from "../support/sqlite-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { dataAt } from "../support/validation-data.ts";

const folder = temporaryFolder();
const at = flow({ start: () => startTestService({ database: folder.database("store.db") }) });
let keys: ReturnType<typeof createRemoteJWKSet>;
beforeAll(() => {
  keys = createRemoteJWKSet(new URL(`${at.issuer}/.well-known/jwks.json`));
});

/** The token response to a sign-in, and the claims of its ID token. */
async function signedIn(
  client: TestClient = at.client,
  parameters: Record<string, string> = {},
): Promise<{ body: Record<string, unknown>; claims: JWTPayload }> {
  return redeemed(client, await at.signIn({ client, parameters }));
}

async function redeemed(client: TestClient, done: SignIn) {
  const { status, body } = await at.token(redemption(client, done), client);
  expect(status).toBe(200);
  const expected = { issuer: at.issuer, audience: client.id };
  return { body, claims: (await jwtVerify(String(body.id_token), keys, expected)).payload };
}

test.each([
  ["RS256", undefined, "sha256"],
  ["RS256", "RS256", "sha256"],
  ["ES256", "ES256", "sha256"],
  ["EdDSA", "EdDSA", "sha512"],
] as const)(
  "is signed with %s for a client that is registered with %s",
  async (alg, wanted, hash) => {
    const settings = wanted === undefined ? {} : { id_token_signed_response_alg: wanted };
    const client = await at.addClient({ consent: "never", ...settings });
    const { body, claims } = await signedIn(client);
    expect(decodeProtectedHeader(String(body.id_token))).toMatchObject({ alg, typ: "JWT" });
    const octets = createHash(hash).update(String(body.access_token)).digest();
    expect(claims.at_hash).toBe(octets.subarray(0, octets.length / 2).toString("base64url"));
  },
);

test("says who signed in, as userinfo does, and to what account DNS points", async () => {
  const parameters = { nonce: "a nonce that no log may hold" };
  const { body, claims } = await signedIn(at.client, parameters);
  const userinfo = await at.userinfo(body.access_token);
  // There, they describe the access token.
  const { aud: _, client_id: __, ...said } = (await userinfo.json()) as Record<string, unknown>;
  expect(claims).toMatchObject(said);
  const [record] = at.zone.records().filter(({ name }) => name === `_domain-signin.${at.domain}`);
  const [, acct] = /acct=([\w-]+)/.exec(record?.value ?? "") ?? [];
  expect(claims).toMatchObject({ acct, domain: at.domain, amr: ["dns"] });
  expect(claims.nonce).toBe("a nonce that no log may hold");
  expect(Number(claims.exp) - Number(claims.iat)).toBe(600);
});

test("without a nonce in the request there is none in it", async () => {
  const { claims } = await signedIn();
  expect(claims).not.toHaveProperty("nonce");
});

test("auth_time is when the owner was there, whatever max_age let pass", async () => {
  const first = (await signedIn()).claims;
  at.advance(100);
  const later = (await signedIn(at.client, { max_age: "1000" })).claims;
  expect(later.auth_time).toBe(first.auth_time);
  expect(Number(later.iat) - Number(later.auth_time)).toBeGreaterThanOrEqual(100);
  const again = (await signedIn(at.client, { max_age: "99" })).claims;
  expect(Number(again.iat) - Number(again.auth_time)).toBeLessThan(60);
  expect(again.sub).toBe(first.sub);
});

test("without the scope openid there is none, and on a refresh never", async () => {
  const client = await at.addClient({ consent: "never", scope: "openid profile" });
  const without = await at.signIn({ client, parameters: { scope: "profile" } });
  const { body } = await at.token(redemption(client, without), client);
  expect(body).toHaveProperty("validation_data");
  expect(body).not.toHaveProperty("id_token");
  const parameters = { scope: "openid profile" };
  const { body: withIt } = await signedIn(client, parameters);
  const refreshed = await at.token(refresh(String(withIt.refresh_token)), client);
  expect(refreshed.body).toMatchObject({ scope: "openid profile" });
  expect(refreshed.body).not.toHaveProperty("id_token");
});

test("a client that wants no validation_data gets it too, and still no validation_data", async () => {
  const client = await at.addClient({ consent: "never", validation_data: false });
  const { body, claims } = await signedIn(client);
  expect(claims.acct).toBeTypeOf("string");
  expect(body).not.toHaveProperty("validation_data");
  expect((await dataAt(at, String(body.access_token))).status).toBe(404);
});

test("a code of a version that kept no evidence yields the same one", async () => {
  const { claims: usual } = await signedIn();
  const done = await at.signIn();
  await withSqlite(folder.file("store.db"), (engine) => engine.execute("DELETE FROM evidence", []));
  const { body, claims } = await redeemed(at.client, done);
  expect(body).not.toHaveProperty("validation_data");
  const { domain, domain_since, acct, sub } = usual;
  expect(claims).toMatchObject({ domain, domain_since, acct, sub });
});

test("both names of the metadata have one body, which says what is meant to be done with it", async () => {
  const [openid, oauth] = await Promise.all(
    ["openid-configuration", "oauth-authorization-server"].map(async (name) => {
      const answer = await fetch(`${at.issuer}/.well-known/${name}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
      return answer.json();
    }),
  );
  expect(openid).toEqual(oauth);
  // What OIDC Discovery §3 requires.
  expect(openid).toMatchObject({
    issuer: at.issuer,
    authorization_endpoint: `${at.issuer}/oauth/authorize`,
    token_endpoint: `${at.issuer}/oauth/token`,
    jwks_uri: `${at.issuer}/.well-known/jwks.json`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "ES256", "EdDSA"],
    request_uri_parameter_supported: false,
    domain_signin_version: 1,
  });
});
