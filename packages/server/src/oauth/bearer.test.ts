// Tests of the access token that a request bears: alive, and every way in which it is not.

import { beforeEach, describe, expect, test } from "vitest";
import { makeTestKey } from "../../test/support/test-keys.ts";
import { type Keyring, openKeyring } from "../keys/keyring.ts";
import { sealWith } from "../keys/seal.ts";
import { clockFrom } from "../lib/clock.ts";
import { newGrantId } from "../lib/grant-id.ts";
import { systemRandom } from "../lib/random.ts";
import type { SqlEngine } from "../store/sql/engine.ts";
import { migrate } from "../store/sql/migrations.ts";
import { sqlStore } from "../store/sql/store.ts";
import { openSqlite } from "../store/sqlite.ts";
import type { Store } from "../store/store.ts";
import { liveAccess } from "./bearer.ts";
import { cachedClients } from "./client.ts";
import { makeClient } from "./client-registration.ts";
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
  store = sqlStore(engine);
  keyring = await openKeyring({
    ...{ store, seal: sealWith("secret", random), clock, random, makeKey: makeTestKey },
  });
  await store.addClient(row);
  const enrolment = {
    ...{ domain: "alice.test", deviceHash: "device", acct: "acct", accountId: "sub_1" },
    ...{ recoverySalt: "salt", expiresAt: NOW },
  };
  await store.enrol({ enrolment, recoveryCodeHashes: ["hash"], now: NOW - 9000 });
  id = newGrantId(clock, random);
  await store.issueGrant({
    ...{ id, clientId: row.id, accountId: "sub_1", redirectUri: "https://app.example.org/" },
    ...{ scope: "openid notes", codeChallenge: null, nonce: null, authTime: NOW, amr: "dns" },
    ...{ createdAt: NOW, codeExpiresAt: NOW + 600, expiresAt: NOW + 999, controlCheckedAt: NOW },
  });
  token = mint(NOW + 1);
});

function mint(expiresAt: number): string {
  return mintAccessToken(keyring, id, { expiresAt, scopeMask: 2, now: NOW, random });
}

function access(authorization?: string) {
  const headers = new Headers(authorization === undefined ? {} : { authorization });
  const request = new Request("https://auth.example.com/oauth/userinfo", { headers });
  return liveAccess(
    { request, path: "", query: "", params: {}, clientAddress: "" },
    { store, keyring, clock, clients: cachedClients(store, clock) },
  );
}

test("a live one gives its grant, account and client, and the scopes that it is for", async () => {
  expect(await access(`Bearer ${token}`)).toMatchObject({
    ...{ accessToken: token, scopeMask: 2, grant: { id }, account: { id: "sub_1" } },
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
    // Not by removing it, which revokes its grants as well.
    ["of a client that is gone", () => engine.execute("DELETE FROM clients", [])],
    ["while its account sleeps", () => store.putToSleep("sub_1", NOW)],
    ["of an account that has ended", () => engine.execute("UPDATE accounts SET ended_at = 1", [])],
  ])("%s", async (_, change) => {
    await access(`Bearer ${token}`);
    await change();
    const refused = { status: 401, code: "invalid_token" };
    await expect(access(`Bearer ${token}`)).rejects.toMatchObject(refused);
  });
});

test("without one the answer is 401 without a code, and 400 for another kind of header (RFC 6750 §3)", async () => {
  await expect(access()).rejects.toMatchObject({ status: 401, code: undefined });
  for (const header of ["Basic eA==", "Bearer", "Bearer a b", `Bearer ${token}, Basic eA==`]) {
    await expect(access(header)).rejects.toMatchObject({ status: 400, code: "invalid_request" });
  }
  await expect(access(`bearer  ${token}`)).resolves.toMatchObject({ accessToken: token });
});
