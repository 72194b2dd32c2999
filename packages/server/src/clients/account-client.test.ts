// Tests of the account page as a client.

import { describe, expect, it } from "vitest";
import { requesterAt } from "../http/requester.ts";
import { accountSignIn, isAccountClient, withAccountPage } from "./account-client.ts";
import type { Client, Clients } from "./client.ts";

const ISSUER = "https://auth.example.com";
const ID = `${ISSUER}/account`;

describe("the account page", () => {
  const asked: unknown[] = [];
  const another = { client_id: "another" } as Client;
  const others: Clients = {
    find: async (...request) => {
      asked.push(request);
      return another;
    },
  };
  const clients = () => withAccountPage(others, ISSUER);

  it("is a client that gets no tokens, no proofs and no consent page", async () => {
    const changes = ["new-passkey", "remove-passkey", "new-codes", "delete-account"];
    expect(await clients().find(ID)).toEqual({
      ...{ client_id: ID, name: "auth.example.com", type: "public", application_type: "web" },
      redirect_uris: [ID, ...changes.map((change) => `${ID}/${change}`)],
      ...{ post_logout_redirect_uris: [], backchannel_logout_uri: "", secrets: [] },
      ...{ scope: "openid", default_scope: "", consent: "never", require_pkce: false },
      subject_type: "account",
      ...{ validation_data: false, owner_proof: "none", id_token_signed_response_alg: "ES256" },
      ...{ refresh_client_auth: "required", refresh_idle_lifetime: 60 },
      ...{ refresh_absolute_lifetime: 60, refresh_retry_window: 0 },
    });
    expect(asked).toEqual([]);
  });

  it("hides no other client", async () => {
    const lookup = { from: requesterAt("192.0.2.7") };
    expect(await clients().find(`${ID}/`, lookup)).toBe(another);
    expect(asked).toEqual([[`${ID}/`, lookup]]);
  });

  it.each([
    [ID, true],
    [`${ID}/`, false],
    ["https://auth.example.org/account", false],
  ])("has one client_id: %s is it: %s", (id, expected) => {
    expect(isAccountClient({ client_id: id } as Client, ISSUER)).toBe(expected);
  });
});

describe("the sign-in that leads to the account page", () => {
  const queryOf = (...options: Parameters<typeof accountSignIn>[1][]) => {
    const [path, query] = accountSignIn(ISSUER, ...options).split("?");
    expect(path).toBe("/oauth/authorize");
    return Object.fromEntries(new URLSearchParams(query));
  };
  const always = { client_id: ID, response_type: "code", scope: "openid" };

  it("asks for nothing more by itself", () => {
    expect(queryOf()).toEqual({ ...always, redirect_uri: ID });
  });

  it("takes a domain and the greatest age of an authentication", () => {
    const hints = { login_hint: "alice.test", max_age: "300" };
    const request = { ...always, redirect_uri: ID, ...hints };
    expect(queryOf({ domain: "alice.test", maxAge: 300 })).toEqual(request);
  });

  it("for a change needs an authentication of its own, and says what is changed", () => {
    const request = { ...always, redirect_uri: `${ID}/remove-passkey`, prompt: "login" };
    expect(queryOf({ change: "remove-passkey" })).toEqual(request);
    const about = { change: "remove-passkey", about: "a thumbprint" } as const;
    expect(queryOf(about)).toEqual({ ...request, nonce: "a thumbprint" });
  });
});
