// The claims parameter, acr and the scope profile, from the request to the tokens (OIDC Core §5.4, §5.5).

import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { authorizationUrl, redemption, signIn } from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
beforeAll(async () => {
  at = await startTestService();
  client = await at.addClient({ consent: "never" });
});
afterAll(() => at.close());

type SignInOptions = NonNullable<Parameters<typeof signIn>[2]>;

/** Signs in with this `claims` parameter. */
async function signedIn(
  claims: object | null,
  { scope = "openid", ...more }: { scope?: string } & Omit<SignInOptions, "parameters"> = {},
) {
  const parameters = { scope, ...(claims && { claims: JSON.stringify(claims) }) };
  const done = await signIn(at, client, { ...more, parameters });
  const { body } = await at.token(redemption(client, done), client);
  const headers = { authorization: `Bearer ${body.access_token}` };
  const userinfo = await fetch(`${at.issuer}/oauth/userinfo`, { headers });
  return {
    ...done,
    body,
    idToken: decodeJwt(String(body.id_token)),
    userinfo: await userinfo.json(),
  };
}

/** The error that a silent request with the cookies of this browser gets; null with a code. */
async function silently(
  { agent }: Pick<Awaited<ReturnType<typeof signedIn>>, "agent">,
  claims: object,
) {
  const parameters = { prompt: "none", claims: JSON.stringify(claims) };
  const { url } = await agent.open(authorizationUrl(at, client, parameters), {
    stopAt: client.redirectUri,
  });
  return new URL(url).searchParams.get("error");
}

test("a request for openid alone gets what a domain proves, and nothing of profile", async () => {
  const { body, idToken, userinfo } = await signedIn(null);
  expect(body.scope).toBe("openid");
  expect(idToken.acr).toBe("urn:domain-signin:dns");
  for (const said of [idToken, userinfo]) expect(said).not.toHaveProperty("name");
});

test("openid profile email, the default of many libraries, gets what there is", async () => {
  const { body, idToken, userinfo } = await signedIn(null, { scope: "openid profile email" });
  expect(body.scope).toBe("openid profile");
  const { domain } = idToken;
  expect(userinfo).toMatchObject({ name: domain, website: `https://${domain}/` });
  expect(userinfo).not.toHaveProperty("email");
  expect(idToken).not.toHaveProperty("name");
  expect(
    at.events.filter((line) => line.includes("scopes ignored") && line.includes("email")),
  ).toHaveLength(1);
});

test("single claims come where they were asked for", async () => {
  const inIdToken = await signedIn({ id_token: { name: null } });
  expect(inIdToken.idToken.name).toBe(inIdToken.idToken.domain);
  expect(inIdToken.userinfo).not.toHaveProperty("name");
  const inUserinfo = await signedIn({ userinfo: { name: null, email: null } });
  expect(inUserinfo.userinfo).toHaveProperty("name");
  expect(inUserinfo.body.scope).toBe("openid profile");
});

describe("an essential claim", () => {
  test("acr that the sign-in does not have is refused, also silently, and one that it has is not", async () => {
    const essential = (...values: string[]) => ({ id_token: { acr: { essential: true, values } } });
    const done = await signedIn(essential("phr", "urn:domain-signin:dns"));
    expect(await silently(done, essential("urn:domain-signin:dns"))).toBeNull();
    expect(await silently(done, essential("phr"))).toBe("login_required");
    expect(await silently(done, { id_token: { acr: { values: ["phr"] } } })).toBeNull();
    const parameters = { claims: JSON.stringify(essential("phr")) };
    await expect(signIn(at, client, { parameters })).rejects.toThrow("no code but access_denied");
  });

  test("sub is the only account that gets a code", async () => {
    const done = await signedIn(null);
    const sub = (value: unknown) => ({ id_token: { sub: { value } } });
    expect(await silently(done, sub(done.idToken.sub))).toBeNull();
    expect(await silently(done, sub("sub_other"))).toBe("login_required");
    const parameters = { claims: JSON.stringify(sub("sub_other")) };
    await expect(signIn(at, client, { parameters })).rejects.toThrow("no code but access_denied");
  });
});

test("a claims parameter that is no JSON object is sent back by name", async () => {
  const url = authorizationUrl(at, client, { claims: "[1]" });
  const response = await fetch(url, { redirect: "manual" });
  const sent = new URL(response.headers.get("location") ?? "").searchParams;
  expect(sent.get("error")).toBe("invalid_request");
  expect(sent.get("error_description")).toBe("claims must be a JSON object");
});
