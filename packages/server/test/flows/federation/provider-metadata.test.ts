// External SPs whose metadata is wrong: nobody is sent to them, and the page says what it was.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BentSp, type Json, startBentSp, withRegistration } from "../../support/bent-sp.ts";
import {
  codeOf,
  domainAt,
  expectRefused,
  type FederatedWorld,
  startFederatedWorld,
  visit,
} from "../../support/federated.ts";

let world: FederatedWorld;
/** Where others' endpoints would be: nothing may ever come here. */
let elsewhere: BentSp;
beforeAll(async () => {
  world = await startFederatedWorld();
  elsewhere = await startBentSp();
});
afterAll(async () => {
  await elsewhere.close();
  await world.close();
});

const without = (name: string) => (metadata: Json) => {
  const { [name]: _, ...rest } = metadata;
  return rest;
};
const withMember = (name: string, value: unknown) => (metadata: Json) => ({
  ...metadata,
  [name]: value,
});

/** Nobody is sent there, and it is asked for nothing but its metadata. */
async function refusedUnseen(metadata: (metadata: Json) => Json, says: RegExp): Promise<void> {
  const { sp } = await expectRefused(world, { metadata }, says);
  const paths = sp.requests.map(({ path }) => path);
  expect(paths.filter((path) => path !== "metadata" && path !== "oauth-metadata")).toEqual([]);
  expect(elsewhere.requests).toEqual([]);
}

test("an SP that does all as it should signs the owner in, so that the tables below speak of something", async () => {
  const sp = await world.sp();
  const done = await visit(world, domainAt(world, sp));
  expect(codeOf(done)).toMatch(/^dsc_/);
  expect(sp.requests.map(({ path }) => path)).toEqual(["metadata", "authorize", "token", "jwks"]);
});

describe("metadata with another issuer is refused (OIDC Discovery §4.3):", () => {
  test.each<[string, (issuer: string) => unknown]>([
    ["that of another host", () => "https://sp.example"],
    ["that of another port", (issuer) => issuer.replace(/\d+$/, "1")],
    ["with a slash at its end", (issuer) => `${issuer}/`],
    ["in capital letters", (issuer) => issuer.toUpperCase()],
    ["with its host in capital letters", (issuer) => issuer.replace("localhost", "LOCALHOST")],
    ["with a path", (issuer) => `${issuer}/tenant`],
    ["with a query", (issuer) => `${issuer}?`],
    ["with a space at its end", (issuer) => `${issuer} `],
    ["by the address of its host", (issuer) => issuer.replace("localhost", "127.0.0.1")],
    ["in an array", (issuer) => [issuer]],
    ["null", () => null],
    ["empty", () => ""],
  ])("%s", async (_, bent) => {
    const metadata = (right: Json) => ({ ...right, issuer: bent(String(right.issuer)) });
    await refusedUnseen(metadata, /issuer/);
  });
});

const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint"];

describe("endpoints on another origin are refused:", () => {
  test.each(ENDPOINTS)("%s", async (name) => {
    const there = `${elsewhere.issuer}/${name}`;
    await refusedUnseen(
      (metadata) => ({ ...withRegistration(metadata), [name]: there }),
      new RegExp(`${name} must be on http://localhost`),
    );
  });

  test.each([
    ["over https on the same host", (host: string) => `https://${host}/token`],
    [
      "at the address of the same host",
      (host: string) => `http://${host.replace("localhost", "127.0.0.1")}/token`,
    ],
    ["below the same host", (host: string) => `http://a.${host}/token`],
    ["at a host that only begins like it", (host: string) => `http://${host}.sp.example/token`],
    ["at a private address", () => "http://169.254.169.254/latest/meta-data"],
    ["with a user name like the host", (host: string) => `http://${host}@sp.example/token`],
    ["with a user name", (host: string) => `http://user@${host}/token`],
    ["with a fragment", (host: string) => `http://${host}/token#a`],
    ["of a script", () => "javascript:alert(1)"],
    ["of data", () => "data:application/json,{}"],
    ["of a file", () => "file:///etc/passwd"],
    ["as a path", () => "/token"],
    ["as a number", () => 1],
    ["as an object", () => ({})],
    ["of nothing", () => ""],
    ["that is too long", (host: string) => `http://${host}/${"a".repeat(3000)}`],
  ])("%s", async (_, bent: (host: string) => unknown) => {
    for (const name of ["authorization_endpoint", "token_endpoint"]) {
      await refusedUnseen(
        (metadata) => ({ ...metadata, [name]: bent(new URL(String(metadata.issuer)).host) }),
        new RegExp(name),
      );
    }
  });
});

describe("metadata without what a sign-in needs is refused:", () => {
  test.each([
    ["issuer", /issuer/],
    ["authorization_endpoint", /authorization_endpoint/],
    ["token_endpoint", /token_endpoint/],
    ["jwks_uri", /jwks_uri/],
    ["code_challenge_methods_supported", /code_challenge_methods_supported/],
    [
      "authorization_response_iss_parameter_supported",
      /authorization_response_iss_parameter_supported/,
    ],
    ["client_id_metadata_document_supported", /registration/],
    ["token_endpoint_auth_methods_supported", /registration/],
  ])("no %s", async (name, says) => {
    await refusedUnseen(without(name), says);
  });

  test.each<[string, unknown, RegExp]>([
    ["code_challenge_methods_supported", ["plain"], /S256/],
    ["code_challenge_methods_supported", ["s256"], /S256/],
    ["code_challenge_methods_supported", "S256", /code_challenge_methods_supported/],
    ["authorization_response_iss_parameter_supported", false, /RFC 9207/],
    ["authorization_response_iss_parameter_supported", "true", /authorization_response_iss/],
    ["authorization_response_iss_parameter_supported", 1, /authorization_response_iss/],
    ["response_types_supported", ["id_token"], /response_types_supported/],
    ["response_types_supported", ["code id_token"], /response_types_supported/],
    ["response_types_supported", "code", /response_types_supported/],
    ["id_token_signing_alg_values_supported", ["none"], /asymmetric/],
    ["id_token_signing_alg_values_supported", ["HS256", "none"], /asymmetric/],
    ["id_token_signing_alg_values_supported", [], /asymmetric/],
    ["id_token_signing_alg_values_supported", ["RSA1_5"], /asymmetric/],
    ["id_token_signing_alg_values_supported", [null], /id_token_signing_alg/],
    ["token_endpoint_auth_methods_supported", ["tls_client_auth"], /registration/],
    ["client_id_metadata_document_supported", "yes", /client_id_metadata_document/],
    ["domain_signin_version", "1", /domain_signin_version/],
    ["domain_signin_version", 1.5, /domain_signin_version/],
  ])("%s: %j", async (name, value, says) => {
    await refusedUnseen(withMember(name, value), says);
  });
});

const html = { "content-type": "text/html" };
const jsonType = { "content-type": "application/json" };

describe("metadata that is answered in another way is refused:", () => {
  test.each<[string, number, Record<string, string>, string, RegExp]>([
    ["status 404 at both places", 404, jsonType, "{}", /status 404/],
    ["status 401", 401, jsonType, "{}", /status 401/],
    ["status 500", 500, html, "<p>", /status 500/],
    ["status 429", 429, jsonType, "{}", /status 429/],
    ["status 204", 204, {}, "", /./],
    ["status 206", 206, jsonType, "{}", /status 206/],
    ["a page", 200, html, "<title>Welcome</title>", /JSON/],
    ["text that is called a page but is JSON", 200, html, "{}", /JSON/],
    ["text that is no JSON", 200, jsonType, "{", /JSON/],
    ["nothing", 200, jsonType, "", /JSON/],
    ["null", 200, jsonType, "null", /JSON/],
    ["an array", 200, jsonType, "[]", /JSON|issuer/],
    ["a string", 200, jsonType, '"issuer"', /JSON/],
    ["octets that are no UTF-8", 200, jsonType, "\ud800", /JSON/],
    ["too much of it", 200, jsonType, `{"a":"${"x".repeat(70_000)}"}`, /too much/],
    ["too deep", 200, jsonType, `${"[".repeat(30_000)}${"]".repeat(30_000)}`, /JSON|issuer/],
    ["a compressed body", 200, { ...jsonType, "content-encoding": "gzip" }, "{}", /compress|encod/],
  ])("%s", async (_, status, headers, body, says) => {
    const reply = { status, headers, body };
    const replies = { metadata: () => reply, "oauth-metadata": () => reply };
    await expectRefused(world, { reply: replies }, says);
  });

  test.each([301, 302, 303, 307, 308])(
    "a redirect with status %i, which is not followed",
    async (status) => {
      const location = `${elsewhere.issuer}/.well-known/openid-configuration`;
      const reply = { metadata: () => ({ status, headers: { location } }) };
      await expectRefused(world, { reply }, /redirect/);
      expect(elsewhere.requests).toEqual([]);
    },
  );
});

describe("a registration that is answered badly is refused (RFC 7591 §3.2):", () => {
  test.each<[string, number, unknown, RegExp]>([
    ["refused", 400, { error: "invalid_client_metadata" }, /invalid_client_metadata/],
    [
      "refused with a text that is none",
      400,
      { error: "<script>alert(1)</script>" },
      /refused|register/,
    ],
    [
      "status 200",
      200,
      { client_id: "a", client_secret: "a secret of the SP, long enough" },
      /RFC 7591|register/,
    ],
    ["status 500", 500, { error: "server_error" }, /register|500/],
    [
      "no client_id",
      201,
      { client_secret: "a secret of the SP, long enough" },
      /RFC 7591|register/,
    ],
    [
      "an empty client_id",
      201,
      { client_id: "", client_secret: "a", client_secret_expires_at: 0 },
      /register/,
    ],
    ["a client_id that is a number", 201, { client_id: 1 }, /register/],
    ["no secret", 201, { client_id: "a" }, /register/],
    [
      "a client that signs with a shared secret",
      201,
      {
        client_id: "a",
        client_secret: "b".repeat(32),
        client_secret_expires_at: 0,
        token_endpoint_auth_method: "client_secret_jwt",
      },
      /register/,
    ],
    ["no JSON", 201, "<p>", /JSON/],
    ["an array", 201, [], /register/],
  ])("%s", async (_, status, body, says) => {
    const reply = { register: () => ({ status, body }) };
    const { sp, page } = await expectRefused(world, { metadata: withRegistration, reply }, says);
    expect(sp.asked("authorize")).toEqual([]);
    expect(page.html).not.toContain("<script>alert");
    expect(await world.test.store.findSpClients(sp.issuer)).toEqual([]);
  });
});
