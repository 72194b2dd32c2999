// Clients by document over HTTP: found, checked, shown by their host, and never a way to redirect or to flood.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type AssertionKey,
  makeAssertionKey,
  serveClient,
  startDocumentHost,
} from "../support/document-client.ts";
import { fixture } from "../support/fixture.ts";
import { errorOf, flow } from "../support/flow.ts";
import type { TestClient } from "../support/service.ts";
import { authorizationUrl, pkce, pkceParameters, redemption, refresh } from "../support/sign-in.ts";

const at = flow({ client: "file" });
const host = fixture(startDocumentHost);
const key = fixture(() => makeAssertionKey());
let app: TestClient;
beforeAll(() => {
  app = serveClient(host, "/app", { client_name: "Your Bank", application_type: "web" });
});

const hostName = () => new URL(host.origin).host;
const good = () => pkceParameters(pkce());
const ask = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { redirect: "manual", headers });

/** The parameters that prove the client now. */
function proofOf({ id }: TestClient, by: AssertionKey = key) {
  const now = Math.floor(Date.now() / 1000);
  return by.assert({ clientId: id, issuer: at.issuer, now });
}

describe("a public client", () => {
  test("signs people in, asks for consent each time, and refreshes", async () => {
    for (let round = 0; round < 2; round++) {
      const done = await at.signIn({ client: app });
      expect(done.steps.at(-1)).toBe("consent");
      const { status, body } = await at.token(redemption(app, done), app);
      expect([status, body.scope]).toEqual([200, "openid"]);
      expect(body).toHaveProperty("validation_data");
      expect((await at.token(refresh(String(body.refresh_token)), app)).status).toBe(200);
      expect((await at.userinfo(body.access_token)).status).toBe(200);
    }
    expect(host.hits("/app")).toBe(1);
  });

  test("is called by its host first, whatever its name is", async () => {
    const page = await createUserAgent().open(authorizationUrl(at, app, good()));
    expect(page.html).toContain(`<bdi class="client">${hostName()} (Your Bank)</bdi>`);
    expect(page.html).toMatch(new RegExp(`class="host"[^>]*>${hostName()}<`));
  });

  test("needs PKCE", async () => {
    const answer = await ask(authorizationUrl(at, app));
    expect([answer.status, await answer.text()]).toEqual([
      ...[400, expect.stringContaining("this client must use PKCE")],
    ]);
  });
});

describe("a client with keys", () => {
  const signing = () => ({
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [key.jwk] },
  });

  test("redeems, refreshes and revokes with an assertion, and with nothing less", async () => {
    const client = serveClient(host, "/signing", signing());
    const done = await at.signIn({ client });
    const bare = await at.token(redemption(client, done), client);
    expect([bare.status, bare.body.error]).toEqual([400, "invalid_client"]);
    const proof = await proofOf(client);
    const { status, body } = await at.token({ ...redemption(client, done), ...proof });
    expect(status).toBe(200);
    const again = { ...refresh(String(body.refresh_token)), client_id: client.id };
    expect((await at.token(again)).body.error).toBe("invalid_client");
    expect((await at.token({ ...again, ...proof })).body.error_description).toContain("jti");
    expect((await at.token({ ...again, ...(await proofOf(client)) })).status).toBe(200);
    const revocation = new URLSearchParams({
      ...{ token: String(body.refresh_token), ...(await proofOf(client)) },
    });
    const revoked = await fetch(`${at.issuer}/oauth/revoke`, { method: "POST", body: revocation });
    expect(revoked.status).toBe(200);
  });

  test("may have them at a jwks_uri, and change them there", async () => {
    const jwks_uri = `${host.origin}/keys`;
    const client = serveClient(host, "/rotating", { ...signing(), jwks: undefined, jwks_uri });
    host.serve("/keys", { keys: [key.jwk] });
    const done = await at.signIn({ client });
    const wrong = { ...redemption(client, done), code: "x" };
    const tried = async (by: AssertionKey) =>
      (await at.token({ ...wrong, ...(await proofOf(client, by)) })).body.error;
    expect(await tried(key)).toBe("invalid_grant");
    const next = await makeAssertionKey("k2");
    host.serve("/keys", { keys: [key.jwk, next.jwk] });
    expect(await tried(next)).toBe("invalid_client");
    at.advance(6);
    expect(await tried(next)).toBe("invalid_grant");
    expect(host.hits("/keys")).toBe(2);
    at.advance(3600);
    host.serve("/keys", () => Response.json({}, { status: 500 }));
    const answer = await at.token({ ...wrong, ...(await proofOf(client, next)) });
    expect(answer.body.error).toMatch(/temporarily_unavailable|invalid_client/);
  });
});

describe("a document that is bad", () => {
  const json = (text: string, type = "application/json") => {
    return () => new Response(text, { headers: { "content-type": type } });
  };
  test.each<[string, unknown, string]>([
    ["missing", () => Response.json({}, { status: 404 }), "status 404"],
    ["a redirect", () => Response.redirect("http://localhost:1/", 302), "redirect"],
    ["a page", json("<!doctype html>", "text/html"), "not JSON"],
    ["not JSON inside", json("{"), "not JSON"],
    ["a list", json("[]"), "document: "],
    ["over 64 KiB", json(JSON.stringify({ x: "x".repeat(70_000) })), "too large"],
    ["another client's", { client_id: "https://other.example/" }, "client_id: "],
  ])(
    "because it is %s gets a page that says so, and never a redirect",
    async (what, served, words) => {
      const path = `/bad/${what.replaceAll(" ", "-")}`;
      const client = serveClient(host, path);
      const body =
        typeof served === "function"
          ? served
          : { redirect_uris: [client.redirectUri], ...Object(served) };
      host.serve(path, body);
      const answer = await ask(authorizationUrl(at, client, good()));
      const page = await answer.text();
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
      expect(page).toContain(hostName());
      expect(page).toContain(words);
      expect(page).not.toContain("back-to-app");
      const token = await at.token({ ...refresh("dsr_x") }, client);
      expect([token.status, token.body.error]).toEqual([400, "invalid_client"]);
      expect(token.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    },
  );

  test("because its host is down is a page with 503, and 503 at the token endpoint", async () => {
    const gone = await startDocumentHost();
    const client = serveClient(gone, "/app");
    await gone.close();
    const answer = await ask(authorizationUrl(at, client, good()));
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await answer.text()).toContain(new URL(gone.origin).host);
    const token = await at.token(refresh("dsr_x"), client);
    expect([token.status, token.body.error]).toEqual([503, "temporarily_unavailable"]);
  });

  test("because it is our own, as we show it to SPs, is a page that says so", async () => {
    const sp = "A".repeat(43);
    const redirectUri = `${at.issuer}/federation/callback/${sp}`;
    for (const kind of ["client", "public-client"]) {
      const id = `${at.issuer}/federation/${kind}/${sp}`;
      const answer = await ask(authorizationUrl(at, { ...app, id, redirectUri }, good()));
      const page = await answer.text();
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
      expect(page).toContain("client_id: must not be a URL of this service");
      const token = await at.token(refresh("dsr_x"), { ...app, id });
      expect([token.status, token.body.error]).toEqual([400, "invalid_client"]);
    }
  });

  test("nowhere counts as a failure of ours", () => {
    expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
  });
});

describe("an error that the person had no part in", () => {
  test.each<[string, Record<string, string | undefined>]>([
    ["with a scope that it may not have", { scope: "admin" }],
    ["silently", { prompt: "none" }],
    ["for a token", { response_type: "token" }],
  ])(
    "of a request %s is a page with the host and a way back, not a redirect",
    async (_, changes) => {
      const answer = await ask(authorizationUrl(at, app, { ...good(), ...changes }));
      const page = await answer.text();
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
      expect(page).toContain(hostName());
      const [, back = ""] = /id="back-to-app" href="([^"]+)"/.exec(page) ?? [];
      expect(back.replaceAll("&amp;", "&")).toMatch(
        new RegExp(`^${app.redirectUri}\\?error=\\w+&.*iss=`),
      );
    },
  );

  test("is one thing; what the person denied is told to the app at once", async () => {
    await at.signIn({ client: app });
    const consent = await at.until("consent", await at.open(good(), { client: app }));
    const end = await at.submit(consent, "consent-form", {}, { button: "deny", client: app });
    expect(errorOf(end)).toBe("access_denied");
  });
});
