// Tests of access tokens in requests: a valid one, and every reason for refusing one.

import { beforeEach, describe, expect, test } from "vitest";
import { httpRequest } from "../../test/support/http-request.ts";
import { makeTestKey } from "../../test/support/test-keys.ts";
import { newGrantId } from "../interaction/interaction.ts";
import { type Keyring, openKeyring } from "../keys/keyring.ts";
import { sealWith } from "../keys/seal.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { SqlEngine } from "../store/engine.ts";
import { migrate } from "../store/migrations.ts";
import { openSqlite } from "../store/sqlite.ts";
import { createStore, type Store } from "../store/store.ts";
import { liveAccess } from "./bearer.ts";
import { type Clients, cachedClients } from "./client.ts";
import { makeClient } from "./client-registration.ts";
import { ClientDocumentError } from "./errors.ts";
import { mintAccessToken, mintCode } from "./grant-token.ts";

const NOW = 1_800_000_000;
const clock = clockFrom(() => NOW * 1000);
const random = systemRandom;
const { row } = makeClient(
  { name: "App", redirect_uris: ["https://app.example.org/"] },
  { random, clock },
);

let engine: SqlEngine;
let store: Store;
let keyring: Keyring;
let id: string;
let token: string;
beforeEach(async () => {
  engine = openSqlite(":memory:");
  await migrate(engine);
  store = createStore(engine);
  keyring = await openKeyring({
    ...{ store, seal: sealWith("secret", random), clock, random, makeKey: makeTestKey },
  });
  await store.addClient(row);
  const enrolment = {
    ...{ domain: "alice.test", acct: "acct", accountId: "sub_1" },
    ...{ finishHash: "finish" },
  };
  await store.enrol({ enrolment, recoveryCodeHashes: ["hash"], now: NOW - 9000 });
  id = newGrantId(clock, random);
  await store.issueGrant({
    ...{ id, clientId: row.id, accountId: "sub_1", redirectUri: "https://app.example.org/" },
    ...{ scope: "openid profile", codeChallenge: null, nonce: null, authTime: NOW, amr: "dns" },
    ...{ createdAt: NOW, codeExpiresAt: NOW + 600, expiresAt: NOW + 999, controlCheckedAt: NOW },
  });
  token = mint(NOW + 1);
});

function mint(expiresAt: number): string {
  return mintAccessToken(keyring, id, { expiresAt, scopeMask: 2, now: NOW, random });
}

function access(authorization?: string, clients: Clients = cachedClients(store, clock)) {
  const headers = new Headers(authorization === undefined ? {} : { authorization });
  return accessBy({ headers }, clients);
}

function accessBy(init: RequestInit, clients: Clients = cachedClients(store, clock)) {
  const request = new Request("https://auth.example.com/oauth/userinfo", init);
  return liveAccess(httpRequest(request), {
    ...{ issuer: "https://auth.example.com", grants: store, keyring, clock, clients },
  });
}

test("a live one gives its grant, account and client, and the scopes that it is for", async () => {
  expect(await access(`Bearer ${token}`)).toMatchObject({
    ...{ accessToken: token, scopes: ["profile"], grant: { id }, account: { id: "sub_1" } },
    client: { client_id: row.id },
  });
});

describe("it is refused with invalid_token", () => {
  test.each<[string, () => unknown]>([
    ["at its end", () => (token = mint(NOW))],
    ["when it is a code", () => (token = mintCode(keyring, id, NOW))],
    ["when it is made up", () => (token = "dsa_x")],
    ["after its grant was revoked", () => store.revokeGrant({ id, now: NOW })],
    ["after its grant was removed", () => engine.execute("DELETE FROM grants", [])],
    // Not by removing the client, which would also revoke its grants.
    ["of a client that is gone", () => engine.execute("DELETE FROM clients", [])],
    ["while its account sleeps", () => store.putToSleep("sub_1", NOW)],
    ["of an account that has ended", () => engine.execute("UPDATE accounts SET ended_at = 1", [])],
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
  const behind = `x Bearer ${token}`;
  for (const header of [
    "Basic eA==",
    "Bearer",
    behind,
    "Bearer a b",
    `Bearer ${token}, Basic eA==`,
  ]) {
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
    expect(await post(body, { "content-type": `${form}; charset=utf-8` })).toMatchObject({
      accessToken: token,
    });
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
