// The management listener beside a service: what was done is counted, and health is told there too.

import { connect } from "node:net";
import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { startZone } from "domain-signin-demo/zones/zone";
import { describe, expect, test } from "vitest";
import { openManagement } from "../../src/cli/management.ts";
import { listen } from "../../src/http/listen.ts";
import { createService, type Service } from "../../src/service.ts";
import { jsonEvents } from "../../src/telemetry/events.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { fixture } from "../support/fixture.ts";
import { logTo, noteSecret } from "../support/log-run.ts";
import { answerPage, authorizationUrl, pkce, pkceParameters } from "../support/sign-in.ts";
import { makeTestKey } from "../support/test-keys.ts";

const SECRET = "a secret for the tests of the management listener";
const REDIRECT_URI = "https://app.example.org/callback";

const at = fixture(async () => {
  const zone = await startZone({ origins: ["alice.test"] });
  noteSecret("operator's secret", SECRET);
  const metrics = createMetrics();
  let service: Service | undefined;
  const anywhere = { host: "127.0.0.1", port: 0 };
  const listener = await listen(
    (http) => service?.handle(http) ?? { status: 503, headers: {}, body: "not yet" },
    anywhere,
  );
  const issuer = `http://localhost:${listener.port}`;
  service = createService(
    {
      ...{ issuer, database: "sqlite::memory:", secret: SECRET, dnsServers: [zone.address] },
      ...{ minAssurance: "single", trustAnchors: [], allowedSpecialNames: ["test"] },
    },
    { events: metrics.measured(jsonEvents(logTo("the service"))), makeKey: makeTestKey },
  );
  await service.ready();
  const ready = service;
  const management = await openManagement(anywhere, service.handle, metrics);
  return {
    ...{ issuer, service, zone },
    /** The origin of the management listener. */
    management: `http://127.0.0.1:${management.port}`,
    async close() {
      await listener.close();
      await management.close();
      await ready.close();
      await zone.close();
    },
  };
}, "test");

/** What was counted: every series of ours that is not zero and no duration, without the prefix. */
async function counted(): Promise<Record<string, number>> {
  const answer = await fetch(`${at.management}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const samples = [
    ...(await answer.text()).matchAll(/^domain_signin_(\w+_total(?:\{.*\})?) (\d+)$/gm),
  ];
  const pairs = samples.map(([, series, value]) => [String(series), Number(value)] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== 0));
}

const requests = (method: string, route: string, status: number) =>
  `http_requests_total{method="${method}",route="${route}",status="${status}"}`;

const post = (path: string, parameters: Record<string, string>) =>
  fetch(at.issuer + path, { method: "POST", body: new URLSearchParams(parameters) });

describe("with a service of its own", () => {
  test("answers are counted by route and status, refusals by their error", async () => {
    expect(await counted()).toEqual({});
    const ask = (path: string, init?: RequestInit) => fetch(at.issuer + path, init);
    await ask("/livez");
    await ask("/livez");
    await ask("/livez", { method: "HEAD" });
    await post("/oauth/token", { grant_type: "password", password: "hunter2" });
    await ask("/oauth/userinfo");
    await ask("/nowhere/one?a");
    await ask("/nowhere/two");
    await ask("/interaction/some-id/consent");
    expect(await counted()).toEqual({
      [requests("GET", "/livez", 200)]: 2,
      [requests("HEAD", "/livez", 200)]: 1,
      [requests("POST", "/oauth/token", 400)]: 1,
      [requests("GET", "/oauth/userinfo", 401)]: 1,
      [requests("GET", "none", 404)]: 2,
      [requests("GET", "/interaction/:id/consent", 400)]: 1,
      'refused_total{error="unsupported_grant_type"}': 1,
      'refused_total{error="no token"}': 1,
      'refused_total{error="page"}': 3,
    });
  });

  test("a first sign-in and a replay of its code are counted, and named by nothing", async () => {
    const registration = { name: "App", redirect_uris: [REDIRECT_URI], type: "public" as const };
    const { client_id } = await at.service.clients.add(registration);
    const client = { id: client_id, secret: null, redirectUri: REDIRECT_URI };
    const agent = createUserAgent();
    const proof = pkce();
    const way = { domain: "alice.test", stopAt: REDIRECT_URI };
    let page = await agent.open(authorizationUrl(at, client, pkceParameters(proof)), way);
    while (!page.stopped) page = await answerPage(at, agent, page, way);
    const redemption = {
      ...{ grant_type: "authorization_code", client_id, redirect_uri: REDIRECT_URI },
      ...{ code: new URL(page.url).searchParams.get("code") ?? "", code_verifier: proof.verifier },
    };
    const redeemed = await post("/oauth/token", redemption);
    expect(redeemed.status).toBe(200);
    const { refresh_token } = (await redeemed.json()) as { refresh_token: string };
    await post("/oauth/token", { grant_type: "refresh_token", client_id, refresh_token });
    expect((await post("/oauth/token", redemption)).status).toBe(400);
    expect(await counted()).toMatchObject({
      enrolments_total: 1,
      'sign_ins_total{amr="dns"}': 1,
      'replays_total{token="code"}': 1,
      'refused_total{error="invalid_grant"}': 1,
      'dns_lookups_total{outcome="values",assurance="single"}': expect.any(Number),
      [requests("POST", "/oauth/token", 200)]: 2,
      [requests("POST", "/oauth/token", 400)]: 1,
    });
    const text = await (await fetch(`${at.management}/metrics`)).text();
    for (const name of ["alice", client_id, "app.example.org"]) expect(text).not.toContain(name);
  });

  test("health is the service's own answer, and not ready while it stops", async () => {
    const health = (path: string) => fetch(at.management + path);
    expect(await (await health("/livez")).json()).toEqual({ status: "alive" });
    expect(await (await health("/readyz")).json()).toMatchObject({ status: "ready" });
    at.service.stopping();
    const stopping = await health("/readyz");
    expect([stopping.status, await stopping.json()]).toEqual([503, { status: "stopping" }]);
    expect((await health("/livez")).status).toBe(200);
    expect((await health("/metrics")).status).toBe(200);
  });
});

describe("the listener", () => {
  test("metrics are told to nobody on the service's own address", async () => {
    const answer = await fetch(`${at.issuer}/metrics`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain("# TYPE");
  });

  test.each([
    ...["/", "/metrics/", "/Metrics", "//metrics", "/oauth/token", "/.well-known/jwks.json"],
  ])("%s is nothing to the management listener", async (path) => {
    for (const method of ["GET", "POST"]) {
      const answer = await fetch(at.management + path, { method });
      expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
        ...[404, "text/plain; charset=utf-8", "404 not found\n"],
      ]);
    }
  });

  test.each(["/metrics", "/livez", "/readyz"])("%s takes GET and HEAD alone", async (path) => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PURGE"]) {
      const answer = await fetch(at.management + path, { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
      expect(await answer.text()).toBe("405 method not allowed\n");
    }
    const head = await fetch(at.management + path, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("a method or a host that is none does no harm", async () => {
    const said = async (head: string) => {
      const socket = connect({ host: "127.0.0.1", port: Number(new URL(at.management).port) });
      socket.end(`${head}\r\nConnection: close\r\n\r\n`);
      let heard = "";
      for await (const chunk of socket) heard += chunk;
      return heard.slice(0, heard.indexOf("\r\n"));
    };
    expect(await said("GET /metrics HTTP/1.1\r\nHost: a b")).toMatch(/ 400 /);
    expect(await said("GET /metrics HTTP/1.1\r\nHost: 1.2.3.999")).toMatch(/ 400 /);
    expect(await said(`${"FOO".repeat(1000)} /metrics HTTP/1.1\r\nHost: a`)).toMatch(/ 400 /);
    expect(await said("GET /metrics HTTP/1.1\r\nHost: a")).toMatch(/ 200 /);
  });

  test("an address that is taken is an error, not a crash", async () => {
    const port = Number(new URL(at.management).port);
    const opening = openManagement({ host: "127.0.0.1", port }, at.service.handle, createMetrics());
    await expect(opening).rejects.toThrow("EADDRINUSE");
  });
});
