// Access tokens of resources that were changed, are of another kind, or are for somebody else, at every endpoint
// that takes one, and at an API with our middleware.

import { AccessTokenError, type ProtectedResource, protectResource } from "domain-signin-resource";
import { beforeAll, describe, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import {
  type AccessTokens,
  forgedAccessTokens,
  tokensOfAnotherKind,
} from "../support/forged-access-tokens.ts";
import { resourceSignIns } from "../support/resource-sign-in.ts";
import type { TestClient } from "../support/service.ts";
import { authorizationUrl, redemption, refresh } from "../support/sign-in.ts";
import { dataAt } from "../support/validation-data.ts";

const NOTES = "https://notes.example/api";
const FILES = "https://files.example/api";
const SCOPE = "openid notes:read files:read";

type Credentials = Pick<TestClient, "id" | "secret">;

const at = flow({ client: "file" });
let other: TestClient;
let notes: Credentials;
let files: Credentials;
let api: ProtectedResource;
let tokens: AccessTokens;
let ofFiles: string;
let opaque: string;
beforeAll(async () => {
  const signIns = resourceSignIns(at);
  other = await at.addClient({ consent: "never" });
  notes = await addResource(NOTES, "Notes", "notes:read");
  files = await addResource(FILES, "Files", "files:read");
  api = protectResource({ issuer: at.issuer, resource: NOTES });
  const asked = { scope: SCOPE, resource: NOTES };
  const done = await signIns.signedIn(at.client, asked);
  const { body } = await at.token(redemption(at.client, done), at.client);
  const again = await signIns.tokensFor(at.client, asked);
  const set = await fetch(`${at.issuer}/.well-known/jwks.json`);
  const { keys } = (await set.json()) as { keys: object[] };
  tokens = {
    token: String(body.access_token),
    another: String(again.body.access_token),
    idToken: String(body.id_token),
    attestation: (body.validation_data as { attestation: string }).attestation,
    refreshToken: String(body.refresh_token),
    code: done.code,
    publicKey: JSON.stringify(keys[0]),
    audience: [FILES, at.issuer],
  };
  const filesToo = await signIns.tokensFor(at.client, { scope: SCOPE, resource: FILES });
  ofFiles = String(filesToo.body.access_token);
  opaque = String((await signIns.tokensFor(at.client, { scope: "openid" })).body.access_token);
});

async function addResource(uri: string, name: string, scope: string): Promise<Credentials> {
  const scopes = [{ name: scope, description: `may do ${scope}` }];
  const added = await at.service.resources.add(uri, { name, scopes });
  return { id: added.client_id, secret: added.client_secret };
}

async function postAs({ id, secret }: Credentials, path: string, form: Record<string, string>) {
  const pair = Buffer.from(`${id}:${secret}`).toString("base64");
  const headers = { authorization: `Basic ${pair}` };
  const body = new URLSearchParams(form);
  return fetch(`${at.issuer}${path}`, { method: "POST", headers, body });
}
const introspect = async (text: string, caller: Credentials) =>
  (await postAs(caller, "/oauth/introspect", { token: text })).json();

async function outcomeAtApi(text: string): Promise<string> {
  try {
    await api.verify(text);
    return "valid";
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    return error.code;
  }
}

describe("an access token", () => {
  test("as it was issued is accepted, so that the tables below speak of something", async () => {
    const { token } = tokens;
    expect((await at.userinfo(token)).status).toBe(200);
    expect(await introspect(token, notes)).toMatchObject({ active: true });
    expect(await outcomeAtApi(token)).toBe("valid");
  });

  test.each([...forgedAccessTokens, ...tokensOfAnotherKind])(
    "%s is worth nothing anywhere, and revokes nothing",
    async (_, make) => {
      const { token, refreshToken } = tokens;
      const text = make(tokens);
      const refused = await at.userinfo(text);
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
      for (const caller of [notes, files, at.client, other]) {
        expect(await introspect(text, caller)).toEqual({ active: false });
      }
      const data = await dataAt(at, text);
      expect(data.status).not.toBe(200);
      expect(await outcomeAtApi(text)).toBe("invalid_token");
      // Only a refresh token is another name of the grant.
      if (text === refreshToken) return;
      await postAs(at.client, "/oauth/revoke", { token: text });
      expect((await at.userinfo(token)).status).toBe(200);
    },
  );
});

describe("an access token for another resource", () => {
  test("is inactive for the wrong one, whose answer is that for a token that never was", async () => {
    for (const [text, wrong, right] of [
      [tokens.token, files, notes],
      [ofFiles, notes, files],
    ] as const) {
      const nothing = await postAs(wrong, "/oauth/introspect", { token: "never was" });
      const answer = await postAs(wrong, "/oauth/introspect", { token: text });
      expect(await answer.text()).toBe(await nothing.text());
      expect(answer.status).toBe(nothing.status);
      expect(await introspect(text, right)).toMatchObject({ active: true });
    }
    expect(await outcomeAtApi(ofFiles)).toBe("invalid_token");
  });

  test("is inactive for another client, and for every resource if it is opaque", async () => {
    for (const text of [tokens.token, ofFiles, opaque]) {
      expect(await introspect(text, other)).toEqual({ active: false });
      expect(await introspect(text, at.client)).toMatchObject({ active: true });
    }
    for (const caller of [notes, files]) {
      expect(await introspect(opaque, caller)).toEqual({ active: false });
    }
  });
});

describe("the credentials of a resource", () => {
  test("are those of no client: they redeem, refresh and revoke nothing", async () => {
    const { token, refreshToken, code } = tokens;
    const redeem = { grant_type: "authorization_code", code, redirect_uri: at.client.redirectUri };
    for (const form of [refresh(refreshToken), redeem]) {
      const { status, body } = await at.token(form, notes);
      expect([status, body.error]).toEqual([400, "invalid_client"]);
    }
    const revoked = await postAs(notes, "/oauth/revoke", { token });
    expect(((await revoked.json()) as { error: string }).error).toBe("invalid_client");
    expect((await at.userinfo(token)).status).toBe(200);
  });

  test("begin no sign-in", async () => {
    const url = authorizationUrl(at, { ...notes, redirectUri: NOTES });
    const answer = await fetch(url, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  });
});
