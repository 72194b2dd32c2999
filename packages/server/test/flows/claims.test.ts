// The claims parameter, acr and the scope profile, from the request to the tokens (OIDC Core §5.4, §5.5).

import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { errorOf, flow } from "../support/flow.ts";
import { redemption } from "../support/sign-in.ts";

const at = flow();

/** Signs in with this `claims` parameter. */
async function signedIn(claims: object | null, scope = "openid") {
  const parameters = { scope, ...(claims && { claims: JSON.stringify(claims) }) };
  const done = await at.signIn({ parameters });
  const { body } = await at.token(redemption(at.client, done), at.client);
  const userinfo = await (await at.userinfo(body.access_token)).json();
  return { body, idToken: decodeJwt(String(body.id_token)), userinfo };
}

/** The error that a silent request gets; null with a code. */
const silently = (claims: object) =>
  at.silently({ parameters: { claims: JSON.stringify(claims) } });

test("a request for openid alone gets what a domain proves, and nothing of profile", async () => {
  const { body, idToken, userinfo } = await signedIn(null);
  expect(body.scope).toBe("openid");
  expect(idToken.acr).toBe("urn:domain-signin:dns");
  for (const said of [idToken, userinfo]) expect(said).not.toHaveProperty("name");
});

test("openid profile email, the default of many libraries, gets what there is", async () => {
  const { body, idToken, userinfo } = await signedIn(null, "openid profile email");
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
    await signedIn(essential("phr", "urn:domain-signin:dns"));
    expect(await silently(essential("urn:domain-signin:dns"))).toBeNull();
    expect(await silently(essential("phr"))).toBe("login_required");
    expect(await silently({ id_token: { acr: { values: ["phr"] } } })).toBeNull();
    await expect(signedIn(essential("phr"))).rejects.toThrow("no code but access_denied");
  });

  test("sub is the only account that gets a code", async () => {
    const done = await signedIn(null);
    const sub = (value: unknown) => ({ id_token: { sub: { value } } });
    expect(await silently(sub(done.idToken.sub))).toBeNull();
    expect(await silently(sub("sub_other"))).toBe("login_required");
    await expect(signedIn(sub("sub_other"))).rejects.toThrow("no code but access_denied");
  });
});

test("a claims parameter that is no JSON object is sent back by name", async () => {
  const sent = await at.open({ claims: "[1]" });
  expect(errorOf(sent)).toBe("invalid_request");
  expect(new URL(sent.url).searchParams.get("error_description")).toBe(
    "claims must be a JSON object",
  );
});
