// How clients that registered themselves manage their registrations (RFC 7592).

import { describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { manage, OPEN, REDIRECT, registered } from "../support/registered-client.ts";
import { startTestService } from "../support/service.ts";
import {
  authorizationUrl,
  pkce,
  pkceParameters,
  redemption,
  refresh,
  signIn,
} from "../support/sign-in.ts";

const at = fixture(() => startTestService({ config: OPEN }));

describe("the registration access token", () => {
  test("reads, replaces and removes the registration, and the grants go with it", async () => {
    const client = await registered(at, { client_name: "Before" });
    const { client_secret: _, client_secret_expires_at: __, ...known } = client.body;
    expect(await manage("GET", client)).toEqual({ status: 200, body: known });

    const done = await signIn(at, client);
    const { body: tokens } = await at.token(redemption(client, done), client);
    const members = {
      ...{ client_id: client.id, client_secret: client.secret },
      ...{ client_name: "After", redirect_uris: ["https://app.example.org/new"] },
    };
    const replaced = await manage("PUT", client, { members });
    expect(replaced.status).toBe(200);
    expect(replaced.body).toEqual({
      ...{ ...known, client_name: "After", redirect_uris: members.redirect_uris },
    });
    expect((await manage("GET", client)).body).toEqual(replaced.body);
    at.advance(6);
    const old = authorizationUrl(at, client, pkceParameters(pkce()));
    expect((await fetch(old, { redirect: "manual" })).status).toBe(400);

    expect(await manage("DELETE", client)).toEqual({ status: 204, body: null });
    for (const method of ["GET", "DELETE"]) {
      expect((await manage(method, client)).status).toBe(401);
    }
    at.advance(6);
    const after = await at.token(refresh(String(tokens.refresh_token)), client);
    expect([after.status, after.body.error]).toEqual([400, "invalid_client"]);
  });

  test("replaces nothing if the response to a read is sent back", async () => {
    const client = await registered(at, { scope: "openid", owner_proof: "required" });
    const before = await at.store.registrations.findClient(client.id);
    const { body } = await manage("GET", client);
    expect((await manage("PUT", client, { members: body })).status).toBe(200);
    expect(await at.store.registrations.findClient(client.id)).toEqual(before);
  });

  test("cannot have people sent to another host, whose name the client would get", async () => {
    const loopback = ["http://127.0.0.1:1234/cb", "http://[::1]:1234/cb"];
    const client = await registered(at, { redirect_uris: [REDIRECT, ...loopback] });
    const put = (redirect_uris: string[]) =>
      manage("PUT", client, { members: { client_id: client.id, redirect_uris } });
    const refused = await put([REDIRECT, "https://bank.example/cb"]);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_redirect_uri"]);
    expect(refused.body.error_description).toContain("redirect_uris.1: is on a host that was not");
    for (const uri of ["http://127.0.0.1:99/cb", "http://[::1]:99/cb", "http://127.0.0.1/cb"]) {
      expect((await put([REDIRECT, ...loopback, uri])).status).toBe(200);
    }
  });

  test("removes a client that nobody used without looking through the grants", async () => {
    const client = await registered(at);
    at.statements.length = 0;
    expect((await manage("DELETE", client)).status).toBe(204);
    expect(at.statements.filter((statement) => statement.includes("grants"))).toEqual([]);
    expect((await manage("GET", client)).status).toBe(401);
  });

  test("of one client is no use at another, nor is any other token", async () => {
    const [client, other] = [await registered(at), await registered(at)];
    const operators = await at.addClient();
    const tokens = [String(other.body.registration_access_token), String(client.secret), "x"];
    for (const token of tokens) {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const members = method === "PUT" ? {} : undefined;
        const { status, body } = await manage(method, client, { token, members });
        const description = "the access token is not one for this registration";
        const refused = { error: "invalid_token", error_description: description };
        expect({ status, body }).toMatchObject({ status: 401, body: refused });
      }
    }
    for (const id of [operators.id, "dsid_unknown"]) {
      const registration_client_uri = `${at.issuer}/oauth/register/${id}`;
      const other = { body: { ...client.body, registration_client_uri } };
      expect((await manage("DELETE", other)).status).toBe(401);
    }
    expect((await manage("GET", client, { token: "" })).status).toBe(401);
    expect((await manage("GET", client)).status).toBe(200);
  });

  test("replaces nothing for a client that names another, has another secret or wants none", async () => {
    const client = await registered(at);
    const uris = { redirect_uris: [REDIRECT] };
    for (const [members, words] of [
      [{ ...uris }, "client_id: must be that of the registration"],
      [{ ...uris, client_id: "dsid_other" }, "client_id: "],
      [{ ...uris, client_id: client.id, client_secret: "x" }, "client_secret: "],
      [{ client_id: client.id }, "redirect_uris: is missing"],
      [{ ...uris, client_id: client.id, token_endpoint_auth_method: "none" }, "cannot get or lose"],
    ] as const) {
      const { status, body } = await manage("PUT", client, { members });
      expect(status).toBe(400);
      expect(body.error_description).toContain(words);
    }
  });

  test("of two replacements at once one wins, and the other changes nothing", async () => {
    const client = await registered(at);
    const members = { client_id: client.id, redirect_uris: [REDIRECT] };
    const puts = Array.from({ length: 12 }, (_, index) =>
      manage("PUT", client, { members: { ...members, client_name: `Name ${index}` } }),
    );
    const results = await Promise.all(puts);
    const { body } = await manage("GET", client);
    const last = results.find(
      (one) => one.status === 200 && one.body.client_name === body.client_name,
    );
    expect(last?.status).toBe(200);
    for (const { status, body: refused } of results) {
      if (status !== 200) expect(refused.error_description).toContain("changed by another request");
    }
  });

  test("is stored as a hash, and so is the secret", async () => {
    const client = await registered(at);
    const row = JSON.stringify(await at.store.registrations.findClient(client.id));
    expect(row).not.toContain(client.secret);
    expect(row).not.toContain(String(client.body.registration_access_token));
  });
});

test("the operator removes such a client, but cannot change what it says of itself", async () => {
  const client = await registered(at);
  const change = at.service.clients.update(client.id, { name: "Other" });
  await expect(change).rejects.toThrow("registered itself");
  expect(await at.service.clients.show(client.id)).toMatchObject({ dynamic: true });
  expect(await at.service.clients.remove(client.id)).toBe(true);
  expect((await manage("GET", client)).status).toBe(401);
});
