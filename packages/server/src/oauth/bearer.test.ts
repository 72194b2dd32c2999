// Tests of access tokens in requests: a valid one, and every reason for refusing one.

import { beforeEach, describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { httpRequest } from "../../test/support/http-request.ts";
import {
  ISSUER,
  makeOAuthWorld,
  START as NOW,
  tokenParts,
} from "../../test/support/oauth-world.ts";
import type { Client, Clients } from "../clients/client.ts";
import { ClientDocumentError } from "../clients/client-errors.ts";
import type { Account } from "../store/accounts.ts";
import { liveAccess } from "./bearer.ts";
import { mintAccessToken } from "./grant-token.ts";

const world = fixture(makeOAuthWorld, "test");
let client: Client;
let account: Account;
let id: string;
let token: string;
beforeEach(async () => {
  ({ client } = await world.addClient());
  account = await world.addAccount();
  id = await world.issueGrant(client, account, { scope: "openid profile" });
  token = mint(NOW + 1);
});

function mint(expiresAt: number): string {
  const { keyring, parts } = world;
  return mintAccessToken(keyring, id, { expiresAt, scopeMask: 2, now: NOW, random: parts.random });
}

function access(authorization?: string, clients?: Clients) {
  return accessBy({ headers: authorization === undefined ? {} : { authorization } }, clients);
}

function accessBy(init: RequestInit, clients: Clients = world.parts.clients) {
  const request = new Request(`${ISSUER}/oauth/userinfo`, init);
  const { accessTokens } = tokenParts({ ...world.parts, clients });
  return liveAccess(httpRequest(request), accessTokens);
}

test("a live one gives its grant, account and client, and the scopes that it is for", async () => {
  expect(await access(`Bearer ${token}`)).toMatchObject({
    ...{ accessToken: token, scopes: ["profile"], grant: { id }, account: { id: account.id } },
    client: { client_id: client.client_id },
  });
});

describe("it is refused with invalid_token", () => {
  const execute = (sql: string) => world.engine.execute(sql, []);
  test.each<[string, () => unknown]>([
    ["at its end", () => (token = mint(NOW))],
    ["when it is a code", () => (token = world.codeOf(id))],
    ["when it is made up", () => (token = "dsa_x")],
    ["after its grant was revoked", () => world.store.grants.revokeGrant({ id, now: NOW })],
    ["after its grant was removed", () => execute("DELETE FROM grants")],
    // Not by removing the client, which would also revoke its grants.
    ["of a client that is gone", () => execute("DELETE FROM clients")],
    ["while its account sleeps", () => world.store.accounts.putToSleep(account.id, NOW)],
    ["of an account that has ended", () => execute("UPDATE accounts SET ended_at = 1")],
  ])("%s", async (_, change) => {
    await access(`Bearer ${token}`);
    await change();
    const message = "the access token is invalid, expired or revoked";
    const refused = { status: 401, code: "invalid_token", message };
    await expect(access(`Bearer ${token}`)).rejects.toMatchObject(refused);
  });
});

test("without one the answer is 401 without a code, and 400 for another kind of header (RFC 6750 §3)", async () => {
  const message = "the access token is missing";
  await expect(access()).rejects.toMatchObject({ status: 401, code: undefined, message });
  const unclear = [`x Bearer ${token}`, "Bearer a b", `Bearer ${token}, Basic eA==`];
  for (const header of ["Basic eA==", "Bearer", ...unclear]) {
    await expect(access(header)).rejects.toMatchObject({
      ...{ status: 400, code: "invalid_request" },
      message: "the Authorization header must contain exactly one Bearer token",
    });
  }
  await expect(access(`bearer  ${token}`)).resolves.toMatchObject({ accessToken: token });
});

describe("a form (RFC 6750 §2.2)", () => {
  const form = "application/x-www-form-urlencoded";
  const post = (body: string, headers: Record<string, string> = {}) =>
    accessBy({ method: "POST", body, headers: { "content-type": form, ...headers } });
  const badRequest = (message: string) => ({ status: 400, code: "invalid_request", message });

  test("may hold it instead of a header", async () => {
    const body = new URLSearchParams({ access_token: token, more: "x" }).toString();
    expect(await post(body)).toMatchObject({ accessToken: token });
    const type = { "content-type": `${form}; charset=utf-8` };
    expect(await post(body, type)).toMatchObject({ accessToken: token });
  });

  test("may hold it beside no header: in one of them (§2)", async () => {
    const authorization = `Bearer ${token}`;
    const twice = badRequest("access_token was sent in both the Authorization header and the form");
    for (const type of [form, ` ${form.toUpperCase()}; charset=utf-8`]) {
      const both = post(`access_token=${token}`, { authorization, "content-type": type });
      await expect(both).rejects.toMatchObject(twice);
    }
    // A form without `access_token` is ignored, and so is a body of another type.
    expect(await post("a=b", { authorization })).toMatchObject({ accessToken: token });
    const json = { authorization, "content-type": "application/json" };
    expect(await post("{}", json)).toMatchObject({ accessToken: token });
  });

  test("is refused if it names a parameter twice or cannot be read", async () => {
    const twice = badRequest("duplicate parameter: a");
    await expect(post(`access_token=${token}&a=1&a=2`)).rejects.toMatchObject(twice);
    const json = post("{}", { "content-type": "application/json" });
    const words = "the Content-Type must be application/x-www-form-urlencoded";
    await expect(json).rejects.toMatchObject(badRequest(words));
  });

  test("says nothing in a GET, and an empty POST is a request without a token", async () => {
    const headers = { "content-type": form };
    await expect(accessBy({ headers })).rejects.toMatchObject({ status: 401, code: undefined });
    await expect(accessBy({ method: "POST" })).rejects.toMatchObject({ status: 401 });
    const empty = accessBy({ method: "POST", headers: { "content-length": "0" } });
    await expect(empty).rejects.toMatchObject({ status: 401 });
    for (const mark of [{ "content-length": "1" }, { "transfer-encoding": "chunked" }]) {
      const untyped = accessBy({ method: "POST", headers: mark });
      await expect(untyped).rejects.toMatchObject({ status: 400 });
    }
  });
});

test("a client whose document has turned bad is gone, and of one that cannot be reached nothing is known", async () => {
  const failing = (kind: "bad" | "unreachable") => {
    const error = new ClientDocumentError(kind, "app.example", "no");
    const find = () => Promise.reject(error);
    return { error, answer: access(`Bearer ${token}`, { find }) };
  };
  await expect(failing("bad").answer).rejects.toMatchObject({ code: "invalid_token" });
  const { error, answer } = failing("unreachable");
  await expect(answer).rejects.toBe(error);
});
