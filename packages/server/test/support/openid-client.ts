// A client of OpenID Connect that checks each response as the OpenID Foundation's suite for providers does.

import { createHash } from "node:crypto";
import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import { expect } from "vitest";
import type { TestClient, TestService } from "./service.ts";
import { authorizationUrl, STATE, untilStopped } from "./sign-in.ts";

/** Parameters of the authorization request; `undefined` takes one away. */
export type Parameters = Readonly<Record<string, string | undefined>>;

export interface Authorized {
  /** The parameters of the redirect to the client. */
  readonly response: URLSearchParams;
  readonly url: string;
  /** The `data-step` of each page on the way. */
  readonly steps: readonly string[];
}

export interface Tokens {
  readonly body: Record<string, unknown>;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly rawIdToken: string;
  readonly idToken: JWTPayload;
}

export const NONCE = "a nonce that is long enough to be known again";

export function openidClient(at: TestService, agent: UserAgent = createUserAgent()) {
  const keys = createRemoteJWKSet(new URL(`${at.issuer}/.well-known/jwks.json`));
  return { agent, open, authorize, follow, redeem, userinfo, signIn, refusal };

  /** The first page, or the redirect to the client. */
  function open(client: TestClient, parameters: Parameters = {}): Promise<Page> {
    const url = authorizationUrl(at, client, { nonce: NONCE, ...parameters });
    return agent.open(url, { stopAt: client.redirectUri });
  }

  async function authorize(client: TestClient, parameters?: Parameters): Promise<Authorized> {
    return follow(client, await open(client, parameters));
  }

  /** Does what the owner of alice.test would do, until the browser is back at the client. */
  async function follow(client: TestClient, first: Page): Promise<Authorized> {
    const owner = { domain: "alice.test", stopAt: client.redirectUri };
    const { page, steps } = await untilStopped(at, agent, first, owner);
    return { response: new URL(page.url).searchParams, url: page.url, steps };
  }

  /** Redeems the code, and checks the response, the ID token and its signature. */
  async function redeem(
    client: TestClient,
    code: string,
    { nonce = NONCE, ...more }: Readonly<Record<string, string>> = {},
  ): Promise<Tokens> {
    const form = { grant_type: "authorization_code", code, redirect_uri: client.redirectUri };
    const { status, body, headers } = await at.token({ ...form, ...more }, client);
    expect([status, body.token_type]).toEqual([200, "bearer"]);
    expect(headers.get("content-type")).toContain("application/json");
    expect(headers.get("cache-control")).toContain("no-store");
    expect(body.expires_in).toSatisfy((seconds) => Number.isInteger(seconds) && seconds > 0);
    expect(body.access_token).toMatch(/^[\x20-\x7e]+$/);
    const rawIdToken = String(body.id_token);
    const accessToken = String(body.access_token);
    const idToken = await checkedIdToken(rawIdToken, { client, nonce, accessToken });
    const refreshToken = String(body.refresh_token);
    return { body, accessToken, refreshToken, rawIdToken, idToken };
  }

  async function checkedIdToken(
    rawIdToken: string,
    expected: { client: TestClient; nonce: string; accessToken: string },
  ): Promise<JWTPayload> {
    const { client, nonce, accessToken } = expected;
    const { kid } = decodeProtectedHeader(rawIdToken);
    expect(kid).toMatch(/./);
    const options = { issuer: at.issuer, audience: client.id, algorithms: ["RS256"] };
    const { payload } = await jwtVerify(rawIdToken, keys, options);
    // One audience as a string, which needs no `azp`.
    expect([payload.aud, payload.azp]).toEqual([client.id, undefined]);
    expect(payload.nonce).toBe(nonce === "" ? undefined : nonce);
    expect(payload.sub).toMatch(/^[\x20-\x7e]{1,255}$/);
    const half = createHash("sha256").update(accessToken).digest().subarray(0, 16);
    expect(payload.at_hash).toBe(half.toString("base64url"));
    const { iat, exp, auth_time: authTime } = payload;
    expect(Number.isInteger(iat) && Number.isInteger(exp)).toBe(true);
    expect(Number(exp)).toBeGreaterThan(Number(iat));
    expect(authTime).toSatisfy((at) => Number.isInteger(at) && Number(at) <= Number(iat));
    return payload;
  }

  /** The response of userinfo, by a GET unless `init` says otherwise, which is about `sub`. */
  async function userinfo(accessToken: string, sub: unknown, init: RequestInit = {}) {
    const headers = { authorization: `Bearer ${accessToken}` };
    const response = await fetch(`${at.issuer}/oauth/userinfo`, { headers, ...init });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("application/json");
    const said = (await response.json()) as Record<string, unknown>;
    expect(said.sub).toBe(sub);
    return said;
  }

  /** A whole sign-in with userinfo at its end. */
  async function signIn(client: TestClient, parameters: Parameters = {}) {
    const done = await authorize(client, parameters);
    const { response } = done;
    expect([response.get("error"), response.get("iss")]).toEqual([null, at.issuer]);
    expect(response.get("state")).toBe("state" in parameters ? parameters.state : STATE);
    const nonce = "nonce" in parameters ? (parameters.nonce ?? "") : NONCE;
    const tokens = await redeem(client, response.get("code") ?? "", { nonce });
    return { ...done, ...tokens, userinfo: await userinfo(tokens.accessToken, tokens.idToken.sub) };
  }

  /** The error that the client gets, with the state and the issuer, and without a code. */
  async function refusal(client: TestClient, parameters: Parameters): Promise<string | null> {
    const { stopped, url } = await open(client, parameters);
    if (!stopped) throw new Error("a page was shown");
    const response = new URL(url).searchParams;
    expect([response.get("state"), response.get("iss")]).toEqual([STATE, at.issuer]);
    expect([response.get("code"), new URL(url).hash]).toEqual([null, ""]);
    return response.get("error");
  }
}
