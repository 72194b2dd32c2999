// Access tokens of resources that were changed, are of another kind, or are for somebody else, at every endpoint
// that takes one, and at an API with our middleware.

import { AccessTokenError, type ProtectedResource, protectResource } from "domain-signin-resource";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type AccessTokens,
  forgedAccessTokens,
  tokensOfAnotherKind,
} from "../support/forged-access-tokens.ts";
import { resourceSignIns } from "../support/resource-sign-in.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { redemption, refresh } from "../support/sign-in.ts";

const NOTES = "https://notes.example/api";
const FILES = "https://files.example/api";
const SCOPE = "openid notes:read files:read";

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string | null;
}

let at: TestService;
let app: TestClient;
let other: TestClient;
let notes: Credentials;
let files: Credentials;
let api: ProtectedResource;
let tokens: AccessTokens;
let ofFiles: string;
let opaque: string;
beforeAll(async () => {
  at = await startTestService();
  const signIns = resourceSignIns(at);
  app = await at.addClient({ consent: "never" });
  other = await at.addClient({ consent: "never" });
  const scopes = (name: string) => [{ name, description: `may do ${name}` }];
  notes = await at.service.resources.add(NOTES, { name: "Notes", scopes: scopes("notes:read") });
  files = await at.service.resources.add(FILES, { name: "Files", scopes: scopes("files:read") });
  api = protectResource({ issuer: at.issuer, resource: NOTES });
  const asked = { scope: SCOPE, resource: NOTES };
  const done = await signIns.signedIn(app, asked);
  const { body } = await at.token(redemption(app, done), app);
  const again = await signIns.tokensFor(app, asked);
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
  const filesToo = await signIns.tokensFor(app, { scope: SCOPE, resource: FILES });
  ofFiles = String(filesToo.body.access_token);
  opaque = String((await signIns.tokensFor(app, { scope: "openid" })).body.access_token);
});
afterAll(() => at.close());

const bearer = (text: string) => ({ headers: { authorization: `Bearer ${text}` } });
const userinfo = (text: string) => fetch(`${at.issuer}/oauth/userinfo`, bearer(text));

async function postAs(caller: Credentials, path: string, form: Record<string, string>) {
  const pair = Buffer.from(`${caller.client_id}:${caller.client_secret}`).toString("base64");
  const headers = { authorization: `Basic ${pair}` };
  const body = new URLSearchParams(form);
  return fetch(`${at.issuer}${path}`, { method: "POST", headers, body });
}
const introspect = async (text: string, caller: Credentials) =>
  (await postAs(caller, "/oauth/introspect", { token: text })).json();
const asCaller = ({ id, secret }: TestClient) => ({ client_id: id, client_secret: secret });

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
    expect((await userinfo(token)).status).toBe(200);
    expect(await introspect(token, notes)).toMatchObject({ active: true });
    expect(await outcomeAtApi(token)).toBe("valid");
  });

  test.each([...forgedAccessTokens, ...tokensOfAnotherKind])(
    "%s is worth nothing anywhere, and revokes nothing",
    async (_, make) => {
      const { token, refreshToken } = tokens;
      const text = make(tokens);
      const refused = await userinfo(text);
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
      for (const caller of [notes, files, asCaller(app), asCaller(other)]) {
        expect(await introspect(text, caller)).toEqual({ active: false });
      }
      const data = await fetch(`${at.issuer}/oauth/validation_data`, bearer(text));
      expect(data.status).not.toBe(200);
      expect(await outcomeAtApi(text)).toBe("invalid_token");
      // Only a refresh token is another name of the grant.
      if (text === refreshToken) return;
      await postAs(asCaller(app), "/oauth/revoke", { token: text });
      expect((await userinfo(token)).status).toBe(200);
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
      expect(await introspect(text, asCaller(other))).toEqual({ active: false });
      expect(await introspect(text, asCaller(app))).toMatchObject({ active: true });
    }
    for (const caller of [notes, files]) {
      expect(await introspect(opaque, caller)).toEqual({ active: false });
    }
  });
});

describe("the credentials of a resource", () => {
  test("are those of no client: they redeem, refresh and revoke nothing", async () => {
    const { token, refreshToken, code } = tokens;
    const redeem = { grant_type: "authorization_code", code, redirect_uri: app.redirectUri };
    for (const form of [refresh(refreshToken), redeem]) {
      const answer = await postAs(notes, "/oauth/token", form);
      const { error } = (await answer.json()) as { error: string };
      expect([answer.status, error]).toEqual([400, "invalid_client"]);
    }
    const revoked = await postAs(notes, "/oauth/revoke", { token });
    expect(((await revoked.json()) as { error: string }).error).toBe("invalid_client");
    expect((await userinfo(token)).status).toBe(200);
  });

  test("begin no sign-in", async () => {
    const query = new URLSearchParams({
      ...{ client_id: notes.client_id, redirect_uri: NOTES, response_type: "code" },
      ...{ scope: "openid" },
    });
    const answer = await fetch(`${at.issuer}/oauth/authorize?${query}`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  });
});
