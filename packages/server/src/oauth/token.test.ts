// Tests of the token endpoint: the checks that all grant types share.

import { describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { makeOAuthWorld, REDIRECT_URI, requestTo } from "../../test/support/oauth-world.ts";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { createAuthorizationCodeGrant } from "./authorization-code-grant.ts";
import { TokenError } from "./protocol-errors.ts";
import { createTokenEndpoints } from "./token.ts";

const world = fixture(makeOAuthWorld);
const app = fixture(() => world.addClient());

function post(
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
  { tokenEndpoint } = createTokenEndpoints(world.parts),
) {
  return tokenEndpoint(requestTo("/oauth/token", { form, headers }));
}

async function refusal(...sent: Parameters<typeof post>): Promise<string> {
  const error = await post(...sent).catch((cause: unknown) => cause);
  if (!(error instanceof TokenError)) throw error;
  return `${error.code}: ${error.message}`;
}

const credentials = () => ({ client_id: app.client.client_id, client_secret: app.secret ?? "" });
const newCode = async () =>
  world.codeOf(await world.issueGrant(app.client, await world.addAccount()));
/** The form for a code, without credentials. */
function formOf(code: string) {
  return { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
}

describe("a request is refused that", () => {
  const longName = `"é${"a".repeat(60)}`;
  const refusals: Record<string, [string, string]> = {
    "has no grant_type": ["", "invalid_request: grant_type is missing"],
    "has a grant_type of its own": [
      "grant_type=password",
      "unsupported_grant_type: grant_type must be authorization_code or refresh_token",
    ],
    "has a code grant without code": [
      `grant_type=authorization_code&redirect_uri=${REDIRECT_URI}`,
      "invalid_request: code is missing",
    ],
    "has a code grant without redirect_uri": [
      "grant_type=authorization_code&code=dsc_x",
      "invalid_request: redirect_uri is missing",
    ],
    "has a refresh grant without refresh_token": [
      "grant_type=refresh_token",
      "invalid_request: refresh_token is missing",
    ],
    "names a parameter twice": [
      "grant_type=refresh_token&grant_type=refresh_token",
      "invalid_request: duplicate parameter: grant_type",
    ],
    "names two resources (RFC 8707 §2)": [
      "grant_type=refresh_token&resource=https://one.example&resource=https://two.example",
      "invalid_target: an access token is for one resource: send resource once",
    ],
    "names a parameter twice whose name is a page of its own (RFC 6749 §5.2)": [
      `${longName}=1&${longName}=1`,
      `invalid_request: duplicate parameter: ??${"a".repeat(38)}`,
    ],
  };
  test.each(Object.entries(refusals))("%s", async (_, [form, words]) => {
    expect(await refusal(form)).toBe(words);
  });

  test("is not a form", async () => {
    const headers = { "content-type": "application/json" };
    expect(await refusal("{}", headers)).toBe(
      "invalid_request: the Content-Type must be application/x-www-form-urlencoded",
    );
  });

  test("is of no client that is known", async () => {
    const form = { grant_type: "refresh_token", refresh_token: "dsr_x", client_id: "stranger" };
    expect(await refusal(form)).toBe("invalid_client: client_id is unknown");
  });
});

test("an error that is not of the form leaves the endpoint as it is", async () => {
  const broken = new Error("a bug");
  const header = () => {
    throw broken;
  };
  const bad = { ...requestTo("/oauth/token", { form: {} }), header };
  await expect(createTokenEndpoints(world.parts).tokenEndpoint(bad)).rejects.toBe(broken);
});

test("a code gives tokens that no cache keeps, and its refresh token gives the next ones", async () => {
  const response = await post({ ...formOf(await newCode()), ...credentials() });
  expect(response.status).toBe(200);
  expect(response.headers.pragma).toBe("no-cache");
  expect(response.headers["cache-control"]).toBe("no-store");
  const tokens = JSON.parse(response.body);
  expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "openid" });

  const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  const next = JSON.parse((await post({ ...refresh, ...credentials() })).body);
  expect(next.refresh_token).toMatch(/^dsr_/);
  expect(next.refresh_token).not.toBe(tokens.refresh_token);
});

test("what a client with a secret is refused is marked as its own, and nothing else is", async () => {
  const wrong = formOf("dsc_x");
  const proven = await post({ ...wrong, ...credentials() }).catch((cause: unknown) => cause);
  expect(proven).toMatchObject({
    ...{ code: "invalid_grant", isOfClient: true },
    detail: "not a code issued by this server",
  });
  const { client: open } = await world.addClient({ type: "public" });
  const unproven = await post({ ...wrong, client_id: open.client_id }).catch((cause) => cause);
  expect(unproven).toMatchObject({ code: "invalid_grant", isOfClient: false });
});

test("one code that no secret protects is refused 120 times in a minute, and is then to wait", async () => {
  const { client: open } = await world.addClient({ type: "public" });
  const endpoints = createTokenEndpoints(world.parts);
  const refused = (code: string) =>
    post({ ...formOf(code), client_id: open.client_id }, {}, endpoints).catch((cause) => cause);
  const code = await newCode();
  for (let count = 0; count < 120; count++) {
    expect(await refused(code)).toMatchObject({ code: "invalid_grant", isOfClient: true });
  }
  expect(await refused(code)).toBeInstanceOf(TooManyRequestsError);
  expect(await refused(await newCode())).toMatchObject({ code: "invalid_grant" });
});

test("an outage in the middle of a grant stays an outage, also of a client with a secret", async () => {
  const outage = new Error("the database is away");
  const evidences = { ...world.store.evidences, readEvidence: () => Promise.reject(outage) };
  const redeemCode = createAuthorizationCodeGrant({ ...world.parts, evidences });
  const endpoints = createTokenEndpoints({ ...world.parts, redeemCode });
  const form = { ...formOf(await newCode()), ...credentials() };
  await expect(post(form, {}, endpoints)).rejects.toBe(outage);
});
