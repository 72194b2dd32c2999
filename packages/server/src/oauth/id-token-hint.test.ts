// Tests of `id_token_hint`: which ID tokens name an account to a request.

import { describe, expect, it, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { ISSUER, makeOAuthWorld } from "../../test/support/oauth-world.ts";
import type { Client } from "../clients/client.ts";
import { audienceOf } from "./statements.ts";

const world = fixture(makeOAuthWorld);

const CLAIMS = { iss: ISSUER, aud: "app", sub: "sub_1", sid: "session_1" };
const tokenOf = (claims: object, typ?: string) => world.signed(claims, typ);
const read = (token: string) =>
  world.parts.statements.readIdTokenHint(token, { client_id: "app" } as Client);

describe("a hint names the account and the session", () => {
  it.each([
    ["as they were issued", {}],
    ["for long after they expired", { exp: 1000 }],
    ["with an issue that a clock calls later", { iat: 4_000_000_000 }],
  ])("%s", async (_, more) => {
    const expected = { sub: "sub_1", sid: "session_1" };
    expect(await read(tokenOf({ ...CLAIMS, ...more }))).toEqual(expected);
  });

  it("without a session, as in the ID token of a refresh", async () => {
    for (const sid of [undefined, 7]) {
      expect(await read(tokenOf({ ...CLAIMS, sid }))).toEqual({ sub: "sub_1", sid: undefined });
    }
  });
});

describe("a hint names nobody", () => {
  test.each([
    ["of another issuer", { iss: "https://auth.example.org" }],
    ["for another client", { aud: "another" }],
    ["without a subject", { sub: undefined }],
  ])("%s", async (_, changes) => {
    expect(await read(tokenOf({ ...CLAIMS, ...changes }))).toBeNull();
  });

  it("that is another kind of token", async () => {
    expect(await read(tokenOf(CLAIMS, "logout+jwt"))).toBeNull();
  });

  it("that was changed, or that nobody signed", async () => {
    const [header = "", , signature = ""] = tokenOf(CLAIMS).split(".");
    const payload = Buffer.from(JSON.stringify({ ...CLAIMS, sub: "sub_2" })).toString("base64url");
    expect(await read(`${header}.${payload}.${signature}`)).toBeNull();
    expect(await read(`e30.${payload}.`)).toBeNull();
    expect(await read("rubbish")).toBeNull();
  });

  it("that is longer than an ID token can be", async () => {
    const room = 8192 - tokenOf({ ...CLAIMS, more: "" }).length;
    // Base64url makes four characters of three octets.
    const most = { ...CLAIMS, more: "x".repeat(Math.floor((room / 4) * 3) - 3) };
    expect(tokenOf(most).length).toBeLessThanOrEqual(8192);
    expect(await read(tokenOf(most))).not.toBeNull();
    expect(audienceOf(tokenOf(most))).toBe("app");
    const longer = { ...most, more: `${most.more}${"x".repeat(9)}` };
    expect(tokenOf(longer).length).toBeGreaterThan(8192);
    expect(await read(tokenOf(longer))).toBeNull();
    expect(audienceOf(tokenOf(longer))).toBeUndefined();
  });
});

describe("the client that a hint says it is for", () => {
  const withPayload = (payload: string) => `x.${Buffer.from(payload).toString("base64url")}.y`;

  test.each([
    ["is its audience, whoever signed it", withPayload('{"aud":"app"}'), "app"],
    ["is unknown for several", withPayload('{"aud":["app"]}'), undefined],
    ["is unknown without one", withPayload("{}"), undefined],
    ["is unknown for null", withPayload("null"), undefined],
    ["is unknown for a text that is no JSON", withPayload("aud"), undefined],
    ["is unknown for a text that is no token", "rubbish", undefined],
  ])("%s", (_, token, expected) => {
    expect(audienceOf(token)).toBe(expected);
  });
});
