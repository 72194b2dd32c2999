// APIs that are known by the metadata that they publish (RFC 9728): when it is read, and what it cannot claim.

import { decodeJwt } from "jose";
import { beforeAll, expect, test, vi } from "vitest";
import { serveClient, startDocumentHost } from "../support/document-client.ts";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { type Asked, resourceSignIns } from "../support/resource-sign-in.ts";
import {
  answerPage,
  authorizationUrl,
  pkce,
  pkceParameters,
  redemption,
  refresh,
} from "../support/sign-in.ts";

const NOTES = "https://notes.example/api";

const at = flow({ client: "file" });
const signIns = resourceSignIns(at);
const host = fixture(startDocumentHost);
beforeAll(async () => {
  const scopes = [{ name: "notes:read", description: "Read your notes" }];
  await at.service.resources.add(NOTES, { name: "Notes", scopes });
});

const tokensFor = (asked: Asked, more: Record<string, string> = {}, client = at.client) =>
  signIns.tokensFor(client, asked, more);
const signedIn = (asked: Asked) => signIns.signedIn(at.client, asked);
const errorFor = async (asked: Asked) => (await signedIn(asked)).answer.get("error");

const path = "/.well-known/oauth-protected-resource/mcp";
const uri = (name = "mcp") => `${host.origin}/${name}`;
const publish = (changes: object = {}, name = "mcp") =>
  host.serve(path.replace("mcp", name), {
    ...{ resource: uri(name), authorization_servers: [at.issuer] },
    ...{ scopes_supported: ["tools:call", "notes:read", "openid"], ...changes },
  });

test("a resource is fetched once the person has acted, named on the consent page, and not at the token endpoint", async () => {
  publish();
  const client = await at.addClient({ consent: "first" });
  const asked = { scope: "openid tools:call notes:read", resource: uri() };
  const url = authorizationUrl(at, client, { ...pkceParameters(pkce()), ...asked });
  let page = await signIns.agent.open(url);
  expect(host.hits(path)).toBe(0);
  for (let step = 0; page.step !== "consent" && step < 9; step++) {
    page = await answerPage(at, signIns.agent, page, { domain: "alice.test", stopAt: "none:" });
  }
  expect(page.html).toContain(new URL(uri()).host);
  expect(page.html).toContain("<code>tools:call</code>");
  // That of a registered resource cannot be claimed.
  expect(page.html).not.toContain("notes:read");
  expect(host.hits(path)).toBe(1);
  host.serve(path, () => Response.json({}, { status: 500 }));
  const tokens = await tokensFor(asked, { resource: uri() }, client);
  expect([tokens.status, tokens.body.scope]).toEqual([200, "openid tools:call"]);
  const again = refresh(String(tokens.body.refresh_token), { resource: uri() });
  expect((await at.token(again, client)).status).toBe(200);
  expect(host.hits(path)).toBe(1);
});

const lies: Record<string, (name: string) => void> = {
  "names another resource": (name) => publish({ resource: uri("other") }, name),
  "names no URL as its resource": (name) => publish({ resource: "notes" }, name),
  "names another issuer": (name) =>
    publish({ authorization_servers: ["https://evil.example"] }, name),
  "names no issuer": (name) => publish({ authorization_servers: undefined }, name),
  "is no JSON": (name) => host.serve(path.replace("mcp", name), () => new Response("<html>")),
  "is not there": (name) =>
    host.serve(path.replace("mcp", name), () => Response.json({}, { status: 404 })),
  redirects: (name) => {
    publish({}, "elsewhere");
    const location = `${host.origin}${path.replace("mcp", "elsewhere")}`;
    host.serve(path.replace("mcp", name), () => Response.redirect(location, 302));
  },
  "redirects to itself": (name) => {
    const own = path.replace("mcp", name);
    host.serve(own, () => Response.redirect(`${host.origin}${own}`, 302));
  },
  "is too large": (name) => publish({ filler: "x".repeat(70_000) }, name),
};
test.each(Object.entries(lies))(
  "a resource whose document %s gets invalid_target, and is known soon after that is corrected",
  async (lie, serve) => {
    const name = lie.replaceAll(" ", "-");
    serve(name);
    const asked = { scope: "openid", resource: uri(name) };
    const done = await signedIn(asked);
    expect(done.answer.get("error")).toBe("invalid_target");
    expect(done.answer.get("error_description")).toContain(uri(name));
    publish({}, name);
    at.advance(6);
    expect((await tokensFor(asked)).status).toBe(200);
  },
);

test("the metadata of a URL with a final slash does not make the URL without one known", async () => {
  const { origin } = host;
  const document = { resource: `${origin}/`, authorization_servers: [at.issuer] };
  host.serve("/.well-known/oauth-protected-resource", document);
  expect(await errorFor({ scope: "openid", resource: origin })).toBe("invalid_target");
  expect((await tokensFor({ scope: "openid", resource: `${origin}/` })).status).toBe(200);
});

test("a resource is no longer known once its document names this issuer no more", async () => {
  publish({}, "moved");
  const asked = { scope: "openid", resource: uri("moved") };
  expect((await tokensFor(asked)).status).toBe(200);
  publish({ authorization_servers: ["https://other.example"] }, "moved");
  at.advance(3700);
  expect(await errorFor(asked)).toBe("invalid_target");
});

test("a request is refused with more scopes than a grant keeps", async () => {
  const scopes = Array.from({ length: 24 }, (_, index) => `${index}`.padEnd(60, "x"));
  const names = ["much-a", "much-b"];
  for (const name of names) publish({ scopes_supported: scopes }, name);
  const asked = ["scope", ["openid", ...scopes].join(" ")] as const;
  const resources = names.map((name) => ["resource", uri(name)] as const);
  const both = await signedIn([asked, ...resources]);
  expect(both.answer.get("error")).toBe("invalid_target");
  expect(both.answer.get("error_description")).toContain("longer than 2,048 characters");
  expect((await tokensFor([asked, ...resources.slice(1)])).status).toBe(200);
});

test("metadata is read before prompt=none, or the person has to act", async () => {
  const unread = `${host.origin}/unread`;
  const parameters = { ...pkceParameters(pkce()), prompt: "none", resource: unread };
  const answer = await fetch(authorizationUrl(at, at.client, parameters), { redirect: "manual" });
  const target = new URL(answer.headers.get("location") ?? "");
  expect(target.searchParams.get("error")).toBe("interaction_required");
});

test("a client by document needs no scope to ask for a resource", async () => {
  const client = serveClient(host, "/agent");
  const { body } = await tokensFor({ resource: NOTES }, { resource: NOTES }, client);
  const claims = decodeJwt(String(body.access_token));
  expect([claims.aud, claims.scope]).toEqual([[NOTES, at.issuer], ""]);
});

test("a resource that is named first at the token endpoint gets invalid_target, and nothing is fetched", async () => {
  publish({}, "late");
  const late = path.replace("mcp", "late");
  for (const asked of [{ scope: "openid" }, { scope: "openid", resource: NOTES }]) {
    const done = await signedIn(asked);
    const redeem = { ...redemption(at.client, done), resource: uri("late") };
    const redeemed = await at.token(redeem, at.client);
    expect([redeemed.status, redeemed.body.error]).toEqual([400, "invalid_target"]);
    const { resource: _, ...without } = redeem;
    const { body } = await at.token(without, at.client);
    const again = refresh(String(body.refresh_token), { resource: uri("late") });
    expect((await at.token(again, at.client)).body.error).toBe("invalid_target");
  }
  expect(host.hits(late)).toBe(0);
  expect((await signedIn({ scope: "openid", resource: uri("late") })).code).not.toBe("");
});

test("a document that comes in drips keeps only its own sign-in waiting, and its end is no verdict", async () => {
  const slow = path.replace("mcp", "slow");
  let drip: ReadableStreamDefaultController<Uint8Array> | undefined;
  host.serve(slow, () => {
    const start = (controller: typeof drip) => {
      drip = controller;
      controller?.enqueue(Buffer.from("{"));
    };
    const headers = { "content-type": "application/json" };
    return new Response(new ReadableStream({ start }), { headers });
  });
  const asked = { scope: "openid", resource: uri("slow") };
  const waiting = resourceSignIns(at).signedIn(at.client, { ...asked, login_hint: "bob.test" });
  await expect.poll(() => drip !== undefined, { timeout: 10_000 }).toBe(true);
  drip?.enqueue(Buffer.from(" "));
  expect((await signedIn({ scope: "openid", resource: NOTES })).code).not.toBe("");
  const noise = vi.spyOn(console, "error").mockImplementation(() => {});
  drip?.error(new Error("the host hangs up"));
  expect((await waiting).answer.get("error")).toBe("temporarily_unavailable");
  noise.mockRestore();
  publish({}, "slow");
  at.advance(6);
  expect((await tokensFor(asked)).status).toBe(200);
});

test("a scope of one document is not that of another document with the same name for it", async () => {
  for (const name of ["mine", "theirs"]) publish({ scopes_supported: ["tools:call"] }, name);
  const client = await at.addClient({ consent: "first" });
  const stepsFor = async (name: string) =>
    (await signIns.signedIn(client, { scope: "openid tools:call", resource: uri(name) })).steps;
  expect(await stepsFor("mine")).toContain("consent");
  expect(await stepsFor("mine")).not.toContain("consent");
  expect(await stepsFor("theirs")).toContain("consent");
});
