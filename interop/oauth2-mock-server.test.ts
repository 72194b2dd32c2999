// `oauth2-mock-server` as an external SP: correct responses, and every fault that it can produce.

import type {
  MutableRedirectUri,
  MutableResponse,
  MutableToken,
  OAuth2Server,
} from "oauth2-mock-server";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hashedAcct } from "../packages/server/test/support/bent-sp.ts";
import {
  codeOf,
  expectNoSession,
  expectRefusal,
  type FederatedWorld,
  recordOf,
  startFederatedWorld,
  tokensOf,
  traces,
  visit,
} from "../packages/server/test/support/federated.ts";
import { startMockServer } from "./providers.ts";

let world: FederatedWorld;
let mock: OAuth2Server;
let issuer: string;
beforeAll(async () => {
  [world, mock] = [await startFederatedWorld(), await startMockServer()];
  issuer = mock.issuer.url ?? "";
});
afterAll(async () => {
  await mock.stop();
  await world.close();
});
afterEach(() => void mock.service.removeAllListeners());

const sp = () => ({ host: new URL(issuer).host, secrets: [] });

/** The mock's only user is "johndoe". */
function newDomain(sub = "johndoe"): string {
  const domain = world.newDomain();
  world.publish(domain, recordOf(issuer, hashedAcct(issuer, sub, domain)));
  return domain;
}

/** Added by hand, because the mock supports neither client registration nor `iss` in responses. */
async function addByHand(allow: readonly string[]): Promise<void> {
  await world.test.store.spClients.putSpClient({
    ...{ issuer, source: "operator", clientId: "our client there", sealedSecret: null, madeAt: 1 },
    settings: JSON.stringify({ token_endpoint_auth_method: "none", allow }),
  });
}

describe("without an operator's entry", () => {
  test("it is refused for what it lacks", async () => {
    const visited = await visit(world, newDomain());
    expectRefusal(world, visited, {
      sp: sp(),
      says: /authorization_response_iss_parameter_supported/,
    });
  });

  test("it is refused as well where the operator does not let it lack that", async () => {
    await addByHand([]);
    const visited = await visit(world, newDomain());
    expectRefusal(world, visited, {
      sp: sp(),
      says: /authorization_response_iss_parameter_supported/,
    });
  });
});

describe("with an operator's entry that lets it do without iss", () => {
  beforeAll(() => addByHand(["no_iss"]));

  test("its person signs in, and comes back as the same", async () => {
    const domain = newDomain();
    const subOf = async () => {
      const { id_token } = await tokensOf(world, await visit(world, domain));
      return JSON.parse(Buffer.from(String(id_token).split(".")[1] ?? "", "base64url").toString())
        .sub;
    };
    expect(await subOf()).toBe(await subOf());
  });

  test("it still has to sign in whom the record names", async () => {
    const visited = await visit(world, newDomain("janedoe"));
    expectRefusal(world, visited, { sp: sp(), says: /acct=/ });
  });

  const now = () => Math.floor(Date.now() / 1000);

  test.each<[string, (token: MutableToken) => void]>([
    ["another iss", ({ payload }) => Object.assign(payload, { iss: "https://sp.example" })],
    ["no iss", ({ payload }) => Object.assign(payload, { iss: undefined })],
    ["another aud", ({ payload }) => Object.assign(payload, { aud: "another client" })],
    [
      "several aud",
      ({ payload }) => Object.assign(payload, { aud: [payload.aud, "another client"] }),
    ],
    ["another azp", ({ payload }) => Object.assign(payload, { azp: "another client" })],
    ["another nonce", ({ payload }) => Object.assign(payload, { nonce: "another nonce" })],
    ["no nonce", ({ payload }) => Object.assign(payload, { nonce: undefined })],
    ["an exp in the past", ({ payload }) => Object.assign(payload, { exp: now() - 100 })],
    ["no exp", ({ payload }) => Object.assign(payload, { exp: undefined })],
    ["an iat of the future", ({ payload }) => Object.assign(payload, { iat: now() + 300 })],
    ["an nbf of the future", ({ payload }) => Object.assign(payload, { nbf: now() + 300 })],
    ["another sub", ({ payload }) => Object.assign(payload, { sub: "mallory" })],
    ["a sub in capital letters", ({ payload }) => Object.assign(payload, { sub: "JOHNDOE" })],
    ["no sub", ({ payload }) => Object.assign(payload, { sub: undefined })],
    ["another kid", ({ header }) => Object.assign(header, { kid: "another kid" })],
    [
      "a header that must be understood",
      ({ header }) => Object.assign(header, { crit: ["b64"], b64: true }),
    ],
    [
      "another sub, and our own claims",
      ({ payload }) =>
        Object.assign(payload, { sub: "mallory", domain: "alice.test", acct: "johndoe" }),
    ],
  ])("a token with %s is refused", async (_, bend) => {
    mock.service.on("beforeTokenSigning", bend);
    const before = await traces(world);
    expectRefusal(world, await visit(world, newDomain()), { sp: sp() });
    expect(await traces(world)).toEqual(before);
  });

  test.each<[string, (response: MutableResponse) => void]>([
    [
      "invalid_grant",
      (response) => Object.assign(response, { statusCode: 400, body: { error: "invalid_grant" } }),
    ],
    [
      "invalid_client",
      (response) => Object.assign(response, { statusCode: 401, body: { error: "invalid_client" } }),
    ],
    ["500", (response) => Object.assign(response, { statusCode: 500 })],
    ["503 and nothing", (response) => Object.assign(response, { statusCode: 503, body: "" })],
    ["204", (response) => Object.assign(response, { statusCode: 204 })],
    ["302", (response) => Object.assign(response, { statusCode: 302 })],
    ["nothing", (response) => Object.assign(response, { body: "" })],
    ["no ID token", ({ body }) => Object.assign(body, { id_token: undefined })],
    [
      "its access token as ID token",
      ({ body }) => body !== "" && Object.assign(body, { id_token: body.access_token }),
    ],
    [
      "an ID token that was cut",
      ({ body }) =>
        body !== "" && Object.assign(body, { id_token: String(body.id_token).slice(0, -9) }),
    ],
    [
      "an ID token without a signature",
      ({ body }) =>
        body !== "" &&
        Object.assign(body, { id_token: String(body.id_token).replace(/[^.]+$/, "") }),
    ],
    ["a token of an unknown type", ({ body }) => Object.assign(body, { token_type: "mac" })],
    ["too much", ({ body }) => Object.assign(body, { more: "x".repeat(70_000) })],
  ])("a token endpoint that answers %s is refused", async (_, bend) => {
    mock.service.on("beforeResponse", bend);
    expectRefusal(world, await visit(world, newDomain()), { sp: sp() });
  });

  test.each<[string, (uri: MutableRedirectUri) => void]>([
    [
      "another iss, though it need not say any",
      ({ url }) => url.searchParams.set("iss", "https://sp.example"),
    ],
    ["no code", ({ url }) => url.searchParams.delete("code")],
    ["another code", ({ url }) => url.searchParams.set("code", "another code")],
    ["an error", ({ url }) => url.searchParams.set("error", "access_denied")],
  ])("an answer with %s is refused", async (_, bend) => {
    mock.service.on("beforeAuthorizeRedirect", bend);
    expectRefusal(world, await visit(world, newDomain()), { sp: sp() });
  });

  test.each<[string, (uri: MutableRedirectUri) => void]>([
    ["no state", ({ url }) => url.searchParams.delete("state")],
    ["another state", ({ url }) => url.searchParams.set("state", "another state")],
    ["two states", ({ url }) => url.searchParams.append("state", "another state")],
    ["another way to us", ({ url }) => Object.assign(url, { pathname: "/federation/callback/" })],
  ])("an answer with %s reaches nobody", async (_, bend) => {
    mock.service.on("beforeAuthorizeRedirect", bend);
    const { page, agent } = await visit(world, newDomain());
    expect([page.stopped, page.status >= 400]).toEqual([false, true]);
    expectNoSession(world, agent);
  });

  test("keys that it has changed are read again", async () => {
    const domain = newDomain();
    codeOf(await visit(world, domain));
    world.test.advance(10);
    // The mock rotates through its keys.
    await mock.issuer.keys.generate("RS256");
    for (let time = 0; time < 3; time++) codeOf(await visit(world, domain));
  });
});
