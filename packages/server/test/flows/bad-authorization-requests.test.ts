// Bad input at the authorization endpoint: a page before the client is proven, a redirect after.

import { describe, expect, test } from "vitest";
import {
  badRedirectUris,
  refusedRequests,
  untrustedRequests,
} from "../support/bad-authorization-requests.ts";
import { flow } from "../support/flow.ts";
import { authorizationUrl, STATE } from "../support/sign-in.ts";

const APP = "https://app.example.org";
const at = flow({ client: "file" });

describe("GET /oauth/authorize", () => {
  const ask = (url: string) => fetch(url, { redirect: "manual" });

  test.each(badRedirectUris)(
    "redirect_uri %j is refused on a page, without a redirect",
    async (redirect_uri) => {
      const answer = await ask(authorizationUrl(at, at.client, { redirect_uri }));
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
      const text = await answer.text();
      expect(text).toContain('data-step="problem"');
      expect(text).not.toContain("evil.example");
    },
  );

  test.each(untrustedRequests)("%o is a page with status 400", async (parameters, words) => {
    const answer = await ask(authorizationUrl(at, at.client, parameters));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(words);
  });

  test.each(["client_id=x", "redirect_uri=https%3A%2F%2Fevil.example", "x=%zz", "x=%00", "x=%ff"])(
    "a query with %s behind it is a page with status 400",
    async (more) => {
      const answer = await ask(`${authorizationUrl(at, at.client)}&${more}`);
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    },
  );

  test.each(refusedRequests)(
    "%o goes back to the client as %s, with state and iss",
    async (parameters, error) => {
      const answer = await ask(authorizationUrl(at, at.client, { state: "s & s", ...parameters }));
      expect(answer.status).toBe(303);
      const location = new URL(answer.headers.get("location") ?? "");
      expect(location.origin + location.pathname).toBe(at.client.redirectUri);
      const parametersBack = Object.fromEntries(location.searchParams);
      expect(parametersBack).toMatchObject({ error, state: "s & s", iss: at.issuer });
      const { error_id: errorId = "", error_description: description = "" } = parametersBack;
      const names = Object.keys(parameters).filter((name) => description.includes(name));
      expect(names, description).not.toEqual([]);
      expect(errorId).toMatch(/^[a-z2-9]{8}$/);
      const lines = at.events.filter((line) => line.includes(errorId));
      expect(lines).toEqual([expect.stringContaining(`"error":"${error}"`)]);
    },
  );

  test("a repeated parameter goes back as invalid_request; a repeated or oversized state is not echoed", async () => {
    for (const [url, state] of [
      [`${authorizationUrl(at, at.client)}&scope=openid`, STATE],
      [`${authorizationUrl(at, at.client)}&state=x`, null],
      [authorizationUrl(at, at.client, { state: "s".repeat(2049) }), null],
    ] as const) {
      const back = new URL((await ask(url)).headers.get("location") ?? "").searchParams;
      expect([back.get("error"), back.get("state")]).toEqual(["invalid_request", state]);
    }
  });

  test("a public client without PKCE goes back as invalid_request (RFC 9700 §2.1.1)", async () => {
    const answer = await ask(authorizationUrl(at, await at.addClient({ type: "public" })));
    expect(answer.headers.get("location")).toContain("error=invalid_request");
  });

  test("a state of 2,048 octets of / + = & % and UTF-8 comes back octet for octet", async () => {
    const state = "/+=&% ü🙂\"'<>".repeat(200).slice(0, 1000);
    expect(Buffer.byteLength(state)).toBeLessThanOrEqual(2048);
    const { answer } = await at.signIn({ parameters: { state } });
    expect(answer.get("state")).toBe(state);
  });

  test("a POST is answered with the same request as a GET (OIDC Core §3.1.2.1)", async () => {
    const url = new URL(authorizationUrl(at, at.client));
    const answer = await at.post(url.pathname, url.search.slice(1), { origin: APP });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`/oauth/authorize${url.search}`);
  });

  test("a POST with a repeated parameter goes back as invalid_request, as a GET does", async () => {
    const url = new URL(authorizationUrl(at, at.client));
    const twice = `${url.searchParams}&scope=openid`;
    const answer = await at.post(url.pathname, twice, { origin: APP });
    const next = await ask(at.issuer + answer.headers.get("location"));
    expect(next.headers.get("location")).toContain(
      `${at.client.redirectUri}?error=invalid_request`,
    );
  });

  test.each(["%00", "x", "%ff", "..%2f..", "a".repeat(5000)])(
    "an interaction %s that never was is a page with status 400",
    async (id) => {
      const answer = await ask(`${at.issuer}/interaction/${id}/consent`);
      expect(await answer.text()).toContain('data-step="problem"');
      expect([400, 404]).toContain(answer.status);
    },
  );

  test("a page carries a strict policy, and none says form-action", async () => {
    const { headers } = await ask(authorizationUrl(at, at.client));
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("form-action");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });
});

test("what is nowhere is a 404 page; metadata and userinfo answer any origin", async () => {
  const nowhere = await fetch(`${at.issuer}/nowhere`);
  expect([nowhere.status, await nowhere.text()]).toEqual([
    404,
    expect.stringContaining("Page not found"),
  ]);
  const metadata = await fetch(`${at.issuer}/.well-known/oauth-authorization-server`);
  expect(metadata.headers.get("access-control-allow-origin")).toBe("*");
  expect(await metadata.json()).toMatchObject({
    issuer: at.issuer,
    token_endpoint: `${at.issuer}/oauth/token`,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  });
  const userinfo = await fetch(`${at.issuer}/oauth/userinfo`);
  expect([userinfo.status, userinfo.headers.get("www-authenticate")]).toEqual([
    401,
    'Bearer realm="domain-signin"',
  ]);
  expect(userinfo.headers.get("access-control-allow-origin")).toBe("*");
});

test("nothing of all this was our own failure", () => {
  expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
});
